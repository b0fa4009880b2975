//! The figures of a study: dots with intervals for tables, curves over n for stability.

use super::table::{self, Row};
use super::{Arm, Base, Fit, LearnerKind, Predictor, Quantity, Results, STUDIES, Task, row_sums, sweep};
use crate::printed::{Block, TablePlace};
use ebmbook::data::Protocol;
use ebmbook::metrics::t_half_width;
use ebmbook::regress::RegressorKind;
use ebmbook::show::{Figure, Like, Sign};
use itertools::Itertools;

/// Runs behind a printed cell.
const PRINTED_RUNS: usize = 10;

/// Each figure with the name of its file.
pub fn figures(study: &str, results: &Results) -> Vec<(String, Figure)> {
    let is_curve = results.rows().any(|(cell, _)| matches!(cell.task, Task::Stability(_)));
    let mut figures = Vec::new();
    for protocol in [Protocol::Released, Protocol::Paper] {
        let here = results.only(|c| c.protocol == protocol);
        if here.is_empty() {
            continue;
        }
        if study == sweep::STUDY {
            figures.extend(sweep::figures(&here));
        } else if study == row_sums::STUDY {
            figures.push((format!("mcc-{protocol}"), row_sums::figure(&here)));
        } else if is_curve {
            for value in [Quantity::Mcc, Quantity::EffectiveRank, Quantity::SdOfEffects] {
                let figure = curve(study, &here, protocol, value);
                figures.extend(figure.map(|figure| (format!("{}-{protocol}", file_name(value)), figure)));
            }
        } else {
            for block in here.settings().into_iter().map(|place| place.0).unique() {
                figures.extend(blocks(study, &here.only(|c| c.block == block), protocol));
            }
        }
    }
    figures
}

/// Whether a row of a study's table stands in the figure of this name. Of a figure of all learners, the rows of R do.
pub fn shows(study: &str, figure: &str, row: &Row) -> bool {
    let Row { block, protocol, value, .. } = *row;
    let Some(fit) = value.fit() else { return figure == format!("{}-{protocol}", file_name(value)) };
    let own = matches!(value, Quantity::Noiseless(_)) == NOISELESS_STUDIES.contains(&study);
    let all = format!("{block}-learners-{}-{protocol}", fit.regressor);
    let one = format!("{block}-{}-{protocol}", file_name(fit.pehe()));
    own && row.arm.ten_best_of.is_none()
        && (figure == one || (figure == all && fit.learner == LearnerKind::R))
}

fn file_name(value: Quantity) -> String {
    value.to_string().replace(' ', "-")
}

/// A line for each arm over n, with 95 % bands where groups of runs give them.
fn curve(study: &str, results: &Results, protocol: Protocol, value: Quantity) -> Option<Figure> {
    let (what, label) = match value {
        Quantity::Mcc => ("agreement of runs", "MCC, signed".into()),
        Quantity::EffectiveRank => ("effective rank", value.to_string()),
        Quantity::SdOfEffects => ("spread of effects", "standard deviation of effects, outcome units".into()),
        _ => ("values", value.to_string()),
    };
    let title = format!("{}: {what}, {}", study_in_words(study), protocol_in_words(protocol));
    let line = |arm: Arm| {
        let of_arm = results.only(|c| c.arm == arm);
        let point = |place: TablePlace| {
            let s = of_arm.summary(place, arm, value)?;
            let half = t_half_width(s.se(), s.runs);
            Some((place.2 as f64, s.mean, s.mean - half, s.mean + half))
        };
        (arm, of_arm.settings().into_iter().filter_map(point).collect::<Vec<Point>>())
    };
    let lines: Vec<_> =
        results.arms().into_iter().map(line).filter(|(_, points)| !points.is_empty()).collect();
    let figure = Figure::new(title).x("n, training rows").log_x().y(&label);
    // What is true of all lines stands in the title.
    let all_fresh = lines.iter().all(|(arm, _)| arm.fresh);
    let name = |arm: &Arm| if all_fresh { Arm { fresh: false, ..*arm }.words() } else { arm.words() };
    let draw = |figure: Figure, (arm, points): &(Arm, Vec<Point>)| figure.line_with_band(&name(arm), points);
    (!lines.is_empty()).then(|| lines.iter().fold(figure, draw))
}

/// The studies that are defined on the noiseless effect, where it is known; all others on the noisy one, as the paper prints it.
const NOISELESS_STUDIES: [&str; 2] = ["fair-ladder", "mended"];

/// The study with dozens of representations and few settings.
const SWEEP: &str = "sensitivity";

/// For each block and value: representations as dots, settings as categories. Where a table has all learners,
/// one more for each block and regressor: the learners on the covariates and on the EBM.
fn blocks(study: &str, results: &Results, protocol: Protocol) -> Vec<(String, Figure)> {
    // Where no noiseless effect is known, as for Twins, it is the noisy one everywhere.
    let known =
        results.rows().any(|(_, v)| v.contains_key(&Quantity::Noiseless(Predictor::Zero).to_string()));
    let noiseless = NOISELESS_STUDIES.contains(&study) && known;
    let what = if noiseless { "PEHE against the noiseless effect" } else { "PEHE" };
    let of = |row: Row| {
        let wanted = matches!(row.value, Quantity::Noiseless(_)) == noiseless;
        row.value.fit().filter(|_| wanted && row.constant.is_some()).map(|fit| (fit, row))
    };
    let rows: Vec<(Fit, Row)> = table::rows(study, results).into_iter().filter_map(of).collect();
    let here = |block: Block, fit: Fit| -> Vec<&Row> {
        rows.iter().filter(|(of, row)| (row.block, *of) == (block, fit)).map(|(_, row)| row).collect()
    };
    let mut figures = Vec::new();
    for (block, fit) in rows.iter().map(|(fit, row)| (row.block, *fit)).unique() {
        let Fit { learner, regressor } = fit;
        let title = title(study, block, &format!("{}-learner", letter(learner)), regressor, protocol);
        let draw = if study == SWEEP { by_setting } else { by_arm };
        let name = format!("{block}-{}-{protocol}", file_name(fit.pehe()));
        figures.push((name, draw(title, what, &here(block, fit))));
    }
    for (block, regressor) in rows.iter().map(|(fit, row)| (row.block, fit.regressor)).unique() {
        let all = Fit::all(regressor).into_iter().map(|fit| (letter(fit.learner), here(block, fit)));
        let all: Vec<(String, Vec<&Row>)> = all.collect();
        if all.iter().all(|(_, of_learner)| !of_learner.is_empty()) {
            let title = title(study, block, "all learners", regressor, protocol);
            figures.push((format!("{block}-learners-{regressor}-{protocol}"), by_learner(title, what, &all)));
        }
    }
    figures
}

/// What a figure of PEHE shows, in words.
fn title(study: &str, block: Block, learners: &str, regressor: RegressorKind, protocol: Protocol) -> String {
    let rows = match block {
        Block::SyntheticGrowingD => "synthetic, d grows",
        Block::SyntheticD100 => "synthetic, d = 100",
        Block::Twins => "Twins",
        Block::Ihdp => "IHDP",
    };
    let regression = match regressor {
        RegressorKind::KernelRidge => "linear kernel ridge",
        RegressorKind::Rbf => "RBF kernel ridge",
        RegressorKind::Ridge => "ridge",
        RegressorKind::Polynomial => "polynomial ridge",
        RegressorKind::Power => "power transform + ridge",
    };
    let (study, protocol) = (study_in_words(study), protocol_in_words(protocol));
    format!("{study}, {rows}: {learners}, {regression}, {protocol}")
}

/// The table or figure that a study repeats, or its name.
fn study_in_words(study: &str) -> String {
    let about = STUDIES.iter().find(|s| s.name == study).map(|s| s.about);
    let printed = about.and_then(|about| about.split([':', ',']).next());
    let printed = printed.filter(|name| name.starts_with("Table ") || name.starts_with("Figure "));
    printed.map_or_else(|| study.replace('-', " ").replace("ihdp", "IHDP"), str::to_owned)
}

fn protocol_in_words(protocol: Protocol) -> &'static str {
    match protocol {
        Protocol::Released => "their code",
        Protocol::Paper => "the text",
    }
}

/// A learner as the paper writes it.
fn letter(learner: LearnerKind) -> String {
    learner.to_string().to_uppercase()
}

/// Every representation, with what is printed beside it: settings as categories or, where that takes too many series,
/// representations as categories.
fn by_arm(title: String, what: &str, rows: &[&Row]) -> Figure {
    let mut panel = Panel::new(rows);
    let arms: Vec<Arm> = rows.iter().map(|r| r.arm).unique().collect();
    for &arm in &arms {
        let of_arm: Vec<&Row> = rows.iter().filter(|r| r.arm == arm).copied().collect();
        // With a constant column: in the colour of the representation itself.
        let plain = Arm { constant: false, ..arm };
        let like = (plain != arm && arms.contains(&plain)).then(|| plain.words());
        panel.ours(&arm.words(), like.as_deref(), &of_arm);
        if has_a_printed_column(arm) {
            panel.printed(&arm.words(), &of_arm);
        }
    }
    if panel.series.len() > MOST { by_method(title, what, rows) } else { panel.figure(title, what) }
}

/// The printed EBM column stands once, beside our first objective.
fn has_a_printed_column(arm: Arm) -> bool {
    arm.base == Base::EbmPairwise || !(arm.ten_best_of.is_some() || arm.is_ebm())
}

/// Every representation a category; the smallest and the largest setting as dots, with a constant column and as printed
/// beside them. The table has the settings in between.
fn by_method(title: String, what: &str, rows: &[&Row]) -> Figure {
    let names = rows.iter().map(|r| Arm { constant: false, ..r.arm }.words()).unique();
    let mut panel = Panel { categories: trivial_names().chain(names).collect(), series: Vec::new() };
    let all = settings(rows);
    for setting in [all.first(), all.last()].into_iter().flatten().unique() {
        let here: Vec<&Row> = rows.iter().filter(|r| setting_name(r) == *setting).copied().collect();
        let at = |row: &Row| panel.at(&Arm { constant: false, ..row.arm }.words());
        let ours = |constant: bool| {
            let of = here.iter().filter(|r| r.arm.constant == constant);
            of.map(|r| interval(at(r), r)).collect::<Vec<Point>>()
        };
        let known = here.iter().filter(|r| has_a_printed_column(r.arm));
        let printed: Vec<Point> = known.filter_map(|r| printed_interval(at(r), r)).collect();
        let (plain, constant) = (ours(false), ours(true));
        panel.push(setting.clone(), None, [panel.trivial(&here), plain].concat());
        panel.push(format!("{setting}, with a constant"), Some((setting, Sign::Hollow)), constant);
        panel.push(format!("{setting}, printed"), Some((setting, Sign::Strokes)), printed);
    }
    panel.figure(title, what)
}

/// The predictors that learn nothing, as categories.
fn trivial_names() -> impl Iterator<Item = String> {
    ["predicting zero", "predicting one constant"].map(str::to_owned).into_iter()
}

/// Every representation a category, the values of one hyper-parameter below one another; settings as dots.
fn by_setting(title: String, what: &str, rows: &[&Row]) -> Figure {
    // What is not swept is a family of its own.
    let family = |arm: &Arm| (arm.base, arm.constant, arm.swept.map(|(of, _)| of));
    let arms = rows.iter().map(|r| r.arm).unique();
    let families: Vec<_> = arms.clone().map(|arm| family(&arm)).unique().collect();
    let place = |arm: &Arm| {
        let family = families.iter().position(|f| *f == family(arm));
        (family, arm.swept.map(|(_, hundredths)| hundredths))
    };
    let categories = trivial_names().chain(arms.sorted_by_key(place).map(Arm::words)).collect();
    let mut panel = Panel { categories, series: Vec::new() };
    for setting in settings(rows) {
        let here: Vec<&Row> = rows.iter().filter(|r| setting_name(r) == setting).copied().collect();
        let points = here.iter().map(|r| interval(panel.at(&r.arm.words()), r)).collect();
        panel.push(setting, None, [points, panel.trivial(&here)].concat());
    }
    panel.figure(title, what)
}

fn setting_name(row: &Row) -> String {
    format!("d = {}, n = {}", row.d, row.n)
}

/// The settings of these rows, each once.
fn settings(rows: &[&Row]) -> Vec<String> {
    rows.iter().map(|r| setting_name(r)).unique().collect()
}

/// Our mean with its interval.
fn interval(at: f64, row: &Row) -> Point {
    let half = t_half_width(row.sd / (row.runs as f64).sqrt(), row.runs);
    (at, row.ours, row.ours - half, row.ours + half)
}

/// The printed mean with its interval.
fn printed_interval(at: f64, row: &Row) -> Option<Point> {
    let half = t_half_width(row.printed_sd? / (PRINTED_RUNS as f64).sqrt(), PRINTED_RUNS);
    Some((at, row.printed?, row.printed? - half, row.printed? + half))
}

/// Every learner in every setting a category: on the covariates and on the EBM, ours and printed.
fn by_learner(title: String, what: &str, learners: &[(String, Vec<&Row>)]) -> Figure {
    let name = |learner: &str, row: &Row| format!("{learner}, {}", setting_name(row));
    let all = || learners.iter().flat_map(|(learner, rows)| rows.iter().map(move |row| (learner, *row)));
    let categories = all().map(|(learner, row)| name(learner, row)).unique().collect();
    let mut panel = Panel { categories, series: Vec::new() };
    let first = all().unique_by(|(learner, row)| name(learner, row));
    let constant = first.filter_map(|(learner, row)| {
        let v = row.constant?;
        Some((panel.at(&name(learner, row)), v, v, v))
    });
    let constant = constant.collect();
    panel.push("predicting one constant".into(), None, constant);
    for arm in [Arm::RAW, Arm::EBM] {
        let here = || all().filter(|(_, row)| row.arm == arm);
        let at = |learner: &str, row: &Row| panel.at(&name(learner, row));
        let ours = here().map(|(learner, row)| interval(at(learner, row), row)).collect();
        let printed = here().filter_map(|(learner, row)| printed_interval(at(learner, row), row)).collect();
        panel.push(arm.words(), None, ours);
        panel.push(format!("{}, printed", arm.words()), Some((&arm.words(), Sign::Strokes)), printed);
    }
    panel.figure(title, what)
}

type Point = (f64, f64, f64, f64);

/// More categories than this stand close together.
const MANY: usize = 12;
/// Nobody tells more series than this apart.
const MOST: usize = 7;

/// Categories, and series of means with intervals along x.
struct Panel {
    categories: Vec<String>,
    /// Name, the series whose colour it has, points.
    series: Vec<(String, Option<Like>, Vec<Point>)>,
}

impl Panel {
    /// The settings of these rows as categories, and the trivial predictors in each of them.
    fn new(rows: &[&Row]) -> Self {
        let mut panel = Self { categories: settings(rows), series: Vec::new() };
        let trivial = |of: fn(&Row) -> Option<f64>| -> Vec<Point> {
            let first = panel.categories.iter().filter_map(|s| rows.iter().find(|r| setting_name(r) == *s));
            first.filter_map(|r| of(r).map(|v| (panel.at_setting(r), v, v, v))).collect()
        };
        let (zero, constant) = (trivial(|r| r.zero), trivial(|r| r.constant));
        let like = (!zero.is_empty()).then_some(("predicting zero", Sign::Hollow));
        panel.push("predicting zero".into(), None, zero);
        panel.push("predicting one constant".into(), like, constant);
        panel
    }

    fn at(&self, category: &str) -> f64 {
        self.categories.iter().position(|name| name == category).expect("it is listed") as f64
    }

    fn at_setting(&self, row: &Row) -> f64 {
        self.at(&setting_name(row))
    }

    /// The trivial predictors of a setting, where they are the first categories.
    fn trivial(&self, here: &[&Row]) -> Vec<Point> {
        let known = here.first().map_or([None; 2], |row| [row.zero, row.constant]);
        known.into_iter().enumerate().filter_map(|(at, v)| v.map(|v| (at as f64, v, v, v))).collect()
    }

    fn ours(&mut self, name: &str, like: Option<&str>, rows: &[&Row]) {
        let point = |r: &&Row| interval(self.at_setting(r), r);
        self.push(name.to_owned(), like.map(|of| (of, Sign::Hollow)), rows.iter().map(point).collect());
    }

    fn printed(&mut self, name: &str, rows: &[&Row]) {
        let point = |r: &&Row| printed_interval(self.at_setting(r), r);
        self.push(
            format!("{name}, printed"),
            Some((name, Sign::Strokes)),
            rows.iter().filter_map(point).collect(),
        );
    }

    fn push(&mut self, name: String, like: Option<(&str, Sign)>, points: Vec<Point>) {
        if !points.is_empty() {
            // What is like a series that is like another one has the colour of that.
            let head = |of: &str| {
                let known = self.series.iter().find(|(name, _, _)| name == of);
                known.and_then(|(_, like, _)| like.as_ref()).map_or(of.to_owned(), |like| like.of.clone())
            };
            let like = like.map(|(of, sign)| Like { of: head(of), sign });
            self.series.push((name, like, points));
        }
    }

    fn figure(mut self, title: String, what: &str) -> Figure {
        let edge = self.logarithmic_from();
        let mut label = format!("{what}, outcome units");
        if let Some(edge) = edge {
            label += "; logarithmic";
            let points = || self.series.iter().flat_map(|(_, _, points)| points);
            if points().any(|p| p.2 < edge) {
                label += ", intervals cut at half the smallest mean";
            }
            for point in self.series.iter_mut().flat_map(|(_, _, points)| points) {
                point.2 = point.2.max(edge);
            }
        }
        // Room for every series; the legend takes rows of its own.
        let least = if self.categories.len() > MANY { 18 } else { 64 };
        let each = if self.categories.len() > MANY { 4 } else { 7 };
        let category = (each * self.series.len() as u32 + 4).max(least);
        let legend: usize = self.series.iter().map(|(name, _, _)| 30 + 7 * name.chars().count()).sum();
        let height = 110 + 18 * (legend as u32 / 740) + category * self.categories.len() as u32;
        let figure = Figure::new(title).x(&label).y_categories(&self.categories).size(760, height);
        let figure = if edge.is_some() { figure.log_x() } else { figure };
        self.series.iter().fold(figure, |figure, (name, like, points)| match like {
            Some(like) => figure.dots_like(like.clone(), name, points),
            None => figure.dots(name, points),
        })
    }

    /// Where intervals are cut on a logarithmic axis. There is one where a run that diverged stretches the data
    /// over more than a factor of five, or its interval below zero, where no PEHE is.
    fn logarithmic_from(&self) -> Option<f64> {
        let points = || self.series.iter().flat_map(|(_, _, points)| points);
        let smallest = points().map(|p| p.1).filter(|v| *v > 0.0).fold(f64::INFINITY, f64::min);
        let largest = points().map(|p| p.3).fold(0.0, f64::max);
        let stretched = largest / smallest > 5.0 || points().any(|p| p.2 < 0.0);
        (smallest.is_finite() && stretched).then_some(smallest / 2.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn panel(points: &[Point]) -> Panel {
        Panel {
            categories: vec!["d = 10, n = 100".into()],
            series: vec![("a".into(), None, points.to_vec())],
        }
    }

    /// Every figure of every committed study: few series, names that people know, printed values marked.
    #[test]
    fn no_figure_has_more_than_seven_series_or_an_id_in_its_legend() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("results");
        for study in super::super::Published::studies(&folder) {
            let published = super::super::Published::load(&folder, study.name).unwrap();
            let mut cells = study.cells(crate::registry::Scale::Full);
            cells.retain(|cell| published.values(cell).is_some());
            let results = Results::from_published(cells, &published).unwrap();
            for (name, figure) in figures(study.name, &results) {
                let legend: Vec<&str> = figure.layers.iter().map(ebmbook::show::Layer::name).collect();
                assert!(!figure.title.contains("protocol"), "{}", figure.title);
                let all = legend.iter().copied().chain(figure.y.categories.iter().map(String::as_str));
                assert!(legend.len() <= MOST, "{}/{name}: {legend:?}", study.name);
                for name_of in all {
                    let mut words = name_of.split(|c: char| c.is_whitespace() || c == '-' || c == '/');
                    let id = words.any(|word| ["ebm", "raw"].contains(&word) || word.contains("+1"));
                    assert!(!id, "{}/{name}: `{name_of}` is an id", study.name);
                }
            }
        }
    }

    #[test]
    fn a_run_that_diverged_makes_the_axis_logarithmic_and_the_label_says_so() {
        let calm = panel(&[(0.0, 2.0, 1.9, 2.1), (0.0, 3.0, 2.0, 4.0)]).figure(String::new(), "PEHE");
        assert!(!calm.x.log && calm.x.label == "PEHE, outcome units");
        for wild in [(0.0, 500.0, 0.5, 999.0), (0.0, 4.0, -1.0, 9.0)] {
            let figure = panel(&[(0.0, 2.0, 1.9, 2.1), wild]).figure(String::new(), "PEHE");
            assert!(figure.x.log && figure.x.label.contains("cut at half the smallest mean"));
            let ebmbook::show::Layer::Dots { dots, .. } = &figure.layers[0] else { panic!("dots") };
            assert_eq!(dots[1].low, 1.0, "cut, and nothing else is");
            assert_eq!((dots[0].low, dots[1].high), (1.9, wild.3));
        }
    }
}

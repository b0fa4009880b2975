//! The figures of a study: dots with intervals for tables, curves over n for stability.

use super::table::{self, Row};
use super::{Arm, Base, Fit, LearnerKind, Quantity, Results, Task};
use crate::printed::{Block, TablePlace};
use ebmbook::data::Protocol;
use ebmbook::metrics::t_half_width;
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
        if is_curve {
            for value in [Quantity::Mcc, Quantity::EffectiveRank, Quantity::SdOfEffects] {
                let figure = curve(study, &here, protocol, value);
                figures.extend(figure.map(|figure| (format!("{}-{protocol}", file_name(value)), figure)));
            }
        } else {
            figures.extend(blocks(study, &here, protocol));
        }
    }
    figures
}

fn file_name(value: Quantity) -> String {
    value.to_string().replace(' ', "-")
}

/// A line for each arm over n, with 95 % bands where groups of runs give them.
fn curve(study: &str, results: &Results, protocol: Protocol, value: Quantity) -> Option<Figure> {
    let title = format!("{study}: {value} between runs, {protocol} protocol");
    let label = match value {
        Quantity::Mcc => "MCC, signed".into(),
        Quantity::SdOfEffects => "standard deviation of effects, outcome units".into(),
        other => other.to_string(),
    };
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
    let draw =
        |figure: Figure, (arm, points): &(Arm, Vec<Point>)| figure.line_with_band(&arm.to_string(), points);
    (!lines.is_empty()).then(|| lines.iter().fold(figure, draw))
}

/// The study that is defined on the noiseless effect; all others on the noisy one, as the paper prints it.
const NOISELESS_STUDY: &str = "fair-ladder";

/// The study with dozens of representations and few settings.
const SWEEP: &str = "sensitivity";

/// For each block and value: representations as dots, settings as categories. Where a table has all learners,
/// one more for each block and regressor: the learners on the covariates and on the EBM.
fn blocks(study: &str, results: &Results, protocol: Protocol) -> Vec<(String, Figure)> {
    let noiseless = study == NOISELESS_STUDY;
    let what = if noiseless { "PEHE against the noiseless effect" } else { "PEHE" };
    let of = |row: Row| {
        let wanted = match row.value {
            Quantity::Noiseless(_) => noiseless,
            _ => !noiseless,
        };
        row.value.fit().filter(|_| wanted && row.zero.is_some()).map(|fit| (fit, row))
    };
    let rows: Vec<(Fit, Row)> = table::rows(study, results).into_iter().filter_map(of).collect();
    let here = |block: Block, fit: Fit| -> Vec<&Row> {
        rows.iter().filter(|(of, row)| (row.block, *of) == (block, fit)).map(|(_, row)| row).collect()
    };
    let mut figures = Vec::new();
    for (block, fit) in rows.iter().map(|(fit, row)| (row.block, *fit)).unique() {
        let Fit { learner, regressor } = fit;
        let title =
            format!("{study}, {block}: {}-learner, {regressor}, {protocol} protocol", letter(learner));
        let draw = if study == SWEEP { by_setting } else { by_arm };
        let name = format!("{block}-{}-{protocol}", file_name(fit.pehe()));
        figures.push((name, draw(title, what, &here(block, fit))));
    }
    for (block, regressor) in rows.iter().map(|(fit, row)| (row.block, fit.regressor)).unique() {
        let all = Fit::all(regressor).into_iter().map(|fit| (letter(fit.learner), here(block, fit)));
        let all: Vec<(String, Vec<&Row>)> = all.collect();
        if all.iter().all(|(_, of_learner)| !of_learner.is_empty()) {
            let title = format!("{study}, {block}: all learners, {regressor}, {protocol} protocol");
            figures.push((format!("{block}-learners-{regressor}-{protocol}"), by_learner(title, what, &all)));
        }
    }
    figures
}

/// A learner as the paper writes it.
fn letter(learner: LearnerKind) -> String {
    learner.to_string().to_uppercase()
}

/// Every representation, with what is printed beside it.
fn by_arm(title: String, what: &str, rows: &[&Row]) -> Figure {
    let mut panel = Panel::new(rows);
    let arms: Vec<Arm> = rows.iter().map(|r| r.arm).unique().collect();
    for &arm in &arms {
        let of_arm: Vec<&Row> = rows.iter().filter(|r| r.arm == arm).copied().collect();
        // With a constant column, or chosen by the test error: in the colour of the representation itself.
        let chosen = arm.ten_best_of.is_some();
        let plain = if chosen { Arm { ten_best_of: None, ..arm } } else { Arm { constant: false, ..arm } };
        let like = (plain != arm && arms.contains(&plain)).then(|| plain.to_string());
        panel.ours(&arm.to_string(), like.as_deref(), &of_arm);
        // The printed EBM column stands once, beside our first objective.
        if arm.base == Base::EbmPairwise || !(chosen || arm.is_ebm()) {
            panel.printed(&arm.to_string(), &of_arm);
        }
    }
    panel.figure(title, what)
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
    let names = ["predicting zero", "predicting one constant"].map(str::to_owned).into_iter();
    let categories = names.chain(arms.sorted_by_key(place).map(|arm| arm.to_string())).collect();
    let mut panel = Panel { categories, series: Vec::new() };
    for setting in settings(rows) {
        let here: Vec<&Row> = rows.iter().filter(|r| setting_name(r) == setting).copied().collect();
        let mut points: Vec<Point> = here.iter().map(|r| interval(panel.at(&r.arm.to_string()), r)).collect();
        if let Some(first) = here.first() {
            let trivial = [first.zero, first.constant].into_iter().enumerate();
            points.extend(trivial.filter_map(|(at, v)| v.map(|v| (at as f64, v, v, v))));
        }
        panel.push(setting, None, points);
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

/// The learners on the covariates and, in the same colour, on the EBM.
fn by_learner(title: String, what: &str, learners: &[(String, Vec<&Row>)]) -> Figure {
    let mut panel = Panel::new(&learners[0].1);
    for (learner, rows) in learners {
        let of = |arm: Arm| rows.iter().filter(|r| r.arm == arm).copied().collect::<Vec<&Row>>();
        let raw = format!("{learner}, covariates");
        panel.ours(&raw, None, &of(Arm::RAW));
        panel.ours(&format!("{learner}, EBM"), Some(&raw), &of(Arm::EBM));
    }
    panel.figure(title, what)
}

type Point = (f64, f64, f64, f64);

/// More categories than this stand close together.
const MANY: usize = 12;

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
        panel.push("predicting zero".into(), None, zero);
        panel.push("predicting one constant".into(), Some(("predicting zero", Sign::Hollow)), constant);
        panel
    }

    fn at(&self, category: &str) -> f64 {
        self.categories.iter().position(|name| name == category).expect("it is listed") as f64
    }

    fn at_setting(&self, row: &Row) -> f64 {
        self.at(&setting_name(row))
    }

    fn ours(&mut self, name: &str, like: Option<&str>, rows: &[&Row]) {
        let point = |r: &&Row| interval(self.at_setting(r), r);
        self.push(name.to_owned(), like.map(|of| (of, Sign::Hollow)), rows.iter().map(point).collect());
    }

    fn printed(&mut self, name: &str, rows: &[&Row]) {
        let point = |r: &&Row| {
            let half = t_half_width(r.printed_sd? / (PRINTED_RUNS as f64).sqrt(), PRINTED_RUNS);
            Some((self.at_setting(r), r.printed?, r.printed? - half, r.printed? + half))
        };
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
        let category = (7 * self.series.len() as u32).max(least);
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

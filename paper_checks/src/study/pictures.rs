//! The figures of a study: dots with intervals for tables, curves over n for stability.

use super::table::{self, Row};
use super::{Fit, Results, Task};
use crate::registry::Value;
use ebmbook::data::Protocol;
use ebmbook::show::{Figure, Like, Sign};

/// Runs behind a printed cell.
const PRINTED_RUNS: usize = 10;

/// Half of the two-sided 95 % interval of a mean over so many runs: Student's t; nothing for a single run.
fn half_width(se: f64, runs: usize) -> f64 {
    let mean = Value::estimated("", 0.0, se).with_freedom(runs.saturating_sub(1).max(1));
    if runs < 2 { 0.0 } else { mean.interval().map_or(0.0, |[_, high]| high) }
}

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
            for value in ["mcc", "effective rank", "sd of effects"] {
                if let Some(figure) = curve(study, &here, protocol, value) {
                    figures.push((format!("{}-{protocol}", value.replace(' ', "-")), figure));
                }
            }
        } else {
            figures.extend(blocks(study, &here, protocol));
        }
    }
    figures
}

/// A line for each arm over n, with 95 % bands where groups of runs give them.
fn curve(study: &str, results: &Results, protocol: Protocol, value: &str) -> Option<Figure> {
    let title = format!("{study}: {value} between runs, {protocol} protocol");
    let label = match value {
        "mcc" => "MCC, signed",
        "sd of effects" => "standard deviation of effects, outcome units",
        other => other,
    };
    let mut figure = Figure::new(title).x("n, training rows").log_x().y(label);
    let mut drawn = false;
    for arm in results.arms() {
        let of_arm = results.only(|c| c.arm == arm);
        let points: Vec<(f64, f64, f64, f64)> = of_arm
            .settings()
            .iter()
            .filter_map(|setting| {
                let s = of_arm.summary(setting, &arm, value)?;
                let half = half_width(s.se(), s.runs);
                Some((setting.2 as f64, s.mean, s.mean - half, s.mean + half))
            })
            .collect();
        if !points.is_empty() {
            figure = figure.line_with_band(&arm, &points);
            drawn = true;
        }
    }
    drawn.then_some(figure)
}

/// The study that is defined on the noiseless effect; all others on the noisy one, as the paper prints it.
const NOISELESS_STUDY: &str = "fair-ladder";
const NOISELESS: &str = ", noiseless";

/// The study with dozens of representations and few settings.
const SWEEP: &str = "sensitivity";

/// For each block and value: representations as dots, settings as categories. Where a table has all learners,
/// one more for each block and regressor: the learners on the covariates and on the EBM.
fn blocks(study: &str, results: &Results, protocol: Protocol) -> Vec<(String, Figure)> {
    let noiseless = study == NOISELESS_STUDY;
    let mut rows: Vec<Row> = table::rows(study, results);
    rows.retain(|r| r.zero.is_some() && r.value.ends_with(NOISELESS) == noiseless);
    for row in &mut rows {
        row.value = row.value.trim_end_matches(NOISELESS).to_owned();
    }
    let what = if noiseless { "PEHE against the noiseless effect" } else { "PEHE" };
    let distinct = |of: &dyn Fn(&Row) -> String| {
        let mut found: Vec<(String, String)> = Vec::new();
        for row in &rows {
            let key = (row.block.clone(), of(row));
            if !found.contains(&key) {
                found.push(key);
            }
        }
        found
    };
    let mut figures = Vec::new();
    for (block, value) in distinct(&|r| r.value.clone()) {
        let here: Vec<&Row> = rows.iter().filter(|r| (&r.block, &r.value) == (&block, &value)).collect();
        let (learner, regressor) = value.split_once(' ').unwrap_or((&value, ""));
        let learner = learner.to_uppercase();
        let title = format!("{study}, {block}: {learner}-learner, {regressor}, {protocol} protocol");
        let figure = if study == SWEEP { by_setting(title, what, &here) } else { by_arm(title, what, &here) };
        figures.push((format!("{block}-{}-{protocol}", value.replace(' ', "-")), figure));
    }
    for (block, regressor) in distinct(&|r| r.value.split_once(' ').map_or("", |(_, r)| r).to_owned()) {
        let of_fit = |fit: Fit| {
            let here = rows.iter().filter(|r| r.block == block && r.value == fit.name()).collect();
            (fit.learner.to_uppercase(), here)
        };
        let all: Vec<(String, Vec<&Row>)> = Fit::all(&regressor).into_iter().map(of_fit).collect();
        if all.iter().all(|(_, of_learner)| !of_learner.is_empty()) {
            let title = format!("{study}, {block}: all learners, {regressor}, {protocol} protocol");
            figures.push((format!("{block}-learners-{regressor}-{protocol}"), by_learner(title, what, &all)));
        }
    }
    figures
}

/// Every representation, with what is printed beside it.
fn by_arm(title: String, what: &str, rows: &[&Row]) -> Figure {
    let mut panel = Panel::new(rows);
    let mut arms: Vec<&str> = Vec::new();
    for row in rows {
        if !arms.contains(&row.arm.as_str()) {
            arms.push(&row.arm);
        }
    }
    for arm in &arms {
        let of_arm: Vec<&Row> = rows.iter().filter(|r| r.arm == *arm).copied().collect();
        // With a constant column, or chosen by the test error: in the colour of the representation itself.
        let chosen = arm.split_once(table::TEN_BEST).map(|(plain, _)| plain);
        let plain = chosen.or_else(|| arm.strip_suffix("+1")).filter(|plain| arms.contains(plain));
        panel.ours(arm, plain, &of_arm);
        // The printed EBM column stands once, beside our first objective.
        let beside_another = chosen.is_some() || arm.starts_with("ebm-");
        if !beside_another || arm.starts_with("ebm-pairwise") {
            panel.printed(arm, &of_arm);
        }
    }
    panel.figure(title, what)
}

/// Every representation a category, the values of one hyper-parameter below one another; settings as dots.
fn by_setting(title: String, what: &str, rows: &[&Row]) -> Figure {
    // `k 10` is value 10 of `k`; what has no number is a family of its own.
    let family = |arm: &str| match arm.rsplit_once(' ').map(|(name, value)| (name, value.parse::<f64>())) {
        Some((name, Ok(value))) => (name.to_owned(), value),
        _ => (arm.to_owned(), 0.0),
    };
    let mut families: Vec<String> = Vec::new();
    let mut arms: Vec<&str> = Vec::new();
    for row in rows {
        let (name, _) = family(&row.arm);
        if !families.contains(&name) {
            families.push(name);
        }
        if !arms.contains(&row.arm.as_str()) {
            arms.push(&row.arm);
        }
    }
    let place = |arm: &str| {
        let (name, value) = family(arm);
        (families.iter().position(|f| *f == name), value)
    };
    arms.sort_by(|a, b| place(a).partial_cmp(&place(b)).expect("numbers"));
    let names = ["predicting zero", "predicting one constant"].into_iter().chain(arms);
    let mut panel = Panel { categories: names.map(str::to_owned).collect(), series: Vec::new() };
    for setting in settings(rows) {
        let here: Vec<&Row> = rows.iter().filter(|r| setting_name(r) == setting).copied().collect();
        let mut points: Vec<Point> = here.iter().map(|r| interval(panel.at(&r.arm), r)).collect();
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
    let mut found: Vec<String> = Vec::new();
    for name in rows.iter().map(|r| setting_name(r)) {
        if !found.contains(&name) {
            found.push(name);
        }
    }
    found
}

/// Our mean with its interval.
fn interval(at: f64, row: &Row) -> Point {
    let half = half_width(row.sd / (row.runs as f64).sqrt(), row.runs);
    (at, row.ours, row.ours - half, row.ours + half)
}

/// The learners on the covariates and, in the same colour, on the EBM.
fn by_learner(title: String, what: &str, learners: &[(String, Vec<&Row>)]) -> Figure {
    let mut panel = Panel::new(&learners[0].1);
    for (learner, rows) in learners {
        let of = |arm: &str| rows.iter().filter(|r| r.arm == arm).copied().collect::<Vec<&Row>>();
        let raw = format!("{learner}, covariates");
        panel.ours(&raw, None, &of("raw"));
        panel.ours(&format!("{learner}, EBM"), Some(&raw), &of("ebm-pairwise"));
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
            let half = half_width(r.printed_sd? / (PRINTED_RUNS as f64).sqrt(), PRINTED_RUNS);
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

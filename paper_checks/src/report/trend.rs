//! Trends: how a number changes from one setting to the next, with n, with d or with the width of a network.
//!
//! In: the tables of studies, or the values of a judged claim. Out: rows that people and programs compare.

use crate::claims::{Context, Findings, Report, find};
use crate::study::table::{self, Row};
use crate::study::{Arm, Quantity, Results, pictures};
use ebmbook::metrics::t_half_width;
use ebmbook::show::format_number;
use itertools::Itertools;
use regex::Regex;
use serde::Serialize;
use std::sync::LazyLock;

/// A number at each setting.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Trend {
    /// Of a study, `STUDY/PROTOCOL/BLOCK/METHOD/VALUE`; of a claim about the theory, what is measured.
    pub id: String,
    /// From the smallest setting to the largest.
    pub points: Vec<Point>,
}

/// A number at one setting.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Point {
    /// The setting: `d = 100, n = 500`.
    pub setting: String,
    /// Number of covariates, of a study.
    pub d: Option<usize>,
    /// Number of training rows, of a study.
    pub n: Option<usize>,
    /// Our mean.
    pub mean: f64,
    /// Both ends of its 95 % interval, where chance has a say.
    pub interval: Option<[f64; 2]>,
    /// Standard deviation over runs, of a study.
    pub sd: Option<f64>,
    /// Number of runs, of a study.
    pub runs: Option<usize>,
    /// The printed mean, where there is one.
    pub printed: Option<f64>,
}

/// Rows of all trends that a snapshot shows.
const ROWS: usize = 12;
/// Lines of all trends that a snapshot shows, with the name above each and the blank line below it.
const LINES: usize = 20;
/// Characters of the longest bar.
const BAR: f64 = 24.0;

/// Every trend of a study: each value of each method that is there at two settings or more.
pub fn of_study(study: &str, results: &Results) -> Vec<Trend> {
    let rows = table::rows(study, results);
    let known = |row: &&Row| {
        let learnt = row.value.fit().is_some();
        let curve = [Quantity::Mcc, Quantity::EffectiveRank, Quantity::SdOfEffects].contains(&row.value);
        (learnt || curve) && row.arm.ten_best_of.is_none()
    };
    let groups = rows.iter().filter(known).into_group_map_by(|row| id(study, row));
    let in_order = rows.iter().filter(known).map(|row| id(study, row)).unique();
    in_order.map(|id| Trend { points: points(&groups[&id]), id }).filter(|t| t.points.len() > 1).collect()
}

fn id(study: &str, row: &Row) -> String {
    format!("{study}/{}/{}/{}/{}", row.protocol, row.block, row.arm, row.value)
}

fn points(rows: &[&Row]) -> Vec<Point> {
    let point = |row: &&Row| {
        let half = t_half_width(row.sd / (row.runs as f64).sqrt(), row.runs);
        Point {
            setting: format!("d = {}, n = {}", row.d, row.n),
            d: Some(row.d),
            n: Some(row.n),
            mean: row.ours,
            interval: (row.runs > 1).then_some([row.ours - half, row.ours + half]),
            sd: Some(row.sd),
            runs: Some(row.runs),
            printed: row.printed,
        }
    };
    rows.iter().map(point).collect()
}

/// The trends of a judged claim: those of the first of its figures that the scale has, or those among its values.
pub fn of_claim(report: &Report, context: &Context) -> Vec<Trend> {
    let claim = find(&report.claim).expect("a report is about a claim of the registry");
    let figure = |(study, figure): (&str, &str)| {
        let results = context.results(study).ok()?;
        let rows = table::rows(study, &results);
        let shown: Vec<&Row> = rows.iter().filter(|row| pictures::shows(study, figure, row)).collect();
        // The EBM first, then what it is held against.
        let arms = shown.iter().map(|row| row.arm).unique();
        let arms = arms.sorted_by_key(|arm| (!arm.is_ebm(), *arm != Arm::RAW));
        let trends = arms.map(|arm| {
            let of_arm: Vec<&Row> = shown.iter().copied().filter(|row| row.arm == arm).collect();
            Trend { id: id(study, of_arm[0]), points: points(&of_arm) }
        });
        let trends: Vec<Trend> = trends.filter(|trend| trend.points.len() > 1).collect();
        (!trends.is_empty()).then_some(trends)
    };
    let found = claim.figures().find_map(figure).unwrap_or_else(|| of_values(&report.findings));
    let (mut rows, mut lines) = (0, 0);
    found
        .into_iter()
        .take_while(|trend| {
            rows += trend.points.len();
            lines += trend.points.len() + 2;
            rows <= ROWS && lines <= LINES
        })
        .collect()
}

/// Values whose labels differ in one number alone: in n, in the width of a network, or in d.
fn of_values(findings: &Findings) -> Vec<Trend> {
    static AXES: LazyLock<[Regex; 3]> = LazyLock::new(|| {
        [r"\bn = (\d+)", r"\bwidth (\d+)", r"\bd = (\d+)"].map(|p| Regex::new(p).expect("a valid pattern"))
    });
    let largest = findings.n.last().map_or(String::new(), |n| format!("n = {n}"));
    let values: Vec<(String, &crate::registry::Value)> = findings
        .values
        .iter()
        .chain(&findings.baselines)
        .map(|v| (v.label.replace("the largest n", &largest), v))
        .collect();
    let mut trends: Vec<Trend> = Vec::new();
    for axis in AXES.iter() {
        let place = |label: &str| {
            let found = axis.captures(label)?;
            let size: usize = found[1].parse().ok()?;
            Some((axis.replace(label, "…").into_owned(), found[0].to_owned(), size))
        };
        let all = values.iter().filter_map(|(label, v)| Some((place(label)?, *v)));
        let all: Vec<_> = all.unique_by(|((name, setting, _), _)| (name.clone(), setting.clone())).collect();
        for name in all.iter().map(|((name, _, _), _)| name).unique() {
            let here = all.iter().filter(|((of, _, _), _)| of == name);
            let points: Vec<Point> = here
                .sorted_by_key(|((_, _, size), _)| *size)
                .map(|((_, setting, _), v)| Point {
                    setting: setting.clone(),
                    d: None,
                    n: None,
                    mean: v.estimate,
                    interval: v.interval(),
                    sd: None,
                    runs: None,
                    printed: None,
                })
                .collect();
            if points.len() > 1 {
                let axis = points[0].setting.split([' ', '=']).next().unwrap_or_default();
                trends.push(Trend { id: name.replace("…", axis), points });
            }
        }
        if !trends.is_empty() {
            break;
        }
    }
    // The longest tells most.
    trends.sort_by_key(|trend| std::cmp::Reverse(trend.points.len()));
    trends
}

impl Trend {
    /// The quantity: of a study, the last part of the id.
    fn value(&self) -> &str {
        self.id.rsplit('/').next().unwrap_or(&self.id)
    }

    /// The trend as a small table: setting, ours with its interval, what is printed, the change from the row above, a bar,
    /// which is longest at the largest mean of this quantity in `all`. What is not positive has no bar.
    pub fn text(&self, all: &[Self]) -> String {
        let means = all.iter().filter(|t| t.value() == self.value()).flat_map(|t| &t.points).map(|p| p.mean);
        let most = means.fold(0.0, f64::max);
        let cells: Vec<[String; 5]> = (0..self.points.len()).map(|i| self.row(i, most)).collect();
        let wide = |column: usize| cells.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
        let widths: Vec<usize> = (0..4).map(wide).collect();
        let line = |row: &[String; 5]| {
            let cells = row.iter().take(4).zip(&widths).filter(|(_, width)| **width > 0);
            let padded = cells.map(|(cell, width)| format!("{cell:<width$}")).join("  ");
            format!("  {padded}  {}", row[4]).trim_end().to_owned()
        };
        format!("{}\n{}", self.id, cells.iter().map(line).join("\n"))
    }

    fn row(&self, at: usize, most: f64) -> [String; 5] {
        let point = &self.points[at];
        let interval = point.interval.map_or(String::new(), |[low, high]| {
            format!(" (95 %: [{}, {}])", format_number(low), format_number(high))
        });
        let printed = point.printed.map_or(String::new(), |v| format!("printed {}", format_number(v)));
        let change = at.checked_sub(1).map_or(String::new(), |before| {
            let change = point.mean - self.points[before].mean;
            format!("{}{}", if change < 0.0 { "" } else { "+" }, format_number(change))
        });
        let bar = if most > 0.0 { (BAR * (point.mean / most).max(0.0)).round() as usize } else { 0 };
        let ours = format!("{}{interval}", format_number(point.mean));
        [point.setting.clone(), ours, printed, change, "█".repeat(bar)]
    }
}

/// A judged claim as its first snapshot has it: the trend, then the verdict and the finding, at most 25 lines.
///
/// ```
/// use paper_checks::{claims::{self, Context}, report::trend};
/// let (claim, context) = (claims::find("rate-in-d").unwrap(), Context::default());
/// let text = trend::snapshot(&claims::run(claim, &context)?, &context);
/// assert!(text.lines().count() <= 25 && text.contains('█') && text.contains("claim rate-in-d: holds"));
/// # Ok::<(), paper_checks::study::StudyError>(())
/// ```
pub fn snapshot(report: &Report, context: &Context) -> String {
    let kind = find(&report.claim).map_or(String::new(), |claim| claim.kind.to_string());
    let trends = of_claim(report, context);
    let mut parts: Vec<String> = trends.iter().map(|trend| trend.text(&trends) + "\n").collect();
    parts.push(format!("{kind} {}: {} (on record: {})", report.claim, report.verdict, report.recorded));
    parts.extend(report.finding().ok().map(|finding| format!("finding: {finding}")));
    parts.extend((!report.open.is_empty()).then(|| {
        let few: Vec<&str> = report.open.iter().map(|open| open.label.as_str()).take(3).collect();
        let more = report.open.len().saturating_sub(few.len());
        let rest = if more > 0 { format!(" | {more} more") } else { String::new() };
        format!("open: {}{rest}", few.join(" | "))
    }));
    parts.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::{Key, Value};

    fn labelled(label: &str, v: f64) -> Value {
        Value { label: label.into(), ..Value::exact(Key::new("v"), v) }
    }

    #[test]
    fn values_that_differ_in_n_alone_are_a_trend_in_its_order() {
        let values = [("MCC at the largest n", 0.9), ("rank", 1.0), ("MCC at n = 10", 0.3)];
        let findings = Findings {
            values: values.map(|(label, v)| labelled(label, v)).to_vec(),
            n: vec![10, 200],
            ..Findings::default()
        };
        let trends = of_values(&findings);
        assert_eq!(trends.len(), 1);
        assert_eq!(trends[0].points.iter().map(|p| p.mean).collect::<Vec<_>>(), [0.3, 0.9]);
        let text = trends[0].text(&trends);
        assert!(text.starts_with("MCC at n\n  n = 10   0.3"), "{text}");
        assert!(text.contains("+0.6") && text.contains("████████"), "{text}");
    }

    #[test]
    fn bars_of_one_quantity_have_one_scale_and_nothing_below_zero_has_a_bar() {
        let point = |setting: &str, mean| Point {
            setting: setting.into(),
            d: None,
            n: None,
            mean,
            interval: None,
            sd: None,
            runs: None,
            printed: None,
        };
        let trend = |id: &str, means: [f64; 2]| Trend {
            id: id.into(),
            points: vec![point("n = 1", means[0]), point("n = 2", means[1])],
        };
        let all = [trend("s/p/b/ebm/mcc", [0.48, 0.96]), trend("s/p/b/pca/mcc", [-0.96, 0.04])];
        let bars = |trend: &Trend| -> Vec<usize> {
            trend.text(&all).lines().skip(1).map(|line| line.matches('█').count()).collect()
        };
        assert_eq!([bars(&all[0]), bars(&all[1])], [[12, 24], [0, 1]]);
    }
}

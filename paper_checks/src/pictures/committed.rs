//! Full-scale results that are committed, for lessons to show: nothing is measured again.

use crate::context::Context;
use crate::registry::Scale;
use crate::study::table::{self, Row};
use crate::study::{Arm, Quantity, Results, Studies, pictures};
use ebmbook::data::Protocol;
use ebmbook::show::{Figure, Table, table as new_table};
use itertools::Itertools;

/// Two-sided 95 % under the normal law.
const Z95: f64 = 1.96;
/// Runs behind a printed cell.
const PRINTED_RUNS: f64 = 10.0;

/// Full scale, read from the committed results.
pub(crate) fn context() -> Context {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/results");
    Context { scale: Scale::Full, studies: Studies::Published(folder.into()), ..Context::default() }
}

/// The committed values of a study.
///
/// # Panics
/// If there are none.
pub(crate) fn results(study: &str) -> Results {
    context().results(study).unwrap_or_else(|e| panic!("{e}"))
}

/// A figure of a study by the name of its file, drawn from the committed values.
///
/// ```
/// use paper_checks::lessons::{Show, published};
/// assert!(published("figure3-mcc", "mcc-released").text().contains("ebm"));
/// ```
///
/// # Panics
/// If there is no such figure.
pub fn published(study: &str, name: &str) -> Figure {
    let figures = pictures::figures(study, &results(study));
    let known: Vec<String> = figures.iter().map(|(n, _)| n.clone()).collect();
    let found = figures.into_iter().find(|(n, _)| n == name).map(|(_, figure)| figure);
    found.unwrap_or_else(|| panic!("{study} has no figure `{name}`; there are {}", known.join(", ")))
}

/// The rows of a table of the paper under the released protocol, beside ours.
#[derive(Clone, Debug)]
pub struct Rows {
    rows: Vec<Row>,
}

/// Every number of these studies under the released protocol.
pub(crate) fn rows(studies: &[&str]) -> Rows {
    let of = |study: &&str| {
        table::rows(study, &results(study)).into_iter().filter(|r| r.protocol == Protocol::Released)
    };
    Rows { rows: studies.iter().flat_map(of).collect() }
}

/// Dots of a figure: category, value, both ends of its interval.
pub(crate) type Dots = Vec<(f64, f64, f64, f64)>;

impl Rows {
    /// One number.
    pub(crate) fn find(&self, setting: (usize, usize), arm: &str, value: &str) -> Option<&Row> {
        self.of(arm, value).into_iter().find(|r| (r.d, r.n) == setting)
    }

    /// The distinct (d, n) of a block, in the order of the paper; of all blocks that begin like this.
    pub(crate) fn settings(&self, block: &str) -> Vec<(usize, usize)> {
        let here = self.rows.iter().filter(|r| r.block.to_string().starts_with(block));
        here.map(|r| (r.d, r.n)).unique().collect()
    }

    /// Our means with 95 % intervals, one dot per setting.
    pub(crate) fn ours(&self, settings: &[(usize, usize)], arm: &str, value: &str) -> Dots {
        self.dots(settings, arm, value, |r| Some((r.ours, Z95 * r.sd / (r.runs as f64).sqrt())))
    }

    /// The printed means with 95 % intervals.
    pub(crate) fn printed(&self, settings: &[(usize, usize)], arm: &str, value: &str) -> Dots {
        self.dots(settings, arm, value, |r| Some((r.printed?, Z95 * r.printed_sd? / PRINTED_RUNS.sqrt())))
    }

    /// What is measured of an arm.
    pub(crate) fn values_of(&self, arm: &str) -> Vec<String> {
        let here = self.rows.iter().filter(|r| r.arm.to_string() == arm);
        here.map(|r| r.value).unique().map(|value| value.to_string()).collect()
    }

    /// All settings of an arm.
    pub(crate) fn of(&self, arm: &str, value: &str) -> Vec<&Row> {
        let arm: Arm = arm.parse().unwrap_or_else(|e| panic!("{e}"));
        let value: Quantity = value.parse().unwrap_or_else(|e| panic!("{e}"));
        self.rows.iter().filter(|r| r.arm == arm && r.value == value).collect()
    }

    /// Predicting one constant.
    pub(crate) fn constant(&self, settings: &[(usize, usize)], arm: &str, value: &str) -> Dots {
        self.dots(settings, arm, value, |r| Some((r.constant?, 0.0)))
    }

    /// Predicting zero.
    pub(crate) fn zero(&self, settings: &[(usize, usize)], arm: &str, value: &str) -> Dots {
        self.dots(settings, arm, value, |r| Some((r.zero?, 0.0)))
    }

    fn dots(
        &self,
        settings: &[(usize, usize)],
        arm: &str,
        value: &str,
        of: impl Fn(&Row) -> Option<(f64, f64)>,
    ) -> Dots {
        let dot = |(i, s): (usize, &(usize, usize))| {
            let (mean, half) = of(self.find(*s, arm, value)?)?;
            Some((i as f64, mean, mean - half, mean + half))
        };
        settings.iter().enumerate().filter_map(dot).collect()
    }
}

/// Names of settings, for an axis or a table.
pub(crate) fn names(settings: &[(usize, usize)]) -> Vec<String> {
    settings.iter().map(|(d, n)| format!("d = {d}, n = {n}")).collect()
}

/// Three decimals, as the paper prints; a dash where there is no number.
pub(crate) fn three(value: Option<f64>) -> String {
    value.map_or("-".into(), |v| format!("{v:.3}"))
}

/// A table with one row for each setting.
pub(crate) fn by_setting(
    title: &str,
    header: &[&str],
    settings: &[(usize, usize)],
    row: impl Fn((usize, usize)) -> Vec<Option<f64>>,
) -> Table {
    let start = new_table(title, &[&["setting"], header].concat());
    settings
        .iter()
        .zip(names(settings))
        .fold(start, |t, (s, name)| t.row(&[vec![name], row(*s).into_iter().map(three).collect()].concat()))
}

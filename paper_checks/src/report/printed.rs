//! What the paper's own tables say on a claim: the statistic that the check computes, of the printed
//! means.

use crate::checks::{Scale, one_experiment_each};
use crate::printed::{Printed, TablePlace as Setting};
use crate::study::{Cell, Study};
use ebmbook::data::Protocol;
use ebmbook::theory::rates;
use itertools::Itertools;

const LEARNERS: [&str; 4] = ["T", "X", "DR", "R"];

/// The printed counterpart of a claim's first value, over the settings that its study has at this
/// scale. None where the tables do not print what it takes.
///
/// ```
/// use paper_checks::{checks::Scale, report::printed_number};
/// // log2 of the ratio of two PEHEs: the printed error is smaller with the EBM.
/// let gain = printed_number("table1-ebm-helps", Scale::Full).unwrap();
/// assert!(gain > 0.0);
/// assert_eq!(printed_number("sufficiency", Scale::Full), None);
/// ```
pub fn printed_number(claim: &str, scale: Scale) -> Option<f64> {
    let first = FIRST.iter().find(|(id, _)| *id == claim)?;
    printed_value(claim, first.1, scale)
}

/// The first value of the claims that have a printed counterpart.
const FIRST: [(&str, &str); 7] = [
    ("table1-ebm-helps", "log2 PEHE ratio of raw to EBM, released"),
    ("ihdp", "log2 PEHE ratio, kernel-ridge, released"),
    ("seed-dependence", "log2 PEHE ratio of raw to EBM, synthetic, released"),
    ("table1-gain-shrinks", "slope of the gain, synthetic-d100, released"),
    ("table1-gaps-shrink", "log2 ratio of spreads, without to with, released"),
    ("table1-r-best", "PEHE minus that of the best rival, released"),
    ("table2-ebm-beats-reductions", "share of comparisons won, Twins, as it is, released"),
];

/// Tables A.2 to A.4: study and regressor. The gain with kernel ridge is Table 1's and stands with
/// `table1-ebm-helps`.
const OTHER_REGRESSORS: [(&str, &str); 3] =
    [("table-power", "power"), ("table-polynomial", "polynomial"), ("table-ridge", "ridge")];

/// The same for any value of a claim, by its name.
///
/// ```
/// use paper_checks::{checks::Scale, report::printed_value};
/// let of = |value: &str| printed_value("regressor-agnostic", value, Scale::Full);
/// assert!(of("log2 PEHE ratio, ridge, released").is_some(), "Table A.4");
/// assert_eq!(of("log2 PEHE ratio, ridge, paper"), None, "no table is on the data of the text");
/// ```
pub fn printed_value(claim: &str, value: &str, scale: Scale) -> Option<f64> {
    let printed = Printed::load();
    let table = |study: &str| Table {
        printed: &printed,
        settings: settings(study, scale),
        regressor: "kernel-ridge",
    };
    let regressor = value.strip_prefix("log2 PEHE ratio, ").and_then(|v| v.strip_suffix(", released"));
    if claim == "regressor-agnostic" {
        let (study, regressor) = OTHER_REGRESSORS.into_iter().find(|(_, r)| regressor == Some(*r))?;
        return Some(mean(&table(study).with(regressor).once().gains(&LEARNERS)));
    }
    if claim == "ihdp" {
        return Some(mean(&table("ihdp").with(regressor?).gains(&LEARNERS)));
    }
    FIRST.iter().find(|first| **first == (claim, value))?;
    let number = match claim {
        "table1-ebm-helps" => mean(&table("table1").once().gains(&LEARNERS)),
        "seed-dependence" => mean(&table("seeds").only("synthetic").gains(&["T", "R"])),
        "table1-gain-shrinks" => table("table1").only("synthetic-d100").slope_of_the_gain(),
        "table1-gaps-shrink" => mean(&table("table1").once().shrinkages()),
        "table1-r-best" => table("table1").margin_of_r(),
        "table2-ebm-beats-reductions" => table("table2").share_won(),
        _ => return None,
    };
    Some(number)
}

/// The printed cells of these settings.
struct Table<'a> {
    printed: &'a Printed,
    settings: Vec<Setting>,
    /// As the tables call it.
    regressor: &'a str,
}

impl<'a> Table<'a> {
    /// The same with another regressor, by our name.
    fn with(mut self, regressor: &'a str) -> Self {
        self.regressor = if regressor == "power" { "power-transform" } else { regressor };
        self
    }

    /// The settings whose block has this name, or begins with it.
    fn only(mut self, block: &str) -> Self {
        self.settings.retain(|(name, _, _)| name.to_string().starts_with(block));
        self
    }

    /// Each setting once: a row that two blocks of synthetic data share is one experiment.
    fn once(mut self) -> Self {
        self.settings = one_experiment_each(&self.settings).into_iter().map(|i| self.settings[i]).collect();
        self
    }

    /// Printed PEHE.
    fn pehe(&self, setting: &Setting, learner: &str, with_ebm: bool) -> f64 {
        let cell = self.printed.learners.iter().find(|c| {
            c.regressor == self.regressor
                && (c.dataset, c.d, c.n) == *setting
                && (c.learner.as_str(), c.with_ebm) == (learner, with_ebm)
        });
        cell.map_or(f64::NAN, |c| c.pehe_mean)
    }

    /// In each setting the mean over learners of log₂(PEHE on the covariates / PEHE with the EBM).
    fn gains(&self, learners: &[&str]) -> Vec<f64> {
        let gain = |s: &Setting, l: &&str| (self.pehe(s, l, false) / self.pehe(s, l, true)).log2();
        self.settings.iter().map(|s| mean(&learners.iter().map(|l| gain(s, l)).collect::<Vec<_>>())).collect()
    }

    /// Slope of the gain on log₂ n.
    fn slope_of_the_gain(&self) -> f64 {
        let n: Vec<usize> = self.settings.iter().map(|(_, _, n)| *n).collect();
        // Slope of ln 2^gain on ln n = slope of the gain on log₂ n.
        let ratios: Vec<Vec<f64>> = self.gains(&LEARNERS).iter().map(|g| vec![g.exp2()]).collect();
        rates::slope(&n, &ratios).estimate
    }

    /// log₂ of the largest minus the smallest PEHE of the learners, without over with the EBM.
    fn shrinkages(&self) -> Vec<f64> {
        let spread = |s: &Setting, with_ebm: bool| {
            let errors = LEARNERS.map(|l| self.pehe(s, l, with_ebm));
            errors.into_iter().fold(f64::MIN, f64::max) - errors.into_iter().fold(f64::MAX, f64::min)
        };
        self.settings.iter().map(|s| (spread(s, false) / spread(s, true)).log2()).collect()
    }

    /// Mean PEHE of R with the EBM minus that of the best of its seven rivals.
    fn margin_of_r(&self) -> f64 {
        let column = |learner: &str, with_ebm: bool| -> Vec<f64> {
            self.settings.iter().map(|s| self.pehe(s, learner, with_ebm)).collect()
        };
        let ours = column("R", true);
        let all = [true, false].into_iter().flat_map(|e| LEARNERS.map(|l| (l, e)));
        let rivals = all.filter(|rival| *rival != ("R", true)).map(|(l, e)| column(l, e));
        let best = rivals.min_by(|a, b| mean(a).total_cmp(&mean(b))).expect("seven rivals");
        let once = one_experiment_each(&self.settings);
        mean(&once.into_iter().map(|i| ours[i] - best[i]).collect::<Vec<_>>())
    }

    /// Share of (setting, reduction) in which the printed EBM has the lower PEHE.
    fn share_won(&self) -> f64 {
        let mut won = Vec::new();
        for (block, d, n) in &self.settings {
            let row: Vec<_> = self
                .printed
                .reductions
                .iter()
                .filter(|c| (c.dataset, c.d, c.n) == (*block, *d, *n))
                .collect();
            // A setting that two tables print counts once, as the first of them has it.
            let row: Vec<_> = row.iter().filter(|c| c.table == row[0].table).collect();
            let ebm = row.iter().find(|c| c.reduction == "EBM").map_or(f64::NAN, |c| c.pehe_mean);
            let rivals = row.iter().filter(|c| c.reduction != "EBM");
            won.extend(rivals.map(|c| f64::from(u8::from(ebm < c.pehe_mean))));
        }
        mean(&won)
    }
}

/// The settings of a study's plan under the released protocol, whose numbers are printed.
fn settings(study: &str, scale: Scale) -> Vec<Setting> {
    let cells = Study::find(study).map(|s| s.cells(scale)).unwrap_or_default();
    cells.iter().filter(|c| c.protocol == Protocol::Released).map(Cell::place).unique().collect()
}

fn mean(numbers: &[f64]) -> f64 {
    numbers.iter().sum::<f64>() / numbers.len() as f64
}

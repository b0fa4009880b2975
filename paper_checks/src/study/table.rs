//! Printed beside reproduced: one row for each number of a study, with the trivial predictors.

mod printed;
mod text;

pub use printed::Rows;
pub use text::{csv, markdown};

use super::{Results, Summary};
use crate::printed::Printed;
use ebmbook::data::Protocol;
use ebmbook::metrics::skill;

/// One number of a study beside what the paper prints, if it prints it.
#[derive(Clone, Debug)]
pub struct Row {
    /// Block of the table.
    pub block: String,
    /// Number of covariates.
    pub d: usize,
    /// Number of training rows.
    pub n: usize,
    /// Which account of the experiments.
    pub protocol: Protocol,
    /// The representation.
    pub arm: String,
    /// What is measured: `r kernel-ridge` is the PEHE of that learner.
    pub value: String,
    /// Printed mean.
    pub printed: Option<f64>,
    /// Printed standard deviation.
    pub printed_sd: Option<f64>,
    /// Our mean.
    pub ours: f64,
    /// Our standard deviation over runs.
    pub sd: f64,
    /// Our median, which one run that went astray cannot spoil.
    pub median: f64,
    /// Number of runs.
    pub runs: usize,
    /// Difference in standard errors: ours minus printed.
    pub z: Option<f64>,
    /// What that says.
    pub verdict: &'static str,
    /// Whose rows ours is from, if something is printed.
    pub rows: Option<Rows>,
    /// PEHE of predicting zero.
    pub zero: Option<f64>,
    /// PEHE of predicting the difference in means.
    pub constant: Option<f64>,
    /// PEHE of the true effect against the same truth.
    pub oracle: Option<f64>,
    /// 1 − (PEHE / PEHE of the constant)²: above zero is better than a constant.
    pub skill: Option<f64>,
}

/// Printed means have three decimals.
const UNIT: f64 = 0.001;
/// Printed standard deviations have two.
const UNIT_OF_SD: f64 = 0.01;
/// Beyond so many standard errors two means of ten runs differ; by chance one pair in 130 (Student's t with 18
/// degrees of freedom).
const FAR: f64 = 3.0;

/// One of our runs is many times the others.
const DIVERGED: &str = "a run diverged";
/// What follows the name of a method whose runs were chosen by their test error.
pub(super) const TEN_BEST: &str = ", ten best of ";
/// The error by which they were chosen.
const CHOSEN_BY: &str = "r kernel-ridge";
/// Runs that the released notebook keeps.
const KEPT: usize = 10;

/// Every number of a study, in the order of its plan.
pub fn rows(study: &str, results: &Results) -> Vec<Row> {
    let printed = Printed::load();
    let mut rows = Vec::new();
    for protocol in [Protocol::Released, Protocol::Paper] {
        let here = results.only(|c| c.protocol == protocol);
        for setting in here.settings() {
            let of_setting = here.only(|c| (&c.block, c.d, c.n) == (&setting.0, setting.1, setting.2));
            for arm in of_setting.arms() {
                let of_arm = of_setting.only(|c| c.arm == arm);
                let group = Group { study, protocol, setting: &setting, of_arm: &of_arm, printed: &printed };
                for value in names(&of_arm) {
                    let runs = of_arm.values(&value);
                    rows.extend(Summary::of(&runs).map(|ours| group.row(&arm, &value, &ours)));
                    if study == "selection" && value == CHOSEN_BY {
                        let chosen = format!("{arm}{TEN_BEST}{}", runs.len());
                        rows.extend(ten_best(runs).map(|ours| group.row(&chosen, &value, &ours)));
                    }
                }
            }
        }
    }
    rows
}

/// Puts the ten best of many runs, untrained networks among them, below the other numbers of the same data:
/// the printed column of the EBM was chosen so. They are from the study that has many runs of each.
pub fn with_ten_best(rows: Vec<Row>, selection: &[Row]) -> Vec<Row> {
    let synthetic = |row: &Row| row.block.starts_with("synthetic");
    let place = |row: &Row| (row.protocol, row.block.clone(), row.d, row.n);
    let mut all: Vec<Row> = Vec::with_capacity(rows.len());
    for (at, row) in rows.iter().enumerate() {
        all.push(row.clone());
        let last = rows.get(at + 1).is_none_or(|next| place(next) != place(row));
        // The two blocks share a data set, which the other study has once.
        let same = |best: &&Row| {
            let here = (best.protocol, best.d, best.n) == (row.protocol, row.d, row.n);
            here && synthetic(best) && best.arm.contains(TEN_BEST)
        };
        if last && synthetic(row) {
            all.extend(selection.iter().filter(same).map(|r| Row { block: row.block.clone(), ..r.clone() }));
        }
    }
    all
}

/// The runs with the smallest test error, as the released notebook chooses them.
fn ten_best(mut runs: Vec<f64>) -> Option<Summary> {
    runs.sort_unstable_by(f64::total_cmp);
    runs.truncate(KEPT);
    Summary::of(&runs)
}

/// The cells of a method in a setting.
struct Group<'a> {
    study: &'a str,
    protocol: Protocol,
    setting: &'a (String, usize, usize),
    of_arm: &'a Results,
    printed: &'a Printed,
}

impl Group<'_> {
    fn row(&self, arm: &str, value: &str, ours: &Summary) -> Row {
        let (block, d, n) = self.setting;
        let trivial = |name: &str| {
            let suffix = if value.ends_with(", noiseless") { ", noiseless" } else { "" };
            let runs = self.of_arm.values(&format!("{name}{suffix}"));
            Summary::of(&runs).map(|s| s.mean).filter(|_| is_pehe(value))
        };
        let constant = trivial("constant");
        let known = printed::find(self.printed, self.study, self.protocol, self.setting, arm, value);
        let (z, verdict) = if arm.contains(TEN_BEST) {
            // The standard error of chosen runs is not theirs over √10.
            (None, "chosen")
        } else {
            printed::compare(known, ours)
        };
        Row {
            block: block.clone(),
            d: *d,
            n: *n,
            protocol: self.protocol,
            arm: arm.to_owned(),
            value: value.to_owned(),
            printed: known.map(|k| k.0),
            printed_sd: known.map(|k| k.1),
            ours: ours.mean,
            sd: ours.sd,
            median: ours.median,
            runs: ours.runs,
            z,
            verdict,
            rows: known.map(|_| Rows::of(self.study, block)),
            zero: trivial("zero"),
            constant,
            oracle: trivial("oracle"),
            skill: constant.map(|c| skill(ours.mean, c)),
        }
    }
}

fn is_pehe(value: &str) -> bool {
    value == "pehe" || ["t ", "x ", "dr ", "r "].iter().any(|learner| value.starts_with(learner))
}

/// The values of a group of cells, trivial predictors apart.
fn names(results: &Results) -> Vec<String> {
    let trivial = |name: &str| ["zero", "constant", "oracle"].iter().any(|t| name.starts_with(t));
    let first = results.rows().next().map(|(_, values)| values.keys().cloned().collect::<Vec<_>>());
    first.unwrap_or_default().into_iter().filter(|name| !trivial(name)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::Scale;
    use crate::study::{Study, Values};

    /// Every cell of a study at quick scale with run r erring by r.
    fn made_up(study: &str) -> Results {
        let values = |cell: &crate::study::Cell| {
            let error = 1.0 + cell.replicate as f64;
            Values::from([(CHOSEN_BY.to_owned(), error), ("zero".into(), 9.0), ("constant".into(), 9.0)])
        };
        let cells = Study::find(study).unwrap().cells(Scale::Quick);
        Results::collect(cells, |cell| Some(values(cell))).unwrap()
    }

    #[test]
    fn the_ten_best_stand_once_below_the_last_row_of_their_data_and_beside_the_printed_ebm() {
        let (plain, selection) =
            (rows("table1", &made_up("table1")), rows("selection", &made_up("selection")));
        let chosen = |r: &&Row| r.arm.contains(TEN_BEST);
        assert_eq!(plain.iter().filter(chosen).count(), 0);
        let all = with_ten_best(plain.clone(), &selection);
        assert_eq!(all.iter().filter(|r| !chosen(r)).count(), plain.len(), "nothing is lost");
        let untrained: Vec<&Row> =
            all.iter().filter(|r| chosen(r) && r.arm.starts_with("untrained")).collect();
        assert!(!untrained.is_empty());
        for row in untrained {
            // Errors 1, 2, …, 10 of twenty runs.
            assert_eq!((row.ours, row.runs), (5.5, KEPT), "{} {} {}", row.block, row.d, row.n);
            assert!(row.printed.is_some() && row.verdict == "chosen" && row.protocol == Protocol::Released);
        }
        let place = |r: &Row| (r.protocol, r.block.clone(), r.d, r.n);
        for pair in all.windows(2).filter(|pair| chosen(&&pair[0]) && !chosen(&&pair[1])) {
            assert_ne!(place(&pair[0]), place(&pair[1]), "they come last");
        }
        assert!(all.iter().filter(chosen).all(|r| r.block.starts_with("synthetic")));
    }
}

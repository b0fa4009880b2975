//! Printed beside reproduced: one row for each number of a study, with the trivial predictors.

pub(super) mod printed;
mod text;

pub use printed::{Comparison, Whose};
pub use text::{csv, markdown};

use super::{Arm, Fit, LearnerKind, Predictor, Quantity, Results, Summary};
use crate::printed::{Block, Printed, TablePlace};
use ebmbook::data::Protocol;
use ebmbook::metrics::skill;
use serde::Serialize;

/// One number of a study beside what the paper prints, if it prints it. As CSV it has these columns.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// Which account of the experiments.
    pub protocol: Protocol,
    /// Block of the table.
    pub block: Block,
    /// Number of covariates.
    pub d: usize,
    /// Number of training rows.
    pub n: usize,
    /// The representation.
    pub arm: Arm,
    /// What is measured.
    #[serde(serialize_with = "text::shown")]
    pub value: Quantity,
    /// Printed mean.
    pub printed: Option<f64>,
    /// Printed standard deviation.
    pub printed_sd: Option<f64>,
    /// Our mean.
    #[serde(serialize_with = "text::four")]
    pub ours: f64,
    /// Our standard deviation over runs.
    #[serde(serialize_with = "text::four")]
    pub sd: f64,
    /// Our median, which one run that went astray cannot spoil.
    #[serde(serialize_with = "text::four")]
    pub median: f64,
    /// Number of runs.
    pub runs: usize,
    /// Difference in standard errors: ours minus printed.
    #[serde(serialize_with = "text::one_if_any")]
    pub z: Option<f64>,
    /// What that says.
    #[serde(serialize_with = "text::shown")]
    pub verdict: Comparison,
    /// Whose rows ours is from, if something is printed.
    #[serde(serialize_with = "text::shown_if_any")]
    pub rows: Option<Whose>,
    /// PEHE of predicting zero.
    #[serde(serialize_with = "text::four_if_any")]
    pub zero: Option<f64>,
    /// PEHE of predicting the difference in means.
    #[serde(serialize_with = "text::four_if_any")]
    pub constant: Option<f64>,
    /// PEHE of the true effect against the same truth.
    #[serde(serialize_with = "text::four_if_any")]
    pub oracle: Option<f64>,
    /// 1 − (PEHE / PEHE of the constant)²: above zero is better than a constant.
    #[serde(serialize_with = "text::four_if_any")]
    pub skill: Option<f64>,
}

impl Row {
    /// Protocol and setting.
    fn place(&self) -> (Protocol, TablePlace) {
        (self.protocol, (self.block, self.d, self.n))
    }
}

/// The error by which runs were chosen.
const CHOSEN_BY: Quantity = Fit::kernel_ridge(LearnerKind::R).pehe();
/// Runs that the released notebook keeps.
const CHOSEN: usize = 10;

/// Every number of a study, in the order of its plan.
pub fn rows(study: &str, results: &Results) -> Vec<Row> {
    let printed = Printed::load();
    let mut rows = Vec::new();
    for protocol in [Protocol::Released, Protocol::Paper] {
        let here = results.only(|c| c.protocol == protocol);
        for place in here.settings() {
            let of_setting = here.only(|c| c.place() == place);
            for arm in of_setting.arms() {
                let of_arm = of_setting.only(|c| c.arm == arm);
                let group = Group { study, protocol, place, of_arm: &of_arm, printed: &printed };
                for value in quantities(&of_arm) {
                    let runs = of_arm.values(value);
                    rows.extend(Summary::of(&runs).map(|ours| group.row(arm, value, &ours)));
                    if study == "selection" && value == CHOSEN_BY {
                        let chosen = Arm { ten_best_of: Some(runs.len()), ..arm };
                        rows.extend(ten_best(runs).map(|ours| group.row(chosen, value, &ours)));
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
    let mut all: Vec<Row> = Vec::with_capacity(rows.len());
    for (at, row) in rows.iter().enumerate() {
        all.push(row.clone());
        let last = rows.get(at + 1).is_none_or(|next| next.place() != row.place());
        // The two blocks share a data set, which the other study has once.
        let same = |best: &&Row| {
            let here = (best.protocol, best.d, best.n) == (row.protocol, row.d, row.n);
            here && best.block.is_synthetic() && best.arm.ten_best_of.is_some()
        };
        if last && row.block.is_synthetic() {
            let best: Vec<&Row> = selection.iter().filter(same).collect();
            // All of them are held against the EBM's printed cell.
            let Some(known) = best.iter().find(|r| r.printed.is_some()) else { continue };
            let (printed, printed_sd, rows) = (known.printed, known.printed_sd, known.rows);
            all.extend(best.iter().map(|r| Row {
                block: row.block,
                printed,
                printed_sd,
                rows,
                ..(*r).clone()
            }));
        }
    }
    all
}

/// The runs with the smallest test error, as the released notebook chooses them.
fn ten_best(mut runs: Vec<f64>) -> Option<Summary> {
    runs.sort_unstable_by(f64::total_cmp);
    runs.truncate(CHOSEN);
    Summary::of(&runs)
}

/// The cells of a method in a setting.
struct Group<'a> {
    study: &'a str,
    protocol: Protocol,
    place: TablePlace,
    of_arm: &'a Results,
    printed: &'a Printed,
}

impl Group<'_> {
    fn row(&self, arm: Arm, value: Quantity, ours: &Summary) -> Row {
        let (block, d, n) = self.place;
        let trivial = |predictor: Predictor| {
            let of = match value {
                Quantity::Noiseless(_) => Quantity::Noiseless(predictor),
                Quantity::Pehe(_) | Quantity::MeanPehe => Quantity::Pehe(predictor),
                _ => return None,
            };
            Summary::of(&self.of_arm.values(of)).map(|s| s.mean)
        };
        let constant = trivial(Predictor::Constant);
        let known = printed::find(self.printed, self.study, self.protocol, self.place, arm, value);
        let (z, verdict) = match arm.ten_best_of {
            // The standard error of chosen runs is not theirs over √10.
            Some(_) => (None, Comparison::Chosen),
            None => printed::compare(known, ours),
        };
        Row {
            protocol: self.protocol,
            block,
            d,
            n,
            arm,
            value,
            printed: known.map(|k| k.0),
            printed_sd: known.map(|k| k.1),
            ours: ours.mean,
            sd: ours.sd,
            median: ours.median,
            runs: ours.runs,
            z,
            verdict,
            rows: known.map(|_| Whose::of(self.study, block)),
            zero: trivial(Predictor::Zero),
            constant,
            oracle: trivial(Predictor::Oracle),
            skill: constant.map(|c| skill(ours.mean, c)),
        }
    }
}

/// The values of a group of cells, trivial predictors apart.
fn quantities(results: &Results) -> Vec<Quantity> {
    let first = results.rows().next().map(|(_, values)| values.keys());
    let known = first.into_iter().flatten().map(|name| name.parse().expect("cells hold quantities"));
    known.filter(|quantity: &Quantity| !quantity.is_trivial()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::{Cell, Scale, Study, Values};

    /// Every cell of a study at quick scale with run r erring by r.
    fn made_up(study: &str) -> Results {
        let values = |cell: &Cell| {
            let error = 1.0 + cell.replicate as f64;
            let all = [(CHOSEN_BY, error), (Quantity::ZERO, 9.0), (Quantity::CONSTANT, 9.0)];
            Values::from(all.map(|(of, value)| (of.to_string(), value)))
        };
        let cells = Study::find(study).unwrap().cells(Scale::Quick);
        Results::collect(cells, |cell| Some(values(cell))).unwrap()
    }

    #[test]
    fn the_ten_best_stand_once_below_the_last_row_of_their_data_and_beside_the_printed_ebm() {
        let (plain, selection) =
            (rows("table1", &made_up("table1")), rows("selection", &made_up("selection")));
        let chosen = |r: &&Row| r.arm.ten_best_of.is_some();
        assert_eq!(plain.iter().filter(chosen).count(), 0);
        let all = with_ten_best(plain.clone(), &selection);
        assert_eq!(all.iter().filter(|r| !chosen(r)).count(), plain.len(), "nothing is lost");
        let untrained: Vec<&Row> =
            all.iter().filter(|r| chosen(r) && r.arm.base == Arm::UNTRAINED.base).collect();
        assert!(!untrained.is_empty());
        for row in untrained {
            // Errors 1, 2, …, 10 of twenty runs.
            assert_eq!((row.ours, row.runs), (5.5, CHOSEN), "{} {} {}", row.block, row.d, row.n);
            assert!(row.printed.is_some() && row.verdict == Comparison::Chosen);
            assert_eq!(row.protocol, Protocol::Released);
        }
        for pair in all.windows(2).filter(|pair| chosen(&&pair[0]) && !chosen(&&pair[1])) {
            assert_ne!(pair[0].place(), pair[1].place(), "they come last");
        }
        assert!(all.iter().filter(chosen).all(|r| r.block.is_synthetic()));
    }
}

//! Tables 1 and 2 print one column for R with EBM on Twins. How likely is that, if one of them adds one to treated
//! outcomes?

use crate::claims::compare::mean;
use crate::claims::{Check, Context, Findings};
use crate::printed::{Block, Printed};
use crate::registry::{Key, Value};
use crate::study::plans::SEED;
use crate::study::{Arm, Fit, LearnerKind, Quantity, Results, StudyError};
use ebmbook::data::Protocol;
use ebmbook::seed::Seed;
use rand::Rng;

pub const CHECK: Check = Check::new(measure);

const VALUE: Quantity = Fit::kernel_ridge(LearnerKind::R).pehe();
/// Unit of the last printed digit.
const UNIT: f64 = 1e-3;
/// Means of ten runs drawn from ours.
const RESAMPLES: usize = 20_000;

/// A row of both tables.
struct Row {
    n: usize,
    table1: f64,
    table2: f64,
}

fn printed() -> Vec<Row> {
    let printed = Printed::load();
    let twins = printed.reductions.iter().filter(|c| c.table == "main-table-2" && c.dataset == Block::Twins);
    let row = |c: &crate::printed::ReductionCell| {
        let same = |l: &&crate::printed::LearnerCell| {
            l.table == "main-table-1"
                && l.dataset == c.dataset
                && l.n == c.n
                && l.learner == "R"
                && l.with_ebm
        };
        let table1 = printed.learners.iter().find(same)?.pehe_mean;
        Some(Row { n: c.n, table1, table2: c.pehe_mean })
    };
    twins.filter(|c| c.reduction == "EBM").filter_map(row).collect()
}

fn measure(context: &Context) -> Result<Findings, StudyError> {
    let tables = [context.results("table1")?, context.results("table2")?];
    let [plain, shifted] =
        tables.map(|t| t.only(|c| c.protocol == Protocol::Released && c.block == Block::Twins));
    let rows = printed();
    let runs =
        |results: &Results, arm: Arm, n: usize| results.only(|c| c.arm == arm && c.n == n).values(VALUE);
    let pairs = |before: Arm, after: &dyn Fn(&Row) -> Vec<f64>| -> Vec<Pairs> {
        let of_row = |row: &Row| Pairs::new(row, &runs(&plain, before, row.n), &after(row));
        rows.iter().filter_map(of_row).collect()
    };
    let ebm = pairs(Arm::EBM, &|row| runs(&shifted, Arm::EBM, row.n));
    let alike = rows.iter().filter(|row| (row.table1 - row.table2).abs() < UNIT / 2.0).count();
    let mut findings = Findings {
        setting: format!("R-learner, kernel ridge, our runs at {} of {} values of n", ebm.len(), rows.len()),
        ..Findings::default()
    };
    // All places or none: the chance is that of the whole column.
    if ebm.len() == rows.len() {
        findings.values.push(Value::exact("chance", chance(&ebm, true)));
        findings.baselines.push(Value::exact("unscaled", chance(&ebm, false)));
    }
    let pca = pairs(Arm::PCA.plus_constant(), &|row| runs(&shifted, Arm::PCA, row.n));
    let same = pairs(Arm::EBM, &|row| runs(&plain, Arm::EBM, row.n));
    for (id, variant) in [("another-reduction", pca), ("same-outcomes", same)] {
        findings.controls.insert(id.into(), vec![Value::exact("chance", chance(&variant, true))]);
    }
    findings.baselines.push(Value::exact("printed-alike", alike as f64));
    findings.baselines.push(Value::exact("places", rows.len() as f64));
    for pairs in &ebm {
        findings.baselines.push(Value::mean(Key::new("moved").of(pairs.n), &pairs.moved));
    }
    findings.baselines.extend(pca_of_table_2(&shifted, &context.results("table2")?, &rows));
    Ok(findings)
}

/// PCA's error as printed, with one added to treated outcomes, and without.
fn pca_of_table_2(shifted: &Results, all: &Results, rows: &[Row]) -> Vec<Value> {
    let n: Vec<usize> = rows.iter().map(|row| row.n).collect();
    let printed = Printed::load();
    let theirs = printed.reductions.iter().filter(|c| {
        c.table == "main-table-2" && c.dataset == Block::Twins && c.reduction == "PCA" && n.contains(&c.n)
    });
    let theirs: Vec<f64> = theirs.map(|c| c.pehe_mean).collect();
    let own = |results: &Results| mean(&results.only(|c| c.arm == Arm::PCA).values(VALUE));
    let without = all.only(|c| c.protocol == Protocol::Paper);
    [("the paper", mean(&theirs)), ("ours with one added", own(shifted)), ("ours without", own(&without))]
        .map(|(who, error)| Value::exact(Key::new("printed-pca").of(who), error))
        .to_vec()
}

/// What the added one does to the runs of one n.
struct Pairs {
    n: usize,
    /// Error with one added minus error without, run by run.
    moved: Vec<f64>,
    /// Printed error over ours: the authors' outcomes are on another scale.
    scale: f64,
}

impl Pairs {
    fn new(row: &Row, before: &[f64], after: &[f64]) -> Option<Self> {
        // Where one arm has nothing random it has a single run, which stands for all.
        let runs = before.len().max(after.len());
        let at = |runs: &[f64], r: usize| runs[r.min(runs.len() - 1)];
        (!before.is_empty() && !after.is_empty()).then(|| Self {
            n: row.n,
            moved: (0..runs).map(|r| at(after, r) - at(before, r)).collect(),
            scale: row.table1 / mean(before),
        })
    }

    /// P(both means print the same): two numbers that lie D apart round alike with probability max(0, 1 − |D|/unit), the
    /// place of the rounding being anywhere.
    fn alike(&self, scaled: bool, seed: Seed) -> f64 {
        let scale = if scaled { self.scale } else { 1.0 };
        let mut rng = seed.rng();
        let runs = self.moved.len();
        let drawn = (0..RESAMPLES).map(|_| {
            let mean = (0..runs).map(|_| self.moved[rng.random_range(0..runs)]).sum::<f64>() / runs as f64;
            (1.0 - (scale * mean).abs() / UNIT).max(0.0)
        });
        drawn.sum::<f64>() / RESAMPLES as f64
    }
}

/// Probability that all places print alike: their runs are independent.
fn chance(places: &[Pairs], scaled: bool) -> f64 {
    let seed = Seed::new(SEED).child("bootstrap").child("printed alike");
    places.iter().map(|pairs| pairs.alike(scaled, seed.index(pairs.n))).product()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_that_lie_half_a_unit_apart_print_alike_every_other_time() {
        let row = Row { n: 500, table1: 1.0, table2: 1.0 };
        let alike = |apart: f64| {
            let pairs = Pairs::new(&row, &[1.0; 10], &[1.0 + apart; 10]).unwrap();
            pairs.alike(true, Seed::new(1))
        };
        assert!((alike(0.0) - 1.0).abs() < 1e-9 && (alike(UNIT / 2.0) - 0.5).abs() < 1e-6);
        assert_eq!(alike(2.0 * UNIT), 0.0);
    }
}

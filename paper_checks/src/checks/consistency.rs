//! Proposition 4.1: the learned representation converges. MCC between independent runs on fresh
//! samples rises with n towards 1.

use super::{Context, Findings};
use crate::verdict::Value;
use ebmbook::ebm::Folds;
use ebmbook::theory::mixture::{MixtureRow, experiment};
use statrs::distribution::{ContinuousCDF, StudentsT};

const SMALLEST: usize = 250;

pub(super) fn check(context: &Context) -> ebmbook::Result<Findings> {
    let largest = context.pick(5000, 20_000);
    // Small samples scatter most and cost least.
    let (many, few) = context.pick((80, 20), (80, 40));
    let first = &experiment(&[SMALLEST], many, &Folds::Random, context.seed)?[0];
    let last = &experiment(&[largest], few, &Folds::Random, context.seed)?[0];
    let mcc = |name: &str, r: &MixtureRow| {
        Value::estimated(name, r.mcc_interval.estimate, se(r)).with_freedom(r.runs / 2 - 1)
    };
    let rise = last.mcc_interval.estimate - first.mcc_interval.estimate;
    let rise_se = se(last).hypot(se(first));
    const LARGEST: &str = "MCC at the largest n";
    const RISE: &str = "rise of MCC from the smallest n";
    Ok(Findings {
        values: vec![mcc(LARGEST, last), Value::estimated(RISE, rise, rise_se).with_freedom(few / 2 - 1)],
        baselines: vec![
            mcc(&format!("MCC at n = {SMALLEST}"), first),
            mcc(&format!("MCC at n = {largest}"), last),
        ],
        // Without more data nothing converges.
        controls: [("no-growth".to_owned(), vec![mcc(LARGEST, first), Value::exact(RISE, 0.0)])].into(),
        setting: format!(
            "mixture of three Gaussians, d = 2, k = 5; {many} runs at n = {SMALLEST}, {few} at n = {largest}, fresh samples"
        ),
    })
}

/// Standard error of the mean over disjoint pairs of runs, from its 95 % t interval.
fn se(row: &MixtureRow) -> f64 {
    let law = StudentsT::new(0.0, 1.0, (row.runs / 2 - 1) as f64).expect("at least two pairs");
    (row.mcc_interval.high - row.mcc_interval.low) / 2.0 / law.inverse_cdf(0.975)
}

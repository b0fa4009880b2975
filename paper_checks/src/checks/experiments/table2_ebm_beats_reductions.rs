//! The EBM beats six reductions (R-learner, linear kernel ridge without intercept): as the tables
//! have it, and once every method is given a constant column.

use super::compare::{Gains, Pair, of};
use crate::checks::{Context, Findings};
use crate::study::{Results, StudyError};
use crate::verdict::Value;
use ebmbook::data::Protocol;

const REDUCTIONS: [&str; 6] = ["pca", "agglomeration", "spectral", "isomap", "kernel-pca", "autoencoder"];
const VALUE: &str = "r kernel-ridge";

pub(super) fn check(context: &Context) -> Result<Findings, StudyError> {
    let tables =
        [("Twins", context.results("table2")?), ("synthetic and IHDP", context.results("table-a1")?)];
    let mut findings = Findings {
        values: values(&tables, "ebm-pairwise"),
        setting: "R-learner; released protocol adds one to treated outcomes; `+1` is a constant column"
            .into(),
        ..Findings::default()
    };
    findings.controls.insert("spectral-in-its-place".into(), values(&tables, "spectral"));
    for (name, results) in &tables {
        let here = of(results, Protocol::Released);
        for arm in ["pca+1", "ebm-pairwise+1", "untrained"] {
            let gain = Gains::new(&here, Pair { lower: arm, than: "ebm-pairwise" }, &[VALUE]);
            findings.baselines.push(gain.mean(&format!("gain of {arm} over the EBM, {name}")));
        }
    }
    Ok(findings)
}

/// For each table: share of (setting, reduction) in which `candidate` has the lower error, as it is
/// and with a constant column on both sides; and the mean gain over the best reduction.
fn values(tables: &[(&str, Results); 2], candidate: &str) -> Vec<Value> {
    let mut values = Vec::new();
    for (name, results) in tables {
        let here = of(results, Protocol::Released);
        for (how, suffix) in [("as printed", ""), ("with a constant column", "+1")] {
            let shares: Vec<f64> = REDUCTIONS
                .iter()
                .filter(|r| **r != candidate)
                .map(|r| {
                    let (lower, than) = (format!("{candidate}{suffix}"), format!("{r}{suffix}"));
                    Gains::new(&here, Pair { lower: &lower, than: &than }, &[VALUE]).share()
                })
                .collect();
            let share = super::compare::mean(&shares);
            values.push(Value::exact(&format!("share of comparisons won, {name}, {how}"), share));
        }
    }
    values
}

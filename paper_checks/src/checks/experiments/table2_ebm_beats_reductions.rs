//! The EBM beats six reductions (R-learner, linear kernel ridge without intercept): as the tables
//! have it, and once every method is given a constant column.

use super::compare::{Gains, Pair, SHARE_ALPHA, of};
use crate::checks::{Context, Findings};
use crate::study::{Results, StudyError, plans::REDUCTIONS};
use crate::verdict::Value;
use ebmbook::data::Protocol;

const VALUE: &str = "r kernel-ridge";
const EBM: &str = "ebm-pairwise";

pub(super) fn check(context: &Context) -> Result<Findings, StudyError> {
    let tables =
        [("Twins", context.results("table2")?), ("synthetic and IHDP", context.results("table-a1")?)];
    let mut findings = Findings {
        values: values(&tables, EBM),
        setting: "R-learner; released protocol adds one to treated outcomes; `+1` is a constant column"
            .into(),
        ..Findings::default()
    };
    findings.controls.insert("pca-in-its-place".into(), values(&tables, "pca"));
    for (name, results) in &tables {
        let here = of(results, Protocol::Released);
        for arm in ["pca+1", "ebm-pairwise+1", "untrained"] {
            let gain = Gains::log_ratio(&here, Pair { lower: arm, than: EBM }, &[VALUE]);
            findings.baselines.push(gain.mean(&format!("log2 PEHE ratio of the EBM to {arm}, {name}")));
        }
    }
    let synthetic = of(&tables[1].1, Protocol::Released).only(|c| c.block.starts_with("synthetic"));
    let floor = Gains::log_ratio(&synthetic, Pair { lower: "latent", than: EBM }, &[VALUE]);
    findings.baselines.push(floor.mean("log2 PEHE ratio of the EBM to the latent, synthetic"));
    Ok(findings)
}

/// For each table, as it is and with a constant column on both sides: in which share of (setting, rival)
/// the candidate has the lower error (geometric mean over runs), and the mean log ratio of the rivals' error to its own.
fn values(tables: &[(&str, Results); 2], candidate: &str) -> Vec<Value> {
    let mut values = Vec::new();
    for (table, results) in tables {
        let here = of(results, Protocol::Released);
        for (how, suffix) in [("as printed", ""), ("with a constant column", "+1")] {
            let lower = format!("{candidate}{suffix}");
            let rivals: Vec<Gains> = REDUCTIONS
                .iter()
                .chain([&EBM])
                .filter(|rival| **rival != candidate)
                .map(|rival| {
                    let than = format!("{rival}{suffix}");
                    Gains::log_ratio(&here, Pair { lower: &lower, than: &than }, &[VALUE])
                })
                .collect();
            let comparisons: Vec<Vec<f64>> = rivals.iter().flat_map(Gains::cells).collect();
            let name = format!("share of comparisons won, {table}, {how}");
            values.push(Value::share(&name, &comparisons, SHARE_ALPHA));
            // Rivals of one setting meet the same runs of the candidate: they are averaged run by run.
            let all = Gains(rivals.into_iter().flat_map(|gains| gains.0).collect());
            values.push(all.mean(&format!("log2 PEHE ratio of the reductions to the EBM, {table}, {how}")));
        }
    }
    values
}

//! The R-learner with the EBM is best on average over the table.

use super::compare::{learners, mean, of, one_experiment_each, pooled};
use crate::checks::{Context, Findings};
use crate::printed::Printed;
use crate::study::{Results, StudyError};
use crate::verdict::Value;
use ebmbook::data::Protocol;

pub(super) fn check(context: &Context) -> Result<Findings, StudyError> {
    let results = context.results("table1")?;
    let mut findings = Findings {
        values: values(&results, "r kernel-ridge", "ebm-pairwise"),
        baselines: vec![printed()],
        setting: "mean over settings; rivals are the other three learners with EBM and all four without"
            .into(),
        ..Findings::default()
    };
    // Would the sentence be as true of another learner?
    for learner in ["t", "x", "dr"] {
        for value in values(&results, &format!("{learner} kernel-ridge"), "ebm-pairwise") {
            let name = format!("{}, of {} with EBM", value.name, learner.to_uppercase());
            findings.baselines.push(Value { name, ..value });
        }
    }
    findings.controls.insert("r-without-ebm".into(), values(&results, "r kernel-ridge", "raw"));
    findings.controls.insert("dr-without-ebm".into(), values(&results, "dr kernel-ridge", "raw"));
    Ok(findings)
}

/// Candidate minus best rival, by mean over the table; paired run by run. The rival is picked on the same
/// runs, which counts against the candidate; the gate's α is a seventh of the usual one for that.
fn values(results: &Results, learner: &str, arm: &str) -> Vec<Value> {
    [Protocol::Released, Protocol::Paper]
        .into_iter()
        .map(|protocol| {
            let here = of(results, protocol);
            let candidate = columns(&here, learner, arm);
            let rivals: Vec<Vec<Vec<f64>>> = ["ebm-pairwise", "raw"]
                .into_iter()
                .flat_map(|a| learners("kernel-ridge").into_iter().map(move |l| (a, l)))
                .filter(|(a, l)| (*a, l.as_str()) != (arm, learner))
                .map(|(a, l)| columns(&here, &l, a))
                .collect();
            let level =
                |column: &Vec<Vec<f64>>| mean(&column.iter().map(|runs| mean(runs)).collect::<Vec<_>>());
            let best = rivals.iter().min_by(|x, y| level(x).total_cmp(&level(y))).expect("seven rivals");
            let differences: Vec<Vec<f64>> = one_experiment_each(&here.settings())
                .into_iter()
                .map(|i| candidate[i].iter().zip(&best[i]).map(|(c, b)| c - b).collect())
                .collect();
            pooled(&format!("PEHE minus that of the best rival, {protocol}"), &differences)
        })
        .collect()
}

/// Runs of each setting.
fn columns(results: &Results, learner: &str, arm: &str) -> Vec<Vec<f64>> {
    results.settings().iter().map(|setting| results.at(setting, arm).values(learner)).collect()
}

/// The same from the printed means.
fn printed() -> Value {
    let cells = Printed::load().learners;
    let level = |learner: &str, with_ebm: bool| {
        let column: Vec<f64> = cells
            .iter()
            .filter(|c| c.table == "main-table-1" && c.learner == learner && c.with_ebm == with_ebm)
            .map(|c| c.pehe_mean)
            .collect();
        mean(&column)
    };
    let rivals = ["X", "DR", "T"].map(|l| level(l, true)).into_iter();
    let best = rivals.chain(["X", "DR", "T", "R"].map(|l| level(l, false))).fold(f64::MAX, f64::min);
    Value::exact("the same from the printed means", level("R", true) - best)
}

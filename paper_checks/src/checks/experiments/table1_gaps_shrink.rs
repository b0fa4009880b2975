//! Differences between learners shrink with the EBM: largest minus smallest PEHE of the four.

use super::compare::{SHARE_ALPHA, distinct, learners, of, pooled};
use crate::checks::{Context, Findings};
use crate::study::{Arm, RegressorKind, Results, StudyError};
use crate::verdict::Value;
use ebmbook::data::Protocol;

pub(super) fn check(context: &Context) -> Result<Findings, StudyError> {
    let results = context.results("table1")?;
    let mut findings = Findings {
        values: values(&results, Arm::EBM, Arm::RAW),
        setting: format!("{} settings, spread of T, X, DR and R in each run", results.settings().len()),
        ..Findings::default()
    };
    findings.controls.insert("swapped".into(), values(&results, Arm::RAW, Arm::EBM));
    for value in values(&results, Arm::UNTRAINED, Arm::RAW) {
        findings.baselines.push(Value { name: format!("{}, untrained", value.name), ..value });
    }
    Ok(findings)
}

fn values(results: &Results, small: Arm, large: Arm) -> Vec<Value> {
    let mut values = Vec::new();
    for protocol in [Protocol::Released, Protocol::Paper] {
        let here = of(results, protocol);
        let of_settings: Vec<Vec<f64>> = here
            .settings()
            .iter()
            .map(|setting| {
                let spread = |arm: Arm| spreads(&here.at(*setting, arm));
                spread(large).iter().zip(spread(small)).map(|(l, s)| (l / s).log2()).collect()
            })
            .collect();
        let shrinkage = distinct(&of_settings);
        values.push(pooled(&format!("log2 ratio of spreads, without to with, {protocol}"), &shrinkage));
        let name = format!("share of settings with a smaller spread, {protocol}");
        values.push(Value::share(&name, &shrinkage, SHARE_ALPHA));
    }
    values
}

/// Largest minus smallest PEHE over the four learners, run by run.
fn spreads(results: &Results) -> Vec<f64> {
    let errors: Vec<Vec<f64>> =
        learners(RegressorKind::KernelRidge).iter().map(|l| results.values(*l)).collect();
    (0..errors[0].len())
        .map(|run| {
            let of_run = || errors.iter().map(|e| e[run]);
            of_run().fold(f64::MIN, f64::max) - of_run().fold(f64::MAX, f64::min)
        })
        .collect()
}

//! The motivation: a low-dimensional representation makes estimation easier. The fair ladder.

use super::compare::{Gains, Pair, of};
use crate::checks::{Context, Findings};
use crate::study::{Results, StudyError};
use crate::verdict::Value;
use ebmbook::data::Protocol;

const RIDGE: &str = "t ridge, noiseless";
const RBF: &str = "t rbf, noiseless";

pub(super) fn check(context: &Context) -> Result<Findings, StudyError> {
    let results = context.results("fair-ladder")?;
    let mut findings = Findings {
        values: values(&results, "ebm random folds", "raw"),
        setting: "noiseless truth, T-learner, arm means removed, fresh draws of the data".into(),
        ..Findings::default()
    };
    findings.controls.insert("swapped".into(), values_swapped(&results));
    for protocol in [Protocol::Released, Protocol::Paper] {
        let here = of(&results, protocol);
        for arm in here.arms().iter().filter(|a| !["raw", "pca", "ebm random folds"].contains(&a.as_str())) {
            let gain = Gains::log_ratio(&here, Pair { lower: arm, than: "raw" }, &[RIDGE]);
            findings.baselines.push(gain.mean(&format!("log2 PEHE ratio of raw to {arm}, {protocol}")));
        }
        let gain = Gains::log_ratio(&here, Pair { lower: "pca", than: "raw" }, &[RBF]);
        findings.baselines.push(gain.mean(&format!("log2 PEHE ratio of raw to pca, rbf, {protocol}")));
    }
    Ok(findings)
}

fn values(results: &Results, ebm: &str, raw: &str) -> Vec<Value> {
    let mut values = Vec::new();
    for protocol in [Protocol::Released, Protocol::Paper] {
        let here = of(results, protocol);
        let gain =
            |lower: &str, than: &str, value: &str| Gains::log_ratio(&here, Pair { lower, than }, &[value]);
        values.push(gain("pca", raw, RIDGE).mean(&format!("log2 PEHE ratio of raw to PCA, {protocol}")));
        values.push(gain(ebm, raw, RIDGE).mean(&format!("log2 PEHE ratio of raw to EBM, {protocol}")));
        values.push(gain(ebm, "pca", RIDGE).mean(&format!("log2 PEHE ratio of PCA to EBM, {protocol}")));
    }
    values
}

fn values_swapped(results: &Results) -> Vec<Value> {
    values(results, "ebm random folds", "raw")
        .into_iter()
        .map(|v| Value { estimate: -v.estimate, ..v })
        .collect()
}

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
        values: values(&results, |pair| pair),
        setting: "noiseless truth, T-learner, arm means removed, fresh draws of the data".into(),
        ..Findings::default()
    };
    findings.controls.insert("swapped".into(), values(&results, |pair| pair.swapped()));
    for protocol in [Protocol::Released, Protocol::Paper] {
        let here = of(&results, protocol);
        for arm in here.arms().iter().filter(|a| !["raw", "pca", "ebm random folds"].contains(&a.as_str())) {
            let gain = Gains::log_ratio(&here, Pair { lower: arm, than: "raw" }, &[RIDGE]);
            findings
                .baselines
                .push(gain.mean_over_draws(&format!("log2 PEHE ratio of raw to {arm}, {protocol}")));
        }
        let gain = Gains::log_ratio(&here, Pair { lower: "pca", than: "raw" }, &[RBF]);
        findings
            .baselines
            .push(gain.mean_over_draws(&format!("log2 PEHE ratio of raw to pca, rbf, {protocol}")));
    }
    Ok(findings)
}

fn values(results: &Results, arrange: fn(Pair) -> Pair) -> Vec<Value> {
    let mut values = Vec::new();
    for protocol in [Protocol::Released, Protocol::Paper] {
        let here = of(results, protocol);
        let mut gain = |lower: &str, than: &str, name: &str| {
            let gains = Gains::log_ratio(&here, arrange(Pair { lower, than }), &[RIDGE]);
            values.push(gains.mean_over_draws(&format!("log2 PEHE ratio of {name}, {protocol}")));
        };
        gain("pca", "raw", "raw to PCA");
        gain("ebm random folds", "raw", "raw to EBM");
        gain("ebm random folds", "pca", "PCA to EBM");
    }
    values
}

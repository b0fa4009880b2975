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
        for arm in ["latent", "kmeans-distances", "ebm k-means folds", "ebm soft folds"] {
            let gain = Gains::new(&here, Pair { lower: arm, than: "raw" }, &[RIDGE]);
            findings.baselines.push(gain.mean(&format!("gain of {arm} over raw, ridge, {protocol}")));
        }
        let gain = Gains::new(&here, Pair { lower: "pca", than: "raw" }, &[RBF]);
        findings.baselines.push(gain.mean(&format!("gain of pca over raw, rbf, {protocol}")));
    }
    Ok(findings)
}

fn values(results: &Results, ebm: &str, raw: &str) -> Vec<Value> {
    let mut values = Vec::new();
    for protocol in [Protocol::Released, Protocol::Paper] {
        let here = of(results, protocol);
        let gain = |lower: &str, than: &str, value: &str| Gains::new(&here, Pair { lower, than }, &[value]);
        values.push(gain("pca", raw, RIDGE).mean(&format!("gain of PCA over raw, ridge, {protocol}")));
        values.push(gain(ebm, raw, RIDGE).mean(&format!("gain of the EBM over raw, ridge, {protocol}")));
        values.push(gain(ebm, "pca", RIDGE).mean(&format!("gain of the EBM over PCA, ridge, {protocol}")));
    }
    values
}

fn values_swapped(results: &Results) -> Vec<Value> {
    values(results, "ebm random folds", "raw")
        .into_iter()
        .map(|v| Value { estimate: -v.estimate, ..v })
        .collect()
}

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
    let worse = results.planted(|cell, error| if cell.arm == "raw" { error } else { 4.0 * error });
    findings.controls.insert("error-quadrupled".into(), values(&worse, |pair| pair));
    for protocol in [Protocol::Released, Protocol::Paper] {
        let here = of(&results, protocol);
        let mut beside = |lower: &str, than: &str, value: &str, name: String| {
            let gain = Gains::log_ratio(&here, Pair { lower, than }, &[value]);
            findings.baselines.push(gain.mean_over_draws(&format!("log2 PEHE ratio of {name}, {protocol}")));
        };
        beside("ebm random folds", "pca", RIDGE, "PCA to EBM".into());
        for arm in here.arms().iter().filter(|a| !["raw", "pca", "ebm random folds"].contains(&a.as_str())) {
            beside(arm, "raw", RIDGE, format!("raw to {arm}"));
        }
        beside("latent", "raw", RBF, "raw to latent, rbf".into());
        beside("untrained", "raw", RBF, "raw to untrained, rbf".into());
    }
    Ok(findings)
}

/// Gain over the covariates with a linear regressor, and with one that needs no reduction to be flexible.
fn values(results: &Results, arrange: fn(Pair) -> Pair) -> Vec<Value> {
    let mut values = Vec::new();
    for protocol in [Protocol::Released, Protocol::Paper] {
        let here = of(results, protocol);
        for (value, called) in [(RIDGE, "ridge"), (RBF, "rbf")] {
            for (arm, name) in [("pca", "PCA"), ("ebm random folds", "EBM")] {
                let pair = arrange(Pair { lower: arm, than: "raw" });
                let gains = Gains::log_ratio(&here, pair, &[value]);
                let name = format!("log2 PEHE ratio of raw to {name}, {called}, {protocol}");
                values.push(gains.mean_over_draws(&name));
            }
        }
    }
    values
}

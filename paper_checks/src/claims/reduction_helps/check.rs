//! Section 2: a low-dimensional representation makes estimating effects easier, and the EBM gives one. The fair ladder.

use crate::claims::compare::{Gains, Pair, of};
use crate::claims::{Check, Context, Findings};
use crate::registry::{Key, Value};
use crate::study::{Results, StudyError};
use ebmbook::data::Protocol;

pub const CHECK: Check = Check::new(measure);

const RIDGE: &str = "t ridge, noiseless";
const RBF: &str = "t rbf, noiseless";

fn measure(context: &Context) -> Result<Findings, StudyError> {
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
        let mut beside = |lower: &str, than: &str, value: &str, key: Key| {
            let gain = Gains::log_ratio(&here, Pair { lower, than }, &[value]);
            findings.baselines.push(gain.mean_over_draws(key.under(protocol)));
        };
        beside("ebm random folds", "pca", RIDGE, "pca-to-ebm".into());
        for arm in here.arms().iter().filter(|a| !["raw", "pca", "ebm random folds"].contains(&a.as_str())) {
            beside(arm, "raw", RIDGE, Key::new("ridge-gain").of(arm));
        }
        for arm in ["latent", "untrained"] {
            beside(arm, "raw", RBF, Key::new("gain").of(arm).of("rbf"));
        }
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
                values.push(gains.mean_over_draws(Key::new("gain").of(name).of(called).under(protocol)));
            }
        }
    }
    values
}

//! The motivation: a low-dimensional representation makes estimation easier. The fair ladder.

use super::compare::{Gains, Pair, of};
use crate::checks::{Context, Findings};
use crate::study::{Arm, Base, Fit, LearnerKind, Predictor, Quantity, RegressorKind, Results, StudyError};
use crate::verdict::Value;
use ebmbook::data::Protocol;

const RIDGE: Quantity = Quantity::Noiseless(Predictor::Fit(Fit::new(LearnerKind::T, RegressorKind::Ridge)));
const RBF: Quantity = Quantity::Noiseless(Predictor::Fit(Fit::new(LearnerKind::T, RegressorKind::Rbf)));

pub(super) fn check(context: &Context) -> Result<Findings, StudyError> {
    let results = context.results("fair-ladder")?;
    let mut findings = Findings {
        values: values(&results, |pair| pair),
        setting: "noiseless truth, T-learner, arm means removed, fresh draws of the data".into(),
        ..Findings::default()
    };
    findings.controls.insert("swapped".into(), values(&results, |pair| pair.swapped()));
    let worse = results.planted(|cell, error| if cell.arm == Arm::RAW { error } else { 4.0 * error });
    findings.controls.insert("error-quadrupled".into(), values(&worse, |pair| pair));
    for protocol in [Protocol::Released, Protocol::Paper] {
        let here = of(&results, protocol);
        let mut beside = |lower: Arm, than: Arm, value: Quantity, name: String| {
            let gain = Gains::log_ratio(&here, Pair { lower, than }, &[value]);
            findings.baselines.push(gain.mean_over_draws(&format!("log2 PEHE ratio of {name}, {protocol}")));
        };
        beside(Arm::of(Base::EbmRandomFolds), Arm::PCA, RIDGE, "PCA to EBM".into());
        for arm in
            here.arms().iter().filter(|a| ![Arm::RAW, Arm::PCA, Arm::of(Base::EbmRandomFolds)].contains(a))
        {
            beside(*arm, Arm::RAW, RIDGE, format!("raw to {arm}"));
        }
        beside(Arm::LATENT, Arm::RAW, RBF, "raw to latent, rbf".into());
        beside(Arm::UNTRAINED, Arm::RAW, RBF, "raw to untrained, rbf".into());
    }
    Ok(findings)
}

/// Gain over the covariates with a linear regressor, and with one that needs no reduction to be flexible.
fn values(results: &Results, arrange: fn(Pair) -> Pair) -> Vec<Value> {
    let mut values = Vec::new();
    for protocol in [Protocol::Released, Protocol::Paper] {
        let here = of(results, protocol);
        for (value, called) in [(RIDGE, "ridge"), (RBF, "rbf")] {
            for (arm, name) in [(Arm::PCA, "PCA"), (Arm::of(Base::EbmRandomFolds), "EBM")] {
                let pair = arrange(Pair { lower: arm, than: Arm::RAW });
                let gains = Gains::log_ratio(&here, pair, &[value]);
                let name = format!("log2 PEHE ratio of raw to {name}, {called}, {protocol}");
                values.push(gains.mean_over_draws(&name));
            }
        }
    }
    values
}

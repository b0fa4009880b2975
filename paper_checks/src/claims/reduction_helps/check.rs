//! Section 2: a low-dimensional representation makes estimating effects easier, and the EBM gives one. The fair ladder.

use crate::claims::compare::{Gains, Pair, of};
use crate::claims::{Check, Context, Findings};
use crate::registry::{Key, Value};
use crate::study::{Arm, Base, Fit, LearnerKind, Predictor, Quantity, RegressorKind, Results, StudyError};
use ebmbook::data::Protocol;

pub const CHECK: Check = Check::new(measure);

const RIDGE: Quantity = Quantity::Noiseless(Predictor::Fit(Fit::new(LearnerKind::T, RegressorKind::Ridge)));
const RBF: Quantity = Quantity::Noiseless(Predictor::Fit(Fit::new(LearnerKind::T, RegressorKind::Rbf)));
const EBM: Arm = Arm::of(Base::EbmRandomFolds);

fn measure(context: &Context) -> Result<Findings, StudyError> {
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
        let mut beside = |lower: Arm, than: Arm, value: Quantity, key: Key| {
            let gain = Gains::log_ratio(&here, Pair { lower, than }, &[value]);
            findings.baselines.push(gain.mean_over_draws(key.under(protocol)));
        };
        beside(EBM, Arm::PCA, RIDGE, "pca-to-ebm".into());
        for arm in here.arms().into_iter().filter(|arm| ![Arm::RAW, Arm::PCA, EBM].contains(arm)) {
            beside(arm, Arm::RAW, RIDGE, Key::new("ridge-gain").of(arm));
        }
        for arm in [Arm::LATENT, Arm::UNTRAINED] {
            beside(arm, Arm::RAW, RBF, Key::new("gain").of(arm).of("rbf"));
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
            for (arm, name) in [(Arm::PCA, "PCA"), (EBM, "EBM")] {
                let pair = arrange(Pair { lower: arm, than: Arm::RAW });
                let gains = Gains::log_ratio(&here, pair, &[value]);
                values.push(gains.mean_over_draws(Key::new("gain").of(name).of(called).under(protocol)));
            }
        }
    }
    values
}

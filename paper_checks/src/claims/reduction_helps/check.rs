//! Section 2: learners will potentially have smaller errors on the low-dimensional representation. The fair ladder.

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
        values: gains(&results, Arm::RAW, RIDGE),
        controls: [
            ("against-the-latents".to_owned(), gains(&results, Arm::LATENT, RIDGE)),
            ("flexible-regressor".to_owned(), gains(&results, Arm::RAW, RBF)),
        ]
        .into(),
        setting: "noiseless truth, T-learner, arm means removed, fresh draws of the data".into(),
        ..Findings::default()
    };
    for protocol in [Protocol::Released, Protocol::Paper] {
        let here = of(&results, protocol);
        let mut beside = |lower: Arm, than: Arm, value: Quantity, key: Key| {
            let gain = Gains::log_ratio(&here, Pair { lower, than }, &[value]);
            findings.baselines.push(gain.mean_over_draws(key.under(protocol)));
        };
        beside(EBM, Arm::PCA, RIDGE, "pca-to-ebm".into());
        for arm in here.arms().into_iter().filter(|arm| ![Arm::RAW, EBM].contains(arm)) {
            beside(arm, Arm::RAW, RIDGE, Key::new("ridge-gain").of(arm));
        }
        for arm in [EBM, Arm::LATENT, Arm::PCA, Arm::UNTRAINED] {
            beside(arm, Arm::RAW, RBF, Key::new("rbf-gain").of(arm));
        }
    }
    Ok(findings)
}

/// How much lower the error on the representation is than that on another arm.
fn gains(results: &Results, than: Arm, value: Quantity) -> Vec<Value> {
    let of_protocol = |protocol: Protocol| {
        let gains = Gains::log_ratio(&of(results, protocol), Pair { lower: EBM, than }, &[value]);
        gains.mean_over_draws(Key::new("gain").under(protocol))
    };
    [Protocol::Released, Protocol::Paper].map(of_protocol).to_vec()
}

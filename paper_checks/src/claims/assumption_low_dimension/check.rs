//! Section 1 and Assumption 2.3: effects are easier to estimate on the few latent variables than on the covariates.

use crate::claims::compare::{Gains, Pair, of};
use crate::claims::{Check, Context, Findings};
use crate::registry::{Key, Value};
use crate::study::{Arm, Fit, LearnerKind, Predictor, Quantity, RegressorKind, Results, StudyError};
use ebmbook::data::Protocol;

pub const CHECK: Check = Check::new(measure);

fn measure(context: &Context) -> Result<Findings, StudyError> {
    let results = context.results("fair-ladder")?;
    let gain_of = |lower: Arm, than: Arm| values(&results, "gain", Pair { lower, than });
    Ok(Findings {
        values: gain_of(Arm::LATENT, Arm::RAW),
        baselines: values(&results, "pca", Pair { lower: Arm::PCA, than: Arm::RAW }),
        controls: [
            ("swapped".to_owned(), gain_of(Arm::RAW, Arm::LATENT)),
            ("untrained-in-their-place".to_owned(), gain_of(Arm::UNTRAINED, Arm::RAW)),
        ]
        .into(),
        setting: "noiseless truth, T-learner, arm means removed, fresh draws of the data".into(),
        ..Findings::default()
    })
}

/// Gain with a linear regressor, and with one that is flexible on all covariates.
fn values(results: &Results, name: &str, pair: Pair) -> Vec<Value> {
    let mut values = Vec::new();
    for protocol in [Protocol::Released, Protocol::Paper] {
        let here = of(results, protocol);
        for (regressor, called) in [(RegressorKind::Ridge, "ridge"), (RegressorKind::Rbf, "rbf")] {
            let error = Quantity::Noiseless(Predictor::Fit(Fit::new(LearnerKind::T, regressor)));
            let gains = Gains::log_ratio(&here, pair, &[error]);
            values.push(gains.mean_over_draws(Key::new(name).of(called).under(protocol)));
        }
    }
    values
}

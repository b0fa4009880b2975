//! Section 1 and Assumption 2.3: effects are easier to estimate on the few latent variables than on the covariates.

use crate::claims::compare::{Gains, Pair, of};
use crate::claims::{Check, Context, Findings};
use crate::registry::{Key, Value};
use crate::study::{Arm, Fit, LearnerKind, Predictor, Quantity, RegressorKind, Results, StudyError};
use ebmbook::data::Protocol;

pub const CHECK: Check = Check::new(measure);

/// A linear regressor, and one that is flexible on all covariates.
const REGRESSORS: [(RegressorKind, &str); 2] = [(RegressorKind::Ridge, "ridge"), (RegressorKind::Rbf, "rbf")];

fn measure(context: &Context) -> Result<Findings, StudyError> {
    let results = context.results("fair-ladder")?;
    let gain = |lower: Arm, than: Arm| over_both(&results, "gain", Pair { lower, than });
    let mut findings = Findings {
        values: gain(Arm::LATENT, Arm::RAW),
        controls: [("swapped".to_owned(), gain(Arm::RAW, Arm::LATENT))].into(),
        setting: "noiseless truth, T-learner, arm means removed, fresh draws of the data".into(),
        ..Findings::default()
    };
    findings.baselines.extend(over_both(&results, "pca", Pair { lower: Arm::PCA, than: Arm::RAW }));
    for protocol in [Protocol::Released, Protocol::Paper] {
        for regressor in REGRESSORS {
            let pair = Pair { lower: Arm::LATENT, than: Arm::RAW };
            let key = Key::new("gain-with").of(regressor.1).under(protocol);
            findings.baselines.push(gains(&results, protocol, pair, &[regressor]).mean_over_draws(key));
        }
    }
    Ok(findings)
}

/// Mean gain over the regressors, under each protocol.
fn over_both(results: &Results, name: &str, pair: Pair) -> Vec<Value> {
    let of_protocol = |protocol: Protocol| {
        gains(results, protocol, pair, &REGRESSORS).mean_over_draws(Key::new(name).under(protocol))
    };
    [Protocol::Released, Protocol::Paper].map(of_protocol).to_vec()
}

fn gains(results: &Results, protocol: Protocol, pair: Pair, with: &[(RegressorKind, &str)]) -> Gains {
    let error = |kind| Quantity::Noiseless(Predictor::Fit(Fit::new(LearnerKind::T, kind)));
    let errors: Vec<Quantity> = with.iter().map(|(kind, _)| error(*kind)).collect();
    Gains::log_ratio(&of(results, protocol), pair, &errors)
}

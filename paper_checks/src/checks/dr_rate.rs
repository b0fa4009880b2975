//! Section 2: the DR-learner's bias is a product of nuisance errors.

use super::{Context, Findings};
use crate::verdict::Value;
use ebmbook::theory::doubly_robust::{Estimator, bias, bias_slope};

/// Rates at which the nuisances are slowed down on purpose.
const RATES: [(f64, f64); 4] = [(0.25, 0.25), (0.1, 0.4), (0.4, 0.1), (0.15, 0.15)];
/// Far enough out that second-order terms are gone.
const SIZES: (f64, f64) = (1e8, 1e12);

pub(super) fn check(_: &Context) -> ebmbook::Result<Findings> {
    let name = "largest |slope + (r_pi + r_mu)|";
    let worst = |estimator| {
        let off = RATES.map(|(pi, mu)| (bias_slope(estimator, SIZES, pi, mu) + pi + mu).abs());
        off.into_iter().fold(0.0, f64::max)
    };
    let at = |estimator| bias(estimator, 1e4, 0.25, 0.25);
    Ok(Findings {
        values: vec![Value::exact(name, worst(Estimator::DoublyRobust))],
        baselines: vec![
            Value::exact("bias at n = 10 000, both rates 1/4: doubly robust", at(Estimator::DoublyRobust)),
            Value::exact("bias at n = 10 000, both rates 1/4: plug-in", at(Estimator::PlugIn)),
            Value::exact("bias at n = 10 000, both rates 1/4: weighting", at(Estimator::Weighting)),
        ],
        controls: [
            ("plug-in".to_owned(), vec![Value::exact(name, worst(Estimator::PlugIn))]),
            ("weighting".to_owned(), vec![Value::exact(name, worst(Estimator::Weighting))]),
        ]
        .into(),
        setting: "exact expectations, four pairs of rates, slope between n = 1e8 and 1e12".into(),
    })
}

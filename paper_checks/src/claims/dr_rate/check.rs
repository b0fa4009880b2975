//! Section 2: the DR-learner's error is that of an oracle and a product of nuisance errors.

use crate::claims::{Check, Context, Findings, Pictures, Report, data_hash};
use crate::pictures::effects;
use crate::registry::{Key, Value};
use crate::study::StudyError;
use ebmbook::show::Figure;
use ebmbook::theory::doubly_robust::{Estimator, Excess, bias, bias_slope, finite_excess};

pub const CHECK: Check = Check {
    calibration: Some(include_str!("../../../results/calibration/dr-rate.toml")),
    pictures: Pictures::Illustrate(pictures),
    ..Check::new(measure)
};

/// Rates at which the nuisances are slowed down on purpose.
const RATES: [(f64, f64); 4] = [(0.25, 0.25), (0.1, 0.4), (0.4, 0.1), (0.15, 0.15)];
/// Far enough out that second-order terms are small; the tolerance says how small.
const SIZES: (f64, f64) = (1e8, 1e12);
/// The rates that are simulated, too.
const SIMULATED: [(f64, f64); 2] = [(0.25, 0.25), (0.15, 0.3)];

fn sizes(context: &Context) -> Vec<usize> {
    context.size(vec![500, 2000], vec![500, 2000, 8000], vec![500, 2000, 8000, 32_000])
}

fn batches(context: &Context) -> usize {
    context.size(10, 40, 100)
}

/// Slope of the excess over the oracle in finite samples, for each pair of rates.
fn simulated(context: &Context, estimator: Estimator, batches: usize) -> Vec<(Value, Excess)> {
    SIMULATED
        .iter()
        .map(|(pi, mu)| {
            let seed = context.seed.child(&format!("{pi} {mu}"));
            let found = finite_excess(estimator, &sizes(context), (*pi, *mu), batches, seed);
            let key = Key::new("simulated-off").of(pi).of(mu);
            let off = Value::estimated(key, found.slope.estimate + pi + mu, found.slope.se);
            (off.with_effective_freedom(found.slope.freedom), found)
        })
        .collect()
}

fn measure(context: &Context) -> Result<Findings, StudyError> {
    let worst = |estimator| {
        let off = RATES.map(|(pi, mu)| (bias_slope(estimator, SIZES, pi, mu) + pi + mu).abs());
        off.into_iter().fold(0.0, f64::max)
    };
    let values = |estimator, simulated: &[(Value, Excess)]| {
        let mut values = vec![Value::exact("exact-off", worst(estimator))];
        values.extend(simulated.iter().map(|(value, _)| value.clone()));
        values
    };
    let doubly_robust = simulated(context, Estimator::DoublyRobust, batches(context));
    // The controls have no product of small errors to resolve.
    let control = |estimator| values(estimator, &simulated(context, estimator, 5));
    let at =
        |name: &str, estimator| Value::exact(Key::new("bias").of(name), bias(estimator, 1e4, 0.25, 0.25));
    let mut baselines = vec![
        at("doubly robust", Estimator::DoublyRobust),
        at("plug-in", Estimator::PlugIn),
        at("weighting", Estimator::Weighting),
    ];
    let (_, found) = &doubly_robust[0];
    for ((n, excess), oracle) in sizes(context).iter().zip(&found.excess).zip(&found.oracle) {
        baselines.push(Value::exact(Key::new("excess").of(n), *excess));
        baselines.push(Value::exact(Key::new("oracle").of(n), *oracle));
    }
    // Every sample enters the excess, so its values at all n and rates are a fingerprint of all of them.
    let print: ndarray::Array1<f64> = doubly_robust
        .iter()
        .flat_map(|(_, found)| found.excess.iter().chain(&found.oracle))
        .copied()
        .collect();
    Ok(Findings {
        values: values(Estimator::DoublyRobust, &doubly_robust),
        baselines,
        controls: [
            ("plug-in".to_owned(), control(Estimator::PlugIn)),
            ("weighting".to_owned(), control(Estimator::Weighting)),
        ]
        .into(),
        setting: "exact: four pairs of rates, slope between n = 1e8 and 1e12; finite samples: batches of 20 replicates"
            .into(),
        n: sizes(context),
        data: data_hash([print.view()]),
    })
}

fn pictures(_: &Report, _: &Context) -> Vec<Figure> {
    vec![effects::double_robustness()]
}

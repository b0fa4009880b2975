//! Section 2: the nonparametric error n^{−2α/(2α+d)}: the log–log slope, and the order over d.

use super::{Context, Findings, data_hash};
use crate::verdict::Value;
use ebmbook::theory::rates::{Slope, mean_squared_errors, slope};

/// Lipschitz smoothness of the target.
const ALPHA: f64 = 1.0;
const DIMENSIONS: [usize; 4] = [1, 2, 4, 8];
const ORDER: &str = "neighbouring dimensions in the right order";

/// Rate of the theory: −2α/(2α + d)
fn theory(d: usize) -> f64 {
    -2.0 * ALPHA / (2.0 * ALPHA + d as f64)
}

/// The name of a slope less a rate.
fn off(d: usize) -> String {
    format!("slope - theory, d = {d}")
}

struct Curve {
    d: usize,
    errors: Vec<Vec<f64>>,
    fit: Slope,
}

fn sizes(context: &Context) -> Vec<usize> {
    let quick = vec![250, 500, 1000, 2000, 4000];
    context.size(vec![250, 1000, 4000], quick.clone(), [quick, vec![8000, 16_000]].concat())
}

fn curve(context: &Context, d: usize) -> Curve {
    let sizes = sizes(context);
    let errors = mean_squared_errors(d, &sizes, context.size(12, 40, 200), context.seed.index(d));
    Curve { d, fit: slope(&sizes, &errors), errors }
}

/// How far a slope is from a rate, with the interval of the slope.
fn distance(curve: &Curve, rate: f64) -> Value {
    Value::estimated(&off(curve.d), curve.fit.estimate - rate, curve.fit.se)
        .with_effective_freedom(curve.fit.freedom)
}

/// The values with a standard error that the criteria speak of.
pub(super) fn gates(context: &Context) -> ebmbook::Result<Vec<Value>> {
    Ok([1, 2].map(|d| distance(&curve(context, d), theory(d))).to_vec())
}

pub(super) fn check(context: &Context) -> ebmbook::Result<Findings> {
    let curves = DIMENSIONS.map(|d| curve(context, d));
    let at_largest: Vec<f64> = curves
        .iter()
        .map(|c| c.errors.last().map_or(f64::NAN, |e| e.iter().sum::<f64>() / e.len() as f64))
        .collect();
    let ordered = at_largest.windows(2).filter(|w| w[0] < w[1]).count() as f64;
    let values = |rate: fn(usize) -> f64| {
        let mut values: Vec<Value> = curves[..2].iter().map(|c| distance(c, rate(c.d))).collect();
        values.push(Value::exact(ORDER, ordered));
        values
    };
    let mut baselines: Vec<Value> = curves
        .iter()
        .map(|c| {
            let name = format!("slope, d = {} (theory {:.3})", c.d, theory(c.d));
            Value::estimated(&name, c.fit.estimate, c.fit.se).with_effective_freedom(c.fit.freedom)
        })
        .collect();
    for (curve, error) in curves.iter().zip(at_largest) {
        baselines.push(Value::exact(&format!("mean squared error at the largest n, d = {}", curve.d), error));
    }
    // Σ_s 4·Var|2U − 1| / d = 4/12, whatever d is.
    baselines.push(Value::exact("mean squared error of predicting the mean", 1.0 / 3.0));
    let first: ndarray::Array1<f64> = curves[0].errors[0].iter().copied().collect();
    Ok(Findings {
        values: values(theory),
        baselines,
        // Forgetting d: the parametric rate −1 for every dimension.
        controls: [("parametric-rate".to_owned(), values(|_| -1.0))].into(),
        setting: format!("regressogram, Lipschitz target, {} replicates", curves[0].errors[0].len()),
        n: sizes(context),
        data: data_hash([first.view()]),
    })
}

//! Section 2: the nonparametric error n^{−2α/(2α+d)}: the log–log slope, and the order over d.

use super::{Context, Findings, data_hash};
use crate::verdict::Value;
use ebmbook::theory::rates::{
    Slope, TARGET_VARIANCE, expected_error, first_rows, mean_squared_errors, slope,
};

/// Lipschitz smoothness of the target.
const ALPHA: f64 = 1.0;
const DIMENSIONS: [usize; 4] = [1, 2, 4, 8];
/// Rate of the theory: −2α/(2α + d)
fn theory(d: usize) -> f64 {
    -2.0 * ALPHA / (2.0 * ALPHA + d as f64)
}

/// Cells a side over n^{1/(2+d)}: few enough to keep a dozen points and more in each, so that the exact
/// expectation of the error has almost the slope of the theory.
fn cells(d: usize) -> f64 {
    if d == 1 { 2.0 } else { 1.0 }
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
    // The slope is read off in d = 1 and 2 and asks for many replicates; the order does not.
    let replicates = if d <= 2 { context.size(12, 800, 2000) } else { context.size(12, 40, 200) };
    let errors = mean_squared_errors(d, cells(d), &sizes, replicates, context.seed.index(d));
    Curve { d, fit: slope(&sizes, &errors), errors }
}

impl Curve {
    /// How far the slope is from a rate, with its interval.
    fn distance(&self, rate: f64) -> Value {
        Value::estimated(&off(self.d), self.fit.estimate - rate, self.fit.se)
            .with_effective_freedom(self.fit.freedom)
    }

    fn at_largest(&self) -> Value {
        let name = format!("mean squared error at the largest n, d = {}", self.d);
        Value::mean(&name, self.errors.last().expect("there are sizes"))
    }
}

pub(super) fn check(context: &Context) -> ebmbook::Result<Findings> {
    let sizes = sizes(context);
    let curves = DIMENSIONS.map(|d| curve(context, d));
    let at_largest = curves.each_ref().map(Curve::at_largest);
    let order: Vec<Value> = (1..DIMENSIONS.len())
        .map(|i| {
            let name =
                format!("error at the largest n, d = {} less d = {}", DIMENSIONS[i], DIMENSIONS[i - 1]);
            at_largest[i].minus(&at_largest[i - 1], &name)
        })
        .collect();
    let values = |rate: fn(usize) -> f64| {
        let slopes = curves[..2].iter().map(|c| c.distance(rate(c.d)));
        slopes.chain(order.iter().cloned()).collect::<Vec<Value>>()
    };
    let mut baselines: Vec<Value> = curves
        .iter()
        .map(|c| {
            let name = format!("slope, d = {} (theory {:.3})", c.d, theory(c.d));
            Value::estimated(&name, c.fit.estimate, c.fit.se).with_effective_freedom(c.fit.freedom)
        })
        .collect();
    for d in [1, 2] {
        // What the rate is off by at these n without any chance: poor cells and whole numbers of them.
        let exact: Vec<Vec<f64>> = sizes.iter().map(|n| vec![expected_error(d, cells(d), *n)]).collect();
        let name = format!("slope of the exact expected error - theory, d = {d}");
        baselines.push(Value::exact(&name, slope(&sizes, &exact).estimate - theory(d)));
    }
    baselines.extend(at_largest);
    baselines.push(Value::exact("mean squared error of predicting the mean", TARGET_VARIANCE));
    let first = DIMENSIONS.map(|d| first_rows(d, sizes[0], context.seed.index(d)));
    Ok(Findings {
        values: values(theory),
        baselines,
        // Forgetting d: the parametric rate −1 for every dimension.
        controls: [("parametric-rate".to_owned(), values(|_| -1.0))].into(),
        setting: format!(
            "regressogram, Lipschitz target; {} replicates in d = 1, 2 and {} in d = 4, 8",
            curves[0].errors[0].len(),
            curves[2].errors[0].len()
        ),
        data: data_hash(first.iter().map(|rows| rows.view())),
        n: sizes,
    })
}

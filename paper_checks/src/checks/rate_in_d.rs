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
    // The step from one dimension to the next, of the errors in the order of the dimensions or in another.
    let order = |errors: &[Value]| -> Vec<Value> {
        let step = |i: usize| {
            let name =
                format!("error at the largest n, d = {} less d = {}", DIMENSIONS[i], DIMENSIONS[i - 1]);
            errors[i].minus(&errors[i - 1], &name)
        };
        (1..DIMENSIONS.len()).map(step).collect()
    };
    let values = |rate: fn(usize) -> f64, errors: &[Value]| {
        let slopes = curves[..2].iter().map(|c| c.distance(rate(c.d)));
        slopes.chain(order(errors)).collect::<Vec<Value>>()
    };
    let mut reversed = at_largest.clone();
    reversed.reverse();
    let (stated, parametric) = (values(theory, &at_largest), values(|_| -1.0, &at_largest));
    let order_reversed = values(theory, &reversed);
    let mut baselines: Vec<Value> = curves
        .iter()
        .map(|c| {
            // Beyond two dimensions there are two or three cells a side at these n, and no rate to see.
            let rate = if c.d <= 2 { format!(" (theory {:.3})", theory(c.d)) } else { String::new() };
            let name = format!("slope, d = {}{rate}", c.d);
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
        values: stated,
        baselines,
        controls: [
            // Forgetting d: the parametric rate −1 for every dimension.
            ("parametric-rate".to_owned(), parametric),
            // No curse: the errors of eight dimensions under the name of one, and so on.
            ("order-reversed".to_owned(), order_reversed),
        ]
        .into(),
        setting: format!(
            "regressogram, Lipschitz target; {} replicates in d = 1, 2 and {} in d = 4, 8",
            curves[0].errors[0].len(),
            curves[2].errors[0].len()
        ),
        data: data_hash(first.iter().map(|rows| rows.view())),
        n: sizes,
    })
}

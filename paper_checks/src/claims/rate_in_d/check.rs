//! Section 2: the nonparametric error n^{−2α/(2α+d)}: the log–log slope, and the order over d.

use crate::claims::{Check, Context, Findings, Pictures, Report, data_hash};
use crate::pictures::effects;
use crate::registry::{Key, Value};
use crate::study::StudyError;
use ebmbook::show::Figure;
use ebmbook::theory::rates::{
    Slope, TARGET_VARIANCE, expected_error, first_rows, mean_squared_errors, slope,
};

pub const CHECK: Check = Check {
    calibration: Some(include_str!("../../../results/calibration/rate-in-d.toml")),
    pictures: Pictures::Illustrate(pictures),
    ..Check::new(measure)
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
        let fit = &self.fit;
        Value::estimated(Key::new("off-theory").of(self.d), fit.estimate - rate, fit.se)
            .with_effective_freedom(fit.freedom)
    }

    fn at_largest(&self) -> Value {
        Value::mean(Key::new("error").of(self.d), self.errors.last().expect("there are sizes"))
    }
}

fn measure(context: &Context) -> Result<Findings, StudyError> {
    let sizes = sizes(context);
    let curves = DIMENSIONS.map(|d| curve(context, d));
    let at_largest = curves.each_ref().map(Curve::at_largest);
    // The step from one dimension to the next, of the errors in the order of the dimensions or in another.
    let order = |errors: &[Value]| -> Vec<Value> {
        let step = |i: usize| {
            let key = Key::new("step").of(DIMENSIONS[i]).of(DIMENSIONS[i - 1]);
            errors[i].minus(&errors[i - 1], key)
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
    // Beyond two dimensions there are two or three cells a side at these n, and no rate to see.
    let slope_alone = |c: &Curve| {
        // Only in few dimensions is the rate there to be seen.
        let key = match c.d {
            1 | 2 => Key::new("slope-and-theory").of(c.d).of(format!("{:.3}", theory(c.d))),
            d => Key::new("slope").of(d),
        };
        Value { key, ..c.distance(0.0) }
    };
    let mut baselines: Vec<Value> = curves.iter().map(slope_alone).collect();
    for d in [1, 2] {
        // What the rate is off by at these n without any chance: poor cells and whole numbers of them.
        let exact: Vec<Vec<f64>> = sizes.iter().map(|n| vec![expected_error(d, cells(d), *n)]).collect();
        let off = slope(&sizes, &exact).estimate - theory(d);
        baselines.push(Value::exact(Key::new("exact-off-theory").of(d), off));
    }
    baselines.extend(at_largest);
    baselines.push(Value::exact("error-of-mean", TARGET_VARIANCE));
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

fn pictures(_: &Report, context: &Context) -> Vec<Figure> {
    vec![effects::rate_figure(context)]
}

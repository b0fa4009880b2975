//! Proposition 3.4: the class comes close to a continuous density, for all j at once.

use crate::claims::{Check, Context, Findings, Pictures, Replicates, Report, data_hash};
use crate::pictures::approximation;
use crate::registry::{Key, Limits, Value};
use crate::study::StudyError;
use ebmbook::show::Figure;
use ebmbook::theory::approximation::{
    Target, linear_error, network_error, network_errors, normaliser_errors,
};
use ebmbook::theory::density::Grid;
use ebmbook::theory::saturation::median;
use ndarray::ArrayView2;
use rayon::prelude::*;

pub const CHECK: Check = Check {
    replicates: Some(replicates),
    calibration: Some(include_str!("../../../results/calibration/approximation.toml")),
    pictures: Pictures::Illustrate(pictures),
    ..Check::new(measure)
};

const K: usize = 3;
const ERROR: &str = "error";
const FALL: &str = "fall";
/// Error rate of each median.
const ALPHA: f64 = 1e-5;
/// Layers that the error of the quadrature is looked at for.
const LAYERS_OF_RULE: usize = 20;

/// Relative sup errors of one draw of the hidden layer, by width (ascending) and target.
type Errors = [Vec<f64>; 3];

/// How large to be: widths, panels of the rule, draws of the hidden layer.
fn sizes(context: &Context) -> ([usize; 3], usize, usize) {
    (
        context.size([8, 32, 128], [32, 128, 512], [32, 128, 512]),
        context.size(3, 5, 6),
        context.size(20, 100, 400),
    )
}

/// Their law is skewed: what is judged is the median over draws, which are independent.
fn errors(context: &Context, b: ArrayView2<f64>) -> Vec<Errors> {
    let (widths, panels, draws) = sizes(context);
    let of_draw = |i| {
        let seed = context.seed.child("layer").index(i);
        widths.map(|width| network_errors(&Target::ALL, width, b, panels, seed.index(width)))
    };
    (0..draws).into_par_iter().map(of_draw).collect()
}

/// What the medians are medians of, for each target.
fn wide([_, _, wide]: &Errors, target: usize) -> f64 {
    wide[target]
}

fn fall([narrow, _, wide]: &Errors, target: usize) -> f64 {
    wide[target] / narrow[target]
}

fn replicates(context: &Context) -> Result<Vec<Replicates>, StudyError> {
    let errors = errors(context, context.directions(K)?.view());
    let of = |what: &str, of: fn(&Errors, usize) -> f64| {
        let numbers = |t| errors.iter().map(|e| of(e, t)).collect();
        let named = |(t, target)| Replicates { name: format!("{target:?}: {what}"), numbers: numbers(t) };
        Target::ALL.iter().enumerate().map(named).collect::<Vec<_>>()
    };
    Ok([of("error at the largest width", wide), of("over the error at the smallest", fall)].concat())
}

fn measure(context: &Context) -> Result<Findings, StudyError> {
    let b = context.directions(K)?;
    let (widths, panels, draws) = sizes(context);
    let errors = errors(context, b.view());
    let over_draws = |key: Key, of: &dyn Fn(&Errors) -> f64| {
        Value::median(key, &errors.iter().map(of).collect::<Vec<_>>(), ALPHA)
    };
    // The claim is about one density at a time: the largest of the three medians, and of their limits.
    let worst_target = |name: &str, of: fn(&Errors, usize) -> f64| {
        let medians = [0, 1, 2].map(|t| over_draws(name.into(), &|errors| of(errors, t)));
        let largest = |of: &dyn Fn(&Value) -> f64| medians.iter().map(of).fold(0.0, f64::max);
        let limits = medians.iter().filter_map(|v| v.limits).reduce(|a, b| Limits {
            low: a.low.max(b.low),
            high: a.high.max(b.high),
            alpha: a.alpha + b.alpha,
        });
        Value { limits, ..Value::exact(name, largest(&|v| v.estimate)) }
    };
    let values = vec![worst_target(ERROR, wide), worst_target(FALL, fall)];
    let mut baselines = vec![Value::exact(
        "largest-error",
        errors.iter().flat_map(|[_, _, wide]| wide).copied().fold(0.0, f64::max),
    )];
    for (t, target) in Target::ALL.iter().enumerate() {
        for (w, width) in widths.iter().enumerate() {
            let key = Key::new("target-error").of(format!("{target:?}")).of(width);
            baselines.push(over_draws(key, &|errors| errors[w][t]));
        }
    }
    // What the normalisers owe to the rule, for the widest networks; a few layers say how large it is.
    let changes: Vec<f64> = (0..LAYERS_OF_RULE)
        .into_par_iter()
        .map(|i| {
            let seed = context.seed.child("layer").index(i).index(widths[2]);
            normaliser_errors(&Target::ALL, widths[2], panels, seed).into_iter().fold(0.0, f64::max)
        })
        .collect();
    baselines.push(Value::exact(Key::new("quadrature").of(LAYERS_OF_RULE), median(&changes)));
    // The class without hidden units (a constant f, the uniform density) does not improve, whatever is
    // drawn for the layer it does not have.
    let without = |target: Target, i: usize| {
        network_error(target, 0, b.view(), panels, context.seed.child("no layer").index(i))
    };
    let flat = Target::ALL.map(|t| without(t, 0)).into_iter().fold(0.0, f64::max);
    let no_better = Target::ALL.map(|t| without(t, 1) / without(t, 0)).into_iter().fold(0.0, f64::max);
    let grid = Grid::quadrature(2, -1.0, 1.0, panels);
    // The linear f of the printed proof has no width to grow: its error is over itself.
    let linear = linear_error(&grid).best;
    Ok(Findings {
        values,
        baselines,
        controls: [
            ("no-hidden-units".to_owned(), vec![Value::exact(ERROR, flat), Value::exact(FALL, no_better)]),
            ("linear-f".to_owned(), vec![Value::exact(ERROR, linear), Value::exact(FALL, 1.0)]),
        ]
        .into(),
        n: vec![grid.weights.len()],
        data: data_hash(Target::ALL.map(|t| t.density(&grid)).iter().map(|p| p.view())),
        setting: format!("[-1, 1]^2, widths {widths:?}, {draws} draws of the hidden layer, k = {K}"),
    })
}

fn pictures(_: &Report, context: &Context) -> Vec<Figure> {
    vec![approximation::picture("bimodal"), approximation::errors(context).figure()]
}

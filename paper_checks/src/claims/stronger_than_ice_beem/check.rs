//! Section 5: "up to a constant" against the two definitions of ICE-BeeM, as residuals of the best map of each class.

use crate::claims::{Check, Context, Findings, Pictures, Report, data_hash};
use crate::registry::{Key, Value};
use crate::study::StudyError;
use ebmbook::show::Figure;
use ebmbook::theory::density::Grid;
use ebmbook::theory::equivalence::{Residuals, residuals};
use ebmbook::theory::identifiability::recover_from_any;
use ndarray::{Array2, ArrayView2};

pub const CHECK: Check = Check { pictures: Pictures::Measured(pictures), ..Check::new(measure) };

const K: usize = 3;
const D: usize = 4;

/// Residuals of a pair, under the key of the pair.
fn of_pair(pair: &str, r: Residuals) -> Vec<Value> {
    [("constant", r.constant), ("strong", r.strong), ("weak", r.weak)]
        .map(|(class, residual)| Value::exact(Key::new(class).of(pair), residual))
        .to_vec()
}

fn measure(context: &Context) -> Result<Findings, StudyError> {
    let grid = Grid::quadrature(2, -3.0, 3.0, context.pick(4, 12));
    let mut points = Array2::zeros((grid.weights.len(), D));
    points.slice_mut(ndarray::s![.., ..2]).assign(&grid.points);
    let other = Context { seed: context.seed.child("another run"), ..context.clone() };
    let (f, g) = (context.small_ebm(D, K)?.raw(points.view())?, other.small_ebm(D, K)?.raw(points.view())?);
    let b = context.directions(K)?;
    let log_p = context.log_densities(&grid, f.view(), b.view());
    // Two models with equal densities: the second is made from the densities alone.
    let twin = |directions: ArrayView2<f64>| recover_from_any(log_p.view(), directions);
    let fixed = residuals(f.view(), twin(b.view()).view());
    // β is learned in their model: a model with B' = I has these densities too.
    let learned = residuals(f.view(), twin(Array2::eye(K).view()).view());
    // What strong identifiability leaves open: coordinates change places and units.
    let reordered = residuals(
        f.view(),
        (f.select(ndarray::Axis(1), &[1, 2, 0]) * &ndarray::array![2.0, -1.0, 0.5]).view(),
    );
    let demanded = |same: Residuals, strong: Residuals, weak: Residuals| {
        vec![
            // Equal up to a constant, and therefore in their two senses.
            Value::exact("implies-strong", same.strong),
            Value::exact("implies-weak", same.weak),
            // Equal in their senses, and not up to a constant.
            Value::exact("strong-is-less", strong.constant - strong.strong),
            Value::exact("weak-is-less", weak.constant - weak.weak),
        ]
    };
    let runs = residuals(f.view(), g.view());
    let baselines =
        [("equal densities, fixed B", fixed), ("equal densities, learned B", learned), ("two runs", runs)];
    Ok(Findings {
        values: demanded(fixed, reordered, learned),
        baselines: baselines.iter().flat_map(|(pair, r)| of_pair(pair, *r)).collect(),
        controls: [
            // Is what their model has, a learned B, as strong as what ours has?
            ("learned-b".to_owned(), demanded(learned, reordered, learned)),
            // Two runs that have not converged are the same in no sense.
            ("two-runs".to_owned(), demanded(runs, reordered, learned)),
            ("constants-only".to_owned(), demanded(fixed, fixed, fixed)),
        ]
        .into(),
        setting: format!("trained network, k = {K}, {} grid points in two dimensions", grid.weights.len()),
        n: vec![grid.weights.len()],
        data: data_hash([b.view(), grid.points.view()]),
    })
}

fn pictures(report: &Report) -> Vec<Figure> {
    let pairs = ["equal densities, fixed B", "equal densities, learned B", "two runs"];
    let figure = Figure::new("What the best map of each class leaves of a second representation")
        .x("residual, in standard deviations of the second")
        .y_categories(&pairs);
    vec![
        [
            ("up to a constant", "constant"),
            ("permuted and scaled (strong)", "strong"),
            ("affine (weak)", "weak"),
        ]
        .iter()
        .fold(figure, |figure, (name, class)| {
            let at = |(i, pair): (usize, &&str)| {
                let value = Value::find(&report.findings.baselines, &Key::new(*class).of(pair));
                let v = value.map_or(f64::NAN, |v| v.estimate);
                (i as f64, v, v, v)
            };
            figure.dots(name, &pairs.iter().enumerate().map(at).collect::<Vec<_>>())
        }),
    ]
}

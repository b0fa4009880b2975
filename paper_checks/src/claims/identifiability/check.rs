//! Proposition 3.3, converse: the k densities determine f up to a constant, constructively.

use crate::claims::{Check, Context, Findings, Pictures, Report, data_hash};
use crate::pictures::identifiability;
use crate::registry::Value;
use crate::study::StudyError;
use ebmbook::show::Figure;
use ebmbook::theory::density::Grid;
use ebmbook::theory::identifiability::{affine_gap, constant_gap, recover_from_any};
use ndarray::{Array2, ArrayView2};
use ndarray_rand::RandomExt;
use rand_distr::StandardNormal;

pub const CHECK: Check = Check { pictures: Pictures::Illustrate(pictures), ..Check::new(measure) };

const K: usize = 3;
const D: usize = 4;
/// How far a direction is from another one that it nearly coincides with.
const NEARLY: f64 = 1e-2;

fn measure(context: &Context) -> Result<Findings, StudyError> {
    let ebm = context.small_ebm(D, K)?;
    let grid = Grid::quadrature(2, -3.0, 3.0, context.pick(6, 20));
    let mut points = Array2::zeros((grid.weights.len(), D));
    points.slice_mut(ndarray::s![.., ..2]).assign(&grid.points);
    let f = ebm.raw(points.view())?;
    let b = context.directions(K)?;
    let log_p = context.log_densities(&grid, f.view(), b.view());
    let mut rng = context.seed.child("noise").rng();
    let noise = Array2::<f64>::random_using(log_p.raw_dim(), StandardNormal, &mut rng) * 1e-3;
    // What a way to recover f from log-densities leaves, and by how much it amplifies their errors.
    let measure = |log_p: &Array2<f64>, way: &dyn Fn(ArrayView2<f64>) -> Array2<f64>| {
        let recovered = way(log_p.view());
        let error = way((log_p + &noise).view()) - &recovered;
        vec![
            Value::exact("distance", constant_gap(recovered.view(), f.view())),
            Value::exact("conditioning", longest_row(&error) / longest_row(&noise)),
        ]
    };
    // Fewer than k densities: the last is not known.
    let known = ndarray::s![.., ..K - 1];
    let fewer = |log_p: ArrayView2<f64>| recover_from_any(log_p.slice(known), b.slice(known));
    // A rank-deficient B: two directions coincide.
    let mut deficient = b.clone();
    let first = b.column(0).to_owned();
    deficient.column_mut(1).assign(&first);
    let log_deficient = context.log_densities(&grid, f.view(), deficient.view());
    // Full rank without orthogonality is enough to recover f. A cyclic shift C has norm 1, so the singular
    // values of 2I + C are at least 1 and nothing is amplified either.
    let skew = b.dot(&(Array2::from_shape_fn((K, K), |(i, j)| [2.0, 1.0, 0.0][(j + K - i) % K])));
    let log_skew = context.log_densities(&grid, f.view(), skew.view());
    // Two directions that are nearly the same: f can still be recovered, but errors grow by 1/ε.
    let mut parallel = b.clone();
    let near = &first + &(&b.column(1) * NEARLY);
    parallel.column_mut(1).assign(&near);
    let log_parallel = context.log_densities(&grid, f.view(), parallel.view());
    // B learned too: B' = I with f' = B'Bᵀf has the same densities.
    let learned = |log_p: ArrayView2<f64>| recover_from_any(log_p, Array2::eye(K).view());
    let permuted: Vec<usize> = (0..f.nrows()).rev().collect();
    let f_learned = learned(log_p.view());
    Ok(Findings {
        values: measure(&log_p, &|l| recover_from_any(l, b.view())),
        baselines: vec![
            Value::exact("learned-distance", constant_gap(f_learned.view(), f.view())),
            Value::exact("learned-linear", affine_gap(f.view(), f_learned.view())),
        ],
        controls: [
            ("fewer-densities".to_owned(), measure(&log_p, &fewer)),
            (
                "rank-deficient-b".to_owned(),
                measure(&log_deficient, &|l| recover_from_any(l, deficient.view())),
            ),
            (
                "nearly-parallel-b".to_owned(),
                measure(&log_parallel, &|l| recover_from_any(l, parallel.view())),
            ),
            ("full-rank-b".to_owned(), measure(&log_skew, &|l| recover_from_any(l, skew.view()))),
            ("learned-b".to_owned(), measure(&log_p, &learned)),
            (
                "permuted-rows".to_owned(),
                measure(&log_p, &|l| recover_from_any(l, b.view()).select(ndarray::Axis(0), &permuted)),
            ),
        ]
        .into(),
        setting: format!("trained network, k = {K}, {} grid points in two dimensions", grid.weights.len()),
        n: vec![grid.weights.len()],
        // Not of f: a trained network differs in its last digits from one instruction set to another.
        data: data_hash([b.view(), grid.points.view()]),
    })
}

fn longest_row(a: &Array2<f64>) -> f64 {
    a.rows().into_iter().map(|r| r.dot(&r).sqrt()).fold(0.0, f64::max)
}

fn pictures(_: &Report, context: &Context) -> Vec<Figure> {
    let trained = identifiability::train(context);
    vec![trained.before(), trained.after()]
}

//! Proposition 3.3, converse: the k densities determine f up to a constant, constructively.

use super::{Context, Findings};
use crate::verdict::Value;
use ebmbook::theory::density::Grid;
use ebmbook::theory::identifiability::{affine_gap, constant_gap, recover};
use ndarray::{Array2, ArrayView2};
use rand_distr::{Distribution, StandardNormal};

const K: usize = 3;
const D: usize = 4;

pub(super) fn check(context: &Context) -> ebmbook::Result<Findings> {
    let ebm = context.small_ebm(D, K)?;
    let grid = Grid::quadrature(2, -3.0, 3.0, context.pick(6, 20));
    let mut points = Array2::zeros((grid.weights.len(), D));
    points.slice_mut(ndarray::s![.., ..2]).assign(&grid.points);
    let f = ebm.raw(points.view())?;
    let b = context.directions(K)?;
    let log_p = context.log_densities(&grid, f.view(), b.view());
    let gap = |g: ArrayView2<f64>| {
        vec![Value::exact("distance of the recovered f from f + C", constant_gap(g, f.view()))]
    };

    let recovered = recover(log_p.view(), b.view());
    // Fewer than k densities: the last is not known, so its column is filled by the first.
    let mut fewer = log_p.clone();
    fewer.column_mut(K - 1).assign(&log_p.column(0));
    // A rank-deficient B: two directions coincide.
    let mut deficient = b.clone();
    let first = b.column(0).to_owned();
    deficient.column_mut(1).assign(&first);
    let log_deficient = context.log_densities(&grid, f.view(), deficient.view());
    // B learned too: any other orthogonal B' with f' = B'Bᵀf has the same densities.
    let f_learned = f.dot(&b);
    let permuted: Vec<usize> = (0..f.nrows()).rev().collect();

    let mut rng = context.seed.child("noise").rng();
    let noise =
        Array2::from_shape_simple_fn(log_p.raw_dim(), || -> f64 { StandardNormal.sample(&mut rng) }) * 1e-3;
    let noisy = recover((&log_p + &noise).view(), b.view());
    let row_norm = |a: Array2<f64>| a.rows().into_iter().map(|r| r.dot(&r).sqrt()).fold(0.0, f64::max);
    let mut values = gap(recovered.view());
    values.push(Value::exact(
        "recovery error over log-density error",
        row_norm(&noisy - &recovered) / row_norm(noise),
    ));
    let control = |mut v: Vec<Value>| {
        v.push(Value::exact("recovery error over log-density error", 1.0));
        v
    };
    Ok(Findings {
        values,
        baselines: vec![
            Value::exact("learned B: distance from f + C", constant_gap(f_learned.view(), f.view())),
            Value::exact(
                "learned B: distance from a linear map of f",
                affine_gap(f.view(), f_learned.view()),
            ),
        ],
        controls: [
            ("fewer-densities".to_owned(), control(gap(recover(fewer.view(), b.view()).view()))),
            (
                "rank-deficient-b".to_owned(),
                control(gap(recover(log_deficient.view(), deficient.view()).view())),
            ),
            ("learned-b".to_owned(), control(gap(f_learned.view()))),
            ("permuted-rows".to_owned(), control(gap(recovered.select(ndarray::Axis(0), &permuted).view()))),
        ]
        .into(),
        setting: format!("trained network, k = {K}, {} grid points in two dimensions", grid.weights.len()),
    })
}

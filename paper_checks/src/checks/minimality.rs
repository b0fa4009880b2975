//! Proposition 3.1, second half: off a fibre the log-ratio moves with β, unless β is restricted to
//! the k columns of B and the difference lies along B·1.

use super::{Context, Findings, data_hash};
use crate::verdict::Value;
use ebmbook::theory::sufficiency::{log_ratio_spread, walk_fibre};
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Axis};
use rand_distr::{Distribution, StandardNormal};

const K: usize = 5;
const D: usize = 8;

pub(super) fn check(context: &Context) -> ebmbook::Result<Findings> {
    let b = context.directions(K)?;
    let mut rng = context.seed.child("differences").rng();
    let mut unit = || {
        let v = Array1::from_shape_simple_fn(K, || -> f64 { StandardNormal.sample(&mut rng) });
        &v / v.dot(&v).sqrt()
    };
    // k+1 affinely independent β: the columns of B and the origin.
    let mut open = Array2::zeros((K, K + 1));
    open.slice_mut(ndarray::s![.., ..K]).assign(&b);
    let b_one = b.sum_axis(Axis(1)) / (K as f64).sqrt();
    let mut differences: Vec<Array1<f64>> = (0..context.pick(1000, 100_000)).map(|_| unit()).collect();
    differences.push(b_one.clone());
    let smallest = |betas: ArrayView2<f64>| {
        differences.iter().map(|d| log_ratio_spread(d.view(), betas)).fold(f64::INFINITY, f64::min)
    };
    // x itself as the statistic: along a fibre of a trained f it changes, and no β sees it.
    let ebm = context.small_ebm(D, K)?;
    let f = |x: ArrayView1<f64>| {
        ebm.raw(x.insert_axis(Axis(0))).expect("d covariates").index_axis_move(Axis(0), 0)
    };
    let start = Array1::from_shape_fn(D, |s| 0.3 * (s as f64 - 3.0));
    let path = walk_fibre(&f, start.view(), 50, 0.05, context.seed.child("walk"));
    let end = path.row(path.nrows() - 1);
    let in_x = (&end - &start).mapv(|d| d * d).sum().sqrt();
    // As for the other differences: per unit of the statistic.
    let in_f = (f(end) - f(start.view())) / in_x;
    let x_itself = |betas: ArrayView2<f64>| log_ratio_spread(in_f.view(), betas);
    let values = |columns: f64, open: f64| {
        vec![
            Value::exact("smallest spread over the k columns of B", columns),
            Value::exact("smallest spread over k+1 affinely independent beta", open),
        ]
    };
    Ok(Findings {
        values: values(smallest(b.view()), smallest(open.view())),
        baselines: vec![
            Value::exact("spread over the columns of B along B1", log_ratio_spread(b_one.view(), b.view())),
            Value::exact("spread over k+1 beta along B1", log_ratio_spread(b_one.view(), open.view())),
            Value::exact("distance in x of two points of one fibre of a trained f", in_x),
        ],
        controls: [("x-itself".to_owned(), values(x_itself(b.view()), x_itself(open.view())))].into(),
        n: vec![differences.len()],
        data: data_hash([b.view()]),
        setting: format!(
            "k = {K}, {} unit differences, B1 among them; trained network with d = {D} for the control",
            differences.len()
        ),
    })
}

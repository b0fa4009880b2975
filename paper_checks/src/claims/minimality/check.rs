//! Proposition 3.1, second half: off a fibre the log-ratio moves with β. Beside it: with β restricted to the k columns of
//! B, it does not move along B·1.

use crate::claims::{Check, Context, Findings, Pictures, Report, data_hash};
use crate::pictures::sufficiency;
use crate::registry::Value;
use crate::study::StudyError;
use ebmbook::show::Figure;
use ebmbook::theory::density::Grid;
use ebmbook::theory::sufficiency::{log_ratio_spread, walk_fibre};
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Axis};
use ndarray_rand::RandomExt;
use rand_distr::StandardNormal;

pub const CHECK: Check = Check { pictures: Pictures::Illustrate(pictures), ..Check::new(measure) };

const K: usize = 5;
const D: usize = 8;

fn measure(context: &Context) -> Result<Findings, StudyError> {
    let b = context.directions(K)?;
    // k+1 affinely independent β: the columns of B and the origin.
    let mut open = Array2::zeros((K, K + 1));
    open.slice_mut(ndarray::s![.., ..K]).assign(&b);
    let b_one = b.sum_axis(Axis(1)) / (K as f64).sqrt();
    // A finite X: rows that a trained network sees, and one more point whose representation differs from that of
    // the first row by B1.
    let ebm = context.small_ebm(D, K)?;
    let rows = context.pick(200, 1000);
    let mut rng = context.seed.child("points").rng();
    let x = Array2::<f64>::random_using((rows, D), StandardNormal, &mut rng);
    let mut f_of = ebm.raw(x.view())?;
    let beyond = &f_of.row(0) + &b_one;
    f_of.push_row(beyond.view()).expect("k coordinates");
    let grid = Grid::finite(Array2::zeros((rows + 1, 1)));
    // log p_β(x) − log p_β(x′): its spread over β, per unit of ‖f(x) − f(x′)‖, for every pair of points.
    let spreads = |betas: ArrayView2<f64>, points: usize| -> Vec<f64> {
        let log_p = context.log_densities(&grid, f_of.view(), betas);
        let of_pair = |i: usize, j: usize| {
            let ratio = &log_p.row(i) - &log_p.row(j);
            let (low, high) = ratio.iter().fold((f64::MAX, f64::MIN), |(l, h), r| (l.min(*r), h.max(*r)));
            let apart = &f_of.row(i) - &f_of.row(j);
            (high - low) / apart.dot(&apart).sqrt()
        };
        (0..points).flat_map(|i| (0..i).map(move |j| (i, j))).map(|(i, j)| of_pair(i, j)).collect()
    };
    let least = |spreads: Vec<f64>| spreads.into_iter().fold(f64::INFINITY, f64::min);
    let smallest = |betas: ArrayView2<f64>| least(spreads(betas, rows + 1));
    // x itself as the statistic: along a fibre of a trained f it changes, and no β sees it.
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
    Ok(Findings {
        values: vec![Value::exact("spread-open", smallest(open.view()))],
        baselines: vec![
            Value::exact("spread-columns", smallest(b.view())),
            Value::exact("spread-rows", least(spreads(b.view(), rows))),
            Value::exact("b1-columns", log_ratio_spread(b_one.view(), b.view())),
            Value::exact("b1-open", log_ratio_spread(b_one.view(), open.view())),
            Value::exact("distance-in-x", in_x),
        ],
        controls: [("x-itself".to_owned(), vec![Value::exact("spread-open", x_itself(open.view()))])].into(),
        n: vec![rows + 1],
        data: data_hash([b.view(), x.view()]),
        setting: format!(
            "k = {K}, trained network with d = {D}: every pair of {rows} rows and a point at a distance of B1 from the first"
        ),
    })
}

fn pictures(_: &Report, _: &Context) -> Vec<Figure> {
    vec![sufficiency::columns(5, 1).figure()]
}

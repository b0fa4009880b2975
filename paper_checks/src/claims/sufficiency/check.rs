//! Proposition 3.1, first half: on a fibre of f the law of x does not depend on β.

use crate::claims::{Check, Context, Findings, Pictures, Report, data_hash};
use crate::pictures::sufficiency;
use crate::registry::Value;
use crate::study::StudyError;
use ebmbook::show::Figure;
use ebmbook::theory::sufficiency::{conditional_gap, walk_fibre};
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Axis};
use ndarray_rand::RandomExt;
use rand_distr::StandardNormal;

pub const CHECK: Check = Check { pictures: Pictures::Illustrate(pictures), ..Check::new(measure) };

const K: usize = 3;
const D: usize = 6;

/// Points of a finite X in fibres of four.
const POINTS: usize = 40;

fn measure(context: &Context) -> Result<Findings, StudyError> {
    let mut rng = context.seed.child("finite").rng();
    let mut gauss = |shape| Array2::<f64>::random_using(shape, StandardNormal, &mut rng);
    let betas = gauss((K, context.pick(50, 500)));
    let levels = gauss((POINTS / 4, K));
    // Point i lies on fibre i / 4.
    let f = Array2::from_shape_fn((POINTS, K), |(i, j)| levels[[i / 4, j]]);
    // Dropping a coordinate merges fibres only if two share the rest: give the control such a pair.
    let mut f = f;
    for i in 0..4 {
        for j in 1..K {
            f[[i, j]] = f[[4 + i, j]];
        }
    }
    let dropped = f.slice(ndarray::s![.., 1..]).to_owned();
    let values = |finite: f64, fibre: f64| {
        vec![Value::exact("law-change", finite), Value::exact("ratio-change", fibre)]
    };
    let ebm = context.small_ebm(D, K)?;
    let raw = |x: ArrayView1<f64>| {
        ebm.raw(x.insert_axis(Axis(0))).expect("d covariates").index_axis_move(Axis(0), 0)
    };
    let start = Array1::from_shape_fn(D, |s| 0.3 * (s as f64 - 2.0));
    let path = walk_fibre(&raw, start.view(), context.pick(50, 500), 0.05, context.seed.child("walk"));
    let on_fibre = ebm.raw(path.view())?;
    let length: f64 = path.axis_windows(Axis(0), 2).into_iter().map(|w| distance(w.row(0), w.row(1))).sum();
    let whole = spread(on_fibre.view(), betas.view());
    // A statistic that drops the first coordinate of f: its fibres are larger.
    let coarse = |x: ArrayView1<f64>| raw(x).slice(ndarray::s![1..]).to_owned();
    let coarse_path = walk_fibre(&coarse, start.view(), 50, 0.05, context.seed.child("coarse walk"));
    let broken = spread(ebm.raw(coarse_path.view())?.view(), betas.view());
    Ok(Findings {
        values: values(conditional_gap(f.view(), f.view(), betas.view()), whole),
        baselines: vec![Value::exact("walk-length", length)],
        controls: [(
            "dropped-coordinate".to_owned(),
            values(conditional_gap(f.view(), dropped.view(), betas.view()), broken),
        )]
        .into(),
        n: vec![POINTS, path.nrows()],
        data: data_hash([f.view()]),
        setting: format!(
            "finite X: {POINTS} points, k = {K}, {} random beta; continuous X: trained network, d = {D}, {} steps of 0.05",
            betas.ncols(),
            path.nrows() - 1
        ),
    })
}

/// Largest change of −βᵀ(f(x) − f(x_0)) along a path, over all β.
fn spread(f: ArrayView2<f64>, betas: ArrayView2<f64>) -> f64 {
    let ratios = (&f - &f.row(0)).dot(&betas);
    ratios.iter().fold(0.0, |m, r| m.max(r.abs()))
}

fn distance(x: ArrayView1<f64>, y: ArrayView1<f64>) -> f64 {
    (&x - &y).mapv(|d| d * d).sum().sqrt()
}

fn pictures(_: &Report, context: &Context) -> Vec<Figure> {
    vec![sufficiency::train_plane(context).figure(), sufficiency::walks(context).figure()]
}

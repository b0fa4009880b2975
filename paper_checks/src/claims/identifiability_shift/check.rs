//! Proposition 3.3, forward: f and f + C give the same densities.

use crate::claims::{Check, Context, Findings, Pictures, Report, data_hash};
use crate::pictures::identifiability;
use crate::registry::{Key, Value};
use crate::study::StudyError;
use ebmbook::show::Figure;
use ebmbook::theory::density::Grid;
use ndarray::{Array2, ArrayView2};

pub const CHECK: Check = Check { pictures: Pictures::Illustrate(pictures), ..Check::new(measure) };

const K: usize = 3;
/// Padding with zero inputs keeps one network for both dimensions.
const D: usize = 4;

fn measure(context: &Context) -> Result<Findings, StudyError> {
    let ebm = context.small_ebm(D, K)?;
    let shifted = ebm.shifted(&[3.0, -2.0, 0.5])?;
    let b = context.directions(K)?;
    let padded = |grid: &Grid, d: usize| {
        let mut points = Array2::zeros((grid.weights.len(), D));
        points.slice_mut(ndarray::s![.., ..d]).assign(&grid.points);
        points
    };
    let largest = |a: Array2<f64>| a.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
    let (mut values, mut scaled, mut baselines) = (Vec::new(), Vec::new(), Vec::new());
    let (mut sizes, mut grids) = (Vec::new(), Vec::new());
    for d in [1, 2] {
        let panels = context.pick(8, 24);
        let grid = Grid::quadrature(d, -3.0, 3.0, panels);
        let points = padded(&grid, d);
        let (f, moved) = (ebm.raw(points.view())?, shifted.raw(points.view())?);
        let densities = |f: ArrayView2<f64>| context.log_densities(&grid, f, b.view());
        let log_p = densities(f.view());
        let of_d = |name: &str| Key::new(name).of(d);
        values.push(Value::exact(of_d("change"), largest(&log_p - &densities(moved.view()))));
        // Not a shift: every coordinate multiplied by 1.01.
        scaled.push(Value::exact(of_d("change"), largest(&log_p - &densities((&f * 1.01).view()))));
        // log Z_j = −β_jᵀf(x) − log p_j(x) at any x; a rule with twice the panels says how good it is.
        let fine = Grid::quadrature(d, -3.0, 3.0, 2 * panels);
        let f_fine = ebm.raw(padded(&fine, d).view())?;
        let log_p_fine = context.log_densities(&fine, f_fine.view(), b.view());
        let log_z = |f: &Array2<f64>, log_p: &Array2<f64>| -f.dot(&b).row(0).to_owned() - log_p.row(0);
        let error = log_z(&f, &log_p) - log_z(&f_fine, &log_p_fine);
        let error = error.iter().fold(0.0_f64, |m, e| m.max(e.abs()));
        baselines.push(Value::exact(of_d("quadrature"), error));
        baselines.push(Value::exact(of_d("shift"), largest(&moved - &f)));
        sizes.push(grid.weights.len());
        grids.push(grid.points);
    }
    Ok(Findings {
        baselines,
        n: sizes,
        // Not of f: a trained network differs in its last digits from one instruction set to another.
        data: data_hash([b.view()].into_iter().chain(grids.iter().map(|points| points.view()))),
        setting: format!("trained network, k = {K}, Gauss-Legendre grid on [-3, 3]^d"),
        controls: [("scaled-not-shifted".to_owned(), scaled)].into(),
        values,
    })
}

fn pictures(_: &Report, context: &Context) -> Vec<Figure> {
    vec![identifiability::train(context).figure()]
}

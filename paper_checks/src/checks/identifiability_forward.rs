//! Proposition 3.3, forward: f and f + C give the same densities.

use super::{Context, Findings, data_hash};
use crate::verdict::Value;
use ebmbook::theory::density::Grid;
use ndarray::{Array2, ArrayView2};

const K: usize = 3;

pub(super) fn check(context: &Context) -> ebmbook::Result<Findings> {
    let mut values = Vec::new();
    let mut scaled = Vec::new();
    let mut sizes = Vec::new();
    for (d, name) in
        [(1, "largest change of a log-density, d = 1"), (2, "largest change of a log-density, d = 2")]
    {
        // Padding the network with zero inputs keeps one network for both dimensions.
        let ebm = context.small_ebm(4, K)?;
        let grid = Grid::quadrature(d, -3.0, 3.0, context.pick(8, 24));
        let mut points = Array2::zeros((grid.weights.len(), 4));
        points.slice_mut(ndarray::s![.., ..d]).assign(&grid.points);
        sizes.push(grid.weights.len());
        let b = context.directions(K)?;
        let change = |f: ArrayView2<f64>, g: ArrayView2<f64>| {
            let difference =
                context.log_densities(&grid, f, b.view()) - context.log_densities(&grid, g, b.view());
            difference.iter().fold(0.0_f64, |m, c| m.max(c.abs()))
        };
        let f = ebm.raw(points.view())?;
        let shifted = ebm.shifted(&[3.0, -2.0, 0.5])?.raw(points.view())?;
        values.push(Value::exact(name, change(f.view(), shifted.view())));
        // Not a shift: every coordinate multiplied by 1.01.
        scaled.push(Value::exact(name, change(f.view(), (&f * 1.01).view())));
    }
    Ok(Findings {
        baselines: vec![Value::exact("size of the shift", 3.0)],
        n: sizes,
        data: data_hash([context.directions(K)?.view()]),
        setting: format!("trained network, k = {K}, Gauss-Legendre grid on [-3, 3]^d"),
        controls: [("scaled-not-shifted".to_owned(), scaled)].into(),
        values,
    })
}

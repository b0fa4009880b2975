//! Appendix B.3: the printed proof takes f linear. A bimodal density is the counter-example.

use super::{Context, Findings, data_hash};
use crate::verdict::Value;
use ebmbook::theory::approximation::{Target, linear_error, network_error};
use ebmbook::theory::density::Grid;
use rayon::prelude::*;

/// Draws of the hidden layer of the network beside it, and the error rate of their median.
const LAYERS: usize = 60;
const ALPHA: f64 = 1e-5;

pub(super) fn check(context: &Context) -> ebmbook::Result<Findings> {
    let grid = Grid::quadrature(2, -1.0, 1.0, context.pick(3, 6));
    let linear = linear_error(&grid);
    let b = context.directions(3)?;
    let name = "relative sup error of the best linear f";
    // One layer may be a poor draw: the median over many is what a network does.
    let errors: Vec<f64> = (0..LAYERS)
        .into_par_iter()
        .map(|i| network_error(Target::Bimodal, 512, b.view(), 5, context.seed.child("layer").index(i)))
        .collect();
    let network = |name: &str| Value::median(name, &errors, ALPHA);
    Ok(Findings {
        values: vec![Value::exact(name, linear.best)],
        baselines: vec![
            Value::exact("lower bound for every linear f", linear.lower_bound),
            network(&format!("network with 512 hidden units, median of {LAYERS} draws of its layer")),
        ],
        controls: [
            // Even the bound that no linear f can beat is too large.
            ("lower-bound".to_owned(), vec![Value::exact(name, linear.lower_bound)]),
            ("nonlinear-f".to_owned(), vec![network(name)]),
        ]
        .into(),
        n: vec![grid.weights.len()],
        data: data_hash([Target::Bimodal.density(&grid).view()]),
        setting: "two Gaussian bumps on [-1, 1]^2, 6561 slopes".into(),
    })
}

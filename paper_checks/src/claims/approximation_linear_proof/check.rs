//! Appendix B.3: the printed proof takes f linear. A bimodal density is the counter-example.

use crate::claims::{Check, Context, Findings, Pictures, Report, data_hash};
use crate::pictures::approximation;
use crate::registry::{Key, Value};
use crate::study::StudyError;
use ebmbook::show::Figure;
use ebmbook::theory::approximation::{Target, linear_error, network_error};
use ebmbook::theory::density::Grid;
use rayon::prelude::*;

pub const CHECK: Check = Check { pictures: Pictures::Illustrate(pictures), ..Check::new(measure) };

/// Draws of the hidden layer of the network beside it, and the error rate of their median.
const LAYERS: usize = 60;
const ALPHA: f64 = 1e-5;
const ERROR: &str = "error";

fn measure(context: &Context) -> Result<Findings, StudyError> {
    let grid = Grid::quadrature(2, -1.0, 1.0, context.pick(3, 6));
    let linear = linear_error(&grid);
    let b = context.directions(3)?;
    // One layer may be a poor draw: the median over many is what a network does.
    let errors: Vec<f64> = (0..LAYERS)
        .into_par_iter()
        .map(|i| network_error(Target::Bimodal, 512, b.view(), 5, context.seed.child("layer").index(i)))
        .collect();
    let network = |key: Key| Value::median(key, &errors, ALPHA);
    Ok(Findings {
        values: vec![Value::exact(ERROR, linear.best)],
        baselines: vec![
            Value::exact("lower-bound", linear.lower_bound),
            network(Key::new("network-error").of(LAYERS)),
        ],
        controls: [
            // Even the bound that no linear f can beat is too large.
            ("lower-bound".to_owned(), vec![Value::exact(ERROR, linear.lower_bound)]),
            ("nonlinear-f".to_owned(), vec![network(ERROR.into())]),
        ]
        .into(),
        n: vec![grid.weights.len()],
        data: data_hash([Target::Bimodal.density(&grid).view()]),
        setting: "two Gaussian bumps on [-1, 1]^2, 6561 slopes".into(),
    })
}

fn pictures(_: &Report, context: &Context) -> Vec<Figure> {
    let errors = approximation::errors(context);
    vec![approximation::tilts(), errors.against_linear(&approximation::linear())]
}

//! Pictures of rates: how the error of effects falls, and double robustness.

use crate::context::Context;
use ebmbook::show::Figure;
use ebmbook::theory::doubly_robust::{Estimator, bias};
use ebmbook::theory::rates::mean_squared_errors;

/// Error of a regression against n in 1, 2, 4 and 8 dimensions.
pub fn rate_figure(context: &Context) -> Figure {
    let sizes = [500, 2_000, 8_000];
    let replicates = context.pick(4, 20);
    let figure = Figure::new("More covariates, slower learning")
        .x("n, training rows")
        .log_x()
        .y("mean squared error")
        .log_y();
    [1, 2, 4, 8].into_iter().fold(figure, |fig, d| {
        let errors = mean_squared_errors(d, 2.0, &sizes, replicates, context.seed.child("rates").index(d));
        let mean = |e: &Vec<f64>| e.iter().sum::<f64>() / e.len() as f64;
        let points: Vec<(f64, f64)> = sizes.iter().zip(&errors).map(|(n, e)| (*n as f64, mean(e))).collect();
        fig.line(&format!("d = {d}"), &points)
    })
}

/// Bias of three estimators against n when both nuisances converge like n^(−1/4).
pub fn double_robustness() -> Figure {
    let sizes = [1e3, 1e4, 1e5, 1e6, 1e7, 1e8];
    let line = |e: Estimator| -> Vec<(f64, f64)> { sizes.map(|n| (n, bias(e, n, 0.25, 0.25))).to_vec() };
    Figure::new("Two slow nuisances make one fast estimate")
        .x("n, training rows")
        .log_x()
        .y("bias, outcome units")
        .log_y()
        .line("plug-in", &line(Estimator::PlugIn))
        .line("weighting", &line(Estimator::Weighting))
        .line("doubly robust", &line(Estimator::DoublyRobust))
}

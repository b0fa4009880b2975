//! Pictures of approximation: which densities the model can imitate.

use crate::context::Context;
use ebmbook::ebm::{DirectionLaw, Directions};
use ebmbook::show::{self, Figure};
use ebmbook::theory::approximation::{LinearError, Target, linear_error, network_error};
use ebmbook::theory::density::Grid;
use ndarray::{Array2, array};

/// The target with this name: `bimodal`, `ring` or `peak`.
///
/// # Panics
/// If there is no such target.
pub fn target(name: &str) -> Target {
    match name {
        "bimodal" => Target::Bimodal,
        "ring" => Target::Ring,
        "peak" => Target::SharpPeak,
        _ => panic!("no target is called `{name}`; there are bimodal, ring, peak"),
    }
}

/// A target as colours and contours over the square.
pub fn picture(name: &str) -> Figure {
    let target = target(name);
    let mass = {
        let grid = Grid::quadrature(2, -1.0, 1.0, 6);
        let raw =
            ndarray::Array1::from_shape_fn(grid.weights.len(), |i| target.unnormalised(grid.points.row(i)));
        grid.integrate(raw.view())
    };
    let at = |x: f64, y: f64| target.unnormalised(array![x, y].view()) / mass;
    let grid = show::Grid::square(-1.0, 1.0, 41, at);
    let highest = grid.z.iter().flatten().copied().fold(0.0, f64::max);
    let levels = [0.25, 0.5, 0.75].map(|share| share * highest);
    Figure::new(format!("The target density `{name}`"))
        .size(460, 499)
        .x("x1")
        .y("x2")
        .heat("density", grid.clone())
        .contour("a quarter, a half and three quarters of the highest", grid, &levels)
}

/// The bimodal target along x2 = 0, beside two exponential tilts.
pub fn tilts() -> Figure {
    let line = |f: &dyn Fn(f64) -> f64| -> Vec<(f64, f64)> {
        (0..=80).map(|i| -1.0 + f64::from(i) / 40.0).map(|x| (x, f(x))).collect()
    };
    let bump = |x: f64| Target::Bimodal.unnormalised(array![x, 0.0].view());
    Figure::new("Two modes, and what a linear f can draw")
        .x("x1, at x2 = 0")
        .y("density, not normalised")
        .line("bimodal target", &line(&bump))
        .line("linear f: exp(0.8 x1)/2", &line(&|x| (0.8 * x).exp() / 2.0))
        .line("linear f: constant", &line(&|_| 0.5))
}

fn directions(context: &Context) -> Array2<f64> {
    let b = Directions::new(DirectionLaw::Haar, 3, context.seed.child("directions"));
    b.expect("k is at least 1").matrix().to_owned()
}

/// Names of the targets.
const TARGETS: [&str; 3] = ["bimodal", "ring", "peak"];
/// Hidden units of the networks that are compared.
const WIDTHS: [usize; 4] = [8, 32, 128, 256];

/// Errors of networks of several widths on each target.
#[derive(Clone, Debug)]
pub struct Errors {
    /// One row a target, one column a width.
    values: Vec<Vec<f64>>,
}

/// Relative sup error of networks against their width, the mean over a few draws of hidden weights.
pub fn errors(context: &Context) -> Errors {
    Errors { values: TARGETS.map(|t| WIDTHS.map(|w| error(t, w, context)).to_vec()).to_vec() }
}

/// Error of networks of one width on one target.
pub fn error(name: &str, width: usize, context: &Context) -> f64 {
    let (b, draws) = (directions(context), context.pick(3, 10));
    let of = |draw: usize| {
        network_error(target(name), width, b.view(), 6, context.seed.child("layer").index(width).index(draw))
    };
    (0..draws).map(of).sum::<f64>() / draws as f64
}

impl Errors {
    fn line(&self, target: usize) -> Vec<(f64, f64)> {
        WIDTHS.iter().zip(&self.values[target]).map(|(w, e)| (*w as f64, *e)).collect()
    }

    /// A line a target.
    pub fn figure(&self) -> Figure {
        let figure = Figure::new("Wider networks come closer")
            .x("hidden units")
            .log_x()
            .y("largest error, share of the highest density")
            .log_y();
        TARGETS.iter().enumerate().fold(figure, |fig, (i, name)| fig.line(name, &self.line(i)))
    }

    /// Linear and nonlinear f side by side on the bimodal target.
    pub fn against_linear(&self, linear: &LinearError) -> Figure {
        Figure::new("On the bimodal target")
            .x("hidden units")
            .log_x()
            .y("largest error, share of the highest density")
            .line("network", &self.line(0))
            .level("best linear f", linear.best)
            .level("bound for every linear f", linear.lower_bound)
    }
}

/// Error of the best linear f on the bimodal target, and the bound nobody can beat.
pub fn linear() -> LinearError {
    linear_error(&Grid::quadrature(2, -1.0, 1.0, 3))
}

//! Notebook 04: which densities can the model imitate?

use crate::context::Context;
use ebmbook::ebm::{DirectionLaw, Directions};
use ebmbook::show::{self, Answer, Figure, Table, table};
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
        .size(520, 440)
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

/// p at the middle of two points against the geometric mean of its values there: equal for every
/// linear f, unequal for a density with two modes.
pub fn middle_rule() -> Table {
    let bimodal = |x: f64| Target::Bimodal.unnormalised(array![x, 0.0].view());
    let tilt = |x: f64| (0.8 * x).exp();
    let row = |p: &dyn Fn(f64) -> f64| [p(-0.5), p(0.5), p(0.0), (p(-0.5) * p(0.5)).sqrt()];
    let header = ["density", "p(-1/2)", "p(1/2)", "p(0)", "geometric mean of the ends"];
    table("The rule of the middle", &header)
        .numbers("linear f", &row(&tilt))
        .numbers("bimodal target", &row(&bimodal))
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

    /// The errors as numbers.
    pub fn table(&self) -> Table {
        let header = ["target", "8 units", "32 units", "128 units", "256 units"];
        let start = table("Largest error, share of the highest density", &header);
        TARGETS.iter().zip(&self.values).fold(start, |t, (name, values)| t.numbers(*name, values))
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

/// −f along B·1 for one scalar g: every direction sees the same energy.
pub fn one_scalar(g: f64, context: &Context) -> Table {
    let b = directions(context);
    let f = b.sum_axis(ndarray::Axis(1)) * -g;
    let energies = b.t().dot(&f);
    table("Energies of f = -g B1", &["g", "energy 1", "energy 2", "energy 3"])
        .numbers(show::format_number(g), energies.as_slice().expect("contiguous"))
}

/// Exercise 1: the energy that the first direction sees when f = −g·B1 + h·β_1.
pub fn exercise_energy(g: f64, h: f64, energy: f64) -> Answer {
    let hint = "The columns are orthonormal: multiply each of the two terms by the first one.";
    Answer::close(energy, h - g, 1e-9, hint)
}

/// Exercise 2: the least error of a linear f for a density of height 1 and 0.6 at two points and 0.2
/// half way between them.
pub fn exercise_bound(bound: f64) -> Answer {
    // (1 − ε)(0.6 − ε) = (0.2 + ε)²  ⇒  0.6 − 0.04 = (1.6 + 0.4) ε
    let hint = "With error e the ends are at least 1 - e and 0.6 - e. What does the rule of the middle ask of \
                0.2 + e?";
    Answer::close(bound, 0.28, 1e-6, hint)
}

/// Exercise 3: the error on the ring with 512 hidden units.
pub fn exercise_wider(given: f64, context: &Context) -> Answer {
    let truth = error("ring", 512, context);
    let hint = "`lesson::error` takes the name of a target and a number of units.";
    Answer::close(given, truth, 0.01 * truth, hint)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_exercise_can_be_right_and_wrong() {
        assert!(exercise_energy(3.0, 2.0, -1.0).is_right() && !exercise_energy(3.0, 2.0, -3.0).is_right());
        assert!(exercise_bound(0.28).is_right() && !exercise_bound(0.4).is_right());
        assert!(!exercise_wider(1.0, &Context::default()).is_right());
    }
}

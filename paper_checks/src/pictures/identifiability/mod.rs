//! Notebook 03: what the k densities say about f, and what they cannot say.

mod pictures;

use crate::context::Context;
use ebmbook::data::Covariates;
use ebmbook::ebm::{DirectionLaw, Directions, Ebm, Keep, RateSchedule, literal_reading};
use ebmbook::network::Activation;
use ebmbook::seed::Seed;
use ebmbook::show::{Answer, Figure, Table, format_number, table};
use ebmbook::theory::density::{Grid, log_densities};
use ebmbook::theory::identifiability::{affine_gap, constant_gap, recover};
use ebmbook::theory::mixture;
use ndarray::{Array1, Array2, ArrayView2, array};
use rand_distr::{Distribution, StandardNormal};

/// Three points, two coordinates, two directions: the smallest model that shows everything.
#[derive(Clone, Debug)]
pub struct Small {
    /// One row a point.
    pub f: Array2<f64>,
    /// Orthogonal directions in columns.
    pub b: Array2<f64>,
}

impl Small {
    /// f and B that can be checked on paper.
    pub fn new() -> Self {
        Self { f: array![[0.0, 0.0], [1.0, 0.0], [0.0, 2.0]], b: array![[0.6, 0.8], [0.8, -0.6]] }
    }

    /// The example with f + C.
    pub fn shifted(&self, c: [f64; 2]) -> Self {
        Self { f: &self.f + &array![[c[0], c[1]]], b: self.b.clone() }
    }

    /// The example with f multiplied.
    pub fn scaled(&self, by: f64) -> Self {
        Self { f: &self.f * by, b: self.b.clone() }
    }

    fn log_p(&self) -> Array2<f64> {
        log_densities(&Grid::finite(Array2::zeros((3, 1))), self.f.view(), self.b.view())
    }

    /// f, both energies and both densities at each point.
    pub fn table(&self) -> Table {
        let (e, p) = (self.f.dot(&self.b), self.log_p().mapv_into(f64::exp));
        let header = ["point", "f1", "f2", "energy 1", "energy 2", "p1", "p2"];
        let mut t = table("f, the energies and the two densities", &header);
        for i in 0..3 {
            let (f, e, p) = (self.f.row(i), e.row(i), p.row(i));
            t = t.numbers(format!("x{}", i + 1), &[f[0], f[1], e[0], e[1], p[0], p[1]]);
        }
        t
    }

    /// Largest difference between the densities of two models.
    pub fn density_change(&self, other: &Self) -> f64 {
        largest((self.log_p().mapv_into(f64::exp) - other.log_p().mapv_into(f64::exp)).view())
    }

    /// f recovered from the densities, beside f: the difference is one constant a coordinate.
    pub fn recovery(&self) -> Table {
        let g = recover(self.log_p().view(), self.b.view());
        let header = ["point", "f1", "recovered", "difference", "f2", "recovered", "difference"];
        let mut t = table("f, and what the densities give back", &header);
        for i in 0..3 {
            let (f, g) = (self.f.row(i), g.row(i));
            t = t.numbers(format!("x{}", i + 1), &[f[0], g[0], g[0] - f[0], f[1], g[1], g[1] - f[1]]);
        }
        t
    }
}

impl Default for Small {
    fn default() -> Self {
        Self::new()
    }
}

/// A trained network on the plane, its directions, and its densities on a quadrature grid.
#[derive(Clone, Debug)]
pub struct Trained {
    ebm: Ebm,
    grid: Grid,
    f: Array2<f64>,
    b: Array2<f64>,
    log_p: Array2<f64>,
    seed: Seed,
}

/// Number of coordinates of the trained network.
const K: usize = 3;

/// Half the side of the square that the densities live on.
const SIDE: f64 = 3.5;

/// Trains a small network on the mixture of three Gaussians and tabulates its k = 3 densities.
///
/// # Panics
/// If training fails, which is a fault of the library.
pub fn train(context: &Context) -> Trained {
    let rows = mixture::sample(context.pick(2_000, 10_000), context.seed.child("mixture"));
    let train = Covariates::continuous(rows).expect("finite rows");
    let params = Ebm::params(K).hidden(&[32, 32]).activation(Activation::Silu).rate(3e-3);
    let params =
        params.schedule(RateSchedule::Cosine).epochs(150).validation(0.0).patience(None).keep(Keep::Last);
    let ebm = Ebm::fit(&params, &train, context.seed.child("training")).expect("training works");
    let grid = Grid::quadrature(2, -SIDE, SIDE, context.pick(4, 16));
    let f = ebm.raw(grid.points.view()).expect("two covariates");
    let b = ebm.directions().matrix().to_owned();
    let log_p = log_densities(&grid, f.view(), b.view());
    Trained { ebm, grid, f, b, log_p, seed: context.seed }
}

impl Trained {
    /// Points of the grid.
    pub fn points(&self) -> usize {
        self.grid.weights.len()
    }

    /// The three densities along the line x2 = 0 are not equal: each has its own β.
    pub fn figure(&self) -> Figure {
        let line = |j: usize| -> Vec<(f64, f64)> {
            let middle = self.grid.points.column(1).iter().map(|y| y.abs()).fold(f64::INFINITY, f64::min);
            let mut points: Vec<(f64, f64)> = (0..self.points())
                .filter(|i| self.grid.points[[*i, 1]] == middle)
                .map(|i| (self.grid.points[[i, 0]], self.log_p[[i, j]].exp()))
                .collect();
            points.sort_by(|a, b| a.0.total_cmp(&b.0));
            points
        };
        let figure = Figure::new("The densities of one trained network").x("x1, at x2 near 0").y("density");
        (0..K).fold(figure, |fig, j| fig.line(&format!("p{}", j + 1), &line(j)))
    }

    /// Exercise 4: the largest change of a log-density when f is multiplied by 1.1.
    pub fn exercise_scale(&self, change: f64) -> Answer {
        let truth = self.change_under_scale(1.1);
        let hint = "Call `model.change_under_scale` with another argument than the one above.";
        Answer::close(change, truth, 0.01 * truth, hint)
    }

    /// Largest change of a log-density when f moves by c in every coordinate.
    pub fn change_under_shift(&self, c: f64) -> f64 {
        let moved = log_densities(&self.grid, (&self.f + c).view(), self.b.view());
        largest((moved - &self.log_p).view())
    }

    /// Largest change of a log-density when f is multiplied.
    pub fn change_under_scale(&self, by: f64) -> f64 {
        let scaled = log_densities(&self.grid, (&self.f * by).view(), self.b.view());
        largest((scaled - &self.log_p).view())
    }

    /// How far the f recovered from the densities is from f + C.
    pub fn recovery_gap(&self) -> f64 {
        constant_gap(recover(self.log_p.view(), self.b.view()).view(), self.f.view())
    }

    /// The first two coordinates of f and of its recovery, as they are.
    pub fn before(&self) -> Figure {
        self.pair("Two representations with the same densities", false)
    }

    /// Both after each has lost its mean.
    pub fn after(&self) -> Figure {
        self.pair("The same two, each without its mean", true)
    }

    fn pair(&self, title: &str, centred: bool) -> Figure {
        let g = recover(self.log_p.view(), self.b.view());
        let points = |a: ArrayView2<f64>| -> Vec<(f64, f64)> {
            let mean: Array1<f64> = a.mean_axis(ndarray::Axis(0)).expect("there are points");
            let shift = if centred { mean } else { Array1::zeros(K) };
            a.rows().into_iter().step_by(7).map(|r| (r[0] - shift[0], r[1] - shift[1])).collect()
        };
        Figure::new(title)
            .x("first coordinate")
            .y("second coordinate")
            .scatter("f", &points(self.f.view()))
            .scatter("recovered from the densities", &points(g.view()))
    }

    /// Four ways to break the recovery, with how far each ends from f + C.
    pub fn broken(&self) -> Table {
        let gap = |g: Array2<f64>| constant_gap(g.view(), self.f.view());
        let mut fewer = self.log_p.clone();
        fewer.column_mut(K - 1).assign(&self.log_p.column(0));
        let mut deficient = self.b.clone();
        let first = self.b.column(0).to_owned();
        deficient.column_mut(1).assign(&first);
        let log_deficient = log_densities(&self.grid, self.f.view(), deficient.view());
        let learned = self.f.dot(&self.b);
        let rows: Vec<usize> = (0..self.points()).rev().collect();
        let permuted = recover(self.log_p.view(), self.b.view()).select(ndarray::Axis(0), &rows);
        table("What breaks the recovery", &["broken on purpose", "distance from f + C"])
            .numbers("nothing", &[self.recovery_gap()])
            .numbers("one density unknown", &[gap(recover(fewer.view(), self.b.view()))])
            .numbers("two directions equal", &[gap(recover(log_deficient.view(), deficient.view()))])
            .numbers("B learned too", &[gap(learned)])
            .numbers("compared at other points", &[gap(permuted)])
    }

    /// With B learned too, f is known only up to a linear map: distance from the nearest one.
    pub fn learned_b_gap(&self) -> f64 {
        affine_gap(self.f.view(), self.f.dot(&self.b).view())
    }

    /// Error of the recovery when each log-density has Gaussian noise of a given size.
    pub fn noise(&self) -> Figure {
        let size = |e: f64| {
            let mut rng = self.seed.child("noise").rng();
            let noise = Array2::from_shape_simple_fn(self.log_p.raw_dim(), || -> f64 {
                e * Distribution::<f64>::sample(&StandardNormal, &mut rng)
            });
            let exact = recover(self.log_p.view(), self.b.view());
            let noisy = recover((&self.log_p + &noise).view(), self.b.view());
            let norm = |a: Array2<f64>| a.rows().into_iter().map(|r| r.dot(&r).sqrt()).fold(0.0, f64::max);
            (norm(noise), norm(noisy - exact))
        };
        let points: Vec<(f64, f64)> = [1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1].map(size).to_vec();
        let diagonal: Vec<(f64, f64)> = points.iter().map(|p| (p.0, p.0)).collect();
        Figure::new("An error in the densities is not amplified")
            .x("largest error of a log-density")
            .log_x()
            .y("largest error of f")
            .log_y()
            .line("bound: the same size", &diagonal)
            .scatter("measured", &points)
    }

    /// The ratio of the two errors at one noise level.
    pub fn amplification(&self) -> f64 {
        let figure = self.noise();
        match &figure.layers[1] {
            ebmbook::show::Layer::Scatter { points, .. } => {
                points.iter().map(|p| p[1] / p[0]).fold(0.0, f64::max)
            }
            _ => f64::NAN,
        }
    }
}

fn largest(a: ArrayView2<f64>) -> f64 {
    a.iter().fold(0.0, |m, v| m.max(v.abs()))
}

/// Three readings of "the eigenvectors of a random matrix", and how far each is from orthogonal.
pub fn directions(k: usize, seed: u64) -> Table {
    let seed = Seed::new(seed);
    let literal = literal_reading(k, seed);
    let error = |law| Directions::new(law, k, seed).expect("k is at least 1").orthogonality_error();
    let row =
        |name: &str, complex: usize, error: f64| [name.to_owned(), complex.to_string(), format_number(error)];
    let header = ["reading", "complex vectors", "largest |B'B - I|"];
    table(format!("B for k = {k}"), &header)
        .row(&row("eigenvectors, literally", literal.complex, literal.orthogonality_error))
        .row(&row("eigenvectors of one triangle", 0, error(DirectionLaw::SymmetricEigen)))
        .row(&row("QR with the sign fix", 0, error(DirectionLaw::Haar)))
}

/// Exercise 1: the C that takes the energies (0, 0) at x1 to (5, 0).
pub fn exercise_shift(c: [f64; 2]) -> Answer {
    let given = format!("({}, {})", format_number(c[0]), format_number(c[1]));
    let right = (c[0] - 3.0).abs() < 1e-6 && (c[1] - 4.0).abs() < 1e-6;
    Answer::new(right, given, "The energies move by BᵀC, and an orthogonal B undoes its transpose.")
}

/// Exercise 2: with k = 5 and three densities known, how many dimensions of f(x) stay open at each x?
pub fn exercise_open(dimensions: usize) -> Answer {
    let hint = "Each density is one equation for the k unknowns at a point, and the β are independent.";
    Answer::new(dimensions == 2, dimensions.to_string(), hint)
}

/// Exercise 3: f moves by (1, 1) at one point; by which factor does p2 change there, Z apart?
pub fn exercise_ratio(ratio: f64) -> Answer {
    let moved = Small::new().b.column(1).sum();
    let hint = "The second column of B is (0.8, -0.6). By how much does the second energy move?";
    Answer::close(ratio, (-moved).exp(), 1e-3, hint)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_small_model_behaves_as_the_proposition_says() {
        let small = Small::new();
        assert!(small.density_change(&small.shifted([3.0, -1.0])) < 1e-15);
        assert!(small.density_change(&small.scaled(1.1)) > 1e-3);
    }

    #[test]
    fn every_exercise_can_be_right_and_wrong() {
        assert!(exercise_shift([3.0, 4.0]).is_right() && !exercise_shift([3.0, -1.0]).is_right());
        assert!(exercise_open(2).is_right() && !exercise_open(5).is_right());
        assert!(exercise_ratio(0.8187).is_right() && !exercise_ratio(1.0).is_right());
    }
}

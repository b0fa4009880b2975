//! Notebook 02: f keeps all that the densities can tell, and nothing more.

use crate::context::Context;
use ebmbook::data::Covariates;
use ebmbook::ebm::{DirectionLaw, Directions, Ebm};
use ebmbook::network::Activation;
use ebmbook::seed::Seed;
use ebmbook::show::{Answer, Figure, Grid, Table, format_number, table};
use ebmbook::theory::density::{self, log_densities};
use ebmbook::theory::mixture;
use ebmbook::theory::sufficiency::{conditional_gap, log_ratio_spread, walk_fibre};
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Axis, array, s};

/// Four points in two fibres of f: the first two points share a value of f, so do the last two.
#[derive(Clone, Debug)]
pub struct Small {
    f: Array2<f64>,
    betas: Array2<f64>,
}

impl Small {
    /// f with two coordinates and three directions to try.
    pub fn new() -> Self {
        Self {
            f: array![[0.0, 1.0], [0.0, 1.0], [1.0, 1.0], [1.0, 1.0]],
            betas: array![[1.0, 0.0, -2.0], [0.0, 1.0, 0.5]],
        }
    }

    fn p(&self) -> Array2<f64> {
        let grid = density::Grid::finite(Array2::zeros((self.f.nrows(), 1)));
        log_densities(&grid, self.f.view(), self.betas.view()).mapv_into(f64::exp)
    }

    /// f and the probability of each point under each β.
    pub fn table(&self) -> Table {
        let p = self.p();
        let header = ["point", "f1", "f2", "p, beta = (1, 0)", "p, beta = (0, 1)", "p, beta = (-2, 0.5)"];
        (0..4).fold(table("Four points and three directions", &header), |t, i| {
            let (f, p) = (self.f.row(i), p.row(i));
            t.numbers(format!("x{}", i + 1), &[f[0], f[1], p[0], p[1], p[2]])
        })
    }

    /// The probability of the first point among the points with the same statistic, for each β.
    pub fn conditional(&self, keep_all: bool) -> Table {
        let p = self.p();
        // Dropping the first coordinate leaves f2, which is the same for all four points.
        let same = if keep_all { 0..2 } else { 0..4 };
        let share = |j: usize| p[[0, j]] / same.clone().map(|i| p[[i, j]]).sum::<f64>();
        let title = if keep_all { "P(x1 given f)" } else { "P(x1 given the second coordinate of f only)" };
        table(title, &["beta", "probability"])
            .numbers("(1, 0)", &[share(0)])
            .numbers("(0, 1)", &[share(1)])
            .numbers("(-2, 0.5)", &[share(2)])
    }

    /// The largest change with β of the law of x given all of f, or given its second coordinate.
    pub fn gap(&self, keep_all: bool) -> f64 {
        let statistic = if keep_all { self.f.view() } else { self.f.slice(s![.., 1..]) };
        conditional_gap(self.f.view(), statistic, self.betas.view())
    }
}

impl Default for Small {
    fn default() -> Self {
        Self::new()
    }
}

/// A trained network from the plane to one number, whose fibres are curves that can be drawn.
#[derive(Clone, Debug)]
pub struct Plane {
    ebm: Ebm,
    walk: Array2<f64>,
}

/// Trains f : R² → R on the mixture of three Gaussians and walks along one of its fibres.
///
/// # Panics
/// If training fails, which is a fault of the library.
pub fn train_plane(context: &Context) -> Plane {
    let train =
        Covariates::continuous(mixture::sample(800, context.seed.child("plane"))).expect("finite rows");
    let params = Ebm::params(1).hidden(&[16, 16]).activation(Activation::Silu).epochs(60);
    let ebm =
        Ebm::fit(&params, &train, context.seed.child("training")).expect("a small network can be trained");
    let f = |x: ArrayView1<f64>| value(&ebm, x);
    let walk =
        walk_fibre(&f, array![0.8, 0.6].view(), context.pick(400, 800), 0.06, context.seed.child("walk"));
    Plane { walk, ebm }
}

fn value(ebm: &Ebm, x: ArrayView1<f64>) -> Array1<f64> {
    ebm.raw(x.insert_axis(Axis(0))).expect("the right width").index_axis_move(Axis(0), 0)
}

impl Plane {
    /// f as colours, its fibre through the start as a line, and the walk on it.
    pub fn figure(&self) -> Figure {
        let at = |x: f64, y: f64| value(&self.ebm, array![x, y].view())[0];
        let level = value(&self.ebm, self.walk.row(0))[0];
        let walk: Vec<(f64, f64)> = self.walk.rows().into_iter().map(|r| (r[0], r[1])).collect();
        let grid = Grid::square(-3.0, 3.0, 41, at);
        Figure::new("A trained f, one of its fibres, and a walk along it")
            .size(560, 480)
            .x("x1")
            .y("x2")
            .heat("f", grid.clone())
            .contour("the fibre of the start (white)", grid, &[level])
            .scatter("steps of the walk", &walk)
    }

    /// Largest change of f along the walk.
    pub fn change_of_f(&self) -> f64 {
        let f = self.ebm.raw(self.walk.view()).expect("the right width");
        f.iter().fold(0.0, |m, v| m.max((v - f[[0, 0]]).abs()))
    }

    /// How far the walk goes from its start.
    pub fn reach(&self) -> f64 {
        let start = self.walk.row(0);
        self.walk.rows().into_iter().map(|r| (&r - &start).mapv(|d| d * d).sum().sqrt()).fold(0.0, f64::max)
    }
}

/// Walks in six dimensions: along a fibre of a trained f with k = 3, and along a fibre of f without
/// its first coordinate.
#[derive(Clone, Debug)]
pub struct Walks {
    whole: Array2<f64>,
    coarse: Array2<f64>,
    betas: Array2<f64>,
}

/// Trains a network with d = 6, k = 3 and takes both walks.
///
/// # Panics
/// If training fails, which is a fault of the library.
pub fn walks(context: &Context) -> Walks {
    let ebm = context.small_ebm(6, 3).expect("a small network can be trained");
    let start = Array1::from_shape_fn(6, |s| 0.3 * (s as f64 - 2.0));
    let whole = |x: ArrayView1<f64>| value(&ebm, x);
    let coarse = |x: ArrayView1<f64>| value(&ebm, x).slice(s![1..]).to_owned();
    let steps = context.pick(60, 400);
    let path = |f: &dyn Fn(ArrayView1<f64>) -> Array1<f64>| {
        let path = walk_fibre(f, start.view(), steps, 0.05, context.seed.child("walk"));
        ebm.raw(path.view()).expect("the right width")
    };
    let betas = array![[1.0, 0.0, 0.0, -1.0], [0.0, 1.0, 0.0, 1.0], [0.0, 0.0, 1.0, 1.0]];
    Walks { whole: path(&whole), coarse: path(&coarse), betas }
}

impl Walks {
    fn ratios(f: ArrayView2<f64>, betas: ArrayView2<f64>) -> Array2<f64> {
        // log p_β(x) − log p_β(x_0) = −βᵀ(f(x) − f(x_0))
        -(&f - &f.row(0)).dot(&betas)
    }

    /// Largest log-ratio along the fibre of all of f, over four β.
    pub fn along_fibre(&self) -> f64 {
        Self::ratios(self.whole.view(), self.betas.view()).iter().fold(0.0, |m, r| m.max(r.abs()))
    }

    /// Largest log-ratio along the fibre of f without its first coordinate.
    pub fn along_coarse_fibre(&self) -> f64 {
        Self::ratios(self.coarse.view(), self.betas.view()).iter().fold(0.0, |m, r| m.max(r.abs()))
    }

    /// The log-ratio along both walks for two β.
    pub fn figure(&self) -> Figure {
        let line = |f: &Array2<f64>, j: usize| -> Vec<(f64, f64)> {
            let ratios = Self::ratios(f.view(), self.betas.view());
            ratios.column(j).iter().enumerate().map(|(i, r)| (i as f64, *r)).collect()
        };
        Figure::new("Log-ratio against the start of the walk")
            .x("step of the walk")
            .y("log p(x) - log p(start)")
            .line("fibre of f, beta = (1, 0, 0)", &line(&self.whole, 0))
            .line("fibre of f, beta = (-1, 1, 1)", &line(&self.whole, 3))
            .line("f without its first coordinate, beta = (1, 0, 0)", &line(&self.coarse, 0))
            .line("f without its first coordinate, beta = (-1, 1, 1)", &line(&self.coarse, 3))
    }
}

/// Directions for minimality: the k columns of B, with and without one β more.
#[derive(Clone, Debug)]
pub struct Columns {
    b: Array2<f64>,
}

/// Haar directions of dimension k.
///
/// # Panics
/// If k is 0.
pub fn columns(k: usize, seed: u64) -> Columns {
    let b = Directions::new(DirectionLaw::Haar, k, Seed::new(seed)).expect("k is at least 1");
    Columns { b: b.matrix().to_owned() }
}

impl Columns {
    /// The unit vector along B·1.
    pub fn b_one(&self) -> Array1<f64> {
        self.b.sum_axis(Axis(1)) / (self.b.ncols() as f64).sqrt()
    }

    /// −β_jᵀΔ for each column of B, for Δ along B·1 and for Δ along the first axis.
    pub fn table(&self) -> Table {
        let k = self.b.ncols();
        let mut first = Array1::zeros(k);
        first[0] = 1.0;
        let header: Vec<String> = (1..=k).map(|j| format!("beta {j}")).collect();
        let names: Vec<&str> = ["difference"].into_iter().chain(header.iter().map(String::as_str)).collect();
        let row = |d: &Array1<f64>| (-self.b.t().dot(d)).to_vec();
        table("Log-ratio for two differences of f", &names)
            .numbers("along B1", &row(&self.b_one()))
            .numbers("along the first axis", &row(&first))
    }

    /// Spread over the columns of B, and with β = 0 added, of the log-ratio for Δ turned by an
    /// angle away from B·1.
    pub fn figure(&self) -> Figure {
        let k = self.b.ncols();
        let one = self.b_one();
        let mut across = Array1::zeros(k);
        across[0] = 1.0;
        let across = &across - &(&one * one[0]);
        let across = &across / across.dot(&across).sqrt();
        let mut open = Array2::zeros((k, k + 1));
        open.slice_mut(s![.., ..k]).assign(&self.b);
        let curve = |betas: ArrayView2<f64>| -> Vec<(f64, f64)> {
            let at = |degrees: f64| {
                let (sin, cos) = degrees.to_radians().sin_cos();
                (degrees, log_ratio_spread((&one * cos + &across * sin).view(), betas))
            };
            (0..=36).map(|i| at(5.0 * f64::from(i))).collect()
        };
        Figure::new("What the directions can tell apart")
            .x("angle between the difference and B1, degrees")
            .y("spread of the log-ratio over beta")
            .line("over the k columns of B", &curve(self.b.view()))
            .line("over k + 1 affinely independent beta", &curve(open.view()))
    }

    /// Spread along B·1 over the columns of B alone.
    pub fn spread_along_b_one(&self) -> f64 {
        log_ratio_spread(self.b_one().view(), self.b.view())
    }
}

impl Small {
    /// Exercise 1: P(x1 given the second coordinate of f) under β = (3, 0).
    pub fn exercise_share(&self, share: f64) -> Answer {
        let energies = self.f.dot(&array![3.0, 0.0]);
        let weights = energies.mapv(|e| (-e).exp());
        let hint =
            "All four points share the second coordinate: exp(-energy) of x1 over the sum of all four.";
        Answer::close(share, weights[0] / weights.sum(), 1e-3, hint)
    }
}

/// Exercise 2: a difference of f, not zero, that the two columns of the small B cannot compare.
pub fn exercise_invisible(delta: [f64; 2]) -> Answer {
    let betas = array![[0.6, 0.8], [0.8, -0.6]];
    let moved = delta[0].hypot(delta[1]);
    let spread = log_ratio_spread(array![delta[0], delta[1]].view(), betas.view());
    let given = format!("({}, {})", format_number(delta[0]), format_number(delta[1]));
    let hint = "Both log-ratios have to be equal. Which vector has the same product with both columns?";
    Answer::new(moved > 1e-6 && spread < 1e-6 * moved, given, hint)
}

/// Exercise 3: is (f1, f1 + f2) sufficient?
pub fn exercise_sum(answer: &str) -> Answer {
    Answer::word(answer, "yes", "Can f be computed from it? Then it has the same fibres.")
}

/// The spread of −βᵀΔ over the rows of a list of β, for the reader's own Δ.
pub fn spread(delta: &[f64], betas: &Array2<f64>) -> Table {
    let delta = Array1::from(delta.to_vec());
    let ratios = -betas.t().dot(&delta);
    let cells: Vec<String> = ratios.iter().map(|r| format_number(*r)).collect();
    table("Log-ratios", &["for each beta", "spread"])
        .row(&[cells.join(", "), format_number(log_ratio_spread(delta.view(), betas.view()))])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_small_example_shows_both_sides() {
        let small = Small::new();
        assert!(small.gap(true) < 1e-15 && small.gap(false) > 0.1);
    }

    #[test]
    fn every_exercise_can_be_right_and_wrong() {
        let small = Small::new();
        assert!(small.exercise_share(0.4763).is_right() && !small.exercise_share(0.5).is_right());
        assert!(exercise_invisible([2.8, 0.4]).is_right() && !exercise_invisible([1.0, 0.0]).is_right());
        assert!(!exercise_invisible([0.0, 0.0]).is_right());
        assert!(exercise_sum("yes").is_right() && !exercise_sum("no").is_right());
    }
}

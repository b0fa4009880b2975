//! Pictures of sufficiency: f keeps all that the densities can tell, and nothing more.

use crate::context::Context;
use ebmbook::data::Covariates;
use ebmbook::ebm::{DirectionLaw, Directions, Ebm};
use ebmbook::network::Activation;
use ebmbook::seed::Seed;
use ebmbook::show::{Figure, Grid};
use ebmbook::theory::mixture;
use ebmbook::theory::sufficiency::{log_ratio_spread, walk_fibre};
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Axis, array, s};

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
            .size(480, 519)
            .x("x1")
            .y("x2")
            .heat("f", grid.clone())
            .contour("the fibre of the start (white)", grid, &[level])
            .scatter("steps of the walk", &walk)
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
}

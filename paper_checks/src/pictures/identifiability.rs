//! Pictures of identifiability: what the k densities say about f, and what they cannot say.

use crate::context::Context;
use ebmbook::data::Covariates;
use ebmbook::ebm::{Ebm, Keep, RateSchedule};
use ebmbook::network::Activation;
use ebmbook::show::Figure;
use ebmbook::theory::density::{Grid, log_densities};
use ebmbook::theory::identifiability::recover;
use ebmbook::theory::mixture;
use ndarray::{Array1, Array2, ArrayView2};

/// A trained network on the plane, its directions, and its densities on a quadrature grid.
#[derive(Clone, Debug)]
pub struct Trained {
    grid: Grid,
    f: Array2<f64>,
    b: Array2<f64>,
    log_p: Array2<f64>,
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
    Trained { grid, f, b, log_p }
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
}

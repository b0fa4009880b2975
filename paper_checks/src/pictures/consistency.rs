//! Pictures of consistency: whether training reaches the truth.

use crate::context::Context;
use crate::registry::Value;
use ebmbook::data::{Column, ColumnKind, Covariates};
use ebmbook::ebm::Objective;
use ebmbook::noise::NoiseKernel;
use ebmbook::show::{Figure, Grid};
use ebmbook::theory::gaussian;
use ebmbook::theory::lemma::cross_entropy;
use ebmbook::theory::population::{Population, Scores};
use ebmbook::theory::saturation::{Saturation, saturation};
use ndarray::{Array1, Array2, array};

/// Σ w log w̃ for w = (share, 1 − share) against the first entry of w̃.
pub fn lemma_figure(share: f64) -> Figure {
    let w = array![share, 1.0 - share];
    let at = |t: f64| (t, cross_entropy(w.view(), array![t, 1.0 - t].view()));
    let points: Vec<(f64, f64)> = (1..50).map(|i| at(f64::from(i) / 50.0)).collect();
    Figure::new("Σ w log w̃ is highest at the truth")
        .x("first entry of the guessed distribution")
        .y("Σ w log w̃, nats")
        .line("sum of w log w~", &points)
        .upright("truth", share)
}

/// Six points, two categorical features: everything can be enumerated.
#[derive(Clone, Debug)]
pub struct Finite {
    rows: Covariates,
    kernel: NoiseKernel,
    p_x: Array1<f64>,
}

impl Finite {
    /// One feature with two values, one with three, corrupted with probability 0.4.
    ///
    /// # Panics
    /// Never: the rows are fixed.
    pub fn new() -> Self {
        let x = Array2::from_shape_fn((6, 2), |(i, s)| if s == 0 { (i % 2) as f64 } else { (i / 2) as f64 });
        let columns = (0..2)
            .map(|s| Column { name: format!("c{s}"), kind: ColumnKind::categorical(x.column(s)) })
            .collect();
        let rows = Covariates::new(x, columns).expect("finite rows");
        let kernel = NoiseKernel::new(&rows, 0.4).expect("a probability");
        Self { rows, kernel, p_x: array![0.05, 0.3, 0.1, 0.2, 0.25, 0.1] }
    }

    fn population(&self, b: usize, scores: Scores) -> Population {
        Population::scored(scores, &self.kernel, self.rows.x(), self.p_x.view(), b)
    }

    /// The objective along a straight line through log p_X.
    pub fn figure(&self, b: usize) -> Figure {
        let direction = array![1.0, -1.0, 0.5, 0.0, -0.5, 0.3];
        let line = |scores: Scores| -> Vec<(f64, f64)> {
            let population = self.population(b, scores);
            let at = |t: f64| {
                let g = self.p_x.mapv(f64::ln) + &direction * t;
                (t, population.value(g.view()))
            };
            (-20..=20).map(|i| at(f64::from(i) / 20.0)).collect()
        };
        Figure::new(format!("The objective along a line through the truth, b = {b}"))
            .x("distance from log p_X along the line")
            .y("population objective, nats")
            .line("as printed", &line(Scores::default()))
            .line("without kernel terms", &line(Scores::default().without_kernel_terms()))
            .upright("truth", 0.0)
    }
}

impl Default for Finite {
    fn default() -> Self {
        Self::new()
    }
}

/// The best s of the one-parameter Gaussian, truth 1, for one copy and more.
///
/// # Panics
/// If an optimum cannot be computed, which is a fault of the library.
pub fn gaussian_figure(context: &Context) -> Figure {
    let draws = context.pick(40_000, 1_000_000);
    let figure = Figure::new("Where the printed objective is best")
        .x("q, corruption probability")
        .y("best s (the truth is 1)")
        .level("truth", 1.0);
    let best = |objective, b, q| {
        let found =
            gaussian::Scores::default().optimum(objective, b, q, draws, context.seed.child("gaussian"));
        let found = found.expect("an optimum");
        let [low, high] = Value::estimated("s", found.s, found.standard_error).interval().expect("an error");
        (q, found.s, low, high)
    };
    let lines = [
        (Objective::Ranking, 1, "printed, b = 1"),
        (Objective::Ranking, 2, "printed, b = 2"),
        (Objective::Ranking, 5, "printed, b = 5"),
        (Objective::RankingExact, 2, "mended, b = 2"),
    ];
    lines.into_iter().fold(figure, |fig, (objective, b, name)| {
        let points: Vec<(f64, f64, f64, f64)> = [0.2, 0.5, 0.8, 1.0].map(|q| best(objective, b, q)).to_vec();
        fig.line_with_band(name, &points)
    })
}

/// log10 of what the kernel terms leave to learn, over d and b: the median.
///
/// # Panics
/// If a kernel cannot be made, which is a fault of the library.
pub fn saturation_map(context: &Context) -> Figure {
    saturation_heat("median", |s| s.median, context)
}

fn saturation_heat(name: &str, of: fn(&Saturation) -> f64, context: &Context) -> Figure {
    let (dims, copies) = ([2, 10, 25, 48, 100, 250], [1, 2, 3, 5, 10]);
    let draws = context.pick(200, 4_000);
    // What is below this, a double does not tell from 0: its exponent is of no interest.
    let left = |d: usize, b: usize| {
        of(&saturation(d, b, 0.5, draws, context.seed.index(d).index(b)).expect("a kernel")).max(-16.0)
    };
    let z = dims.iter().map(|d| copies.iter().map(|b| left(*d, *b)).collect()).collect();
    let positions = |n: usize| (0..n).map(|i| i as f64).collect();
    Figure::new(format!("What is left to learn, as a power of ten ({name} of {draws} draws, q = 0.5)"))
        .size(620, 420)
        .x("b, corrupted copies")
        .y("d, features")
        .x_categories(&copies.map(|b| b.to_string()))
        .y_categories(&dims.map(|d| d.to_string()))
        .heat_with_numbers(
            "log10(1 - posterior), -16 where less",
            Grid { x: positions(5), y: positions(6), z },
        )
}

/// Agreement of independent runs against n, as the check of consistency measured it: its values `mcc(n)`.
pub(crate) fn agreement_of(measured: &[Value]) -> Figure {
    Figure::new("Runs on fresh samples agree more and more")
        .x("n, training rows")
        .log_x()
        .y("signed MCC, 95 % interval")
        .line_with_band("MCC of disjoint pairs of runs", &by_n(measured, "mcc"))
        .level("limit", 1.0)
}

/// Distance of the learned densities to their limit against n: its values `l2(n)` and `sup(n)`.
pub(crate) fn distances_of(measured: &[Value]) -> Figure {
    Figure::new("The learned log-densities approach that of X")
        .x("n, training rows")
        .log_x()
        .y("distance to the limit, nats, 95 % interval")
        .log_y()
        .line_with_band("sup", &by_n(measured, "sup"))
        .line_with_band("L2", &by_n(measured, "l2"))
}

/// What was measured under `name(n)`: n, estimate, interval.
fn by_n(measured: &[Value], name: &str) -> Vec<(f64, f64, f64, f64)> {
    let of_name = measured.iter().filter(|v| v.key.name() == name);
    let point = |v: &Value| {
        let [low, high] = v.interval().unwrap_or([v.estimate; 2]);
        Some((v.key.parts().first()?.parse().ok()?, v.estimate, low, high))
    };
    of_name.filter_map(point).collect()
}

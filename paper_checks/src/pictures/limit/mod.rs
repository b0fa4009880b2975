//! Notebook 06: what the representation becomes with endless data.

mod effects;

pub use effects::{bins, designs, estimates, exercise_outermost, exercise_product};

use crate::context::Context;
use ebmbook::data::Covariates;
use ebmbook::ebm::{DirectionLaw, Directions, Ebm, Folds};
use ebmbook::kmeans::KMeans;
use ebmbook::metrics::{Interval, agreement, correlation, mcc_interval, shape};
use ebmbook::seed::Seed;
use ebmbook::show::{Answer, Figure, Table, table};
use ebmbook::theory::mixture;
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, array};
use rayon::prelude::*;

use super::consistency::round2;

/// One point, one density value: the f that gives every direction the same density.
pub fn smallest(log_p: f64) -> Table {
    let b = array![[0.6, 0.8], [0.8, -0.6]];
    let b_one = b.sum_axis(ndarray::Axis(1));
    // f = −log p · B1
    let f = &b_one * -log_p;
    let energies = b.t().dot(&f);
    table("f = -log p · B1", &["log p", "f1", "f2", "energy 1", "energy 2"])
        .numbers(format!("{log_p}"), &[f[0], f[1], energies[0], energies[1]])
}

/// A network trained on n rows of the mixture, with its values at test points.
#[derive(Clone, Debug)]
pub struct Trained {
    n: usize,
    f: Array2<f64>,
    log_p: Array1<f64>,
}

/// Trains on n rows and looks at 2000 others.
///
/// # Panics
/// If training fails, which is a fault of the library.
pub fn train(n: usize, folds: &str, context: &Context) -> Trained {
    let folds: Folds = folds.parse().expect("random, all, k-means or soft");
    let seed = context.seed.child("limit").index(n);
    let train = Covariates::continuous(mixture::sample(n, seed.child("sample"))).expect("finite rows");
    let test = mixture::sample(2_000, context.seed.child("limit test"));
    let ebm = Ebm::fit(&mixture::params(n).folds(folds), &train, seed.child("run")).expect("training works");
    let f = ebm.embed(test.view()).expect("two covariates");
    Trained { n, f, log_p: mixture::log_density(test.view()) }
}

impl Trained {
    /// Two coordinates of f against the log density.
    pub fn against_log_density(&self) -> Figure {
        let points = |i: usize| -> Vec<(f64, f64)> {
            (0..self.f.nrows()).step_by(8).map(|r| (self.log_p[r], self.f[[r, i]])).collect()
        };
        Figure::new(format!("Two coordinates of f against log p_X, n = {}", self.n))
            .x("log p_X(x), nats")
            .y("coordinate of f, standardised")
            .scatter("first coordinate", &points(0))
            .scatter("fifth coordinate", &points(4))
    }

    /// |corr| of each coordinate with log p_X, and between coordinates.
    ///
    /// # Panics
    /// Never: the representation is finite.
    pub fn summary(&self) -> Table {
        let shape = shape(self.f.view()).expect("finite values");
        let mut row: Vec<f64> =
            (0..5).map(|i| round2(correlation(self.f.column(i), self.log_p.view()).abs())).collect();
        row.extend([round2(shape.mean_cross), round2(shape.effective_rank)]);
        let header =
            ["n", "corr 1", "corr 2", "corr 3", "corr 4", "corr 5", "between coordinates", "effective rank"];
        table("|corr| with log p_X, |corr| between coordinates, effective rank", &header)
            .numbers(self.n.to_string(), &row)
    }
}

/// What several runs on fresh samples of one size agree on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Agreement {
    n: usize,
    runs: usize,
    mcc: Interval,
    cross: f64,
    with_log_density: f64,
    rank: Interval,
}

/// Runs on fresh samples, with random or soft folds. Soft folds have centres that all runs share:
/// otherwise coordinate j would mean another part of the plane in each run.
///
/// # Panics
/// If training fails, which is a fault of the library.
pub fn runs(folds: &str, context: &Context) -> Vec<Agreement> {
    let folds: Folds = folds.parse().expect("random, all, k-means or soft");
    let (seed, count) = (context.seed.child("limit runs"), context.pick(4, 8));
    let centres = shared_centres(seed);
    let test = mixture::sample(2_000, seed.child("test"));
    let log_p = mixture::log_density(test.view());
    let run = |n: usize, r: usize| {
        let seed = seed.index(n).index(r);
        let train = Covariates::continuous(mixture::sample(n, seed.child("sample"))).expect("finite rows");
        let params = mixture::params(n).folds(folds.clone());
        let soft = matches!(folds, Folds::Soft { .. });
        let params = if soft { params.centres(centres.view()) } else { params };
        let ebm = Ebm::fit(&params, &train, seed.child("run")).expect("training works");
        ebm.embed(test.view()).expect("two covariates")
    };
    let at = |n: usize| {
        let all: Vec<Array2<f64>> = (0..count).into_par_iter().map(|r| run(n, r)).collect();
        let views: Vec<ArrayView2<f64>> = all.iter().map(|f| f.view()).collect();
        let found = agreement(&views).expect("finite values");
        let mean = |v: &dyn Fn(usize) -> f64| (0..count).map(v).sum::<f64>() / count as f64;
        let of_coordinate = |i: usize| mean(&|r| correlation(views[r].column(i), log_p.view()).abs());
        Agreement {
            n,
            runs: count,
            mcc: mcc_interval(&views).expect("several runs"),
            cross: found.mean(|s| s.mean_cross),
            with_log_density: (0..5).map(of_coordinate).fold(f64::INFINITY, f64::min),
            rank: found.interval(|s| s.effective_rank).expect("several runs"),
        }
    };
    context.pick(vec![250, 1_000, 2_500], vec![250, 1_000, 5_000, 20_000]).into_iter().map(at).collect()
}

/// Centres that runs share: otherwise fold j would be another part of the plane in each of them.
fn shared_centres(seed: Seed) -> Array2<f64> {
    let pilot = mixture::sample(2_000, seed.child("pilot"));
    let found = KMeans::textbook(5).fit(pilot.view(), seed.child("centres")).expect("enough rows");
    found.centres().to_owned()
}

/// The energy of one hard fold on the way from its own centre to the nearest other one, for a small and a
/// large sample, beside −log p_X; each above its value at the start. The border is half way.
///
/// # Panics
/// If training fails, which is a fault of the library.
pub fn wall(context: &Context) -> Figure {
    const STEPS: usize = 60;
    let seed = context.seed.child("wall");
    let centres = shared_centres(seed);
    let [home, next] = loneliest(centres.view());
    let path = Array2::from_shape_fn((STEPS + 1, 2), |(i, s)| {
        let t = i as f64 / STEPS as f64;
        (1.0 - t) * centres[[home, s]] + t * centres[[next, s]]
    });
    let line = |values: ArrayView1<f64>| -> Vec<(f64, f64)> {
        values.iter().enumerate().map(|(i, v)| (i as f64 / STEPS as f64, v - values[0])).collect()
    };
    let figure = Figure::new("Hard folds: a wall at the border that grows with n")
        .x("way from the fold's own centre to the nearest other one")
        .y("energy above the start, nats")
        .line("-log p_X", &line((-mixture::log_density(path.view())).view()))
        .upright("border", 0.5);
    context.pick([250, 2_500], [1_000, 20_000]).into_iter().fold(figure, |figure, n| {
        let rows = mixture::sample(n, seed.child("sample").index(n));
        let train = Covariates::continuous(rows).expect("finite rows");
        let params = mixture::params(n).folds(Folds::KMeans).centres(centres.view());
        let ebm = Ebm::fit(&params, &train, seed.child("run").index(n)).expect("training works");
        let energies = ebm.energies(path.view()).expect("two covariates");
        figure.line(&format!("n = {n}"), &line(energies.column(home)))
    })
}

/// The centre that is farthest from all others, and the one nearest to it.
fn loneliest(centres: ArrayView2<f64>) -> [usize; 2] {
    let distance = |i: usize, j: usize| {
        let d = &centres.row(i) - &centres.row(j);
        d.dot(&d)
    };
    let all = || 0..centres.nrows();
    let nearest = |i: usize| {
        let others = all().filter(move |j| *j != i);
        others.min_by(|a, b| distance(i, *a).total_cmp(&distance(i, *b))).expect("several centres")
    };
    let by = |i: &usize, j: &usize| distance(*i, nearest(*i)).total_cmp(&distance(*j, nearest(*j)));
    let home = all().max_by(by).expect("several centres");
    [home, nearest(home)]
}

/// MCC, correlations and effective rank against n, as one table.
pub fn table_of(rows: &[Agreement]) -> Table {
    let header = ["n", "MCC", "between coordinates", "smallest corr with log p_X", "effective rank"];
    rows.iter().fold(table("Agreement and rank", &header), |t, r| {
        t.numbers(
            r.n.to_string(),
            &[r.mcc.estimate, r.cross, r.with_log_density, r.rank.estimate].map(round2),
        )
    })
}

/// A line over n with its band, cut to the values that can occur.
pub(crate) fn banded(
    figure: Figure,
    name: &str,
    points: impl Iterator<Item = (usize, Interval)>,
    range: [f64; 2],
) -> Figure {
    let cut = |v: f64| v.clamp(range[0], range[1]);
    let points: Vec<(f64, f64, f64, f64)> =
        points.map(|(n, i)| (n as f64, i.estimate, cut(i.low), cut(i.high))).collect();
    figure.line_with_band(name, &points)
}

fn lines(
    figure: Figure,
    folds: [&[Agreement]; 2],
    range: [f64; 2],
    of: impl Fn(&Agreement) -> Interval,
) -> Figure {
    ["random folds", "soft folds"]
        .iter()
        .zip(folds)
        .fold(figure, |figure, (name, rows)| banded(figure, name, rows.iter().map(|r| (r.n, of(r))), range))
}

/// Effective rank against n for two kinds of folds.
pub fn rank_figure(random: &[Agreement], soft: &[Agreement]) -> Figure {
    let figure = Figure::new("Effective rank of a representation with five coordinates")
        .x("n, training rows")
        .log_x()
        .y(&format!("effective rank, {} runs, 95 % interval", random[0].runs));
    lines(figure, [random, soft], [1.0, 5.0], |r| r.rank).level("one coordinate, five times", 1.0)
}

/// MCC against n for the same runs.
pub fn mcc_figure(random: &[Agreement], soft: &[Agreement]) -> Figure {
    let figure = Figure::new("Agreement of independent runs")
        .x("n, training rows")
        .log_x()
        .y(&format!("signed MCC, {} runs, 95 % interval", random[0].runs))
        .y_range(-0.05, 1.05);
    lines(figure, [random, soft], [0.0, 1.0], |r| r.mcc)
}

/// The scale (B1)_i of each coordinate in the limit, for the authors' own directions.
///
/// # Panics
/// If the authors' directions for this k are not known.
pub fn scales(k: usize) -> Figure {
    let b = Directions::new(DirectionLaw::Authors, k, Seed::new(1)).expect("a k that the authors used");
    let scale = b.limit_scale().mapv(f64::abs);
    let names: Vec<String> = (1..=k).map(|i| i.to_string()).collect();
    let bars: Vec<(f64, f64, f64, f64)> =
        scale.iter().enumerate().map(|(i, s)| (i as f64, *s, *s, *s)).collect();
    Figure::new(format!("How much of the limit each coordinate carries, k = {k}"))
        .x("coordinate")
        .y("|(B1)_i|")
        .x_categories(&names)
        .bars("authors' directions", &bars)
}

/// Exercise 1: the effective rank of a representation whose correlation matrix has the eigenvalues 3, 1, 1.
pub fn exercise_rank(rank: f64) -> Answer {
    Answer::close(rank, 25.0 / 11.0, 5e-3, "Square the sum, and divide by the sum of the squares.")
}

/// Exercise 2: Σ_i (B1)_i² for k = 5.
///
/// # Panics
/// Never: the authors used k = 5.
pub fn exercise_scales(sum: f64) -> Answer {
    let b = Directions::new(DirectionLaw::Authors, 5, Seed::new(1)).expect("a k that the authors used");
    let truth = b.limit_scale().mapv(|s| s * s).sum();
    Answer::close(
        sum,
        truth,
        1e-3,
        "An orthogonal matrix does not change the length of a vector. Which vector?",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_exercise_can_be_right_and_wrong() {
        assert!(exercise_rank(2.2727).is_right() && !exercise_rank(3.0).is_right());
        assert!(exercise_scales(5.0).is_right() && !exercise_scales(1.0).is_right());
    }
}

//! Notebook 09: do runs agree, and on what? Figure 3.

use crate::claims::Context;
use ebmbook::data::Covariates;
use ebmbook::data::synthetic::Released;
use ebmbook::ebm::{DirectionLaw, Ebm, EbmParams, Folds, Keep, RateSchedule};
use ebmbook::kmeans::KMeans;
use ebmbook::metrics::{Interval, agreement, mcc, mcc_interval};
use ebmbook::representation::{Autoencoder, Pca, Reduce};
use ebmbook::seed::Seed;
use ebmbook::show::{Answer, Figure, Table, table};
use ndarray::{Array2, ArrayView2, Axis, array, s};
use rayon::prelude::*;

use crate::pictures::consistency::round2;
use crate::pictures::limit::banded;

/// Two representations of four rows: signed, absolute and canonical agreement.
///
/// # Panics
/// Never: the rows are fixed.
pub fn three_measures() -> Table {
    let f = array![[0.0, 1.0], [1.0, 0.0], [2.0, 3.0], [3.0, 1.0]];
    let flipped = &f * &array![[1.0, -1.0]];
    let swapped = f.select(Axis(1), &[1, 0]);
    let shifted = &f + 7.0;
    let row = |g: &Array2<f64>| {
        let m = mcc(&[f.view(), g.view()]).expect("finite rows");
        [m.signed, m.absolute, m.cca].map(round2)
    };
    table(
        "Agreement with the first representation",
        &["second representation", "signed", "absolute", "canonical"],
    )
    .numbers("moved by a constant", &row(&shifted))
    .numbers("one coordinate flipped", &row(&flipped))
    .numbers("coordinates swapped", &row(&swapped))
}

/// The released data-generating process with ten covariates: one pool to draw samples from, and
/// rows to judge on.
#[derive(Clone, Debug)]
pub struct Pool {
    rows: Array2<f64>,
    test: Array2<f64>,
    seed: Seed,
}

/// Rows to draw fresh samples from.
///
/// # Panics
/// Never: the setting is fixed.
pub fn pool(context: &Context) -> Pool {
    let data = Released::new(10, 8_000).expect("a sensible setting").generate();
    let test = data.test.x().slice(s![..1_000, ..]).to_owned();
    Pool { rows: data.train.x().to_owned(), test, seed: context.seed.child("stability") }
}

/// Agreement and rank of several runs of one method at one sample size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stability {
    /// Sample size.
    pub n: usize,
    /// Runs.
    pub runs: usize,
    /// Signed MCC.
    pub signed: Interval,
    /// Absolute MCC.
    pub absolute: f64,
    /// Canonical agreement.
    pub cca: f64,
    /// Mean effective rank of a run.
    pub rank: Interval,
}

const K: usize = 5;

fn params(n: usize) -> EbmParams {
    let steps = (150 * n / 256).clamp(1, 1_500);
    Ebm::params(K)
        .hidden(&[32, 32])
        .directions(DirectionLaw::Authors)
        .rate(3e-3)
        .schedule(RateSchedule::Cosine)
        .epochs(steps.div_ceil(n.div_ceil(256)))
        .steps(Some(steps))
        .validation(0.0)
        .patience(None)
        .keep(Keep::Last)
}

impl Pool {
    fn sample(&self, n: usize, run: usize) -> Covariates {
        // Runs take different rows of the pool, so that they share nothing but the population.
        let rows: Vec<usize> = (0..n).map(|i| (run * n + i) % self.rows.nrows()).collect();
        Covariates::continuous(self.rows.select(Axis(0), &rows)).expect("finite rows")
    }

    /// Several runs of a method, each on rows of its own: `random folds`, `k-means folds`, `soft folds`,
    /// `pca`, `autoencoder` or `autoencoder, released`.
    ///
    /// # Panics
    /// If there is no such method.
    pub fn runs(&self, method: &str, n: usize, context: &Context) -> Stability {
        let centres = KMeans::textbook(K).fit(self.rows.view(), self.seed.child("centres"));
        let centres = centres.expect("enough rows");
        let run = |r: usize| -> Array2<f64> {
            let (train, seed) = (self.sample(n, r), self.seed.index(n).index(r));
            let test = self.test.view();
            match method {
                "random folds" => {
                    Ebm::fit(&params(n), &train, seed).and_then(|e| e.embed(test)).expect("training works")
                }
                "k-means folds" | "soft folds" => {
                    let hard = method == "k-means folds";
                    let folds = if hard { Folds::KMeans } else { Folds::Soft { temperature: 1.0 } };
                    let shared = params(n).folds(folds).centres(centres.centres());
                    Ebm::fit(&shared, &train, seed).and_then(|e| e.embed(test)).expect("training works")
                }
                "pca" => fitted(&Pca::new(K), &train, test, seed),
                "autoencoder" => fitted(&Autoencoder::params(K).epochs(40), &train, test, seed),
                "autoencoder, released" => fitted(&Autoencoder::params(K).released(), &train, test, seed),
                other => panic!("no method is called `{other}`"),
            }
        };
        let all: Vec<Array2<f64>> = (0..context.pick(4, 8)).into_par_iter().map(run).collect();
        let views: Vec<ArrayView2<f64>> = all.iter().map(|f| f.view()).collect();
        let found = agreement(&views).expect("finite values");
        let rank = found.interval(|s| s.effective_rank).expect("several runs");
        let signed = mcc_interval(&views).expect("several runs");
        let (absolute, cca) = (found.mcc.absolute, found.mcc.cca);
        Stability { n, runs: all.len(), signed, absolute, cca, rank }
    }
}

fn fitted(method: &dyn Reduce, train: &Covariates, test: ArrayView2<f64>, seed: Seed) -> Array2<f64> {
    method.fit(train, seed).expect("a fit").transform(test).expect("the right width")
}

/// A method over sample sizes.
pub fn by_size(pool: &Pool, method: &str, context: &Context) -> Vec<Stability> {
    let sizes = context.pick(vec![250, 1_000, 2_000], vec![250, 500, 1_000, 2_000]);
    sizes.into_iter().map(|n| pool.runs(method, n, context)).collect()
}

/// The table of one method.
pub fn table_of(method: &str, rows: &[Stability]) -> Table {
    let header = ["n", "signed MCC", "absolute MCC", "canonical", "effective rank"];
    rows.iter().fold(table(method, &header), |t, r| {
        t.numbers(r.n.to_string(), &[r.signed.estimate, r.absolute, r.cca, r.rank.estimate].map(round2))
    })
}

fn runs_of(methods: &[(&str, &Vec<Stability>)]) -> usize {
    methods.iter().flat_map(|(_, rows)| rows.iter()).map(|r| r.runs).min().unwrap_or(0)
}

/// Signed MCC of several methods against n.
pub fn mcc_figure(methods: &[(&str, &Vec<Stability>)]) -> Figure {
    let figure = Figure::new("Agreement of runs on fresh samples, d = 10, k = 5")
        .x("n, training rows")
        .log_x()
        .y(&format!("signed MCC, {} runs, 95 % interval", runs_of(methods)))
        .y_range(-0.35, 1.05);
    methods.iter().fold(figure, |figure, (name, rows)| {
        banded(figure, name, rows.iter().map(|r| (r.n, r.signed)), [-0.3, 1.0])
    })
}

/// Effective rank of several methods against n.
pub fn rank_figure(methods: &[(&str, &Vec<Stability>)]) -> Figure {
    let figure = Figure::new("Directions that a representation with five coordinates uses")
        .x("n, training rows")
        .log_x()
        .y(&format!("effective rank, {} runs, 95 % interval", runs_of(methods)))
        .y_range(0.8, 5.2);
    methods.iter().fold(figure, |figure, (name, rows)| {
        banded(figure, name, rows.iter().map(|r| (r.n, r.rank)), [1.0, 5.0])
    })
}

/// The size of an autoencoder's code on test rows, with the released start and with a sane one.
pub fn code_sizes(pool: &Pool, n: usize) -> Table {
    let of = |method: &dyn Reduce| {
        let f = fitted(method, &pool.sample(n, 0), pool.test.view(), pool.seed.child("codes"));
        f.std_axis(Axis(0), 0.0).iter().copied().fold(0.0, f64::max)
    };
    table("Codes of two autoencoders", &["start", "largest standard deviation"])
        .numbers("released: N(0, 1) weights", &[of(&Autoencoder::params(K).released())])
        .numbers("scaled to the layer", &[of(&Autoencoder::params(K).epochs(40))])
}

/// Exercise 1: the signed MCC of f with itself where one of five coordinates is flipped.
pub fn exercise_flip(value: f64) -> Answer {
    Answer::close(value, 0.6, 1e-9, "Five correlations, four of them 1. What is the fifth, and their mean?")
}

/// Exercise 2: the effective rank of two coordinates with correlation one half.
pub fn exercise_rank(rank: f64) -> Answer {
    // Eigenvalues 1 ± ρ: (Σλ)²/Σλ² = 4 / (2 + 2ρ²)
    let hint = "The eigenvalues of a correlation matrix of two are 1 + ρ and 1 - ρ.";
    Answer::close(rank, 1.6, 1e-3, hint)
}

/// Exercise 3: is a representation that is almost constant stable across runs?
pub fn exercise_constant(answer: &str) -> Answer {
    Answer::word(answer, "yes", "How much do effects differ between runs if everybody gets the same one?")
}

impl Pool {
    /// Exercise 4: the effective rank of runs with k-means folds on 500 rows.
    pub fn exercise_clusters(&self, rank: f64, context: &Context) -> Answer {
        let truth = self.runs("k-means folds", 500, context).rank.estimate;
        let hint = "`pool.runs` takes a method, n and the context; `.rank.estimate` is the number.";
        Answer::close(rank, truth, 0.05 * truth, hint)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_exercise_can_be_right_and_wrong() {
        assert!(exercise_flip(0.6).is_right() && !exercise_flip(0.8).is_right());
        assert!(exercise_rank(1.6).is_right() && !exercise_rank(2.0).is_right());
        assert!(exercise_constant("yes").is_right() && !exercise_constant("no").is_right());
    }
}

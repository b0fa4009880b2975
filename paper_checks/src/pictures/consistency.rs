//! Notebook 05: does training reach the truth?

use crate::context::Context;
use crate::printed::Printed;
use crate::registry::Value;
use ebmbook::data::{Column, ColumnKind, Covariates};
use ebmbook::ebm::Objective;
use ebmbook::noise::NoiseKernel;
use ebmbook::show::{Answer, Figure, Grid, Table, table};
use ebmbook::theory::gaussian;
use ebmbook::theory::lemma::{cross_entropy, smallest_advantage};
use ebmbook::theory::population::{Population, Scores};
use ebmbook::theory::posterior::{change_under_shift, posterior};
use ebmbook::theory::saturation::{Saturation, saturation};
use ndarray::{Array1, Array2, array};

/// A row and one corrupted copy under the flat model and under a model that knows.
pub fn who_is_the_original(energy_row: f64, energy_copy: f64) -> Table {
    // One copy: the symmetric kernel gives both candidates the same weight.
    let q = posterior(array![-energy_row, -energy_copy].view(), array![0.0, 0.0].view());
    table("Which one is the original?", &["candidate", "energy", "posterior"])
        .numbers("row", &[energy_row, q[0]])
        .numbers("copy", &[energy_copy, q[1]])
}

/// Largest change of a posterior when log Z is taken off every log-density, for one log Z shared by
/// all candidates and for one each.
pub fn partition(log_z: f64) -> Table {
    let (log_p, weights) = (array![-3.0, 1.0, 0.5], array![-20.0, -22.0, -21.0]);
    let shared = change_under_shift(log_p.view(), weights.view(), Array1::from_elem(3, log_z).view());
    let own = change_under_shift(log_p.view(), weights.view(), array![0.0, log_z, -log_z].view());
    table("Change of the posterior by normalisers", &["normalisers", "largest change"])
        .numbers("one for all candidates", &[shared])
        .numbers("one for each candidate", &[own])
}

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

/// Smallest advantage of the truth over many random pairs of distributions, on the simplex and off.
pub fn lemma_advantage(normalised: bool, context: &Context) -> f64 {
    smallest_advantage(context.pick(5_000, 100_000), normalised, context.seed.child("lemma"))
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

    /// The points and their probabilities.
    pub fn table(&self) -> Table {
        (0..6).fold(table("Six points", &["point", "first", "second", "p_X"]), |t, i| {
            t.numbers(format!("x{}", i + 1), &[self.rows.x()[[i, 0]], self.rows.x()[[i, 1]], self.p_x[i]])
        })
    }

    fn population(&self, b: usize, scores: Scores) -> Population {
        Population::scored(scores, &self.kernel, self.rows.x(), self.p_x.view(), b)
    }

    /// Largest entry of the gradient at log p_X with b copies, with and without kernel terms.
    pub fn gradients(&self) -> Table {
        let largest = |b: usize, scores: Scores| {
            let gradient = self.population(b, scores).gradient(self.p_x.mapv(f64::ln).view());
            gradient.iter().fold(0.0_f64, |m, g| m.max(g.abs()))
        };
        let header = ["copies b", "tuples", "as printed", "without kernel terms", "wrong sign"];
        (1..=3).fold(table("Largest gradient entry at the truth", &header), |t, b| {
            let (of, printed) = (|scores| largest(b, scores), Scores::default());
            let tuples = 6_f64.powi(b as i32 + 1);
            t.numbers(
                b.to_string(),
                &[
                    tuples,
                    of(printed),
                    of(printed.without_kernel_terms()),
                    of(Scores { sign: -printed.sign, ..printed }),
                ],
            )
        })
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

/// The best s for one setting, with its standard error.
///
/// # Panics
/// If the objective's name is unknown.
pub fn gaussian_best(objective: &str, b: usize, q: f64, context: &Context) -> Table {
    let objective: Objective = objective.parse().expect("the name of an objective");
    let draws = context.pick(40_000, 1_000_000);
    let found = gaussian::Scores::default()
        .optimum(objective, b, q, draws, context.seed.child("gaussian"))
        .expect("an optimum");
    table("Best s, truth 1", &["copies b", "q", "best s", "standard error"])
        .numbers(b.to_string(), &[q, found.s, found.standard_error])
}

/// log10 of what the kernel terms leave to learn, over d and b: the median.
///
/// # Panics
/// If a kernel cannot be made, which is a fault of the library.
pub fn saturation_map(context: &Context) -> Figure {
    saturation_heat("median", |s| s.median, context)
}

/// [`saturation_map`] of the mean, which a few lucky draws decide.
///
/// # Panics
/// If a kernel cannot be made, which is a fault of the library.
pub fn saturation_mean_map(context: &Context) -> Figure {
    saturation_heat("mean", |s| s.mean, context)
}

fn saturation_heat(name: &str, of: fn(&Saturation) -> f64, context: &Context) -> Figure {
    let (dims, copies) = ([2, 10, 25, 48, 100, 250], [1, 2, 3, 5, 10]);
    let draws = context.pick(200, 4_000);
    let left = |d: usize, b: usize| {
        of(&saturation(d, b, 0.5, draws, context.seed.index(d).index(b)).expect("a kernel"))
    };
    let z = dims.iter().map(|d| copies.iter().map(|b| left(*d, *b)).collect()).collect();
    let positions = |n: usize| (0..n).map(|i| i as f64).collect();
    Figure::new(format!("What is left to learn, as a power of ten ({name} of {draws} draws, q = 0.5)"))
        .size(620, 420)
        .x("b, corrupted copies")
        .y("d, features")
        .x_categories(&copies.map(|b| b.to_string()))
        .y_categories(&dims.map(|d| d.to_string()))
        .heat_with_numbers("log10(1 - posterior)", Grid { x: positions(5), y: positions(6), z })
}

/// The paper's own settings with what is left to learn in each (synthetic data).
///
/// # Panics
/// If a kernel cannot be made, which is a fault of the library.
pub fn saturation_printed(context: &Context) -> Table {
    let header = ["block", "d", "n", "b", "q", "log10 median left", "log10 mean left", "draws"];
    let of_paper = Printed::load().hyperparameters;
    let synthetic = of_paper.iter().filter(|h| h.dataset.is_synthetic());
    synthetic.fold(table("The paper's synthetic settings", &header), |t, h| {
        let seed = context.seed.index(h.d).index(h.n);
        let s =
            saturation(h.d, h.b, h.corruption_probability, context.pick(200, 4_000), seed).expect("a kernel");
        let setting = [h.d as f64, h.n as f64, h.b as f64, h.corruption_probability];
        t.numbers(
            h.dataset.to_string(),
            &[&setting[..], &[s.median.round(), s.mean.round(), s.draws as f64]].concat(),
        )
    })
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

pub(crate) fn round2(v: f64) -> f64 {
    (v * 100.0).round() / 100.0
}

/// Exercise 1: the posterior of the original with energy 1 where its one copy has energy 0.
pub fn exercise_posterior(answer: f64) -> Answer {
    let truth = posterior(array![-1.0, 0.0].view(), array![0.0, 0.0].view())[0];
    Answer::close(answer, truth, 5e-4, "exp(-energy) of the original over the sum for both candidates.")
}

/// Exercise 2: every feature is corrupted, b = 5: is the printed objective best at the truth?
pub fn exercise_all_corrupted(answer: &str) -> Answer {
    let hint = "Run `lesson::gaussian_best` with these arguments and hold the distance from 1 against the \
                standard error. Can a copy share a coordinate with its row?";
    Answer::word(answer, "yes", hint)
}

/// Exercise 3: the largest value of Σ w log w̃ for w = (0.3, 0.7).
pub fn exercise_lemma(value: f64) -> Answer {
    let w = array![0.3, 0.7];
    let hint = "By the lemma you know where the top is. Put that guess into the sum.";
    Answer::close(value, cross_entropy(w.view(), w.view()), 5e-4, hint)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_exercise_can_be_right_and_wrong() {
        assert!(exercise_posterior(0.2689).is_right() && !exercise_posterior(0.5).is_right());
        assert!(exercise_all_corrupted("yes").is_right() && !exercise_all_corrupted("no").is_right());
        assert!(exercise_lemma(-0.6109).is_right() && !exercise_lemma(0.3).is_right());
    }
}

//! Paired comparisons of arms, run by run, setting by setting.

use crate::printed::TablePlace;
use crate::registry::{Key, Value};
use crate::study::{Arm, Fit, Quantity, RegressorKind, Results, Summary, plans::SEED};
use ebmbook::data::Protocol;
use ebmbook::metrics::{Interval, bootstrap_groups};
use ebmbook::seed::Seed;
use rand::Rng;
use statrs::distribution::{Binomial, DiscreteCDF};
use std::collections::BTreeSet;

/// Error rate of a share of cells, if runs are normal: the eight shares of a claim stay below 1e-3.
pub const SHARE_ALPHA: f64 = 1e-4;

/// Which arms are compared under which name; a control swaps or replaces them.
#[derive(Clone, Copy)]
pub(super) struct Pair {
    /// The one that should have the lower error.
    pub lower: Arm,
    /// The one it is held against.
    pub than: Arm,
}

impl Pair {
    /// The other way round.
    pub fn swapped(self) -> Self {
        Self { lower: self.than, than: self.lower }
    }
}

/// The cells of one protocol.
pub(super) fn of(results: &Results, protocol: Protocol) -> Results {
    results.only(|cell| cell.protocol == protocol)
}

/// How much lower an error is, run by run, for every setting and value.
pub(super) struct Gains(pub Vec<(TablePlace, Quantity, Vec<f64>)>);

impl Gains {
    /// error(than) − error(lower) of a pair of arms over the settings at hand, for these values.
    pub fn new(results: &Results, pair: Pair, values: &[Quantity]) -> Self {
        Self::by(results, pair, values, |lower, than| than - lower)
    }

    /// log₂(error(than) / error(lower)): for errors that differ by orders of magnitude.
    pub fn log_ratio(results: &Results, pair: Pair, values: &[Quantity]) -> Self {
        Self::by(results, pair, values, |lower, than| (than / lower).log2())
    }

    fn by(results: &Results, pair: Pair, values: &[Quantity], gain: impl Fn(f64, f64) -> f64) -> Self {
        let mut gains = Vec::new();
        for setting in results.settings() {
            let (lower, than) = (results.at(setting, pair.lower), results.at(setting, pair.than));
            for value in values {
                let (lower, than) = (lower.values(*value), than.values(*value));
                if lower.is_empty() || than.is_empty() {
                    continue;
                }
                // Where one arm has nothing random it has a single run, which stands for all.
                let runs = lower.len().max(than.len());
                let at = |runs: &[f64], r: usize| runs[r.min(runs.len() - 1)];
                let differences = (0..runs).map(|r| gain(at(&lower, r), at(&than, r))).collect();
                gains.push((setting, *value, differences));
            }
        }
        Self(gains)
    }

    /// The runs of each setting and value.
    pub fn cells(&self) -> Vec<Vec<f64>> {
        distinct(&self.0.iter().map(|(_, _, runs)| runs.clone()).collect::<Vec<_>>())
    }

    /// Share of settings and values with a gain.
    pub fn share(&self, key: impl Into<Key>) -> Value {
        Value::share(key, &self.cells(), SHARE_ALPHA)
    }

    /// Two-sided sign test over the settings, which needs no law of the runs: in how many of them the mean gain over
    /// learners and runs is positive, and the p-value of that under a fair coin.
    pub fn sign_test(&self, gained: Key, p_value: Key) -> [Value; 2] {
        let gains: Vec<f64> = self.by_setting().iter().map(|runs| mean(runs)).collect();
        let won = gains.iter().filter(|g| **g > 0.0).count();
        // 2·P(Binomial(m, ½) ≥ max(won, m − won))
        let law = Binomial::new(0.5, gains.len() as u64).expect("a fair coin");
        let far = won.max(gains.len() - won) as u64;
        let p = (2.0 * law.sf(far - 1)).min(1.0);
        [Value::exact(gained, won as f64), Value::exact(p_value, p)]
    }

    /// Mean gain over all settings and values, with the standard error from the spread between runs.
    pub fn mean(&self, key: impl Into<Key>) -> Value {
        pooled(key, &self.by_setting())
    }

    /// Runs of each setting. Values of one run (learners) share its randomness, so they are averaged.
    fn by_setting(&self) -> Vec<Vec<f64>> {
        let mut settings: Vec<(TablePlace, Vec<Vec<f64>>)> = Vec::new();
        for (setting, _, differences) in &self.0 {
            match settings.iter_mut().find(|(known, _)| known == setting) {
                Some((_, all)) => all.push(differences.clone()),
                None => settings.push((*setting, vec![differences.clone()])),
            }
        }
        let runs: Vec<Vec<f64>> = settings.iter().map(|(_, all)| average(all)).collect();
        distinct(&runs)
    }

    /// Mean gain where run r is one draw of the data that all settings share: the settings are averaged
    /// within a draw, and the draws are the replicates.
    pub fn mean_over_draws(&self, key: impl Into<Key>) -> Value {
        over_draws(key, &self.by_draw())
    }

    /// [`Gains::mean_over_draws`] where the draws are cuts of the file that these cells read.
    pub fn mean_over_cuts(&self, key: impl Into<Key>, cells: &Results) -> Value {
        over_cuts_of(cells, key, &self.by_draw())
    }

    fn by_draw(&self) -> Vec<f64> {
        average(&self.0.iter().map(|(_, _, draws)| draws.clone()).collect::<Vec<_>>())
    }
}

/// Positions of the settings, each experiment once: two blocks of synthetic data share a row.
pub(crate) fn one_experiment_each(settings: &[TablePlace]) -> Vec<usize> {
    let mut seen = BTreeSet::new();
    let mut is_new = |(block, d, n): TablePlace| seen.insert((block.data(), d, n));
    (0..settings.len()).filter(|i| is_new(settings[*i])).collect()
}

/// Each list once: a row that two blocks of a table share is one experiment.
pub(super) fn distinct(lists: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let mut found: Vec<Vec<f64>> = Vec::new();
    for list in lists {
        if !found.contains(list) {
            found.push(list.clone());
        }
    }
    found
}

/// Element by element mean of lists of equal length.
pub(super) fn average(lists: &[Vec<f64>]) -> Vec<f64> {
    let runs = lists.iter().map(Vec::len).min().unwrap_or(0);
    (0..runs).map(|r| lists.iter().map(|l| l[r]).sum::<f64>() / lists.len() as f64).collect()
}

/// Mean over independent draws; of none, not a number.
pub(super) fn over_draws(key: impl Into<Key>, draws: &[f64]) -> Value {
    if draws.is_empty() { Value::exact(key, f64::NAN) } else { Value::mean(key, draws) }
}

/// Mean over draws of the data of these cells, which are cuts of one file. Two cuts share rows, so their values are
/// correlated, by at most the larger of the shares ρ of training and of test rows that they have in common: that is the
/// correlation of two means over such rows, and the noise of training only lowers it. Of J values with pairwise
/// correlation ρ
///
/// ```text
/// Var(mean) = σ² (1/J + ρ (J − 1)/J),   E s² = σ² (1 − ρ),   so   se² = s² (1/J + ρ/(1 − ρ))
/// ```
///
/// as Nadeau and Bengio correct a resampled t.
pub(super) fn over_cuts_of(results: &Results, key: impl Into<Key>, draws: &[f64]) -> Value {
    let plain = over_draws(key, draws);
    let shared = results.rows().map(|(cell, _)| cell.task.data().shared_rows()).fold(0.0, f64::max);
    let Some(se) = plain.se else { return plain };
    let wider = (1.0 + draws.len() as f64 * shared / (1.0 - shared)).sqrt();
    Value { se: Some(se * wider), ..plain }
}

/// Mean over independent settings of the mean over runs; of none, not a number.
pub(super) fn pooled(key: impl Into<Key>, settings: &[Vec<f64>]) -> Value {
    let means: Vec<Summary> = settings.iter().filter_map(|runs| Summary::of(runs)).collect();
    if means.is_empty() {
        return Value::exact(key, f64::NAN);
    }
    weighted(key, &vec![1.0 / means.len() as f64; means.len()], &means)
}

/// Σ w_i ȳ_i, each ȳ_i a mean over its own runs.
fn weighted(key: impl Into<Key>, weights: &[f64], means: &[Summary]) -> Value {
    let value = |y: &Summary| match y.runs {
        1 => Value::exact("part", y.mean),
        runs => Value::estimated("part", y.mean, y.se()).with_freedom(runs - 1),
    };
    Value::combination(key, weights, &means.iter().map(value).collect::<Vec<_>>())
}

pub(super) fn mean(numbers: &[f64]) -> f64 {
    numbers.iter().sum::<f64>() / numbers.len() as f64
}

/// Least-squares slope of y on x, where each y is a mean with a standard error: the slope is linear
/// in the y, so its standard error follows from theirs. Not a number where an x has no y, or where there is no x.
pub(super) fn slope(key: impl Into<Key>, x: &[f64], y: &[Summary]) -> Value {
    if x.is_empty() || x.len() != y.len() {
        return Value::exact(key, f64::NAN);
    }
    let x_mean = mean(x);
    let sxx: f64 = x.iter().map(|x| (x - x_mean).powi(2)).sum();
    let weights: Vec<f64> = x.iter().map(|x| (x - x_mean) / sxx).collect();
    weighted(key, &weights, y)
}

/// Mean over cells of log₂(error of a trivial predictor / error on the EBM). The trivial predictors (`zero`,
/// `constant`) are values of every cell, so nothing is random in them but the data.
pub(super) fn trivial_to_ebm(
    results: &Results,
    trivial: Quantity,
    values: &[Quantity],
    key: impl Into<Key>,
) -> Value {
    let ebm = results.only(|c| c.arm == Arm::EBM);
    let ratios = ebm.rows().flat_map(|(_, of_cell)| {
        let error = |of: &Quantity| of_cell.get(&of.to_string()).copied();
        let trivial = error(&trivial).unwrap_or(f64::NAN);
        values.iter().filter_map(error).map(|e| (trivial / e).log2()).collect::<Vec<_>>()
    });
    Value::exact(key, mean(&ratios.collect::<Vec<_>>()))
}

/// The values of one quantity.
pub(super) fn named(name: &str, mut values: Vec<Value>) -> Vec<Value> {
    values.retain(|value| value.key.name() == name);
    values
}

/// The errors of the four learners with a regressor.
pub(super) fn learners(regressor: RegressorKind) -> Vec<Quantity> {
    Fit::all(regressor).into_iter().map(Fit::pehe).collect()
}

/// 95 % percentile bootstrap of that slope: the runs at each x are drawn again, with replacement.
/// `stream` names the random numbers.
pub(super) fn slope_ends(key: &Key, stream: &str, x: &[f64], runs: &[Vec<f64>]) -> [Value; 2] {
    let of = |drawn: &[Vec<f64>]| {
        let y: Vec<Summary> = drawn.iter().filter_map(|of_x| Summary::of(of_x)).collect();
        slope("slope", x, &y).estimate
    };
    let seed = Seed::new(SEED).child("bootstrap").child(stream);
    let interval = bootstrap_groups(runs, of, 0.95, 2000, seed).expect("several runs at each x");
    ends(key, &interval)
}

/// Both ends of a bootstrap interval, as quantities named after theirs: `slope` has `slope-low` and `slope-high`.
pub(super) fn ends(key: &Key, interval: &Interval) -> [Value; 2] {
    [("low", interval.low), ("high", interval.high)]
        .map(|(end, value)| Value::exact(key.counterpart(&format!("{}-{end}", key.name())), value))
}

/// Draws of a bootstrap.
const RESAMPLES: usize = 500;

/// A statistic of the replicates with its bootstrap standard error. All arms are drawn together,
/// because replicate r has the same folds in each of them. `stream` names the random numbers.
pub(super) fn bootstrapped(
    key: Key,
    stream: &str,
    replicates: usize,
    statistic: impl Fn(&[usize]) -> f64,
) -> Value {
    let mut rng = Seed::new(SEED).child("bootstrap").child(stream).rng();
    let all: Vec<usize> = (0..replicates).collect();
    let drawn: Vec<f64> = (0..RESAMPLES)
        .map(|_| statistic(&all.iter().map(|_| rng.random_range(0..replicates)).collect::<Vec<_>>()))
        .collect();
    let se = Summary::of(&drawn).map_or(f64::NAN, |s| s.sd);
    Value::estimated(key, statistic(&all), se).with_freedom(replicates.saturating_sub(1).max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bootstrap_of_a_slope_holds_it_and_is_wider_for_wider_runs() {
        let x = [0.0, 1.0, 2.0];
        let ends = |width: f64| {
            let runs = x.map(|x| (0..12).map(|i| 2.0 * x + width * f64::from(i % 4)).collect::<Vec<_>>());
            slope_ends(&Key::new("slope"), "slope", &x, &runs).map(|v| v.estimate)
        };
        let (narrow, wide) = (ends(0.1), ends(1.0));
        assert!(narrow[0] < 2.0 && 2.0 < narrow[1]);
        assert!(wide[1] - wide[0] > 5.0 * (narrow[1] - narrow[0]));
        assert_eq!(ends(0.0), [2.0, 2.0], "without spread there is nothing to draw");
    }

    #[test]
    fn a_statistic_of_nothing_is_not_a_number() {
        let none = Gains(Vec::new());
        let found =
            [none.mean("gain"), none.mean_over_draws("gain"), none.share("share"), slope("slope", &[], &[])];
        assert!(found.iter().all(|value| value.estimate.is_nan()), "{found:?}");
    }

    #[test]
    fn a_slope_through_exact_points_has_their_slope() {
        let y = [1.0, 3.0, 5.0].map(|mean| Summary { runs: 4, mean, median: mean, sd: 2.0 });
        let slope = slope("slope", &[0.0, 1.0, 2.0], &y);
        assert_eq!(slope.estimate, 2.0);
        // w = (−½, 0, ½), each mean has se 1: √(¼ + ¼)
        assert!((slope.se.unwrap() - 0.5_f64.sqrt()).abs() < 1e-12);
    }

    #[test]
    fn pooling_divides_the_error_by_the_number_of_settings() {
        let runs = vec![vec![1.0, 3.0], vec![5.0, 7.0]];
        let value = pooled("gain", &runs);
        // Each setting: sd √2, se 1; two settings: √2 / 2.
        assert_eq!(value.estimate, 4.0);
        assert!((value.se.unwrap() - 2.0_f64.sqrt() / 2.0).abs() < 1e-12);
        assert_eq!(value.freedom, Some(2.0));
    }
}

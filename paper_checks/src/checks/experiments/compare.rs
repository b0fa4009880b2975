//! Paired comparisons of arms, run by run, setting by setting.

use crate::study::{Cell, Results, Summary, plans::SEED};
use crate::verdict::Value;
use ebmbook::data::Protocol;
use ebmbook::seed::Seed;
use rand::Rng;

/// (block, d, n) of a row of a table.
pub(super) type Setting = (String, usize, usize);

/// Which arms are compared under which name; a control swaps or replaces them.
#[derive(Clone, Copy)]
pub(super) struct Pair<'a> {
    /// The one that should have the lower error.
    pub lower: &'a str,
    /// The one it is held against.
    pub than: &'a str,
}

impl Pair<'_> {
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
pub(super) struct Gains(pub Vec<(Setting, String, Vec<f64>)>);

impl Gains {
    /// error(than) − error(lower) of a pair of arms over the settings at hand, for these values.
    pub fn new(results: &Results, pair: Pair, values: &[&str]) -> Self {
        Self::by(results, pair, values, |lower, than| than - lower)
    }

    /// log₂(error(than) / error(lower)): for errors that differ by orders of magnitude.
    pub fn log_ratio(results: &Results, pair: Pair, values: &[&str]) -> Self {
        Self::by(results, pair, values, |lower, than| (than / lower).log2())
    }

    fn by(results: &Results, pair: Pair, values: &[&str], gain: impl Fn(f64, f64) -> f64) -> Self {
        let mut gains = Vec::new();
        for setting in results.settings() {
            let arm = |name: &str| {
                let here =
                    |c: &Cell| (c.block.as_str(), c.d, c.n) == (setting.0.as_str(), setting.1, setting.2);
                results.only(|c| here(c) && c.arm == name)
            };
            let (lower, than) = (arm(pair.lower), arm(pair.than));
            for value in values {
                let (lower, than) = (lower.values(value), than.values(value));
                if lower.is_empty() || than.is_empty() {
                    continue;
                }
                // Where one arm has nothing random it has a single run, which stands for all.
                let runs = lower.len().max(than.len());
                let at = |runs: &[f64], r: usize| runs[r.min(runs.len() - 1)];
                let differences = (0..runs).map(|r| gain(at(&lower, r), at(&than, r))).collect();
                gains.push((setting.clone(), (*value).to_owned(), differences));
            }
        }
        Self(gains)
    }

    /// Share of settings and values with a positive mean gain.
    pub fn share(&self) -> f64 {
        let positive = self.0.iter().filter(|(_, _, d)| mean(d) > 0.0).count();
        positive as f64 / self.0.len().max(1) as f64
    }

    /// Mean gain over all settings and values, with the standard error from the spread between
    /// runs. Values of one run (learners) share its randomness, so they are averaged first.
    pub fn mean(&self, name: &str) -> Value {
        let mut settings: Vec<(Setting, Vec<Vec<f64>>)> = Vec::new();
        for (setting, _, differences) in &self.0 {
            match settings.iter_mut().find(|(known, _)| known == setting) {
                Some((_, all)) => all.push(differences.clone()),
                None => settings.push((setting.clone(), vec![differences.clone()])),
            }
        }
        let mut runs: Vec<Vec<f64>> = Vec::new();
        for (_, all) in &settings {
            let of_setting = average(all);
            // A row that two blocks of a table share is one experiment.
            if !runs.contains(&of_setting) {
                runs.push(of_setting);
            }
        }
        pooled(name, &runs)
    }

    /// The same where run r is one draw of the data that all settings share: the settings are averaged
    /// within a draw, and the draws are the replicates.
    pub fn mean_over_draws(&self, name: &str) -> Value {
        let all: Vec<Vec<f64>> = self.0.iter().map(|(_, _, draws)| draws.clone()).collect();
        Value::mean(name, &average(&all))
    }
}

/// Element by element mean of lists of equal length.
pub(super) fn average(lists: &[Vec<f64>]) -> Vec<f64> {
    let runs = lists.iter().map(Vec::len).min().unwrap_or(0);
    (0..runs).map(|r| lists.iter().map(|l| l[r]).sum::<f64>() / lists.len() as f64).collect()
}

/// Mean over independent settings of the mean over runs.
pub(super) fn pooled(name: &str, settings: &[Vec<f64>]) -> Value {
    let summaries: Vec<Summary> = settings.iter().filter_map(|runs| Summary::of(runs)).collect();
    weighted(name, &vec![1.0 / summaries.len() as f64; summaries.len()], &summaries)
}

/// Σ w_i ȳ_i with se² = Σ w_i² s²_i / r_i. One wild setting may carry most of the variance, so the
/// degrees of freedom are Welch's: (Σ v_i)² / Σ v_i² / (r_i − 1), v_i = w_i² s²_i / r_i.
fn weighted(name: &str, weights: &[f64], means: &[Summary]) -> Value {
    let estimate = weights.iter().zip(means).map(|(w, y)| w * y.mean).sum();
    let variances: Vec<f64> = weights.iter().zip(means).map(|(w, y)| (w * y.se()).powi(2)).collect();
    let total: f64 = variances.iter().sum();
    let fourth: f64 = variances
        .iter()
        .zip(means)
        .filter(|(v, _)| **v > 0.0)
        .map(|(v, y)| v * v / (y.runs - 1) as f64)
        .sum();
    if fourth > 0.0 {
        Value::estimated(name, estimate, total.sqrt()).with_effective_freedom(total * total / fourth)
    } else {
        Value::exact(name, estimate)
    }
}

pub(super) fn mean(numbers: &[f64]) -> f64 {
    numbers.iter().sum::<f64>() / numbers.len() as f64
}

/// Least-squares slope of y on x, where each y is a mean with a standard error: the slope is linear
/// in the y, so its standard error follows from theirs.
pub(super) fn slope(name: &str, x: &[f64], y: &[Summary]) -> Value {
    let x_mean = mean(x);
    let sxx: f64 = x.iter().map(|x| (x - x_mean).powi(2)).sum();
    let weights: Vec<f64> = x.iter().map(|x| (x - x_mean) / sxx).collect();
    weighted(name, &weights, y)
}

/// The four learners with a regressor, as values are called.
pub(super) fn learners(regressor: &str) -> Vec<String> {
    ["t", "x", "dr", "r"].iter().map(|l| format!("{l} {regressor}")).collect()
}

/// Strings as slices.
pub(super) fn refs(names: &[String]) -> Vec<&str> {
    names.iter().map(String::as_str).collect()
}

/// 95 % percentile bootstrap of that slope: the runs at each x are drawn again, with replacement.
pub(super) fn slope_ends(name: &str, x: &[f64], runs: &[Vec<f64>]) -> [Value; 2] {
    const RESAMPLES: usize = 2000;
    let mut rng = Seed::new(SEED).child("bootstrap").child(name).rng();
    let mut slopes: Vec<f64> = (0..RESAMPLES)
        .map(|_| {
            let y: Vec<Summary> = runs
                .iter()
                .filter_map(|of_x| {
                    let drawn: Vec<f64> =
                        of_x.iter().map(|_| of_x[rng.random_range(0..of_x.len())]).collect();
                    Summary::of(&drawn)
                })
                .collect();
            slope(name, x, &y).estimate
        })
        .collect();
    slopes.sort_unstable_by(f64::total_cmp);
    [("low", 0.025), ("high", 0.975)].map(|(end, share)| {
        let at = ((RESAMPLES - 1) as f64 * share).round() as usize;
        Value::exact(&format!("{name}, {end} end of the 95 % bootstrap over runs"), slopes[at])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bootstrap_of_a_slope_holds_it_and_is_wider_for_wider_runs() {
        let x = [0.0, 1.0, 2.0];
        let ends = |width: f64| {
            let runs = x.map(|x| (0..12).map(|i| 2.0 * x + width * f64::from(i % 4)).collect::<Vec<_>>());
            slope_ends("slope", &x, &runs).map(|v| v.estimate)
        };
        let (narrow, wide) = (ends(0.1), ends(1.0));
        assert!(narrow[0] < 2.0 && 2.0 < narrow[1]);
        assert!(wide[1] - wide[0] > 5.0 * (narrow[1] - narrow[0]));
        assert_eq!(ends(0.0), [2.0, 2.0], "without spread there is nothing to draw");
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

//! Intervals for a mean: Student's t, and the percentile bootstrap for any statistic.

use super::{MetricError, all_finite};
use crate::seed::Seed;
use rand::Rng;
use statrs::distribution::{ContinuousCDF, StudentsT};

/// An estimate with a confidence interval.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct Interval {
    /// The estimate.
    pub estimate: f64,
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

impl std::fmt::Display for Interval {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let digits = f.precision().unwrap_or(3);
        write!(f, "{:.digits$} [{:.digits$}, {:.digits$}]", self.estimate, self.low, self.high)
    }
}

/// mean ± t_{n−1}·s/√n at the given confidence level.
///
/// ```
/// let interval = ebmbook::metrics::t_interval(&[1.0, 2.0, 3.0], 0.95)?;
/// assert_eq!(interval.to_string(), "2.000 [-0.484, 4.484]");
/// # Ok::<(), ebmbook::metrics::MetricError>(())
/// ```
pub fn t_interval(values: &[f64], level: f64) -> Result<Interval, MetricError> {
    check("t interval", values, level)?;
    let n = values.len() as f64;
    let (mean, sd) = mean_sd(values);
    let half = t_quantile(1.0 - (0.5 + level / 2.0), n - 1.0) * sd / n.sqrt();
    Ok(Interval { estimate: mean, low: mean - half, high: mean + half })
}

/// Jackknife of any statistic of a sample: Student's t on the pseudo-values
/// `n·T − (n−1)·T_{−i}`, where T_{−i} leaves the i-th element out. For statistics over pairs, such as
/// the agreement of runs, whose terms are not independent.
///
/// ```
/// use ebmbook::metrics::{jackknife_interval, t_interval};
/// let mean = |sample: &[f64]| sample.iter().sum::<f64>() / sample.len() as f64;
/// let values = [1.0, 2.0, 3.0, 7.0];
/// let (found, known) = (jackknife_interval(&values, mean, 0.95)?, t_interval(&values, 0.95)?);
/// assert!((found.low - known.low).abs() < 1e-12, "of a mean it is the usual interval");
/// # Ok::<(), ebmbook::metrics::MetricError>(())
/// ```
pub fn jackknife_interval<T: Clone>(
    sample: &[T],
    statistic: impl Fn(&[T]) -> f64,
    level: f64,
) -> Result<Interval, MetricError> {
    let n = sample.len() as f64;
    let whole = statistic(sample);
    let pseudo: Vec<f64> = (0..sample.len())
        .map(|i| {
            let mut others = sample.to_vec();
            others.remove(i);
            n * whole - (n - 1.0) * statistic(&others)
        })
        .collect();
    let Interval { estimate, low, high } = t_interval(&pseudo, level)?;
    Ok(Interval { estimate: whole, low: whole + low - estimate, high: whole + high - estimate })
}

/// Percentile bootstrap of any statistic of a sample.
///
/// ```
/// use ebmbook::{metrics::bootstrap_interval, seed::Seed};
/// let mean = |sample: &[f64]| sample.iter().sum::<f64>() / sample.len() as f64;
/// let values: Vec<f64> = (0..100).map(f64::from).collect();
/// let interval = bootstrap_interval(&values, mean, 0.95, 2000, Seed::new(1))?;
/// assert_eq!(interval.estimate, 49.5);
/// assert!(interval.low > 42.0 && interval.high < 57.0);
/// # Ok::<(), ebmbook::metrics::MetricError>(())
/// ```
pub fn bootstrap_interval<T: Clone>(
    sample: &[T],
    statistic: impl Fn(&[T]) -> f64,
    level: f64,
    resamples: usize,
    seed: Seed,
) -> Result<Interval, MetricError> {
    bootstrap_groups(&[sample.to_vec()], |groups| statistic(&groups[0]), level, resamples, seed)
}

/// A bootstrap interval for a statistic of several samples: each is drawn again by itself.
///
/// ```
/// use ebmbook::{metrics::bootstrap_groups, seed::Seed};
/// let rise = |groups: &[Vec<f64>]| groups[1].iter().sum::<f64>() / 3.0 - groups[0].iter().sum::<f64>() / 3.0;
/// let groups = [vec![0.0, 1.0, 2.0], vec![10.0, 11.0, 12.0]];
/// let interval = bootstrap_groups(&groups, rise, 0.95, 2000, Seed::new(1))?;
/// assert_eq!(interval.estimate, 10.0);
/// assert!(interval.low >= 8.0 && interval.high <= 12.0);
/// # Ok::<(), ebmbook::metrics::MetricError>(())
/// ```
pub fn bootstrap_groups<T: Clone>(
    groups: &[Vec<T>],
    statistic: impl Fn(&[Vec<T>]) -> f64,
    level: f64,
    resamples: usize,
    seed: Seed,
) -> Result<Interval, MetricError> {
    const METRIC: &str = "bootstrap interval";
    check_level(level)?;
    let found = groups.iter().map(Vec::len).min().unwrap_or(0);
    if found < 2 {
        return Err(MetricError::TooFew { metric: METRIC, what: "values", needed: 2, found });
    }
    if resamples < 100 {
        return Err(MetricError::TooFew { metric: METRIC, what: "resamples", needed: 100, found: resamples });
    }
    let mut rng = seed.rng();
    let mut drawn = groups.to_vec();
    let mut statistics: Vec<f64> = (0..resamples)
        .map(|_| {
            for (drawn, group) in drawn.iter_mut().zip(groups) {
                drawn.iter_mut().for_each(|slot| *slot = group[rng.random_range(0..group.len())].clone());
            }
            statistic(&drawn)
        })
        .collect();
    all_finite(METRIC, &statistics)?;
    statistics.sort_unstable_by(f64::total_cmp);
    let tail = (1.0 - level) / 2.0;
    Ok(Interval {
        estimate: statistic(groups),
        low: quantile_sorted(&statistics, tail),
        high: quantile_sorted(&statistics, 1.0 - tail),
    })
}

/// Quantile of sorted values by linear interpolation between order statistics.
fn quantile_sorted(sorted: &[f64], p: f64) -> f64 {
    let position = p * (sorted.len() - 1) as f64;
    let (below, part) = (position.floor() as usize, position.fract());
    let above = (below + 1).min(sorted.len() - 1);
    sorted[below] + part * (sorted[above] - sorted[below])
}

/// Mean and sample standard deviation (n − 1).
pub(super) fn mean_sd(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let variance = values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / (n - 1.0);
    (mean, variance.sqrt())
}

/// What Student's t exceeds with this probability; infinite without a degree of freedom.
pub fn t_quantile(tail: f64, freedom: f64) -> f64 {
    StudentsT::new(0.0, 1.0, freedom).map_or(f64::INFINITY, |law| -law.inverse_cdf(tail))
}

/// Half of the two-sided 95 % interval of a mean over so many runs, by its standard error; zero for a single run.
///
/// ```
/// use ebmbook::metrics::t_half_width;
/// assert!((t_half_width(1.0, 10) - 2.262).abs() < 1e-3);
/// assert_eq!(t_half_width(1.0, 1), 0.0);
/// ```
pub fn t_half_width(se: f64, runs: usize) -> f64 {
    if runs < 2 { 0.0 } else { se * t_quantile(0.025, (runs - 1) as f64) }
}

fn check(metric: &'static str, values: &[f64], level: f64) -> Result<(), MetricError> {
    check_level(level)?;
    if values.len() < 2 {
        return Err(MetricError::TooFew { metric, what: "values", needed: 2, found: values.len() });
    }
    all_finite(metric, values)
}

fn check_level(level: f64) -> Result<(), MetricError> {
    if level > 0.0 && level < 1.0 { Ok(()) } else { Err(MetricError::Level(level)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_distr::{Distribution, StandardNormal};

    /// Share of 95 % intervals that cover the true mean 0 over 1000 samples of `n` normals.
    fn coverage(n: usize, interval: impl Fn(&[f64], Seed) -> Interval) -> f64 {
        let covered = (0..1000).filter(|i| {
            let seed = Seed::new(11).index(*i);
            let mut rng = seed.rng();
            let sample: Vec<f64> = (0..n).map(|_| StandardNormal.sample(&mut rng)).collect();
            let found = interval(&sample, seed.child("bootstrap"));
            found.low <= 0.0 && 0.0 <= found.high
        });
        covered.count() as f64 / 1000.0
    }

    #[test]
    fn t_intervals_cover_at_their_level_even_for_five_values() {
        // Standard error of a share of .95 over 1000: .0069; four of them on either side.
        let share = coverage(5, |sample, _| t_interval(sample, 0.95).unwrap());
        assert!((share - 0.95).abs() < 4.0 * 0.0069, "{share}");
    }

    #[test]
    fn bootstrap_intervals_cover_at_their_level_for_forty_values() {
        let mean = |s: &[f64]| s.iter().sum::<f64>() / s.len() as f64;
        let share = coverage(40, |sample, seed| bootstrap_interval(sample, mean, 0.95, 400, seed).unwrap());
        // The percentile bootstrap is known to be short by the factor √((n−1)/n)·z/t: about .937 here.
        assert!((0.91..0.97).contains(&share), "{share}");
    }

    #[test]
    fn the_jackknife_of_a_statistic_over_pairs_covers_at_its_level() {
        // Mean product over pairs: a U-statistic of E[X]² = 9, where the square is nearly straight over the
        // spread of a mean (at E[X] = ½ it is not, and coverage falls to 0.9). Four standard errors of a share.
        let pairs = |s: &[f64]| {
            let of = |i: usize| (0..i).map(|j| s[i] * s[j]).sum::<f64>();
            (0..s.len()).map(of).sum::<f64>() / (s.len() * (s.len() - 1) / 2) as f64
        };
        let shifted = |sample: &[f64], _| {
            let sample: Vec<f64> = sample.iter().map(|x| x + 3.0).collect();
            let Interval { estimate, low, high } = jackknife_interval(&sample, pairs, 0.95).unwrap();
            Interval { estimate: estimate - 9.0, low: low - 9.0, high: high - 9.0 }
        };
        let share = coverage(40, shifted);
        assert!((share - 0.95).abs() < 4.0 * 0.0069, "{share}");
    }

    #[test]
    fn bad_levels_and_single_values_are_refused() {
        assert!(t_interval(&[1.0], 0.95).is_err());
        assert!(t_interval(&[1.0, 2.0], 1.0).is_err());
        assert!(t_interval(&[1.0, f64::NAN], 0.95).is_err());
    }
}

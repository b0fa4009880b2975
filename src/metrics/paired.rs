//! Tests for paired differences: Student's t and Wilcoxon's signed ranks.

use super::intervals::mean_sd;
use super::{MetricError, all_finite};
use statrs::distribution::{ContinuousCDF, Normal, StudentsT};

/// Up to this many non-zero differences without ties the signed-rank law is enumerated.
const EXACT_UP_TO: usize = 50;

/// The outcome of a two-sided paired test.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct PairedTest {
    /// t, or the smaller rank sum.
    pub statistic: f64,
    /// Two-sided p-value.
    pub p_value: f64,
    /// Mean of the differences x − y.
    pub mean_difference: f64,
}

/// Student's t-test that the mean of x − y is zero.
///
/// ```
/// let test = ebmbook::metrics::paired_t_test(&[1.0, 2.0, 4.0], &[0.0, 0.0, 0.0])?;
/// assert_eq!(format!("{:.4} {:.4}", test.statistic, test.p_value), "2.6458 0.1181");
/// # Ok::<(), ebmbook::metrics::MetricError>(())
/// ```
pub fn paired_t_test(x: &[f64], y: &[f64]) -> Result<PairedTest, MetricError> {
    let d = differences("paired t-test", x, y)?;
    let n = d.len() as f64;
    let (mean, sd) = mean_sd(&d);
    if sd == 0.0 {
        // No spread: certainty in one direction, or no difference at all.
        let (statistic, p_value) = if mean == 0.0 { (0.0, 1.0) } else { (f64::INFINITY.copysign(mean), 0.0) };
        return Ok(PairedTest { statistic, p_value, mean_difference: mean });
    }
    let t = mean / (sd / n.sqrt());
    let law = StudentsT::new(0.0, 1.0, n - 1.0).expect("at least one degree of freedom");
    Ok(PairedTest { statistic: t, p_value: (2.0 * law.cdf(-t.abs())).min(1.0), mean_difference: mean })
}

/// Wilcoxon's signed-rank test that x − y is symmetric about zero. Zero differences are left out;
/// the law is exact without ties up to 50 differences, otherwise normal with tie correction and
/// continuity correction.
///
/// ```
/// let x = [1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30];
/// let y = [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29];
/// let test = ebmbook::metrics::wilcoxon_signed_rank(&x, &y)?;
/// // The depression data of Hollander and Wolfe (1973): V = 40 of 45, p = 0.03906.
/// assert_eq!(format!("{} {:.5}", test.statistic, test.p_value), "5 0.03906");
/// # Ok::<(), ebmbook::metrics::MetricError>(())
/// ```
pub fn wilcoxon_signed_rank(x: &[f64], y: &[f64]) -> Result<PairedTest, MetricError> {
    let all = differences("Wilcoxon test", x, y)?;
    let mean_difference = mean_sd(&all).0;
    let mut d: Vec<f64> = all.into_iter().filter(|d| *d != 0.0).collect();
    if d.is_empty() {
        return Ok(PairedTest { statistic: 0.0, p_value: 1.0, mean_difference });
    }
    d.sort_unstable_by(|a, b| a.abs().total_cmp(&b.abs()));
    let (ranks, ties) = average_ranks(&d);
    let positive: f64 = d.iter().zip(&ranks).filter(|(d, _)| **d > 0.0).map(|(_, r)| r).sum();
    let n = d.len() as f64;
    let total = n * (n + 1.0) / 2.0;
    let statistic = positive.min(total - positive);
    let p_value = if ties == 0.0 && d.len() <= EXACT_UP_TO {
        exact_p(d.len(), statistic as usize)
    } else {
        // Var(W) = n(n+1)(2n+1)/24 − Σ(t³−t)/48
        let variance = n * (n + 1.0) * (2.0 * n + 1.0) / 24.0 - ties / 48.0;
        let z = (statistic - total / 2.0 + 0.5).min(0.0) / variance.sqrt();
        (2.0 * Normal::standard().cdf(z)).min(1.0)
    };
    Ok(PairedTest { statistic, p_value, mean_difference })
}

/// Ranks of ascending absolute values, tied ones averaged, and Σ(t³ − t) over groups of ties.
fn average_ranks(sorted: &[f64]) -> (Vec<f64>, f64) {
    let mut ranks = vec![0.0; sorted.len()];
    let mut ties = 0.0;
    let mut from = 0;
    while from < sorted.len() {
        let same = sorted[from..].iter().take_while(|d| d.abs() == sorted[from].abs()).count();
        ranks[from..from + same].fill(from as f64 + (same as f64 + 1.0) / 2.0);
        ties += (same as f64).powi(3) - same as f64;
        from += same;
    }
    (ranks, ties)
}

/// P(W ≤ w or W ≥ total − w) when each rank carries a fair sign: counts of subsets by their sum.
fn exact_p(n: usize, w: usize) -> f64 {
    let total = n * (n + 1) / 2;
    let mut share = vec![0.0; total + 1];
    share[0] = 1.0;
    for rank in 1..=n {
        for sum in (0..=total).rev() {
            let with = if sum >= rank { share[sum - rank] } else { 0.0 };
            share[sum] = 0.5 * (share[sum] + with);
        }
    }
    (2.0 * share[..=w].iter().sum::<f64>()).min(1.0)
}

fn differences(metric: &'static str, x: &[f64], y: &[f64]) -> Result<Vec<f64>, MetricError> {
    if x.len() != y.len() {
        return Err(MetricError::Lengths { metric, left: x.len(), right: y.len() });
    }
    if x.len() < 2 {
        return Err(MetricError::TooFew { metric, what: "pairs", needed: 2, found: x.len() });
    }
    all_finite(metric, x)?;
    all_finite(metric, y)?;
    Ok(x.iter().zip(y).map(|(x, y)| x - y).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seed::Seed;
    use rand_distr::{Distribution, StandardNormal};

    /// Share of p-values below 5 % over 2000 samples of `n` differences with the given mean.
    fn rejections(test: fn(&[f64], &[f64]) -> Result<PairedTest, MetricError>, n: usize, mean: f64) -> f64 {
        let rejected = (0..2000).filter(|i| {
            let mut rng = Seed::new(17).index(*i).rng();
            let x: Vec<f64> =
                (0..n).map(|_| mean + Distribution::<f64>::sample(&StandardNormal, &mut rng)).collect();
            test(&x, &vec![0.0; n]).unwrap().p_value < 0.05
        });
        rejected.count() as f64 / 2000.0
    }

    #[test]
    fn both_tests_keep_their_level_and_have_power() {
        // Standard error of a share of .05 over 2000: .0049; four of them, and the exact
        // signed-rank law at n = 12 has size .042, not .05.
        for test in [paired_t_test, wilcoxon_signed_rank] {
            let size = rejections(test, 12, 0.0);
            assert!((0.042 - 0.02..0.05 + 0.02).contains(&size), "{size}");
            assert!(rejections(test, 12, 1.0) > 0.8);
        }
    }

    #[test]
    fn the_normal_approximation_is_close_to_the_exact_law() {
        for (n, w) in [(30, 120), (40, 250), (50, 400)] {
            let m = n as f64;
            let variance = m * (m + 1.0) * (2.0 * m + 1.0) / 24.0;
            let z = (w as f64 - m * (m + 1.0) / 4.0 + 0.5) / variance.sqrt();
            let approximate = 2.0 * Normal::standard().cdf(z);
            assert!((exact_p(n, w) - approximate).abs() < 0.005, "n = {n}");
        }
    }

    #[test]
    fn identical_samples_differ_by_nothing() {
        let x = [1.0, 2.0, 3.0];
        assert_eq!(wilcoxon_signed_rank(&x, &x).unwrap().p_value, 1.0);
        assert_eq!(paired_t_test(&x, &x).unwrap().p_value, 1.0);
        assert!(paired_t_test(&x, &x[..2]).is_err());
    }
}

//! How many of several hypotheses are false, with a stated error rate.

use statrs::distribution::{ContinuousCDF, StudentsT};

/// How many hypotheses Holm's step-down procedure rejects: on ascending p-values, as long as
///
/// ```text
/// (m − i)·p_(i) ≤ α,     i = 0, 1, …
/// ```
///
/// All of these rejections are right at once with probability 1 − α or more, however the p-values depend on
/// one another; so it is also a lower bound on the number of alternatives that are true.
///
/// ```
/// use ebmbook::metrics::holm;
/// assert_eq!(holm(&[0.9, 0.01, 0.02], 0.05), 2, "3·0.01 and 2·0.02 are below α, 0.9 is not");
/// assert_eq!(holm(&[0.02, 0.9, 0.9], 0.05), 0, "the smallest of three must be below α/3");
/// ```
pub fn holm(p_values: &[f64], alpha: f64) -> usize {
    let mut sorted = p_values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let m = sorted.len();
    sorted.iter().enumerate().take_while(|(i, p)| (m - i) as f64 * **p <= alpha).count()
}

/// p-values of Student's t for "the mean is positive" and for "the mean is negative": exact for normal
/// values, and far off for skewed ones at levels that few values cannot support. Without spread
/// the sign is certain; a single value, or a mean of exactly 0 without spread, decides nothing.
///
/// ```
/// use ebmbook::metrics::one_sided_t;
/// let [positive, negative] = one_sided_t(&[1.0, 2.0, 4.0]);
/// assert!((positive - 0.0590).abs() < 1e-4 && (positive + negative - 1.0).abs() < 1e-12);
/// assert_eq!(one_sided_t(&[2.0]), [1.0, 1.0]);
/// ```
pub fn one_sided_t(values: &[f64]) -> [f64; 2] {
    if values.len() < 2 || values.iter().any(|v| !v.is_finite()) {
        return [1.0, 1.0];
    }
    let n = values.len() as f64;
    let (mean, sd) = super::intervals::mean_sd(values);
    if sd == 0.0 {
        return [f64::from(u8::from(mean <= 0.0)), f64::from(u8::from(mean >= 0.0))];
    }
    let law = StudentsT::new(0.0, 1.0, n - 1.0).expect("at least one degree of freedom");
    let t = mean / (sd / n.sqrt());
    [law.cdf(-t), law.cdf(t)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seed::Seed;
    use rand_distr::{Distribution, StandardNormal};

    /// Share of 2000 repetitions in which more means are called positive than are.
    fn wrong(means: &[f64], alpha: f64) -> f64 {
        let positive = means.iter().filter(|m| **m > 0.0).count();
        let exceeds = (0..2000).filter(|i| {
            let mut rng = Seed::new(29).index(*i).rng();
            let p: Vec<f64> = means
                .iter()
                .map(|mean| {
                    let runs: Vec<f64> = (0..8)
                        .map(|_| mean + Distribution::<f64>::sample(&StandardNormal, &mut rng))
                        .collect();
                    one_sided_t(&runs)[0]
                })
                .collect();
            holm(&p, alpha) > positive
        });
        exceeds.count() as f64 / 2000.0
    }

    #[test]
    fn the_count_is_too_high_no_more_often_than_it_says() {
        // Standard error of a share of .05 over 2000: .0049; four of them.
        for means in [vec![0.0; 10], vec![5.0, 5.0, 5.0, 0.0], vec![5.0, 0.0, 0.0, -1.0]] {
            let found = wrong(&means, 0.05);
            assert!(found <= 0.05 + 4.0 * 0.0049, "{means:?}: {found}");
        }
        // All but one are plain and the last is on the edge: the level is spent in full.
        assert!((wrong(&[9.0, 9.0, 0.0], 0.05) - 0.05).abs() <= 4.0 * 0.0049);
    }

    #[test]
    fn skewed_values_break_a_small_level() {
        // Log-normal values turned round, of mean 0: one far loss is rare, and without it all is gain. That
        // is why errors are compared by logarithms, and why the level is said to be that of normal runs.
        let skewed = |i: u64| {
            let mut rng = Seed::new(31).index(i as usize).rng();
            let draw = |z: f64| 0.5_f64.exp() - z.exp();
            let runs: Vec<f64> = (0..10).map(|_| draw(StandardNormal.sample(&mut rng))).collect();
            one_sided_t(&runs)[0] <= 1e-3
        };
        let rejected = (0..2000).filter(|i| skewed(*i)).count();
        assert!(rejected > 10, "{rejected} of 2000, where 2 are expected");
    }

    #[test]
    fn the_count_finds_plain_effects() {
        assert_eq!(holm(&[1e-9, 1e-7, 1e-8], 1e-4), 3);
        assert_eq!(holm(&[], 0.05), 0);
    }

    #[test]
    fn no_spread_is_certainty_and_no_difference_is_none() {
        assert_eq!(one_sided_t(&[2.0, 2.0]), [0.0, 1.0]);
        assert_eq!(one_sided_t(&[-2.0, -2.0]), [1.0, 0.0]);
        assert_eq!(one_sided_t(&[0.0, 0.0]), [1.0, 1.0]);
    }
}

//! Measured numbers: exact, with a standard error, or a share or a median with limits.

use super::Key;
use ebmbook::metrics::{holm, one_sided_t, t_quantile};
use ebmbook::theory::saturation::median;
use serde::{Deserialize, Serialize};
use statrs::distribution::{Binomial, ContinuousCDF, DiscreteCDF, Normal, StudentsT};

/// A measured number. Without a standard error it is exact up to rounding.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Value {
    /// What code and criteria call it.
    pub key: Key,
    /// What people call it. The claim says; until it has, the key.
    pub label: String,
    /// The number.
    pub estimate: f64,
    /// Its standard error, if it was estimated from random draws.
    pub se: Option<f64>,
    /// Degrees of freedom behind the standard error; none where there are very many.
    pub freedom: Option<f64>,
    /// For shares of several comparisons and for medians, in place of a standard error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limits: Option<Limits>,
}

/// What a share may be, given that each comparison behind it is uncertain; or where a median may be.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Limits {
    /// Share of comparisons that are won beyond doubt; for a median, the order statistic below it.
    pub low: f64,
    /// One minus the share of those that are lost beyond doubt; the order statistic above it.
    pub high: f64,
    /// Probability that either of them is wrong.
    pub alpha: f64,
}

impl Value {
    /// The value of this key among several.
    pub fn find<'a>(values: &'a [Self], key: &Key) -> Option<&'a Self> {
        values.iter().find(|v| v.key == *key)
    }

    /// A number without sampling error.
    pub fn exact(key: impl Into<Key>, estimate: f64) -> Self {
        let key = key.into();
        Self { label: key.to_string(), key, estimate, se: None, freedom: None, limits: None }
    }

    /// An estimate with its standard error.
    pub fn estimated(key: impl Into<Key>, estimate: f64, se: f64) -> Self {
        Self { se: Some(se), ..Self::exact(key, estimate) }
    }

    /// Share of comparisons with a positive mean, each given by its replicates. The limits count
    /// those whose sign is certain: t-tests, with Holm's procedure over the comparisons, half of α for
    /// wins and half for losses. The level is that of normal replicates.
    ///
    /// ```
    /// use paper_checks::registry::Value;
    /// let unsure = vec![1.0, -1.0, 0.1];
    /// let comparisons = [vec![5.0, 5.1, 4.9], vec![-5.0, -5.1, -4.9], unsure.clone(), unsure];
    /// let share = Value::share("cells-won", &comparisons, 0.05);
    /// let limits = share.limits.unwrap();
    /// assert_eq!((share.estimate, limits.low, limits.high), (0.75, 0.25, 0.75));
    /// ```
    pub fn share(key: impl Into<Key>, comparisons: &[Vec<f64>], alpha: f64) -> Self {
        let won = comparisons.iter().filter(|runs| runs.iter().sum::<f64>() > 0.0).count();
        let tests: Vec<[f64; 2]> = comparisons.iter().map(|runs| one_sided_t(runs)).collect();
        Self::share_of_tests(key, won, &tests, alpha)
    }

    /// [`Value::share`] from p-values for "won" and "lost" in each comparison.
    ///
    /// ```
    /// use paper_checks::registry::Value;
    /// let share = Value::share_of_tests("cells-won", 1, &[[1e-9, 1.0], [0.4, 0.6]], 0.05);
    /// assert_eq!(share.interval(), Some([0.5, 1.0]));
    /// ```
    pub fn share_of_tests(key: impl Into<Key>, won: usize, tests: &[[f64; 2]], alpha: f64) -> Self {
        let all = tests.len() as f64;
        let certain = |side: usize| {
            let p: Vec<f64> = tests.iter().map(|test| test[side]).collect();
            holm(&p, alpha / 2.0) as f64 / all
        };
        let limits = Limits { low: certain(0), high: 1.0 - certain(1), alpha };
        Self { limits: Some(limits), ..Self::exact(key, won as f64 / all) }
    }

    /// The median of independent replicates, with limits that assume no law. Of m replicates Bin(m, ½) lie below the
    /// median. So it lies between the r-th smallest and the r-th largest but for 2·P(Bin(m, ½) < r), which is kept to α.
    ///
    /// ```
    /// use paper_checks::registry::Value;
    /// // One wild replicate of ten moves nothing.
    /// let wild = [1.0, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 1.8, 1e9];
    /// let median = Value::median("error", &wild, 0.05);
    /// assert_eq!((median.estimate, median.interval()), (1.45, Some([1.1, 1.8])));
    /// // Too few to say anything at this rate.
    /// assert_eq!(Value::median("error", &wild, 1e-5).interval(), Some([f64::NEG_INFINITY, f64::INFINITY]));
    /// ```
    ///
    /// # Panics
    /// If there are no replicates.
    pub fn median(key: impl Into<Key>, replicates: &[f64], alpha: f64) -> Self {
        let mut sorted = replicates.to_vec();
        sorted.sort_unstable_by(f64::total_cmp);
        let m = sorted.len();
        let law = Binomial::new(0.5, m as u64).expect("one half is a probability");
        let r = (1..=m / 2).take_while(|r| 2.0 * law.cdf(*r as u64 - 1) <= alpha).count();
        let [low, high] =
            if r == 0 { [f64::NEG_INFINITY, f64::INFINITY] } else { [sorted[r - 1], sorted[m - r]] };
        Self { limits: Some(Limits { low, high, alpha }), ..Self::exact(key, median(&sorted)) }
    }

    /// A value that rests on few replicates: gates then use Student's t with these degrees of freedom.
    pub fn with_freedom(self, freedom: usize) -> Self {
        self.with_effective_freedom(freedom as f64)
    }

    /// A value whose error combines several spreads (Welch–Satterthwaite).
    pub fn with_effective_freedom(self, freedom: f64) -> Self {
        Self { freedom: Some(freedom), ..self }
    }

    /// The mean of independent replicates, with its standard error and degrees of freedom.
    ///
    /// ```
    /// use paper_checks::registry::Value;
    /// let value = Value::mean("error", &[1.0, 2.0, 3.0]);
    /// assert_eq!((value.estimate, value.freedom), (2.0, Some(2.0)));
    /// assert!((value.se.unwrap() - (1.0_f64 / 3.0).sqrt()).abs() < 1e-15);
    /// ```
    pub fn mean(key: impl Into<Key>, replicates: &[f64]) -> Self {
        let n = replicates.len() as f64;
        let mean = replicates.iter().sum::<f64>() / n;
        let variance = replicates.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / (n - 1.0);
        Self::estimated(key, mean, (variance / n).sqrt()).with_freedom(replicates.len() - 1)
    }

    /// The difference of two independent estimates, with Welch's degrees of freedom.
    ///
    /// ```
    /// use paper_checks::registry::Value;
    /// let rise = Value::mean("b", &[2.0, 4.0]).minus(&Value::mean("a", &[1.0, 1.0]), "rise");
    /// assert_eq!((rise.estimate, rise.se, rise.freedom), (2.0, Some(1.0), Some(1.0)));
    /// ```
    pub fn minus(&self, other: &Self, key: impl Into<Key>) -> Self {
        Self::combination(key, &[1.0, -1.0], &[self.clone(), other.clone()])
    }

    /// Σ w_i v_i of independent estimates with se² = Σ w_i² se_i². One of them may carry most of the
    /// variance, so the degrees of freedom are Welch's: (Σ s_i)² / Σ s_i²/ν_i, s_i = w_i² se_i².
    ///
    /// ```
    /// use paper_checks::registry::Value;
    /// let parts = [Value::mean("a", &[1.0, 3.0]), Value::mean("b", &[5.0, 7.0])];
    /// let mean = Value::combination("mean", &[0.5, 0.5], &parts);
    /// assert_eq!((mean.estimate, mean.freedom), (4.0, Some(2.0)));
    /// ```
    pub fn combination(key: impl Into<Key>, weights: &[f64], parts: &[Self]) -> Self {
        let estimate = weights.iter().zip(parts).map(|(w, v)| w * v.estimate).sum();
        let squares = |(w, v): (&f64, &Self)| v.se.map_or(0.0, |se| (w * se).powi(2));
        let variances: Vec<f64> = weights.iter().zip(parts).map(squares).collect();
        let total: f64 = variances.iter().sum();
        let share = |(s, v): (&f64, &Self)| v.freedom.map_or(0.0, |freedom| s * s / freedom);
        let fourth: f64 = variances.iter().zip(parts).filter(|(s, _)| **s > 0.0).map(share).sum();
        if total == 0.0 && parts.iter().all(|v| v.se.is_none_or(|se| se == 0.0)) {
            return Self::exact(key, estimate);
        }
        let sum = Self::estimated(key, estimate, total.sqrt());
        if fourth > 0.0 { sum.with_effective_freedom(total * total / fourth) } else { sum }
    }

    /// P(T ≤ t) for the law of (estimate − truth)/se; none for exact values. Over many seeds the
    /// numbers for the true value are uniform on (0, 1) if the standard errors are honest.
    ///
    /// ```
    /// use paper_checks::registry::Value;
    /// assert_eq!(Value::estimated("v", 3.0, 0.5).probability_below(3.0), Some(0.5));
    /// ```
    pub fn probability_below(&self, truth: f64) -> Option<f64> {
        self.se.map(|se| self.cumulative((self.estimate - truth) / se))
    }

    pub(crate) fn cumulative(&self, t: f64) -> f64 {
        match self.freedom {
            Some(freedom) => StudentsT::new(0.0, 1.0, freedom).map_or(f64::NAN, |law| law.cdf(t)),
            None => Normal::standard().cdf(t),
        }
    }

    /// Two-sided 95 % interval: Student's t where the standard error rests on few replicates. The
    /// limits of a share, which have an error rate of their own.
    ///
    /// ```
    /// use paper_checks::registry::Value;
    /// let [low, high] = Value::mean("v", &[1.0, 2.0, 3.0]).interval().unwrap();
    /// assert!((low + 0.484).abs() < 1e-3 && (high - 4.484).abs() < 1e-3);
    /// ```
    pub fn interval(&self) -> Option<[f64; 2]> {
        if let Some(Limits { low, high, .. }) = self.limits {
            return Some([low, high]);
        }
        let half = self.se? * self.quantile(0.025);
        Some([self.estimate - half, self.estimate + half])
    }

    /// How many standard errors a gate of error rate α keeps clear of.
    pub(crate) fn quantile(&self, alpha: f64) -> f64 {
        match self.freedom {
            Some(freedom) => t_quantile(alpha, freedom),
            None => -Normal::standard().inverse_cdf(alpha),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ebmbook::seed::Seed;
    use rand_distr::{Distribution, Exp1};

    #[test]
    fn limits_of_a_median_err_as_often_as_stated_for_a_skewed_law_too() {
        // Exponential to the fourth power: its mean is 24, its median (ln 2)⁴.
        let (seeds, truth) = (2000, std::f64::consts::LN_2.powi(4));
        for (draws, alpha) in [(20, 0.2), (100, 0.05)] {
            let wrong = (0..seeds).filter(|seed| {
                let mut rng = Seed::new(*seed).index(draws).rng();
                let sample: Vec<f64> = (0..draws).map(|_| f64::powi(Exp1.sample(&mut rng), 4)).collect();
                let [low, high] = Value::median("draws", &sample, alpha).interval().expect("it has limits");
                truth < low || truth > high
            });
            let share = wrong.count() as f64 / seeds as f64;
            // Counts are whole numbers, so the rate is somewhat below α; and four standard errors of a share.
            let se = (alpha * (1.0 - alpha) / seeds as f64).sqrt();
            assert!(share < alpha + 4.0 * se && share > alpha / 3.0, "{share} of {draws} draws at {alpha}");
        }
    }
}

//! Gauss–Legendre rules for integrals over an interval and over a normal law.

use std::f64::consts::{PI, SQRT_2};

/// Standard deviations beyond which a normal law has less than 1e-18 of its mass.
const REACH: f64 = 9.0;

/// Nodes with weights of the composite eight-point rule on an interval, in ascending order.
pub(crate) fn interval(low: f64, high: f64, panels: usize) -> Vec<(f64, f64)> {
    // Positive nodes and weights of the eight-point rule on [−1, 1] (Abramowitz & Stegun 25.4).
    const RULE: [(f64, f64); 4] = [
        (0.183_434_642_495_649_8, 0.362_683_783_378_362),
        (0.525_532_409_916_329, 0.313_706_645_877_887_3),
        (0.796_666_477_413_626_7, 0.222_381_034_453_374_48),
        (0.960_289_856_497_536_3, 0.101_228_536_290_376_26),
    ];
    let half = (high - low) / (2 * panels) as f64;
    let mut rule = Vec::with_capacity(8 * panels);
    for panel in 0..panels {
        let centre = low + half * (2 * panel + 1) as f64;
        for (node, weight) in RULE {
            rule.push((centre - half * node, half * weight));
            rule.push((centre + half * node, half * weight));
        }
    }
    rule.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    rule
}

/// Nodes of an integral over N(mean, sd²), the density being part of the weights.
pub(crate) fn normal(mean: f64, sd: f64, panels: usize) -> Vec<(f64, f64)> {
    interval(-REACH, REACH, panels).into_iter().map(|(z, w)| (mean + sd * z, w * phi(z))).collect()
}

/// The standard normal density.
pub(crate) fn phi(z: f64) -> f64 {
    (-0.5 * z * z).exp() / (2.0 * PI).sqrt()
}

/// The standard normal distribution function.
pub(crate) fn normal_cdf(z: f64) -> f64 {
    0.5 * statrs::function::erf::erfc(-z / SQRT_2)
}

/// log(1 + e^t), safe for large |t|.
pub(crate) fn softplus(t: f64) -> f64 {
    t.max(0.0) + (-t.abs()).exp().ln_1p()
}

/// 1/(1 + e^−t).
pub(crate) fn sigmoid(t: f64) -> f64 {
    1.0 / (1.0 + (-t).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_of_a_normal_law_and_its_distribution_function() {
        let mean = |g: fn(f64) -> f64| normal(0.5, 2.0, 20).iter().map(|(x, w)| w * g(*x)).sum::<f64>();
        assert!((mean(|_| 1.0) - 1.0).abs() < 1e-13);
        assert!((mean(|x| x * x) - 4.25).abs() < 1e-12);
        let below: f64 = interval(-9.0, 0.7, 12).iter().map(|(z, w)| w * phi(*z)).sum();
        assert!((below - normal_cdf(0.7)).abs() < 1e-11);
    }
}

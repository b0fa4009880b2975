//! "With probability 1" in Proposition 4.1, and what its proof gives.
//!
//! The proof (Appendix B.4, step 2) cites two uniform laws of large numbers. Jennrich's Theorem 2 says that
//! sup_θ |L_n − L| → 0 *almost surely*; Newey and McFadden's Lemma 2.4 says so *in probability*, and the proof
//! writes the latter. From there it concludes that, for every η > 0,
//!
//! ```text
//! P(θ̂_n within η of Θ₀) → 1,
//! ```
//!
//! convergence in probability. Its last line, "since this is true for any η > 0, θ̂_n ∈ Θ₀ with probability 1",
//! does not follow: that would need P(θ̂_m within η of Θ₀ for *all* m ≥ n) → 1. It does follow from Jennrich's
//! theorem: on the event that L_n → L uniformly, the same inequalities hold for all large n. That theorem asks
//! for a continuous objective on a compact Θ that is dominated by an integrable function. The proof says
//! "bounded" of it, which it is not, because white noise is unbounded; but log q grows at most like the energies
//! and the squares of the noise, which have means. So the proposition may say "with probability 1"; the proof as
//! written shows less.
//!
//! θ̂_n itself need not have a limit. With a bias in the last layer every f + C has the same objective, so that a
//! sequence of maximisers may change C for ever. And Θ₀, called countable, has to hold a continuum.
//! The distance of θ̂_n to the set of all maximisers of L tends to 0.
//!
//! The smallest case can be counted. X ∈ {0, 1}, P(X = 1) = p, one copy, p_θ(1) = σ(θ). Only pairs that differ
//! teach anything; among n of them the original is 1 in N ~ Bin(n, p), and θ̂_n = log(N/(n − N)).

use super::rule::sigmoid;
use statrs::distribution::{Binomial, DiscreteCDF};

/// P(|θ̂_n − θ₀| ≥ η): what the printed proof shows to vanish.
///
/// ```
/// use ebmbook::theory::probability_one::outside_at;
/// let p = |n| outside_at(n, 0.3, 0.5);
/// assert!(p(100) > p(400) && p(400) < 1e-3);
/// ```
///
/// # Panics
/// Unless 0 < p < 1.
pub fn outside_at(n: u64, p: f64, eta: f64) -> f64 {
    let law = Binomial::new(p, n).expect("a probability");
    let (low, high) = bounds(p, eta);
    // θ̂_n within η of θ₀ where low < N/n < high
    let first_inside = (n as f64 * low).floor() as u64 + 1;
    let last_inside = (n as f64 * high).ceil() as u64;
    law.cdf(first_inside - 1) + law.sf(last_inside - 1)
}

/// A bound on P(|θ̂_m − θ₀| ≥ η for some m ≥ n): the sum over m. That it vanishes is convergence with probability 1,
/// by the lemma of Borel and Cantelli. Terms are added up to the m from which Chernoff's bound on the rest is below 1e-12.
///
/// ```
/// use ebmbook::theory::probability_one::outside_ever;
/// assert!(outside_ever(2000, 0.3, 0.5) < 1e-6);
/// ```
///
/// # Panics
/// Unless 0 < p < 1.
pub fn outside_ever(n: u64, p: f64, eta: f64) -> f64 {
    let (low, high) = bounds(p, eta);
    // P(|θ̂_m − θ₀| ≥ η) ≤ 2 e^{−m·rate}, so that the terms from m on sum to at most 2 e^{−m·rate}/(1 − e^{−rate})
    let rate = f64::min(divergence(low, p), divergence(high, p));
    let last = ((2e12 / (1.0 - (-rate).exp())).ln() / rate).ceil() as u64;
    (n..last.max(n)).map(|m| outside_at(m, p, eta)).sum::<f64>() + 1e-12
}

/// P(a failure at some m between n and `last`) of a procedure that fails at m with probability 1/m, independently:
/// at each m it is right with probability 1 − 1/m → 1, and it fails again and again. Convergence in probability alone.
///
/// ```
/// use ebmbook::theory::probability_one::fails_between;
/// assert!(fails_between(1000, 1_000_000) > 0.99);
/// ```
pub fn fails_between(n: u64, last: u64) -> f64 {
    // 1 − Π_{m=n}^{last} (1 − 1/m) = 1 − (n − 1)/last
    1.0 - (n as f64 - 1.0) / last as f64
}

/// The shares N/n at which θ̂_n is η away from θ₀.
fn bounds(p: f64, eta: f64) -> (f64, f64) {
    let truth = (p / (1.0 - p)).ln();
    (sigmoid(truth - eta), sigmoid(truth + eta))
}

/// KL(Bernoulli(a) ‖ Bernoulli(p)).
fn divergence(a: f64, p: f64) -> f64 {
    a * (a / p).ln() + (1.0 - a) * ((1.0 - a) / (1.0 - p)).ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_exact_probability_is_that_of_the_counts() {
        // n = 4, p = ½, η = 1: 1/(1 + e) < N/4 < e/(1 + e) leaves N = 2 alone, of probability 6/16 (N = 1 and 3 are at .25 and .75).
        assert!((outside_at(4, 0.5, 1.0) - 10.0 / 16.0).abs() < 1e-14);
    }

    #[test]
    fn the_sum_vanishes_and_that_of_rare_failures_does_not() {
        assert!(outside_ever(500, 0.3, 0.5) > outside_ever(1000, 0.3, 0.5));
        assert!(outside_ever(2000, 0.3, 0.5) < 1e-9);
        let product: f64 = (10..=50).map(|m| 1.0 - 1.0 / f64::from(m)).product();
        assert!((fails_between(10, 50) - (1.0 - product)).abs() < 1e-14);
    }
}

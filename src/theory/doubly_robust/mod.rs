//! Section 2: the error of the DR-learner is a product of nuisance errors plus that of an oracle.
//!
//! Nuisances that are off by n^{−r_π} and n^{−r_μ} on purpose. With exact expectations over Y and A,
//! the pseudo-outcome has the conditional mean
//!
//! ```text
//! E[Y_DR | x] = τ(x) + (π/π̂ − 1)(μ₁ − μ̂₁) − ((1−π)/(1−π̂) − 1)(μ₀ − μ̂₀),
//! ```
//!
//! so its bias falls like n^{−(r_π + r_μ)}; a plug-in of μ̂ alone is off by n^{−r_μ}, and weighting by π̂
//! alone by n^{−r_π}.

mod finite;

pub use finite::{Excess, finite_excess};

use super::density::Grid;

/// Which estimator's bias is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Estimator {
    /// The doubly robust pseudo-outcome.
    DoublyRobust,
    /// The difference of the two outcome regressions.
    PlugIn,
    /// Inverse propensity weighting alone.
    Weighting,
}

fn propensity(x: f64) -> f64 {
    0.5 + 0.3 * (3.0 * x).sin()
}

fn outcome_means(x: f64) -> (f64, f64) {
    (x, x + 1.0 + x * x)
}

/// π̂, μ̂₀ and μ̂₁ at x: the truth and an error that falls like n^{−rate}.
fn slowed(x: f64, n: f64, rate_pi: f64, rate_mu: f64) -> (f64, f64, f64) {
    let (mu0, mu1) = outcome_means(x);
    let slow = n.powf(-rate_mu);
    let pi_hat = propensity(x) + n.powf(-rate_pi) * 0.2 * (2.0 * x).cos();
    (pi_hat, mu0 + slow * (1.0 - x), mu1 + slow * (1.0 + x))
}

/// Root mean squared bias over x ~ U(−1, 1) when the nuisances are off by n^{−rate_pi}·0.2·cos(2x) and
/// n^{−rate_mu}·(1 ± x), with signs for which the two arms' terms do not cancel.
///
/// ```
/// use ebmbook::theory::doubly_robust::{Estimator, bias};
/// let dr = bias(Estimator::DoublyRobust, 1e4, 0.25, 0.25);
/// let plug_in = bias(Estimator::PlugIn, 1e4, 0.25, 0.25);
/// assert!(dr < plug_in / 5.0);
/// ```
pub fn bias(estimator: Estimator, n: f64, rate_pi: f64, rate_mu: f64) -> f64 {
    let grid = Grid::quadrature(1, -1.0, 1.0, 8);
    let squares = grid.points.column(0).mapv(|x| {
        let pi = propensity(x);
        let (mu0, mu1) = outcome_means(x);
        let (pi_hat, mu0_hat, mu1_hat) = slowed(x, n, rate_pi, rate_mu);
        let estimate = match estimator {
            Estimator::DoublyRobust => {
                // E[μ̂₁ + A(Y − μ̂₁)/π̂ − μ̂₀ − (1−A)(Y − μ̂₀)/(1−π̂) | x]
                let treated = mu1_hat + pi / pi_hat * (mu1 - mu1_hat);
                let control = mu0_hat + (1.0 - pi) / (1.0 - pi_hat) * (mu0 - mu0_hat);
                treated - control
            }
            Estimator::PlugIn => mu1_hat - mu0_hat,
            Estimator::Weighting => pi / pi_hat * mu1 - (1.0 - pi) / (1.0 - pi_hat) * mu0,
        };
        (estimate - (mu1 - mu0)).powi(2)
    });
    (grid.integrate(squares.view()) / 2.0).sqrt()
}

/// Slope of log bias on log n between two sample sizes.
pub fn bias_slope(estimator: Estimator, sizes: (f64, f64), rate_pi: f64, rate_mu: f64) -> f64 {
    let log_bias = |n: f64| bias(estimator, n, rate_pi, rate_mu).ln();
    (log_bias(sizes.1) - log_bias(sizes.0)) / (sizes.1.ln() - sizes.0.ln())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slopes_are_those_of_the_product_and_of_the_single_nuisance() {
        for (rate_pi, rate_mu) in [(0.25, 0.25), (0.1, 0.4), (0.45, 0.2)] {
            // Terms of second order in n^{−r_π} bend the line by at most their size at the smaller n.
            let close = |estimator, expected: f64| {
                let slope = bias_slope(estimator, (1e8, 1e12), rate_pi, rate_mu);
                assert!((slope + expected).abs() < 0.02, "{estimator:?}: {slope} against −{expected}");
            };
            close(Estimator::DoublyRobust, rate_pi + rate_mu);
            close(Estimator::PlugIn, rate_mu);
            close(Estimator::Weighting, rate_pi);
        }
    }

    #[test]
    fn one_exact_nuisance_is_enough() {
        assert!(bias(Estimator::DoublyRobust, 1e3, 40.0, 0.1) < 1e-15);
        assert!(bias(Estimator::DoublyRobust, 1e3, 0.1, 40.0) < 1e-15);
        assert!(bias(Estimator::PlugIn, 1e3, 40.0, 0.1) > 0.1);
    }
}

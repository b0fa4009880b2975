//! Proposition 4.1 for an energy with one parameter, e(x) = θ·h(x). In: groups of candidates, each with the
//! mass it has in the population. Out: the θ at which the population objective is best.
//!
//! ```text
//! L(θ)  = Σ_V P(V) log q_θ(0 | V),     q_θ(a | V) = softmax_a(−θ·h(v_a) + w_a)
//! L′(θ) = Σ_V P(V) (Σ_a q_θ(a | V) h(v_a) − h(v_0)),     L″(θ) = −Σ_V P(V) Var_q(h)
//! ```
//!
//! L is concave. A candidate that cannot be the original has w = −∞.

/// Groups of b + 1 candidates, the original first.
///
/// ```
/// use ebmbook::theory::one_parameter::Groups;
/// // Two points, h = 0 and 1. P(original 0, copy 1) = ¾ of the pairs: θ = log 3 makes the odds right.
/// let mut groups = Groups::new(2);
/// groups.push(0.75, &[0.0, 1.0], &[0.0, 0.0]);
/// groups.push(0.25, &[1.0, 0.0], &[0.0, 0.0]);
/// assert!((groups.maximiser(-5.0, 5.0) - 3.0_f64.ln()).abs() < 1e-12);
/// ```
#[derive(Clone, Debug)]
pub struct Groups {
    size: usize,
    mass: Vec<f64>,
    h: Vec<f64>,
    log_weights: Vec<f64>,
}

/// L, L′ and L″ at one θ.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Objective {
    /// L(θ).
    pub value: f64,
    /// L′(θ).
    pub slope: f64,
    /// L″(θ), never positive.
    pub curvature: f64,
}

/// Steps after which bisection alone has come down to rounding.
const STEPS: usize = 200;

impl Groups {
    /// No groups yet; each is to have so many candidates.
    pub fn new(size: usize) -> Self {
        Self { size, mass: Vec::new(), h: Vec::new(), log_weights: Vec::new() }
    }

    /// Adds a group with its mass, and h and kernel term of each candidate. A group without mass is left out.
    ///
    /// # Panics
    /// If there are not as many candidates as announced.
    pub fn push(&mut self, mass: f64, h: &[f64], log_weights: &[f64]) {
        assert_eq!((h.len(), log_weights.len()), (self.size, self.size), "candidates of a group");
        if mass == 0.0 {
            return;
        }
        self.mass.push(mass);
        self.h.extend_from_slice(h);
        self.log_weights.extend_from_slice(log_weights);
    }

    /// The population objective and its derivatives.
    pub fn at(&self, theta: f64) -> Objective {
        let mut sum = Objective::default();
        let groups = self.h.chunks_exact(self.size).zip(self.log_weights.chunks_exact(self.size));
        for (mass, (h, w)) in self.mass.iter().zip(groups) {
            let score = |a: usize| w[a] - theta * h[a];
            let top = (0..self.size).map(score).fold(f64::NEG_INFINITY, f64::max);
            let (mut total, mut mean, mut square) = (0.0, 0.0, 0.0);
            for a in 0..self.size {
                // Equation (6), up to its denominator; h relative to h(v_0) keeps the variance free of cancellation.
                let q = (score(a) - top).exp();
                total += q;
                mean += q * (h[a] - h[0]);
                square += q * (h[a] - h[0]).powi(2);
            }
            let (mean, square) = (mean / total, square / total);
            sum.value += mass * (score(0) - top - total.ln());
            sum.slope += mass * mean;
            sum.curvature -= mass * (square - mean * mean);
        }
        sum
    }

    /// The maximiser of L between two bounds, by Newton's method kept inside a bracket.
    pub fn maximiser(&self, mut low: f64, mut high: f64) -> f64 {
        let mut theta = 0.5 * (low + high);
        for _ in 0..STEPS {
            let at = self.at(theta);
            // L′ falls: a positive slope says that the maximiser lies above.
            if at.slope > 0.0 {
                low = theta;
            } else {
                high = theta;
            }
            let newton = theta - at.slope / at.curvature;
            let next = if newton > low && newton < high { newton } else { 0.5 * (low + high) };
            if (next - theta).abs() <= 4.0 * f64::EPSILON * theta.abs().max(1.0) {
                return next;
            }
            theta = next;
        }
        theta
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn derivatives_are_those_of_the_value() {
        let mut groups = Groups::new(3);
        groups.push(0.6, &[0.3, 1.0, -2.0], &[0.1, -0.4, 0.0]);
        groups.push(0.4, &[1.5, 0.2, 0.7], &[0.0, 0.3, f64::NEG_INFINITY]);
        let (step, theta) = (1e-5, 0.4);
        let [below, here, above] = [theta - step, theta, theta + step].map(|theta| groups.at(theta));
        // Central differences at 1e-5: truncation and rounding are both about 1e-11.
        assert!(((above.value - below.value) / (2.0 * step) - here.slope).abs() < 1e-9);
        assert!(((above.slope - below.slope) / (2.0 * step) - here.curvature).abs() < 1e-9);
    }
}

//! Appendix B.4, step 1: the population objective is maximised at p_θ = p_X.
//!
//! On a finite X nothing is sampled: the objective is a sum over all (b+1)-tuples of points,
//!
//! ```text
//! L(g) = Σ_V p_X(v_0) Π_a p̃(v_a | v_0) · log q_g(0 | V),
//! q_g(a | V) = softmax_a( g(v_a) + Σ_{a'≠a} log p̃(v_{a'} | v_a) ),     g = log p_θ,
//! ```
//!
//! and so is its gradient, Σ_V P(V)·( e_{v_0} − Σ_a q_g(a | V) e_{v_a} ).

use super::posterior::{Fault, posterior};
use crate::noise::NoiseKernel;
use ndarray::{Array1, ArrayView1, ArrayView2};

/// The objective as printed, and two broken ones that the check must tell from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variant {
    /// The ranking objective of the paper.
    Ranking,
    /// Without the kernel terms (an InfoNCE-like objective).
    EnergyOnly,
    /// With the sign of the energy flipped.
    WrongSign,
}

/// All tuples of points with their probabilities and kernel terms.
pub struct Population {
    points: usize,
    tuples: Vec<Tuple>,
    sign: f64,
}

struct Tuple {
    members: Vec<usize>,
    probability: f64,
    log_weights: Array1<f64>,
}

impl Population {
    /// Enumerates the (b+1)-tuples of the rows of `x`, whose probabilities are `p_x`.
    ///
    /// # Panics
    /// If there is not one probability a row.
    pub fn new(kernel: &NoiseKernel, x: ArrayView2<f64>, p_x: ArrayView1<f64>, b: usize) -> Self {
        Self::with_fault(kernel, x, p_x, b, Fault::None)
    }

    /// The same with a deliberate bug in the posterior; the tuples keep their probabilities.
    ///
    /// # Panics
    /// If there is not one probability a row.
    pub fn with_fault(
        kernel: &NoiseKernel,
        x: ArrayView2<f64>,
        p_x: ArrayView1<f64>,
        b: usize,
        fault: Fault,
    ) -> Self {
        let m = x.nrows();
        assert_eq!(p_x.len(), m, "one probability a point");
        let log_kernel =
            ndarray::Array2::from_shape_fn((m, m), |(i, j)| kernel.log_density(x.row(i), x.row(j)));
        let tuples = (0..m.pow(b as u32 + 1)).map(|code| {
            let members: Vec<usize> = (0..=b).map(|a| code / m.pow(a as u32) % m).collect();
            // Σ_{a'≠a} log p̃(v_{a'} | v_a)
            let weight = |a: usize, others: usize| -> f64 {
                (0..others).filter(|o| *o != a).map(|o| log_kernel[[members[o], members[a]]]).sum()
            };
            let log_weights = Array1::from_shape_fn(b + 1, |a| weight(a, fault.summed(b + 1)));
            Tuple { probability: p_x[members[0]] * weight(0, b + 1).exp(), log_weights, members }
        });
        Self { points: m, tuples: tuples.collect(), sign: fault.sign() }
    }

    /// L(g).
    pub fn value(&self, g: ArrayView1<f64>, variant: Variant) -> f64 {
        self.tuples
            .iter()
            .map(|t| t.probability * t.posterior((&g * self.sign).view(), variant)[0].ln())
            .sum()
    }

    /// ∂L/∂g, one entry a point.
    pub fn gradient(&self, g: ArrayView1<f64>, variant: Variant) -> Array1<f64> {
        let mut gradient = Array1::zeros(self.points);
        for t in &self.tuples {
            let q = t.posterior((&g * self.sign).view(), variant);
            let sign = if variant == Variant::WrongSign { -self.sign } else { self.sign };
            gradient[t.members[0]] += sign * t.probability;
            for (member, q) in t.members.iter().zip(&q) {
                gradient[*member] -= sign * t.probability * q;
            }
        }
        gradient
    }
}

impl Tuple {
    fn posterior(&self, g: ArrayView1<f64>, variant: Variant) -> Array1<f64> {
        let log_p = Array1::from_shape_fn(self.members.len(), |a| {
            if variant == Variant::WrongSign { -g[self.members[a]] } else { g[self.members[a]] }
        });
        match variant {
            Variant::EnergyOnly => posterior(log_p.view(), Array1::zeros(log_p.len()).view()),
            _ => posterior(log_p.view(), self.log_weights.view()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Column, ColumnKind, Covariates};
    use ndarray::{Array2, array};

    /// Six points: one feature with two values, one with three.
    fn setting(b: usize) -> (Population, Array1<f64>) {
        let x = Array2::from_shape_fn((6, 2), |(i, s)| if s == 0 { (i % 2) as f64 } else { (i / 2) as f64 });
        let columns = (0..2)
            .map(|s| Column { name: format!("c{s}"), kind: ColumnKind::categorical(x.column(s)) })
            .collect();
        let rows = Covariates::new(x, columns).unwrap();
        let kernel = NoiseKernel::new(&rows, 0.4).unwrap();
        let p_x = array![0.05, 0.3, 0.1, 0.2, 0.25, 0.1];
        (Population::new(&kernel, rows.x(), p_x.view(), b), p_x.mapv(f64::ln))
    }

    #[test]
    fn tuples_carry_all_the_probability() {
        for b in 1..=3 {
            let mass: f64 = setting(b).0.tuples.iter().map(|t| t.probability).sum();
            assert!((mass - 1.0).abs() < 1e-12, "b = {b}: {mass}");
        }
    }

    #[test]
    fn the_gradient_is_the_derivative_of_the_value() {
        let (population, truth) = setting(2);
        let g = &truth + &array![0.3, -0.2, 0.1, 0.5, -0.4, 0.0];
        for variant in [Variant::Ranking, Variant::EnergyOnly, Variant::WrongSign] {
            let gradient = population.gradient(g.view(), variant);
            for i in 0..6 {
                let shifted = |h: f64| {
                    let mut g = g.clone();
                    g[i] += h;
                    population.value(g.view(), variant)
                };
                // Central differences at h = 1e-5: truncation 1e-11, rounding 1e-16/1e-5 = 1e-11.
                let numeric = (shifted(1e-5) - shifted(-1e-5)) / 2e-5;
                assert!((gradient[i] - numeric).abs() < 1e-9);
            }
        }
    }

    #[test]
    fn the_truth_is_stationary_for_the_printed_objective_and_for_neither_control() {
        for b in 1..=3 {
            let (population, truth) = setting(b);
            let norm = |v| population.gradient(truth.view(), v).iter().fold(0.0_f64, |m, g| m.max(g.abs()));
            assert!(norm(Variant::Ranking) < 1e-14, "b = {b}");
            assert!(norm(Variant::WrongSign) > 1e-2, "b = {b}");
            // With one copy the symmetric kernel cancels; from two on its terms are needed.
            assert_eq!(norm(Variant::EnergyOnly) > 1e-3, b >= 2, "b = {b}");
        }
    }
}

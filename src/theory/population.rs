//! Proposition 4.1, appendix B.4, step 1: the population objective is maximised at p_θ = p_X.
//!
//! On a finite X nothing is sampled: the objective is a sum over all (b+1)-tuples of points,
//!
//! ```text
//! L(g) = Σ_V p_X(v_0) Π_a p̃(v_a | v_0) · log q_g(0 | V),
//! q_g(a | V) = softmax_a( g(v_a) + Σ_{a'≠a} log p̃(v_{a'} | v_a) ),     g = log p_θ,
//! ```
//!
//! and so is its gradient, Σ_V P(V)·( e_{v_0} − Σ_a q_g(a | V) e_{v_a} ).

use super::density::log_sum_exp;
use super::posterior::posterior;
use crate::linalg::solve_positive_definite;
use crate::noise::NoiseKernel;
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Axis};

/// What candidates are scored with. The default is Equation (6); a check puts something broken in
/// its place and looks whether p_X is still the optimum.
#[derive(Clone, Copy, Debug)]
pub struct Scores {
    /// What log p_θ is multiplied with: 1, or −1 for an energy of the wrong sign.
    pub sign: f64,
    /// The kernel term of candidate a, from log p̃(v_{a'} | v_a) of all a' in order.
    pub kernel_term: fn(usize, &[f64]) -> f64,
}

impl Default for Scores {
    fn default() -> Self {
        Self { sign: 1.0, kernel_term: all_others }
    }
}

/// Σ_{a'≠a} log p̃(v_{a'} | v_a)
pub fn all_others(a: usize, log_kernel: &[f64]) -> f64 {
    log_kernel.iter().enumerate().filter(|(other, _)| *other != a).map(|(_, term)| term).sum()
}

impl Scores {
    /// Without kernel terms, an InfoNCE-like objective: with one copy they cancel, from two on they
    /// are needed.
    pub fn without_kernel_terms(self) -> Self {
        Self { kernel_term: |_, _| 0.0, ..self }
    }
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
    /// If there is not one probability per row.
    pub fn new(kernel: &NoiseKernel, x: ArrayView2<f64>, p_x: ArrayView1<f64>, b: usize) -> Self {
        Self::scored(Scores::default(), kernel, x, p_x, b)
    }

    /// [`new`](Self::new) with other scores; the tuples keep their probabilities.
    ///
    /// # Panics
    /// If there is not one probability per row.
    pub fn scored(
        scores: Scores,
        kernel: &NoiseKernel,
        x: ArrayView2<f64>,
        p_x: ArrayView1<f64>,
        b: usize,
    ) -> Self {
        let m = x.nrows();
        let log_kernel = Array2::from_shape_fn((m, m), |(i, j)| kernel.log_density(x.row(i), x.row(j)));
        Self::believing(scores, log_kernel.view(), log_kernel.view(), p_x, b)
    }

    /// [`scored`](Self::scored) with a posterior that believes in another kernel than the one that draws the copies.
    /// Both are tables of log p̃(x_i | x_j), i by row and j by column.
    ///
    /// # Panics
    /// If there is not one probability per point.
    pub fn believing(
        scores: Scores,
        drawn: ArrayView2<f64>,
        believed: ArrayView2<f64>,
        p_x: ArrayView1<f64>,
        b: usize,
    ) -> Self {
        let m = drawn.nrows();
        assert_eq!(p_x.len(), m, "one probability per point");
        let tuples = (0..m.pow(b as u32 + 1)).map(|code| {
            let members: Vec<usize> = (0..=b).map(|a| code / m.pow(a as u32) % m).collect();
            let to = |table: ArrayView2<f64>, a: usize| {
                members.iter().map(|o| table[[*o, members[a]]]).collect::<Vec<f64>>()
            };
            let log_weights = Array1::from_shape_fn(b + 1, |a| (scores.kernel_term)(a, &to(believed, a)));
            Tuple { probability: p_x[members[0]] * all_others(0, &to(drawn, 0)).exp(), log_weights, members }
        });
        Self { points: m, tuples: tuples.collect(), sign: scores.sign }
    }

    /// Equation (7) over the population: L(g) = E log q_g(0 | V).
    pub fn value(&self, g: ArrayView1<f64>) -> f64 {
        let g = &g * self.sign;
        self.tuples.iter().map(|t| t.probability * t.posterior(g.view())[0].ln()).sum()
    }

    /// ∂L/∂g, one entry a point.
    pub fn gradient(&self, g: ArrayView1<f64>) -> Array1<f64> {
        let mut gradient = Array1::zeros(self.points);
        let g = &g * self.sign;
        for t in &self.tuples {
            let q = t.posterior(g.view());
            gradient[t.members[0]] += self.sign * t.probability;
            for (member, q) in t.members.iter().zip(&q) {
                gradient[*member] -= self.sign * t.probability * q;
            }
        }
        gradient
    }

    /// The g that maximises L, with Σ e^g = 1, by Newton's method from a start.
    ///
    /// # Panics
    /// If the method does not converge: L has no maximum, or the start is too far from it.
    pub fn maximiser(&self, start: ArrayView1<f64>) -> Array1<f64> {
        let mut g = start.to_owned();
        for _ in 0..50 {
            let slope = self.gradient(g.view()).insert_axis(Axis(1));
            let step = solve_positive_definite(self.curvature(g.view()).view(), slope.view())
                .expect("the objective is concave up to a constant of g");
            g += &step.column(0);
            if step.iter().all(|s| s.abs() < 1e-12) {
                let log_total = log_sum_exp(g.view(), Array1::ones(g.len()).view());
                return g - log_total;
            }
        }
        panic!("Newton's method did not converge");
    }

    /// −∂²L/∂g² = Σ_V P(V) Cov_q, and 1/m in every entry: L does not see a constant of g, and the step keeps its mean.
    fn curvature(&self, g: ArrayView1<f64>) -> Array2<f64> {
        let mut curvature = Array2::from_elem((self.points, self.points), 1.0 / self.points as f64);
        let g = &g * self.sign;
        for t in &self.tuples {
            let q = t.posterior(g.view());
            for (i, qi) in t.members.iter().zip(&q) {
                curvature[[*i, *i]] += t.probability * qi;
                for (j, qj) in t.members.iter().zip(&q) {
                    curvature[[*i, *j]] -= t.probability * qi * qj;
                }
            }
        }
        curvature
    }
}

impl Tuple {
    fn posterior(&self, g: ArrayView1<f64>) -> Array1<f64> {
        posterior(self.members.iter().map(|v| g[*v]).collect::<Array1<f64>>().view(), self.log_weights.view())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Column, ColumnKind, Covariates};
    use crate::theory::kernels::literal_categorical;
    use ndarray::array;

    /// Six points: one feature with two values, one with three.
    fn six_points() -> (Covariates, NoiseKernel, Array1<f64>) {
        let x = Array2::from_shape_fn((6, 2), |(i, s)| if s == 0 { (i % 2) as f64 } else { (i / 2) as f64 });
        let columns = (0..2)
            .map(|s| Column { name: format!("c{s}"), kind: ColumnKind::categorical(x.column(s)) })
            .collect();
        let rows = Covariates::new(x, columns).unwrap();
        let kernel = NoiseKernel::new(&rows, 0.4).unwrap();
        (rows, kernel, array![0.05, 0.3, 0.1, 0.2, 0.25, 0.1])
    }

    fn setting(b: usize, scores: Scores) -> (Population, Array1<f64>) {
        let (rows, kernel, p_x) = six_points();
        (Population::scored(scores, &kernel, rows.x(), p_x.view(), b), p_x.mapv(f64::ln))
    }

    #[test]
    fn tuples_carry_all_the_probability() {
        for b in 1..=3 {
            let mass: f64 = setting(b, Scores::default()).0.tuples.iter().map(|t| t.probability).sum();
            assert!((mass - 1.0).abs() < 1e-12, "b = {b}: {mass}");
        }
    }

    #[test]
    fn the_gradient_is_the_derivative_of_the_value() {
        for scores in [
            Scores::default(),
            Scores::default().without_kernel_terms(),
            Scores { sign: -1.0, ..Scores::default() },
        ] {
            let (population, truth) = setting(2, scores);
            let g = &truth + &array![0.3, -0.2, 0.1, 0.5, -0.4, 0.0];
            let gradient = population.gradient(g.view());
            for i in 0..6 {
                let shifted = |h: f64| {
                    let mut g = g.clone();
                    g[i] += h;
                    population.value(g.view())
                };
                // Central differences at h = 1e-5: truncation 1e-11, rounding 1e-16/1e-5 = 1e-11.
                let numeric = (shifted(1e-5) - shifted(-1e-5)) / 2e-5;
                assert!((gradient[i] - numeric).abs() < 1e-9);
            }
        }
    }

    #[test]
    fn the_printed_categorical_kernel_moves_the_optimum_from_two_copies_on() {
        let (rows, kernel, p_x) = six_points();
        let drawn =
            Array2::from_shape_fn((6, 6), |(i, j)| kernel.log_density(rows.x().row(i), rows.x().row(j)));
        let printed = literal_categorical(rows.x(), 0.4);
        let off = |believed: &Array2<f64>, b| {
            let population =
                Population::believing(Scores::default(), drawn.view(), believed.view(), p_x.view(), b);
            let best = population.maximiser(p_x.mapv(f64::ln).view()).mapv(f64::exp);
            (best - &p_x).iter().fold(0.0_f64, |m, d| m.max(d.abs()))
        };
        for b in 1..=3 {
            assert!(off(&drawn, b) < 1e-12, "b = {b}");
            assert_eq!(off(&printed, b) > 5e-3, b >= 2, "b = {b}: {}", off(&printed, b));
        }
    }

    #[test]
    fn the_truth_is_stationary_for_the_printed_objective_and_for_neither_control() {
        for b in 1..=3 {
            let norm = |scores| {
                let (population, truth) = setting(b, scores);
                population.gradient(truth.view()).iter().fold(0.0_f64, |m, g| m.max(g.abs()))
            };
            assert!(norm(Scores::default()) < 1e-14, "b = {b}");
            assert!(norm(Scores { sign: -1.0, ..Scores::default() }) > 1e-2, "b = {b}");
            // With one copy the symmetric kernel cancels; from two on its terms are needed.
            assert_eq!(norm(Scores::default().without_kernel_terms()) > 1e-3, b >= 2, "b = {b}");
        }
    }
}

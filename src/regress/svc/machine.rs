//! One two-class machine, solved by libsvm's algorithm on shared kernel values.

use super::C;
use super::gram::Gram;
use libsvm_rs::cache::Cache;
use libsvm_rs::qmatrix::QMatrix;
use libsvm_rs::solver::{Solver, SolverVariant};

/// The kernel rows a solver keeps, in bytes (scikit-learn's 200 MB).
const CACHE: usize = 200 << 20;

/// f(x) = Σ coefficient·k(x, row) − ρ, positive for the class with sign +1.
pub(super) struct Machine {
    pub rows: Vec<usize>,
    pub coefficients: Vec<f64>,
    pub rho: f64,
}

impl Machine {
    /// Trains on some rows of the Gram matrix, in this order: it decides ties and the path of the
    /// solver, and with it the last digits.
    pub fn train(gram: &Gram, rows: Vec<usize>, signs: &[f64], tolerance: f64) -> Self {
        let y: Vec<i8> = rows.iter().map(|i| if signs[*i] > 0.0 { 1 } else { -1 }).collect();
        let l = rows.len();
        let q = SharedRows {
            gram,
            rows: rows.clone(),
            y: y.clone(),
            cache: Cache::new(l, CACHE),
            diagonal: vec![1.0; l],
        };
        let mut alpha = vec![0.0; l];
        // min ½ αᵀQα − Σα,  0 ≤ α ≤ C,  yᵀα = 0,  Q_ij = y_i y_j k(x_i, x_j)
        let linear_term = vec![-1.0; l];
        let standard = SolverVariant::Standard;
        let solution =
            Solver::solve(standard, l, Box::new(q), &linear_term, &y, &mut alpha, C, C, tolerance, true);
        let (mut support, mut coefficients) = (Vec::new(), Vec::new());
        for ((row, alpha), y) in rows.into_iter().zip(alpha).zip(y) {
            if alpha > 0.0 {
                support.push(row);
                coefficients.push(alpha * f64::from(y));
            }
        }
        Self { rows: support, coefficients, rho: solution.rho }
    }

    /// The decision value of a training row.
    pub fn decide(&self, gram: &Gram, row: usize) -> f64 {
        gram.weighted_sum(row, &self.rows, &self.coefficients) - self.rho
    }
}

/// Q for the solver, which moves rows about while it shrinks the problem.
struct SharedRows<'a> {
    gram: &'a Gram,
    rows: Vec<usize>,
    y: Vec<i8>,
    cache: Cache,
    diagonal: Vec<f64>,
}

impl QMatrix for SharedRows<'_> {
    fn get_q(&mut self, i: usize, len: usize) -> &[f32] {
        let (data, start) = self.cache.get_data(i, len);
        if start < len {
            let y_i = f64::from(self.y[i]);
            let mut entries = data[start..len].iter_mut().zip(&self.y[start..len]);
            self.gram.values(self.rows[i], &self.rows[start..len], |value| {
                let (q, y_j) = entries.next().expect("one for each value");
                // Single precision, as in libsvm
                *q = (y_i * f64::from(*y_j) * value) as f32;
            });
        }
        &data[..len]
    }

    fn get_qd(&self) -> &[f64] {
        &self.diagonal
    }

    fn swap_index(&mut self, i: usize, j: usize) {
        self.cache.swap_index(i, j);
        self.rows.swap(i, j);
        self.y.swap(i, j);
        self.diagonal.swap(i, j);
    }
}

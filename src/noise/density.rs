//! How likely a row is given another, and which rows of a group could be the original.

use super::{Feature, NoiseError, NoiseKernel};
use ndarray::{Array2, ArrayView1, ArrayView3, Axis};

impl NoiseKernel {
    /// log p̃(x̃ | x) for any two rows.
    ///
    /// # Panics
    /// If a row does not have one value for each feature.
    pub fn log_density(&self, x_tilde: ArrayView1<f64>, x: ArrayView1<f64>) -> f64 {
        assert_eq!((x_tilde.len(), x.len()), (self.d(), self.d()), "one value for each feature");
        self.pairs().iter().zip(x_tilde).zip(x).map(|((pair, a), b)| pair.log_density(*a, *b)).sum()
    }

    /// For groups of candidates (groups × (b+1) × d): `Σ_{a'≠a} log p̃(v_{a'} | v_a)` for each
    /// candidate a, the log-weight it has as "the original" before the energy speaks.
    pub fn log_weights(&self, candidates: ArrayView3<f64>) -> Result<Array2<f64>, NoiseError> {
        self.check_width(candidates.len_of(Axis(2)))?;
        let pairs = self.pairs();
        let group_size = candidates.len_of(Axis(1));
        let mut weights = Array2::zeros((candidates.len_of(Axis(0)), group_size));
        for (group, mut weight) in candidates.outer_iter().zip(weights.rows_mut()) {
            for a in 0..group_size {
                for other in 0..a {
                    // p̃ is symmetric: each pair is computed once and serves both roles.
                    let rows = group.row(a).into_iter().zip(group.row(other));
                    let log_p: f64 =
                        pairs.iter().zip(rows).map(|(pair, (v, w))| pair.log_density(*v, *w)).sum();
                    weight[a] += log_p;
                    weight[other] += log_p;
                }
            }
        }
        Ok(weights)
    }

    /// Which candidates of each group could be the original. Corrupted continuous values differ
    /// from one another with probability one, so a value that occurs twice in a group is the
    /// original's: a candidate that does not have it is impossible.
    pub fn possible_originals(&self, candidates: ArrayView3<f64>) -> Result<Array2<bool>, NoiseError> {
        self.check_width(candidates.len_of(Axis(2)))?;
        let group_size = candidates.len_of(Axis(1));
        let mut possible = Array2::from_elem((candidates.len_of(Axis(0)), group_size), true);
        let continuous: Vec<usize> =
            (0..self.d()).filter(|s| matches!(self.features[*s], Feature::Continuous)).collect();
        for (group, mut possible) in candidates.outer_iter().zip(possible.rows_mut()) {
            for &s in &continuous {
                let column = group.column(s);
                let shared = (0..group_size).find(|a| (0..*a).any(|other| column[other] == column[*a]));
                if let Some(shared) = shared {
                    for a in 0..group_size {
                        possible[a] &= column[a] == column[shared];
                    }
                }
            }
        }
        Ok(possible)
    }

    pub(super) fn check_width(&self, found: usize) -> Result<(), NoiseError> {
        if found == self.d() { Ok(()) } else { Err(NoiseError::Width { found, expected: self.d() }) }
    }
}

/// How likely one feature of a row is given that of another, with its logarithms computed once.
struct Pair {
    /// Two equal values.
    same: f64,
    /// Two values that differ, before the square of their distance counts.
    moved: f64,
    /// 1/2σ², or 0 for a category.
    half_precision: f64,
}

impl Pair {
    fn log_density(&self, x_tilde: f64, x: f64) -> f64 {
        let same = x_tilde == x;
        if same { self.same } else { self.moved - self.half_precision * (x_tilde - x).powi(2) }
    }
}

impl NoiseKernel {
    fn pairs(&self) -> Vec<Pair> {
        let pair = |feature: &Feature| match feature {
            Feature::Untouched => Pair { same: 0.0, moved: 0.0, half_precision: 0.0 },
            Feature::Continuous => {
                // log q − log σ − ½ log 2π
                let moved = self.q.ln() - self.sd.ln() - 0.5 * (2.0 * std::f64::consts::PI).ln();
                // At q = 1 every feature moves; a zero step then has the density φ(0), not an atom.
                let same = if self.q < 1.0 { (1.0 - self.q).ln() } else { moved };
                Pair { same, moved, half_precision: 0.5 / (self.sd * self.sd) }
            }
            Feature::Categorical(values) => {
                let each = self.q / values.len() as f64;
                Pair { same: (1.0 - self.q + each).ln(), moved: each.ln(), half_precision: 0.0 }
            }
        };
        self.features.iter().map(pair).collect()
    }
}

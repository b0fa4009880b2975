//! How much of a representation is left when a direction is dropped.

use ndarray::{ArrayView1, ArrayView2, Axis};

/// The variance of f over the rows, in all and orthogonal to a direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// tr Cov(f).
    pub total: f64,
    /// tr Cov(f) without the direction.
    pub left: f64,
}

impl Spread {
    /// Of energies e = Bᵀf, rows × k. B is orthogonal, so dropping B1 from f is dropping 1 from e.
    ///
    /// ```
    /// use ebmbook::theory::mended::Spread;
    /// use ndarray::array;
    /// // One scalar in every energy, as in the limit of random folds.
    /// let e = array![[1.0, 1.0], [2.0, 2.0], [4.0, 4.0]];
    /// assert!(Spread::without(e.view(), array![1.0, 1.0].view()).share() < 1e-15);
    /// assert!(Spread::without(e.view(), array![1.0, 0.0].view()).share() > 0.4);
    /// ```
    pub fn without(energies: ArrayView2<f64>, direction: ArrayView1<f64>) -> Self {
        let total = energies.var_axis(Axis(0), 0.0).sum();
        let along = energies.dot(&direction) / direction.dot(&direction).sqrt();
        Self { total, left: (total - along.var(0.0)).max(0.0) }
    }

    /// The share that is left.
    pub fn share(&self) -> f64 {
        self.left / self.total
    }
}

//! Gaussian random projection: f(x) = Rx, the entries of R drawn from N(0, 1/k).

use super::blocks::{Mapped, by_blocks, check_size};
use super::{Reduce, Representation, RepresentationError};
use crate::data::Covariates;
use crate::seed::Seed;
use ndarray::{Array2, ArrayView2};
use ndarray_rand::RandomExt;
use rand_distr::Normal;

const NAME: &str = "random-projection";

/// A Gaussian random projection to k ≤ d coordinates; it looks at the number of covariates only.
///
/// ```
/// use ebmbook::prelude::*;
/// use ebmbook::representation::RandomProjection;
/// let train = Covariates::continuous(ndarray::array![[1.0, 2.0, 3.0]])?;
/// let once = RandomProjection::new(2).fit(&train, Seed::new(7))?;
/// let again = RandomProjection::new(2).fit(&train, Seed::new(7))?;
/// assert_eq!(once.training(), again.training(), "the seed decides");
/// # Ok::<(), ebmbook::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct RandomProjection {
    k: usize,
}

impl RandomProjection {
    /// To k coordinates.
    pub fn new(k: usize) -> Self {
        Self { k }
    }
}

impl Reduce for RandomProjection {
    fn name(&self) -> &'static str {
        NAME
    }

    fn fit(&self, train: &Covariates, seed: Seed) -> Result<Box<dyn Representation>, RepresentationError> {
        check_size(NAME, self.k, train.d(), "the number of covariates")?;
        // Variance 1/k keeps squared lengths on average: E‖Rx‖² = ‖x‖².
        let law = Normal::new(0.0, (1.0 / self.k as f64).sqrt()).expect("a positive standard deviation");
        let mut rng = seed.child(NAME).rng();
        let directions = Array2::random_using((train.d(), self.k), law, &mut rng);
        let training = train.x().dot(&directions);
        let map = move |rows: ArrayView2<f64>| {
            by_blocks(rows, directions.ncols(), |rows, mut to| to.assign(&rows.dot(&directions)))
        };
        Ok(Box::new(Mapped { method: NAME, d: train.d(), training, map }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squared_lengths_are_kept_on_average() {
        let x = Array2::from_elem((1, 3), 2.0);
        let train = Covariates::continuous(x).unwrap();
        let squares: Vec<f64> = (0..4000)
            .map(|i| {
                let fitted = RandomProjection::new(2).fit(&train, Seed::new(i)).unwrap();
                fitted.training().iter().map(|v| v * v).sum()
            })
            .collect();
        // ‖Rx‖² = ‖x‖²·χ²₂/2 has standard deviation ‖x‖² = 12; 4 000 draws give a standard error
        // of 0.19, and five of them are allowed.
        let mean = squares.iter().sum::<f64>() / 4000.0;
        assert!((mean - 12.0).abs() < 5.0 * 12.0 / 4000_f64.sqrt(), "{mean}");
    }
}

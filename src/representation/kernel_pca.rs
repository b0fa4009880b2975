//! Kernel PCA with the kernel k(x, z) = exp(−γ‖x − z‖²), γ = 1/d: f(x) = (centred k_x)ᵀ V/√λ.

use super::blocks::{MAX_ROWS, Mapped, by_blocks, check_rows, check_size};
use super::centred::CentredKernel;
use super::distances::Distances;
use super::{Reduce, Representation, RepresentationError};
use crate::data::Covariates;
use crate::seed::Seed;
use ndarray::{Array2, ArrayView2};

const NAME: &str = "kernel-pca";

/// Kernel principal components with a Gaussian kernel of width γ = 1/d.
///
/// A component whose eigenvalue is zero (more components than the rank) is zero for every row.
///
/// ```
/// use ebmbook::prelude::*;
/// use ebmbook::representation::KernelPca;
/// let train = Covariates::continuous(ndarray::array![[0.0], [1.0], [5.0]])?;
/// let fitted = KernelPca::new(2).fit(&train, Seed::new(0))?;
/// let again = fitted.transform(train.x())?;
/// assert!((&again - &fitted.training()).iter().all(|e| e.abs() < 1e-12));
/// # Ok::<(), ebmbook::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct KernelPca {
    k: usize,
}

impl KernelPca {
    /// With k components.
    pub fn new(k: usize) -> Self {
        Self { k }
    }
}

impl Reduce for KernelPca {
    fn name(&self) -> &'static str {
        NAME
    }

    fn fit(&self, train: &Covariates, _seed: Seed) -> Result<Box<dyn Representation>, RepresentationError> {
        check_rows(NAME, train.n(), MAX_ROWS)?;
        check_size(NAME, self.k, train.n(), "the number of training rows")?;
        let kernel = Gaussian::new(train.x());
        let components = CentredKernel::new(kernel.values(train.x()), self.k);
        let training = components.training.clone();
        let map = move |rows: ArrayView2<f64>| {
            let k = components.training.ncols();
            by_blocks(rows, k, |rows, to| components.project(kernel.values(rows).view(), to))
        };
        Ok(Box::new(Mapped { method: NAME, d: train.d(), training, map }))
    }
}

/// The Gaussian kernel against fixed training rows.
struct Gaussian {
    distances: Distances,
    gamma: f64,
}

impl Gaussian {
    fn new(train: ArrayView2<f64>) -> Self {
        Self { distances: Distances::to(train), gamma: 1.0 / train.ncols() as f64 }
    }

    /// exp(−γ‖x − t‖²) for all rows x and all training rows t.
    fn values(&self, rows: ArrayView2<f64>) -> Array2<f64> {
        let (mut values, _) = self.distances.squared(rows);
        values.mapv_inplace(|square| exp_of_negative(-self.gamma * square));
        values
    }
}

/// exp(x) for x ≤ 0, to two units in the last place, in steps that the compiler can do for several
/// x at once: half of the time of a transform would go to the library's exp. Below −708, where
/// exp(x) is less than 1e-307, it stays at that.
#[inline]
fn exp_of_negative(x: f64) -> f64 {
    // Adding 1.5·2⁵² rounds to a whole number and leaves it in the lowest bits.
    const ROUND: f64 = 6_755_399_441_055_744.0;
    // ln 2 in two parts; the first has so many zeros at its end that its multiples are exact.
    const LN_2_HIGH: f64 = 0.693_147_180_369_123_8;
    const LN_2_LOW: f64 = 1.908_214_929_270_587_7e-10;
    let x = if x > -708.0 { x } else { -708.0 };
    // x = m·ln 2 + r with |r| ≤ ½ ln 2, so exp(x) = 2ᵐ·exp(r)
    let shifted = x * std::f64::consts::LOG2_E + ROUND;
    let m = shifted - ROUND;
    let r = (x - m * LN_2_HIGH) - m * LN_2_LOW;
    // exp(r) = Σ rⁱ/i! up to i = 13; the next term is below 0.35¹⁴/14! = 5e-18
    const TERMS: [f64; 12] = [
        1.0 / 6_227_020_800.0,
        1.0 / 479_001_600.0,
        1.0 / 39_916_800.0,
        1.0 / 3_628_800.0,
        1.0 / 362_880.0,
        1.0 / 40_320.0,
        1.0 / 5_040.0,
        1.0 / 720.0,
        1.0 / 120.0,
        1.0 / 24.0,
        1.0 / 6.0,
        0.5,
    ];
    let tail = TERMS.iter().fold(0.0, |sum, term| sum * r + term);
    let exp_r = 1.0 + (r + r * r * tail);
    // 2ᵐ: the exponent bits of a double hold m + 1023
    exp_r * f64::from_bits((shifted.to_bits() << 52).wrapping_add(1023 << 52))
}

#[cfg(test)]
mod tests {
    use super::exp_of_negative;

    #[test]
    fn the_fast_exponential_agrees_with_the_librarys() {
        for i in 0..200_000 {
            let x = -(f64::from(i) * 0.003_54).powf(1.0 + f64::from(i % 7) / 40.0).min(700.0);
            let (fast, exact) = (exp_of_negative(x), x.exp());
            assert!((fast / exact - 1.0).abs() <= 2.0 * f64::EPSILON, "exp({x}): {fast} {exact}");
        }
        assert_eq!((exp_of_negative(0.0), exp_of_negative(-0.0)), (1.0, 1.0));
        assert!(exp_of_negative(-1e300) < 1e-300 && exp_of_negative(f64::NEG_INFINITY) < 1e-300);
    }
}

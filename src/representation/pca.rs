//! Principal components: f(x) = Vᵀ(x − μ), V the leading right singular vectors of the centred
//! training rows. No whitening.

use super::blocks::{Mapped, by_blocks, check_size, column_means};
use super::{Reduce, Representation, RepresentationError};
use crate::data::Covariates;
use crate::linalg::{fix_signs, symmetric_eigen, thin_svd};
use crate::seed::Seed;
use ndarray::{ArrayView2, s};

const NAME: &str = "pca";

/// Principal component analysis with k components.
///
/// Signs: the largest entry of every component is positive.
///
/// ```
/// use ebmbook::prelude::*;
/// use ebmbook::representation::Pca;
/// let train = Covariates::continuous(ndarray::array![[0.0, 0.0], [1.0, 1.0], [2.0, 2.0]])?;
/// let fitted = Pca::new(1).fit(&train, Seed::new(0))?;
/// let scores = fitted.transform(ndarray::array![[3.0, 3.0]].view())?;
/// assert!((scores[[0, 0]] - 8.0_f64.sqrt()).abs() < 1e-12, "twice √2 away from the mean");
/// # Ok::<(), ebmbook::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Pca {
    k: usize,
}

impl Pca {
    /// With k components.
    pub fn new(k: usize) -> Self {
        Self { k }
    }
}

impl Reduce for Pca {
    fn name(&self) -> &'static str {
        NAME
    }

    fn fit(&self, train: &Covariates, _seed: Seed) -> Result<Box<dyn Representation>, RepresentationError> {
        let (n, d) = (train.n(), train.d());
        check_size(NAME, self.k, n.min(d), "the smaller of rows and covariates")?;
        let mean = column_means(train.x());
        let centred = &train.x() - &mean;
        let mut components = if n >= 10 * d {
            // Tall: the eigenvectors of XᵀX are cheaper, and accurate while d is small beside n.
            let (_, vectors) = symmetric_eigen(centred.t().dot(&centred).view());
            vectors.slice(s![.., d - self.k..;-1]).to_owned()
        } else {
            let (_, _, v) = thin_svd(centred.view());
            v.slice(s![.., ..self.k]).to_owned()
        };
        fix_signs(&mut components);
        let training = centred.dot(&components);
        // f(x) = Vᵀ(x − μ)
        let map = move |rows: ArrayView2<f64>| {
            by_blocks(rows, components.ncols(), |rows, mut to| to.assign(&(&rows - &mean).dot(&components)))
        };
        Ok(Box::new(Mapped { method: NAME, d, training, map }))
    }
}

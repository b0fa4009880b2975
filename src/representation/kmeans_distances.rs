//! Distances to k-means centres: f(x) = (‖x − c_1‖, …, ‖x − c_k‖).

use super::{Reduce, Representation, RepresentationError};
use crate::data::Covariates;
use crate::kmeans::{Clusters, KMeans};
use crate::seed::Seed;
use ndarray::{Array2, ArrayView2};

/// Euclidean distances to the k centres that k-means finds on the training rows.
///
/// ```
/// use ebmbook::prelude::*;
/// use ebmbook::representation::KMeansDistances;
/// let train = Covariates::continuous(ndarray::array![[0.0, 0.0], [3.0, 4.0]])?;
/// let fitted = KMeansDistances::new(1).fit(&train, Seed::new(0))?;
/// assert_eq!(fitted.training(), ndarray::array![[2.5], [2.5]]);
/// # Ok::<(), ebmbook::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct KMeansDistances {
    k: usize,
}

impl KMeansDistances {
    /// To k centres.
    pub fn new(k: usize) -> Self {
        Self { k }
    }
}

struct Fitted {
    clusters: Clusters,
    training: Array2<f64>,
}

impl Reduce for KMeansDistances {
    fn name(&self) -> &'static str {
        "kmeans-distances"
    }

    fn fit(&self, train: &Covariates, seed: Seed) -> Result<Box<dyn Representation>, RepresentationError> {
        let clusters = KMeans::new(self.k).fit(train.x(), seed.child("k-means"))?;
        let training = clusters.distances(train.x())?;
        Ok(Box::new(Fitted { clusters, training }))
    }
}

impl Representation for Fitted {
    fn k(&self) -> usize {
        self.training.ncols()
    }

    fn training(&self) -> ArrayView2<'_, f64> {
        self.training.view()
    }

    fn transform(&self, rows: ArrayView2<f64>) -> Result<Array2<f64>, RepresentationError> {
        Ok(self.clusters.distances(rows)?)
    }
}

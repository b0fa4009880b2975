//! Representations. In: training covariates. Out: a map f : Rᵈ → Rᵏ that any rows can go through.
//!
//! Every reduction, the paper's and those it is compared with, is a [`Reduce`]: it is fitted on
//! training rows and gives a [`Representation`].

mod agglomeration;
pub mod autoencoder;
mod blocks;
mod centred;
mod distances;
mod ebm;
mod graph;
mod identity;
mod isomap;
mod kernel_pca;
mod kmeans_distances;
mod method;
mod neighbours;
mod pca;
mod random_projection;
mod spectral;
mod untrained;

pub use agglomeration::Agglomeration;
pub use autoencoder::{Autoencoder, AutoencoderParams};
pub use ebm::EbmReduction;
pub use identity::Identity;
pub use isomap::{Disconnected, Isomap};
pub use kernel_pca::KernelPca;
pub use kmeans_distances::KMeansDistances;
pub use method::{RepresentationKind, by_name, parse};
pub use pca::Pca;
pub use random_projection::RandomProjection;
pub use spectral::Spectral;
pub use untrained::Untrained;

use crate::data::Covariates;
use crate::seed::Seed;
use ndarray::{Array2, ArrayView2};

/// A reduction that cannot be fitted or applied.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)] // the messages say what the fields are
pub enum RepresentationError {
    #[error("{method}: k must lie in 1..={max} ({why}), got {k}")]
    Size { method: &'static str, k: usize, max: usize, why: &'static str },
    #[error("{method}: rows have {found} covariates, but it was fitted on {expected}")]
    Width { method: &'static str, found: usize, expected: usize },
    #[error(transparent)]
    KMeans(#[from] crate::kmeans::KMeansError),
    #[error(transparent)]
    Ebm(#[from] crate::ebm::EbmError),
    #[error(transparent)]
    Network(#[from] crate::network::NetworkError),
    #[error("propensity and prognostic scores: {0}")]
    Scores(String),
    #[error("{method}: row {row}, covariate {column} is {value}; every number must be finite")]
    NotFinite { method: &'static str, row: usize, column: usize, value: f64 },
    #[error(
        "{method}: the number of neighbours must lie in 1..{n} (below the number of training rows), got {found}"
    )]
    Neighbours { method: &'static str, found: usize, n: usize },
    #[error("{method}: at most {max} rows can be embedded at once, got {found}")]
    TooManyRows { method: &'static str, found: usize, max: usize },
    #[error("no representation is called `{name}`; there are {known}")]
    UnknownMethod { name: String, known: String },
    #[error("a method must be written NAME:K with a whole number K ≥ 1, got `{0}`")]
    MalformedMethod(String),
}

/// Test rows that the released program embeds with a method that has no map for new rows.
pub const REFIT_ROWS: usize = 2_000;

/// How a fitted representation treats rows it was not fitted on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum NewRows {
    /// One map serves all rows.
    SameMap,
    /// There is no map for new rows; they are embedded by an approximation of it.
    Extension,
    /// There is no map for new rows; they are embedded among themselves, from scratch.
    Refit,
}

/// A way to make a representation from training rows.
///
/// ```
/// use ebmbook::prelude::*;
/// let train = Covariates::continuous(ndarray::array![[1.0, 2.0], [3.0, 4.0]])?;
/// let fitted = Identity.fit(&train, Seed::new(0))?;
/// assert_eq!(fitted.transform(train.x())?, train.x());
/// # Ok::<(), ebmbook::Error>(())
/// ```
pub trait Reduce: Send + Sync {
    /// The name, as on the command line.
    fn name(&self) -> &'static str;

    /// Fits on training rows. Methods without randomness ignore the seed.
    fn fit(&self, train: &Covariates, seed: Seed) -> Result<Box<dyn Representation>, RepresentationError>;
}

/// A fitted representation.
pub trait Representation: Send + Sync {
    /// Number of coordinates.
    fn k(&self) -> usize;

    /// Whether new rows go through the same map as training rows.
    fn new_rows(&self) -> NewRows {
        NewRows::SameMap
    }

    /// The training rows' representation. It differs from `transform` of the training rows only
    /// where there is no map for new rows.
    fn training(&self) -> ArrayView2<'_, f64>;

    /// The loss on the rows that training held out, for the weights that are kept; none where nothing is held out.
    fn held_out_loss(&self) -> Option<f64> {
        None
    }

    /// The representation of any rows.
    fn transform(&self, rows: ArrayView2<f64>) -> Result<Array2<f64>, RepresentationError>;
}

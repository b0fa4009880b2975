//! What a notebook or a program usually needs, in one `use`.

pub use crate::cate;
pub use crate::data::{Column, ColumnKind, Covariates, Dataset, Protocol, TrainTest, ihdp, synthetic, twins};
pub use crate::ebm::{Ebm, EbmParams, Folds, Objective};
pub use crate::metrics;
pub use crate::noise::NoiseKernel;
pub use crate::regress;
pub use crate::representation::{Identity, NewRows, Reduce, Representation};
pub use crate::seed::Seed;
pub use crate::{Error, Result};
/// Lists the values and the names of an enum: `LearnerKind::iter()`, `LearnerKind::VARIANTS`.
pub use strum::{IntoEnumIterator, VariantNames};

//! What a notebook or a program usually needs, in one `use`.

pub use crate::cate;
pub use crate::data::csv::Records;
pub use crate::data::{Column, ColumnKind, Covariates, Dataset, Protocol, TrainTest, ihdp, synthetic, twins};
pub use crate::ebm::{Ebm, EbmParams, Folds, Objective};
pub use crate::metrics::{self, correlation};
pub use crate::noise::NoiseKernel;
pub use crate::regress;
pub use crate::representation::{Identity, NewRows, Reduce, Representation};
pub use crate::seed::Seed;
pub use crate::show::{Answer, Figure, Number, Show, Table, number, table};
pub use crate::theory;
pub use crate::{Error, Result};
pub use ndarray::{self, Array1, Array2, ArrayView1, ArrayView2, Axis, array, s};
/// Lists the values and the names of an enum: `LearnerKind::iter()`, `LearnerKind::VARIANTS`.
pub use strum::{IntoEnumIterator, VariantNames};

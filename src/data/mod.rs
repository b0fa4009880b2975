//! Data. In: a seed, a shipped file, or a user's CSV. Out: a [`Dataset`].
//!
//! The causal model behind every data set is
//!
//! ```text
//! Y = A·Y(1) + (1−A)·Y(0),     τ(x) = E[Y(1) − Y(0) | X = x],     π(x) = P(A = 1 | X = x)
//! ```
//!
//! and every experiment says which of the two [`Protocol`]s its data follow.

mod covariates;
pub mod csv;
mod dataset;
mod error;
pub mod ihdp;
pub mod manifest;
pub mod split;
pub mod synthetic;
pub mod twins;

pub use covariates::{Column, ColumnKind, Covariates};
pub use dataset::{Dataset, DatasetBuilder};
pub use error::DataError;

use strum::{Display, EnumIter, EnumString, VariantNames};

/// Which account of the experiments a data set or a number follows. A table never mixes them.
///
/// ```
/// use ebmbook::data::Protocol;
/// assert_eq!("released".parse::<Protocol>()?, Protocol::Released);
/// assert_eq!(Protocol::Paper.to_string(), "paper");
/// # Ok::<(), ebmbook::data::DataError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[derive(Display, EnumIter, EnumString, VariantNames)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase", parse_err_ty = DataError, parse_err_fn = unknown_protocol)]
pub enum Protocol {
    /// What the text of the paper says, with a named option wherever it is silent.
    Paper,
    /// What the authors' public program does.
    Released,
}

fn unknown_protocol(text: &str) -> DataError {
    DataError::parameter("protocol", text, "must be `paper` or `released`")
}

/// A training set and the test set that goes with it.
#[derive(Clone, Debug)]
pub struct TrainTest {
    /// The rows a learner may see.
    pub train: Dataset,
    /// The rows it is judged on.
    pub test: Dataset,
    /// The protocol both were made under.
    pub protocol: Protocol,
}

impl TrainTest {
    /// Adds a constant to every treated outcome, in both parts, as the released notebook does
    /// with +1 before its dimension-reduction table.
    ///
    /// ```
    /// use ebmbook::prelude::*;
    /// let data = synthetic::Released::new(50, 100)?.generate().shift_treated(1.0);
    /// let pehe = metrics::pehe(ndarray::Array1::zeros(20_000).view(), data.test.noisy_effect()?.view())?;
    /// assert!(pehe > 2.0, "the zero predictor now misses a constant effect of one");
    /// # Ok::<(), ebmbook::Error>(())
    /// ```
    pub fn shift_treated(mut self, by: f64) -> Self {
        self.train.shift_treated(by);
        self.test.shift_treated(by);
        self
    }
}

//! What stands in front of a learner: a representation, and two switches on which much hangs.

use super::CateError;
use crate::data::Covariates;
use crate::data::split::Standardiser;
use crate::representation::Reduce;
use crate::seed::Seed;
use ndarray::{Array2, ArrayView2, Axis, concatenate};

/// How features are made from a representation. The default changes nothing.
///
/// A linear kernel without intercept cannot express a constant effect on centred features; one
/// constant column lets it.
///
/// ```
/// use ebmbook::prelude::*;
/// use ebmbook::cate::Features;
/// use ndarray::array;
/// let train = Covariates::continuous(array![[1.0], [3.0]])?;
/// let features = Features { standardise: true, constant_column: true };
/// let made = features.prepare(&Identity, &train, array![[5.0]].view(), Seed::new(0))?;
/// assert_eq!(made.train, array![[-1.0, 1.0], [1.0, 1.0]]);
/// assert_eq!(made.test, array![[3.0, 1.0]]);
/// # Ok::<(), ebmbook::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Features {
    /// Centre and scale each coordinate of the representation by its training rows.
    pub standardise: bool,
    /// Add a column of ones, after any standardisation.
    pub constant_column: bool,
}

/// Features of training and test rows.
#[derive(Clone, Debug)]
pub struct Prepared {
    /// Of the training rows.
    pub train: Array2<f64>,
    /// Of the test rows.
    pub test: Array2<f64>,
}

impl Features {
    /// Fits the representation on the training rows and applies it, and the switches, to both.
    pub fn prepare(
        &self,
        reduce: &dyn Reduce,
        train: &Covariates,
        test: ArrayView2<f64>,
        seed: Seed,
    ) -> Result<Prepared, CateError> {
        let representation = reduce.fit(train, seed)?;
        let test = representation.transform(test)?;
        Ok(self.switches(representation.training(), test.view()))
    }

    /// The switches alone, for a representation that is at hand already.
    pub fn switches(&self, train: ArrayView2<f64>, test: ArrayView2<f64>) -> Prepared {
        let (mut train, mut test) = (train.to_owned(), test.to_owned());
        if self.standardise && train.nrows() > 0 {
            let scale = Standardiser::fit(train.view());
            (train, test) = (scale.apply(train.view()), scale.apply(test.view()));
        }
        if self.constant_column {
            let ones = |m: &Array2<f64>| Array2::ones((m.nrows(), 1));
            train = concatenate![Axis(1), train, ones(&train)];
            test = concatenate![Axis(1), test, ones(&test)];
        }
        Prepared { train, test }
    }
}

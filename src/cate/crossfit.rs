//! CrossFitFolds, and nuisances that a row does not take part in itself.

use super::sample::check_both_arms;
use super::{CateError, Propensity, Sample};
use crate::regress::Regressor;
use crate::seed::Seed;
use crate::seed::legacy::NumpyStream;
use ndarray::{Array1, ArrayView1};
use rand::seq::SliceRandom;
use std::sync::Arc;

/// How rows are put into folds when a learner is fitted.
#[derive(Clone, Debug)]
pub enum Folding {
    /// The fold 0, 1, … of each row.
    Given(Vec<usize>),
    /// Each arm is shuffled by a seed of the tree and dealt out in turn.
    Stratified {
        /// Number of folds.
        k: usize,
        /// Where the shuffle starts.
        seed: Seed,
    },
    /// What scikit-learn's `StratifiedKFold(k, shuffle=True, random_state=seed)` gives, and so
    /// EconML's `cv=k, random_state=seed`.
    ScikitLearn {
        /// Number of folds.
        k: usize,
        /// The integer seed.
        seed: u32,
    },
}

impl Folding {
    /// The folds of these rows.
    pub fn folds(&self, treated: ArrayView1<bool>) -> Result<CrossFitFolds, CateError> {
        match self {
            Self::Given(of_row) => CrossFitFolds::given(of_row.clone(), treated),
            Self::Stratified { k, seed } => CrossFitFolds::stratified(*k, treated, *seed),
            Self::ScikitLearn { k, seed } => CrossFitFolds::scikit_learn(*k, treated, *seed),
        }
    }
}

/// How a learner estimates, from the other folds, what stands between it and the effect.
#[derive(Clone)]
pub(super) struct Nuisances {
    pub regressor: Arc<dyn Regressor>,
    propensity: Propensity,
    folding: Folding,
}

impl Nuisances {
    pub fn new(regressor: impl Regressor + 'static, propensity: Propensity, folding: Folding) -> Self {
        Self { regressor: Arc::new(regressor), propensity, folding }
    }

    /// The folds and the out-of-fold propensities, which do not depend on the outcome.
    pub fn before_outcome(&self, sample: &Sample) -> Result<(CrossFitFolds, Array1<f64>), CateError> {
        let folds = self.folding.folds(sample.treated())?;
        let propensity = folds.propensity(sample, &self.propensity)?;
        Ok((folds, propensity))
    }
}

/// The fold of each row. The rows outside any fold contain both arms.
///
/// ```
/// use ebmbook::{cate::CrossFitFolds, seed::Seed};
/// let treated = ndarray::array![true, false, true, false, true, false];
/// let folds = CrossFitFolds::stratified(2, treated.view(), Seed::new(1))?;
/// assert_eq!(folds.of_row().iter().filter(|f| **f == 0).count(), 3);
/// # Ok::<(), ebmbook::cate::CateError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CrossFitFolds {
    of_row: Vec<usize>,
    k: usize,
}

impl CrossFitFolds {
    /// Given fold numbers 0, 1, … without a gap.
    pub fn given(of_row: Vec<usize>, treated: ArrayView1<bool>) -> Result<Self, CateError> {
        if of_row.len() != treated.len() {
            let (what, found, rows) = ("fold numbers", of_row.len(), treated.len());
            return Err(CateError::Lengths { what, found, rows });
        }
        let last = of_row.iter().copied().max().unwrap_or(0);
        check_count(last.saturating_add(1), of_row.len(), "the rows there are")?;
        if let Some(missing) = (0..last).find(|f| !of_row.contains(f)) {
            return Err(CateError::FoldGap { last, missing });
        }
        let folds = Self { of_row, k: last + 1 };
        for f in 0..folds.k {
            // "outside" is what the nuisances of the fold are fitted on
            let outside = treated.iter().zip(&folds.of_row).filter(|(_, of)| **of != f).map(|(a, _)| a);
            check_both_arms(|| format!("rows outside fold {f}"), outside)?;
        }
        Ok(folds)
    }

    /// Each arm shuffled and dealt out in turn.
    pub fn stratified(k: usize, treated: ArrayView1<bool>, seed: Seed) -> Result<Self, CateError> {
        check_stratified(k, treated)?;
        let mut rng = seed.rng();
        let mut of_row = vec![0; treated.len()];
        let mut position = 0;
        for arm in [false, true] {
            let mut rows: Vec<usize> = (0..treated.len()).filter(|i| treated[*i] == arm).collect();
            rows.shuffle(&mut rng);
            for row in rows {
                // Going on where the other arm stopped keeps the folds' sizes within one.
                of_row[row] = position % k;
                position += 1;
            }
        }
        Self::given(of_row, treated)
    }

    /// The folds of `StratifiedKFold(k, shuffle=True, random_state=seed)`.
    pub fn scikit_learn(k: usize, treated: ArrayView1<bool>, seed: u32) -> Result<Self, CateError> {
        check_stratified(k, treated)?;
        let n = treated.len();
        // Labels are numbered by first appearance.
        let first = treated[0];
        let count_first = treated.iter().filter(|a| **a == first).count();
        // How many test rows of a class a fold gets: the class's share of every k-th entry of the
        // sorted labels, starting at the fold's number.
        let in_fold =
            |f: usize, from: usize, to: usize| (f..n).step_by(k).filter(|i| (from..to).contains(i)).count();
        let mut stream = NumpyStream::new(seed);
        let mut of_row = vec![0; n];
        for (label, from, to) in [(first, 0, count_first), (!first, count_first, n)] {
            let mut folds: Vec<usize> =
                (0..k).flat_map(|f| std::iter::repeat_n(f, in_fold(f, from, to))).collect();
            stream.shuffle(&mut folds);
            let rows = (0..n).filter(|i| treated[*i] == label);
            rows.zip(folds).for_each(|(row, fold)| of_row[row] = fold);
        }
        Self::given(of_row, treated)
    }

    /// The fold of each row.
    pub fn of_row(&self) -> &[usize] {
        &self.of_row
    }

    /// Number of folds.
    pub fn k(&self) -> usize {
        self.k
    }

    /// For each fold, `fit_predict(rest, fold)` sees the sample of all other rows and the sample
    /// of the fold, and returns one array of numbers a nuisance for the fold's rows. They are
    /// put back in row order.
    pub(super) fn cross_fit<const M: usize>(
        &self,
        sample: &Sample,
        mut fit_predict: impl FnMut(&Sample, &Sample) -> Result<[Array1<f64>; M], CateError>,
    ) -> Result<[Array1<f64>; M], CateError> {
        let mut out = [(); M].map(|()| Array1::zeros(sample.n()));
        for f in 0..self.k {
            let (inside, outside): (Vec<usize>, Vec<usize>) =
                (0..sample.n()).partition(|i| self.of_row[*i] == f);
            let predictions = fit_predict(&sample.select(&outside), &sample.select(&inside))?;
            for (to, from) in out.iter_mut().zip(&predictions) {
                inside.iter().zip(from).for_each(|(row, value)| to[*row] = *value);
            }
        }
        Ok(out)
    }

    /// The propensity of each row by a model that has not seen its fold. Compute it once and
    /// hand it to every learner that cross-fits on the same folds.
    ///
    /// ```
    /// use ebmbook::cate::{CrossFitFolds, Propensity, Sample};
    /// use ndarray::array;
    /// let treated = array![true, false, true, false, true, true];
    /// let folds = CrossFitFolds::given(vec![0, 0, 0, 1, 1, 1], treated.view())?;
    /// let sample = Sample::new(ndarray::Array2::zeros((6, 1)), treated, ndarray::Array1::zeros(6))?;
    /// let e = folds.propensity(&sample, &Propensity::Constant)?;
    /// assert_eq!(e[0], 2.0 / 3.0, "the share of treated in the other fold");
    /// # Ok::<(), ebmbook::cate::CateError>(())
    /// ```
    pub fn propensity(&self, sample: &Sample, propensity: &Propensity) -> Result<Array1<f64>, CateError> {
        let [e] = self.cross_fit(sample, |rest, fold| Ok([propensity.fit(rest)?.of(fold.rows())?]))?;
        Ok(e)
    }
}

fn check_count(k: usize, max: usize, why: &'static str) -> Result<(), CateError> {
    if (2..=max).contains(&k) { Ok(()) } else { Err(CateError::FoldCount { k, max, why }) }
}

fn check_stratified(k: usize, treated: ArrayView1<bool>) -> Result<(), CateError> {
    let ones = treated.iter().filter(|a| **a).count();
    check_both_arms(|| "training rows".into(), treated.iter())?;
    check_count(k, ones.min(treated.len() - ones).max(1), "the rows of the smaller arm")
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::{Array2, array};

    #[test]
    fn an_arm_that_is_missing_outside_a_fold_is_named() {
        let treated = array![true, true, false, false];
        let error = CrossFitFolds::given(vec![0, 1, 0, 0], treated.view()).unwrap_err();
        assert_eq!(error.to_string(), "rows outside fold 0: every row is treated; both arms are needed");
        let error = CrossFitFolds::given(vec![0, 2, 0, 2], treated.view()).unwrap_err();
        assert_eq!(
            error.to_string(),
            "fold numbers must be 0, 1, … without a gap; there is a fold 2 and none of fold 1"
        );
        assert!(
            CrossFitFolds::given(vec![0, 0, 0, 0], treated.view()).is_err(),
            "one fold leaves nothing outside"
        );
        assert!(CrossFitFolds::stratified(3, treated.view(), Seed::new(0)).is_err(), "an arm has two rows");
    }

    #[test]
    fn nuisances_come_back_in_row_order() {
        let treated = array![true, false, true, false, true, false];
        let folds = CrossFitFolds::given(vec![1, 0, 0, 1, 1, 0], treated.view()).unwrap();
        let x = Array2::from_shape_fn((6, 1), |(i, _)| i as f64);
        let sample = Sample::new(x, treated, Array1::zeros(6)).unwrap();
        let [row, others] = folds
            .cross_fit(&sample, |rest, fold| {
                let sum = rest.x().sum();
                Ok([fold.x().column(0).to_owned(), Array1::from_elem(fold.n(), sum)])
            })
            .unwrap();
        assert_eq!(row, array![0.0, 1.0, 2.0, 3.0, 4.0, 5.0]);
        assert_eq!(others, array![8.0, 7.0, 7.0, 8.0, 8.0, 7.0]);
    }
}

//! The fitted model.

use super::{Assignment, Directions, EbmError, EbmParams, Trainer};
use crate::data::Covariates;
use crate::data::split::Standardiser;
use crate::network::{Architecture, EpochRecord, History, Mlp, checkpoint::data_hash};
use crate::seed::Seed;
use ndarray::{Array2, ArrayView2, s};

/// The partially randomized energy-based model, Equation (4): k densities that share one representation,
///
/// ```text
/// p_{θ,j}(x) = exp(−β_jᵀ f_θ(x)) / Z_{θ,j},     j = 1..k
/// ```
///
/// with fixed orthogonal directions β_j. Training may be in single precision and on any device;
/// a fitted model is evaluated in double precision on the CPU, where its weights are exact.
///
/// ```
/// use ebmbook::prelude::*;
/// let data = synthetic::Released::new(50, 100)?.generate().train;
/// let ebm = Ebm::fit(&Ebm::params(3).epochs(5), data.covariates(), Seed::new(1))?;
///
/// let f = ebm.embed(data.x())?;
/// assert_eq!(f.dim(), (100, 3));
/// assert!(f.column(0).mean().unwrap().abs() < 1e-12, "standardised on the training rows");
/// assert_eq!(ebm.energies(data.x())?.dim(), (100, 3));
/// # Ok::<(), ebmbook::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Ebm {
    pub(super) params: EbmParams,
    pub(super) architecture: Architecture,
    pub(super) theta: Vec<f64>,
    pub(super) directions: Directions,
    pub(super) scale: Standardiser,
    pub(super) centres: Option<Array2<f64>>,
    pub(super) history: History,
    pub(super) seed: String,
    pub(super) data_hash: String,
}

impl Ebm {
    /// Default parameters for a k-dimensional representation.
    pub fn params(k: usize) -> EbmParams {
        EbmParams::new(k)
    }

    /// Trains on these covariates.
    pub fn fit(params: &EbmParams, train: &Covariates, seed: Seed) -> Result<Self, EbmError> {
        Self::fit_with(params, train, seed, |_| {})
    }

    /// Trains and reports after each epoch.
    ///
    /// ```
    /// use ebmbook::prelude::*;
    /// let data = synthetic::Released::new(50, 100)?.generate().train;
    /// let mut epochs = 0;
    /// Ebm::fit_with(&Ebm::params(2).epochs(4), data.covariates(), Seed::new(1), |_| epochs += 1)?;
    /// assert_eq!(epochs, 4);
    /// # Ok::<(), ebmbook::Error>(())
    /// ```
    pub fn fit_with(
        params: &EbmParams,
        train: &Covariates,
        seed: Seed,
        mut progress: impl FnMut(&EpochRecord),
    ) -> Result<Self, EbmError> {
        let mut trainer = Trainer::new(params, train, seed)?;
        while let Some(record) = trainer.epoch()? {
            progress(&record);
        }
        trainer.finish()
    }

    /// The network as it is before the first step: the baseline every trained one has to beat.
    pub fn untrained(params: &EbmParams, train: &Covariates, seed: Seed) -> Result<Self, EbmError> {
        Trainer::new(params, train, seed)?.finish()
    }

    pub(super) fn new(
        params: EbmParams,
        theta: Vec<f64>,
        directions: Directions,
        assignment: Assignment,
        history: History,
        train: &Covariates,
        seed: Seed,
    ) -> Result<Self, EbmError> {
        let architecture = params.architecture(train.d())?;
        let mut ebm = Self {
            params,
            architecture,
            theta,
            directions,
            scale: Standardiser::fit(Array2::zeros((1, 1)).view()),
            centres: assignment.clusters().map(|c| c.centres().to_owned()),
            history,
            seed: seed.to_hex(),
            data_hash: data_hash(train),
        };
        ebm.scale = Standardiser::fit(ebm.raw(train.x())?.view());
        Ok(ebm)
    }

    /// k.
    pub fn k(&self) -> usize {
        self.architecture.k()
    }

    /// Number of covariates.
    pub fn d(&self) -> usize {
        self.architecture.d()
    }

    /// f_θ(x) of each row as the network gives it, rows × k.
    pub fn raw(&self, x: ArrayView2<f64>) -> Result<Array2<f64>, EbmError> {
        if x.ncols() != self.d() {
            return Err(EbmError::Width { found: x.ncols(), expected: self.d() });
        }
        Ok(Mlp::new(self.architecture.clone(), self.theta.clone()).of_rows(x))
    }

    /// f_θ(x) standardised by the training rows' mean and standard deviation, rows × k.
    pub fn embed(&self, x: ArrayView2<f64>) -> Result<Array2<f64>, EbmError> {
        Ok(self.scale.apply(self.raw(x)?.view()))
    }

    /// β_jᵀ f_θ(x), rows × k: column j is −log p_{θ,j} up to a constant.
    pub fn energies(&self, x: ArrayView2<f64>) -> Result<Array2<f64>, EbmError> {
        // Equation (4): one f_θ for all j, and the columns β_j of B as drawn: F B
        Ok(self.raw(x)?.dot(&self.directions.matrix()))
    }

    /// f_θ(x) modulo B1, rows × (k − 1): the direction on which log p_X lies is projected out. Coordinates are contrasts of
    /// the energies, Hᵀ Bᵀ f, in a basis that runs with one B share ([`Directions::modulo_b1`]).
    ///
    /// ```
    /// use ebmbook::prelude::*;
    /// let data = synthetic::Released::new(50, 100)?.generate().train;
    /// let ebm = Ebm::untrained(&Ebm::params(3), data.covariates(), Seed::new(1))?;
    /// let along = ebm.directions().limit_scale().to_vec();
    /// let moved = ebm.shifted(&along)?;
    /// let change = moved.modulo_b1(data.x())? - ebm.modulo_b1(data.x())?;
    /// assert!(change.iter().all(|c| c.abs() < 1e-12), "a step along B1 does not show");
    /// # Ok::<(), ebmbook::Error>(())
    /// ```
    pub fn modulo_b1(&self, x: ArrayView2<f64>) -> Result<Array2<f64>, EbmError> {
        if self.k() < 2 {
            return Err(EbmError::parameter(
                "representation size k",
                self.k(),
                "must be at least 2 modulo B1",
            ));
        }
        Ok(self.raw(x)?.dot(&self.directions.modulo_b1()))
    }

    /// The share of the variance of f_θ over these rows that is left modulo B1. With random folds it tends to 0.
    ///
    /// ```
    /// use ebmbook::prelude::*;
    /// let data = synthetic::Released::new(50, 100)?.generate().train;
    /// let ebm = Ebm::untrained(&Ebm::params(3), data.covariates(), Seed::new(1))?;
    /// assert!((0.0..=1.0).contains(&ebm.share_modulo_b1(data.x())?));
    /// # Ok::<(), ebmbook::Error>(())
    /// ```
    pub fn share_modulo_b1(&self, x: ArrayView2<f64>) -> Result<f64, EbmError> {
        // H and B are orthonormal, so variances add up: tr Cov(Hᵀ Bᵀ f) / tr Cov(f)
        let variance = |f: Array2<f64>| f.var_axis(ndarray::Axis(0), 0.0).sum();
        Ok(variance(self.modulo_b1(x)?) / variance(self.raw(x)?))
    }

    /// log p_{θ,j}(x_i) − log p_{θ,j}(y_i), rows × k; the partition functions cancel.
    ///
    /// ```
    /// use ebmbook::prelude::*;
    /// let data = synthetic::Released::new(50, 100)?.generate().train;
    /// let ebm = Ebm::untrained(&Ebm::params(2), data.covariates(), Seed::new(1))?;
    /// let same = ebm.log_density_ratio(data.x(), data.x())?;
    /// assert!(same.iter().all(|ratio| *ratio == 0.0));
    /// # Ok::<(), ebmbook::Error>(())
    /// ```
    pub fn log_density_ratio(&self, x: ArrayView2<f64>, y: ArrayView2<f64>) -> Result<Array2<f64>, EbmError> {
        if x.nrows() != y.nrows() {
            let rule = format!("must be as many as the {} they are compared with", x.nrows());
            return Err(EbmError::parameter("number of rows", y.nrows(), rule));
        }
        // log p(x) − log p(y) = −(e(x) − e(y))
        Ok(self.energies(y)? - self.energies(x)?)
    }

    /// This model with the last bias moved by C: f becomes f + C and no density changes.
    ///
    /// ```
    /// use ebmbook::prelude::*;
    /// let data = synthetic::Released::new(50, 100)?.generate().train;
    /// let ebm = Ebm::untrained(&Ebm::params(2), data.covariates(), Seed::new(1))?;
    /// let moved = ebm.shifted(&[1.0, -2.0])?;
    /// let change = moved.raw(data.x())? - ebm.raw(data.x())?;
    /// assert!(change.column(1).iter().all(|c| (c + 2.0).abs() < 1e-12));
    /// # Ok::<(), ebmbook::Error>(())
    /// ```
    pub fn shifted(&self, by: &[f64]) -> Result<Self, EbmError> {
        if by.len() != self.k() {
            return Err(EbmError::parameter(
                "length of the shift",
                by.len(),
                format!("must be {}", self.k()),
            ));
        }
        let mut moved = self.clone();
        let biases = moved.theta.len() - self.k();
        moved.theta[biases..].iter_mut().zip(by).for_each(|(bias, c)| *bias += c);
        Ok(moved)
    }

    /// The directions B.
    pub fn directions(&self) -> &Directions {
        &self.directions
    }

    /// Centres of k-means or soft folds, if there are any.
    pub fn centres(&self) -> Option<ArrayView2<'_, f64>> {
        self.centres.as_ref().map(|c| c.slice(s![.., ..]))
    }

    /// Loss curves and what was kept.
    pub fn history(&self) -> &History {
        &self.history
    }

    /// θ, in the order of [`Architecture`].
    pub fn theta(&self) -> &[f64] {
        &self.theta
    }

    /// The shape of the network.
    pub fn architecture(&self) -> &Architecture {
        &self.architecture
    }

    /// The parameters it was trained with.
    pub fn parameters(&self) -> &EbmParams {
        &self.params
    }
}

//! Autoencoder. In: covariates and a seed. Out: the code f(x) from which the rows can be rebuilt
//! best.
//!
//! ```text
//! minimise  (1/nd) Σ_i ‖g(f(x_i)) − x_i‖²    over two networks f : Rᵈ → Rᵏ and g : Rᵏ → Rᵈ
//! ```
//!
//! Both are one stack of layers, trained and saved as the EBM is; see [`network`](crate::network).

mod checkpoint;
mod params;
mod train;

pub use params::AutoencoderParams;
pub use train::AutoencoderTrainer;

use super::blocks::check;
use super::{Reduce, Representation, RepresentationError};
use crate::data::Covariates;
use crate::data::split::Standardiser;
use crate::network::{Architecture, EpochRecord, History, Mlp, NetworkError};
use crate::seed::Seed;
use ndarray::{Array2, ArrayView2};

const NAME: &str = "autoencoder";

/// A fitted autoencoder; it is evaluated in double precision.
///
/// ```
/// use ebmbook::{prelude::*, representation::Autoencoder};
/// let data = synthetic::Released::new(50, 100)?.generate().train;
/// let fitted = Autoencoder::fit(&Autoencoder::params(3).epochs(5), data.covariates(), Seed::new(1))?;
/// assert_eq!(fitted.encode(data.x())?.dim(), (100, 3));
/// assert_eq!(fitted.rebuild(data.x())?.dim(), (100, 50));
/// # Ok::<(), ebmbook::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Autoencoder {
    params: AutoencoderParams,
    /// Encoder and decoder, one after the other.
    shape: Architecture,
    theta: Vec<f64>,
    /// What rows are scaled by on the way in; none for the released program.
    scale: Option<Standardiser>,
    history: History,
    seed: String,
    data_hash: String,
}

impl Autoencoder {
    /// Default parameters for codes of k numbers.
    pub fn params(k: usize) -> AutoencoderParams {
        AutoencoderParams::new(k)
    }

    /// Trains on these covariates.
    pub fn fit(params: &AutoencoderParams, train: &Covariates, seed: Seed) -> Result<Self, NetworkError> {
        Self::fit_with(params, train, seed, |_| {})
    }

    /// Trains and reports after each epoch.
    ///
    /// ```
    /// use ebmbook::{prelude::*, representation::Autoencoder};
    /// let data = synthetic::Released::new(50, 100)?.generate().train;
    /// let mut epochs = 0;
    /// let params = Autoencoder::params(2).epochs(4);
    /// Autoencoder::fit_with(&params, data.covariates(), Seed::new(1), |_| epochs += 1)?;
    /// assert_eq!(epochs, 4);
    /// # Ok::<(), ebmbook::Error>(())
    /// ```
    pub fn fit_with(
        params: &AutoencoderParams,
        train: &Covariates,
        seed: Seed,
        mut progress: impl FnMut(&EpochRecord),
    ) -> Result<Self, NetworkError> {
        let mut trainer = AutoencoderTrainer::new(params, train, seed)?;
        while let Some(record) = trainer.epoch()? {
            progress(&record);
        }
        Ok(trainer.finish())
    }

    /// Number of covariates.
    pub fn d(&self) -> usize {
        self.shape.d()
    }

    /// Number of code numbers k.
    pub fn k(&self) -> usize {
        self.params.k
    }

    /// The course of training.
    pub fn history(&self) -> &History {
        &self.history
    }

    /// f(x) of each row, rows × k.
    pub fn encode(&self, rows: ArrayView2<f64>) -> Result<Array2<f64>, RepresentationError> {
        check(NAME, rows, self.d())?;
        let encoder = self.params.encoder(self.d())?;
        // θ is layer after layer, so the encoder's numbers come first.
        let mut net = Mlp::new(encoder.clone(), self.theta[..encoder.parameters()].to_vec());
        Ok(self.through(&mut net, rows))
    }

    /// g(f(x)) of each row in the units of the covariates, rows × d.
    pub fn rebuild(&self, rows: ArrayView2<f64>) -> Result<Array2<f64>, RepresentationError> {
        check(NAME, rows, self.d())?;
        let mut rebuilt = self.through(&mut Mlp::new(self.shape.clone(), self.theta.clone()), rows);
        if let Some(scale) = &self.scale {
            for mut row in rebuilt.rows_mut() {
                for s in 0..self.d() {
                    row[s] = row[s] * scale.sd()[s] + scale.mean()[s];
                }
            }
        }
        Ok(rebuilt)
    }

    fn through(&self, net: &mut Mlp<f64>, rows: ArrayView2<f64>) -> Array2<f64> {
        net.of_rows(self.scaled(rows).view())
    }

    fn scaled(&self, rows: ArrayView2<f64>) -> Array2<f64> {
        self.scale.as_ref().map_or_else(|| rows.to_owned(), |scale| scale.apply(rows))
    }
}

impl Reduce for AutoencoderParams {
    fn name(&self) -> &'static str {
        NAME
    }

    fn fit(&self, train: &Covariates, seed: Seed) -> Result<Box<dyn Representation>, RepresentationError> {
        let model = Autoencoder::fit(self, train, seed)?;
        let training = model.encode(train.x())?;
        Ok(Box::new(Fitted { model, training }))
    }
}

struct Fitted {
    model: Autoencoder,
    training: Array2<f64>,
}

impl Representation for Fitted {
    fn k(&self) -> usize {
        self.model.k()
    }

    fn training(&self) -> ArrayView2<'_, f64> {
        self.training.view()
    }

    fn transform(&self, rows: ArrayView2<f64>) -> Result<Array2<f64>, RepresentationError> {
        self.model.encode(rows)
    }
}

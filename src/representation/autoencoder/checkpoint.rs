//! Models and runs as files; see `network::checkpoint`.

use super::{Autoencoder, AutoencoderParams, AutoencoderTrainer};
use crate::data::Covariates;
use crate::network::checkpoint::{Header, Recipe, data_hash, read, save_run};
use crate::network::{Architecture, NetworkError, Reader, Writer};
use crate::seed::Seed;
use std::path::Path;

impl Recipe for AutoencoderParams {
    const MODEL: &'static str = "trained autoencoder";
    const RUN: &'static str = "run of an autoencoder";

    fn network(&self, d: usize) -> Result<Architecture, NetworkError> {
        self.shape(d)
    }

    fn widths(&self) -> impl Iterator<Item = usize> {
        self.hidden.iter().copied().chain([self.k])
    }
}

impl Autoencoder {
    /// Writes the model; the file appears whole or not at all.
    ///
    /// ```
    /// use ebmbook::{prelude::*, representation::Autoencoder};
    /// let data = synthetic::Released::new(50, 100)?.generate().train;
    /// let fitted = Autoencoder::fit(&Autoencoder::params(2).epochs(2), data.covariates(), Seed::new(1))?;
    /// let path = tempfile::tempdir().unwrap().keep().join("autoencoder.safetensors");
    /// fitted.save(&path)?;
    /// assert_eq!(Autoencoder::load(&path)?.encode(data.x())?, fitted.encode(data.x())?);
    /// # Ok::<(), ebmbook::Error>(())
    /// ```
    pub fn save(&self, path: &Path) -> Result<(), NetworkError> {
        let mut writer = Writer::default();
        writer.theta(&self.shape, &self.theta);
        let header = Header::model(&self.params, self.d(), &self.seed, &self.data_hash, &self.history);
        writer.write(path, &Header { scale: self.scale.clone(), ..header })
    }

    /// Reads a model.
    pub fn load(path: &Path) -> Result<Self, NetworkError> {
        let bytes = read(path)?;
        let reader = Reader::<AutoencoderParams>::new(path, &bytes, AutoencoderParams::MODEL)?;
        let shape = reader.header.shape()?;
        let theta = reader.layers("", &shape)?;
        let scale = reader.header.scale.clone();
        if let Some(scale) = &scale
            && (scale.mean().len() != shape.d() || scale.sd().len() != shape.d())
        {
            return Err(reader.broken(format!("the header's scale does not have {} covariates", shape.d())));
        }
        let Header { params, history, seed, data, .. } = reader.header;
        Ok(Self { params, shape, theta, scale, history, seed, data_hash: data })
    }
}

impl AutoencoderTrainer {
    /// Writes the run as it stands; the file appears whole or not at all.
    pub fn save(&self, path: &Path) -> Result<(), NetworkError> {
        save_run(path, &self.run, &self.params, self.shape.d(), self.seed, &self.data_hash)
    }

    /// Continues a saved run on the rows and the seed it was started with, to the same bits as if
    /// it had never stopped.
    ///
    /// ```
    /// use ebmbook::{prelude::*, representation::Autoencoder, representation::autoencoder::AutoencoderTrainer};
    /// let data = synthetic::Released::new(50, 100)?.generate().train;
    /// let (params, seed) = (Autoencoder::params(2).epochs(4), Seed::new(1));
    /// let path = tempfile::tempdir().unwrap().keep().join("run.safetensors");
    ///
    /// let mut trainer = AutoencoderTrainer::new(&params, data.covariates(), seed)?;
    /// trainer.epoch()?;
    /// trainer.save(&path)?;
    /// let mut resumed = AutoencoderTrainer::resume(&path, data.covariates(), seed)?;
    /// while resumed.epoch()?.is_some() {}
    /// let whole = Autoencoder::fit(&params, data.covariates(), seed)?;
    /// assert_eq!(resumed.finish().encode(data.x())?, whole.encode(data.x())?);
    /// # Ok::<(), ebmbook::Error>(())
    /// ```
    pub fn resume(path: &Path, train: &Covariates, seed: Seed) -> Result<Self, NetworkError> {
        let bytes = read(path)?;
        let reader = Reader::run(path, &bytes, seed, &data_hash(train))?;
        let mut trainer = Self::new(&reader.header.params, train, seed)?;
        trainer.run.restore(&reader)?;
        Ok(trainer)
    }
}

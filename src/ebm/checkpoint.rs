//! Models and runs as files; see `network::checkpoint`.

use super::{Directions, Ebm, EbmError, EbmParams, Trainer};
use crate::data::Covariates;
use crate::network::checkpoint::{Header, Recipe, data_hash, read, save_run};
use crate::network::{Architecture, NetworkError, Reader, Writer};
use crate::seed::Seed;
use std::path::Path;

impl Recipe for EbmParams {
    const MODEL: &'static str = "model";
    const RUN: &'static str = "run";

    fn network(&self, d: usize) -> Result<Architecture, NetworkError> {
        self.architecture(d)
    }

    fn widths(&self) -> impl Iterator<Item = usize> {
        self.hidden.iter().copied().chain([self.k])
    }
}

impl Ebm {
    /// Writes the model; the file appears whole or not at all.
    ///
    /// ```
    /// use ebmbook::prelude::*;
    /// let data = synthetic::Released::new(50, 100)?.generate().train;
    /// let ebm = Ebm::fit(&Ebm::params(2).epochs(2), data.covariates(), Seed::new(1))?;
    /// let path = tempfile::tempdir().unwrap().keep().join("model.safetensors");
    /// ebm.save(&path)?;
    /// assert_eq!(Ebm::load(&path)?.embed(data.x())?, ebm.embed(data.x())?);
    /// # Ok::<(), ebmbook::Error>(())
    /// ```
    pub fn save(&self, path: &Path) -> Result<(), EbmError> {
        let mut writer = Writer::default();
        writer.theta(&self.architecture, &self.theta);
        writer.matrix("directions", self.directions.matrix());
        if let Some(centres) = self.centres() {
            writer.matrix("centres", centres);
        }
        let header = Header::model(&self.params, self.d(), &self.seed, &self.data_hash, &self.history);
        Ok(writer.write(path, &Header { scale: Some(self.scale.clone()), ..header })?)
    }

    /// Reads a model.
    pub fn load(path: &Path) -> Result<Self, EbmError> {
        let bytes = read(path)?;
        let reader = Reader::<EbmParams>::new(path, &bytes, EbmParams::MODEL)?;
        let architecture = reader.header.shape()?;
        let k = architecture.k();
        let theta: Vec<f64> = reader.layers("", &architecture)?;
        let directions = Directions::from_matrix(reader.matrix("directions", (k, k))?)
            .map_err(|e| reader.broken(e.to_string()))?;
        let centres = match reader.has("centres") {
            true => Some(reader.matrix("centres", (k, architecture.d()))?),
            false => None,
        };
        let scale = reader.header.scale.clone().ok_or_else(|| reader.broken("the header has no scale"))?;
        if scale.mean().len() != k || scale.sd().len() != k {
            return Err(reader.broken(format!("the header's scale does not have {k} coordinates")).into());
        }
        let Header { params, history, seed, data, .. } = reader.header;
        Ok(Self { params, architecture, theta, directions, scale, centres, history, seed, data_hash: data })
    }
}

impl Trainer {
    /// Writes the run as it stands; the file appears whole or not at all.
    pub fn save(&self, path: &Path) -> Result<(), EbmError> {
        Ok(save_run(path, &self.run, &self.params, self.data.d(), self.seed, &data_hash(&self.data))?)
    }

    /// Continues a saved run on the rows and the seed it was started with, to the same bits as if
    /// it had never stopped.
    ///
    /// ```
    /// use ebmbook::{ebm::Trainer, prelude::*};
    /// let data = synthetic::Released::new(50, 100)?.generate().train;
    /// let (params, seed) = (Ebm::params(2).epochs(4), Seed::new(1));
    /// let path = tempfile::tempdir().unwrap().keep().join("run.safetensors");
    ///
    /// let mut trainer = Trainer::new(&params, data.covariates(), seed)?;
    /// trainer.epoch()?;
    /// trainer.save(&path)?;
    /// let mut resumed = Trainer::resume(&path, data.covariates(), seed)?;
    /// while resumed.epoch()?.is_some() {}
    /// let whole = Ebm::fit(&params, data.covariates(), seed)?;
    /// assert_eq!(resumed.finish()?.theta(), whole.theta());
    /// # Ok::<(), ebmbook::Error>(())
    /// ```
    pub fn resume(path: &Path, train: &Covariates, seed: Seed) -> Result<Self, EbmError> {
        let bytes = read(path)?;
        let reader = Reader::run(path, &bytes, seed, &data_hash(train))?;
        let mut trainer = Self::new(&reader.header.params, train, seed)?;
        trainer.run.restore(&reader)?;
        Ok(trainer)
    }
}

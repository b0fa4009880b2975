//! Models and runs as files, in the form the EBM's have: safetensors with a JSON header.

use super::train::{Run, either};
use super::{Autoencoder, AutoencoderParams, AutoencoderTrainer};
use crate::data::Covariates;
use crate::data::split::Standardiser;
use crate::ebm::checkpoint::{VERSION, data_hash};
use crate::ebm::network::{Architecture, Real, State};
use crate::ebm::tensors::{TensorReader, Writer};
use crate::ebm::{EbmError, History};
use crate::seed::Seed;
use std::path::Path;

const MODEL: &str = "trained autoencoder";
const RUN: &str = "run of an autoencoder";

/// Everything about a checkpoint that is not a tensor.
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    version: u32,
    holds: String,
    library: String,
    params: AutoencoderParams,
    d: usize,
    seed: String,
    data: String,
    history: History,
    scale: Option<Standardiser>,
    /// Steps of the optimiser.
    steps: u32,
}

type Reader<'a> = TensorReader<'a, Header>;

/// The moving part of a run as read from a file.
pub(super) struct Saved<T> {
    pub state: State<T>,
    pub kept: Option<Vec<T>>,
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
    pub fn save(&self, path: &Path) -> Result<(), EbmError> {
        let header = Header {
            version: VERSION,
            holds: MODEL.into(),
            library: env!("CARGO_PKG_VERSION").into(),
            params: self.params.clone(),
            d: self.d(),
            seed: self.seed.clone(),
            data: self.data_hash.clone(),
            history: self.history.clone(),
            scale: self.scale.clone(),
            steps: 0,
        };
        let mut writer = Writer::default();
        writer.layers("", &self.shape, &self.theta);
        writer.write(path, &header)
    }

    /// Reads a model.
    pub fn load(path: &Path) -> Result<Self, EbmError> {
        let bytes = read(path)?;
        let reader = Reader::new(path, &bytes, MODEL)?;
        let shape = shape(&reader)?;
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
    pub fn save(&self, path: &Path) -> Result<(), EbmError> {
        let mut writer = Writer::default();
        let steps = either!(&self.run, run => {
            let state = run.state();
            for (prefix, values) in [("", &state.theta), ("adam.m.", &state.m), ("adam.v.", &state.v)] {
                writer.layers(prefix, &self.shape, values);
            }
            if let Some(kept) = &run.kept {
                writer.layers("kept.", &self.shape, kept);
            }
            state.steps
        });
        let header = Header {
            version: VERSION,
            holds: RUN.into(),
            library: env!("CARGO_PKG_VERSION").into(),
            params: self.params.clone(),
            d: self.shape.d(),
            seed: self.seed.to_hex(),
            data: self.data_hash.clone(),
            history: self.history.clone(),
            scale: None,
            steps,
        };
        writer.write(path, &header)
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
    pub fn resume(path: &Path, train: &Covariates, seed: Seed) -> Result<Self, EbmError> {
        let bytes = read(path)?;
        let reader = Reader::new(path, &bytes, RUN)?;
        let mismatch = |field, found: &str, expected: String| EbmError::Mismatch {
            path: path.to_owned(),
            field,
            found: found.into(),
            expected,
        };
        let header = &reader.header;
        if header.seed != seed.to_hex() {
            return Err(mismatch("the seed", &header.seed, seed.to_hex()));
        }
        if header.data != data_hash(train) {
            return Err(mismatch("the hash of the training rows", &header.data, data_hash(train)));
        }
        let shape = shape(&reader)?;
        let mut trainer = Self::new(&header.params, train, seed)?;
        match &mut trainer.run {
            Run::Single(run) => run.restore(saved(&reader, &shape)?)?,
            Run::Double(run) => run.restore(saved(&reader, &shape)?)?,
        }
        trainer.history = reader.header.history;
        Ok(trainer)
    }
}

fn saved<T: Real>(reader: &Reader<'_>, shape: &Architecture) -> Result<Saved<T>, EbmError> {
    let state = State {
        theta: reader.layers("", shape)?,
        m: reader.layers("adam.m.", shape)?,
        v: reader.layers("adam.v.", shape)?,
        steps: reader.header.steps,
    };
    let kept = match reader.header.history.kept_epoch {
        Some(_) => Some(reader.layers("kept.", shape)?),
        None => None,
    };
    Ok(Saved { state, kept })
}

fn shape(reader: &Reader<'_>) -> Result<Architecture, EbmError> {
    let Header { params, d, .. } = &reader.header;
    // Sizes no network here comes near; they keep a made-up header from overflowing.
    let widths = params.hidden.iter().chain([d, &params.k]);
    if let Some(width) = widths.into_iter().find(|w| **w > 1 << 20) {
        return Err(EbmError::parameter("width in the header", width, "must be at most 1048576"));
    }
    params.shape(*d)
}

fn read(path: &Path) -> Result<Vec<u8>, EbmError> {
    std::fs::read(path)
        .map_err(|e| EbmError::Checkpoint { path: path.to_owned(), reason: format!("cannot be read: {e}") })
}

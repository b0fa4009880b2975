//! Checkpoints. In: a model or a run. Out: one safetensors file with a JSON header, and back.
//!
//! The header (key `ebmbook` of the file's metadata) holds the parameters, the seed, a hash of the
//! training rows, the format's version and the course of the run; the tensors are θ layer by
//! layer and, for a run, Adam's moments and the weights kept so far. A file that is cut short,
//! made by something else, or does not fit the run it is to continue is an error.

use super::network::{Architecture, Real, State};
use super::tensors::{Reader, Writer};
use super::train::Run;
use super::{Directions, Ebm, EbmError, EbmParams, History, Trainer};
use crate::data::split::Standardiser;
use crate::data::{ColumnKind, Covariates};
use crate::seed::Seed;
use std::path::Path;

/// The format's version; a file of another one is refused.
pub(crate) const VERSION: u32 = 1;

/// Everything about a checkpoint that is not a tensor.
#[derive(Debug, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Header {
    pub version: u32,
    /// `model` or `run`.
    pub holds: String,
    /// Version of the library that wrote the file.
    pub library: String,
    pub params: EbmParams,
    pub d: usize,
    pub seed: String,
    /// Hash of the training rows.
    pub data: String,
    pub history: History,
    pub scale: Option<Standardiser>,
    pub steps: u32,
}

impl Header {
    fn architecture(&self) -> Result<Architecture, EbmError> {
        // Sizes no network here comes near; they keep a made-up header from overflowing.
        let widths = self.params.hidden.iter().chain([&self.d, &self.params.k]);
        if let Some(width) = widths.into_iter().find(|w| **w > 1 << 20) {
            return Err(EbmError::parameter("width in the header", width, "must be at most 1048576"));
        }
        self.params.architecture(self.d)
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
        let header = Header {
            version: VERSION,
            holds: "model".into(),
            library: env!("CARGO_PKG_VERSION").into(),
            params: self.params.clone(),
            d: self.d(),
            seed: self.seed.clone(),
            data: self.data_hash.clone(),
            history: self.history.clone(),
            scale: Some(self.scale.clone()),
            steps: self.history.steps as u32,
        };
        let mut writer = Writer::default();
        // In single precision where that is exact, as it is after training in it.
        let single: Vec<f32> = self.theta.iter().map(|p| *p as f32).collect();
        if single.iter().zip(&self.theta).all(|(s, p)| f64::from(*s) == *p) {
            writer.layers("", &self.architecture, &single);
        } else {
            writer.layers("", &self.architecture, &self.theta);
        }
        writer.matrix("directions", self.directions.matrix());
        if let Some(centres) = self.centres() {
            writer.matrix("centres", centres);
        }
        writer.write(path, &header)
    }

    /// Reads a model.
    pub fn load(path: &Path) -> Result<Self, EbmError> {
        let bytes = read(path)?;
        let reader = Reader::new(path, &bytes, "model")?;
        let architecture = reader.header.architecture()?;
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
            return Err(reader.broken(format!("the header's scale does not have {k} coordinates")));
        }
        let Header { params, history, seed, data, .. } = reader.header;
        Ok(Self { params, architecture, theta, directions, scale, centres, history, seed, data_hash: data })
    }
}

impl Trainer {
    /// Writes the run as it stands; the file appears whole or not at all.
    pub fn save(&self, path: &Path) -> Result<(), EbmError> {
        match &self.run {
            Run::Single(run) => self.save_run(path, run.learner.state(), run.kept.as_deref()),
            Run::Double(run) => self.save_run(path, run.learner.state(), run.kept.as_deref()),
        }
    }

    fn save_run<T: Real>(&self, path: &Path, state: State<T>, kept: Option<&[T]>) -> Result<(), EbmError> {
        let header = Header {
            version: VERSION,
            holds: "run".into(),
            library: env!("CARGO_PKG_VERSION").into(),
            params: self.params.clone(),
            d: self.data.d(),
            seed: self.seed.to_hex(),
            data: data_hash(&self.data),
            history: self.history().clone(),
            scale: None,
            steps: state.steps,
        };
        let shape = self.params.architecture(self.data.d())?;
        let mut writer = Writer::default();
        for (prefix, values) in [("", &state.theta), ("adam.m.", &state.m), ("adam.v.", &state.v)] {
            writer.layers(prefix, &shape, values);
        }
        if let Some(kept) = kept {
            writer.layers("kept.", &shape, kept);
        }
        writer.write(path, &header)
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
        let reader = Reader::new(path, &bytes, "run")?;
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
        let shape = header.architecture()?;
        let mut trainer = Self::new(&header.params, train, seed)?;
        match &mut trainer.run {
            Run::Single(run) => {
                let (state, kept) = read_run(&reader, &shape)?;
                run.restore(&state, kept, header.history.clone())?;
            }
            Run::Double(run) => {
                let (state, kept) = read_run(&reader, &shape)?;
                run.restore(&state, kept, header.history.clone())?;
            }
        }
        Ok(trainer)
    }
}

type Saved<T> = (State<T>, Option<Vec<T>>);

fn read_run<T: Real>(reader: &Reader<'_>, shape: &Architecture) -> Result<Saved<T>, EbmError> {
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
    Ok((state, kept))
}

fn read(path: &Path) -> Result<Vec<u8>, EbmError> {
    std::fs::read(path)
        .map_err(|e| EbmError::Checkpoint { path: path.to_owned(), reason: format!("cannot be read: {e}") })
}

/// A hash of the rows and of what their columns mean, to tell whether a run is continued on the
/// data it was started on.
pub(crate) fn data_hash(data: &Covariates) -> String {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&(data.n() as u64).to_le_bytes()).update(&(data.d() as u64).to_le_bytes());
    for column in data.columns() {
        hasher.update(&(column.name.len() as u64).to_le_bytes()).update(column.name.as_bytes());
        match &column.kind {
            ColumnKind::Continuous => {
                hasher.update(&u64::MAX.to_le_bytes());
            }
            ColumnKind::Categorical { values } => {
                hasher.update(&(values.len() as u64).to_le_bytes());
                for value in values {
                    hasher.update(&value.to_le_bytes());
                }
            }
        }
    }
    for value in data.x() {
        hasher.update(&value.to_le_bytes());
    }
    hasher.finalize().to_hex().to_string()
}

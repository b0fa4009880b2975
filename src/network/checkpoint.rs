//! Checkpoints. In: a model or a run. Out: one safetensors file with a JSON header, and back.
//!
//! The header (key `ebmbook` of the file's metadata) holds the parameters, the seed, a hash of the
//! training rows, the format's version and the course of the run; the tensors are θ layer by
//! layer and, for a run, Adam's moments and the weights kept so far. A file that is cut short,
//! made by something else, or does not fit the run it is to continue is an error.

use super::{Architecture, BatchLoss, History, NetworkError, Reader, Real, Run, TrainingState, Writer};
use crate::data::split::Standardiser;
use crate::data::{ColumnKind, Covariates};
use crate::seed::Seed;
use std::path::Path;

/// The format's version; a file of another one is refused.
pub(super) const VERSION: u32 = 1;

/// Parameters that a model and a run can be saved with.
pub(crate) trait Recipe: Clone + serde::Serialize + serde::de::DeserializeOwned {
    /// What the file of a fitted model is said to hold.
    const MODEL: &'static str;
    /// What the file of a run is said to hold.
    const RUN: &'static str;

    /// The network for d covariates.
    fn network(&self, d: usize) -> Result<Architecture, NetworkError>;

    /// Every width the parameters name.
    fn widths(&self) -> impl Iterator<Item = usize>;
}

/// Everything about a checkpoint that is not a tensor.
#[derive(Debug, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Header<P> {
    pub version: u32,
    /// The kind of model, and whether it is one or a run towards one.
    pub holds: String,
    /// Version of the library that wrote the file.
    pub library: String,
    pub params: P,
    pub d: usize,
    pub seed: String,
    /// Hash of the training rows.
    pub data: String,
    pub history: History,
    pub scale: Option<Standardiser>,
    /// Steps of the optimiser.
    pub steps: u32,
}

impl<P: Recipe> Header<P> {
    /// Of a fitted model.
    pub fn model(params: &P, d: usize, seed: &str, data: &str, history: &History) -> Self {
        Self {
            version: VERSION,
            holds: P::MODEL.into(),
            library: env!("CARGO_PKG_VERSION").into(),
            params: params.clone(),
            d,
            seed: seed.into(),
            data: data.into(),
            history: history.clone(),
            scale: None,
            steps: history.steps as u32,
        }
    }

    /// The network the header describes.
    pub fn shape(&self) -> Result<Architecture, NetworkError> {
        // Sizes no network here comes near; they keep a made-up header from overflowing.
        if let Some(width) = self.params.widths().chain([self.d]).find(|w| *w > 1 << 20) {
            return Err(NetworkError::parameter("width in the header", width, "must be at most 1048576"));
        }
        self.params.network(self.d)
    }
}

/// Writes a run as it stands; the file appears whole or not at all.
pub(crate) fn save_run<P: Recipe, L: BatchLoss<f32> + BatchLoss<f64>>(
    path: &Path,
    run: &Run<L>,
    params: &P,
    d: usize,
    seed: Seed,
    data: &str,
) -> Result<(), NetworkError> {
    let mut writer = Writer::default();
    let steps = run.write(&params.network(d)?, &mut writer);
    let model = Header::model(params, d, &seed.to_hex(), data, run.history());
    writer.write(path, &Header { holds: P::RUN.into(), steps, ..model })
}

impl<'a, P: Recipe> Reader<'a, P> {
    /// A saved run, refused unless it was started with this seed on these rows.
    pub fn run(path: &Path, bytes: &'a [u8], seed: Seed, data: &str) -> Result<Self, NetworkError> {
        let reader = Self::new(path, bytes, P::RUN)?;
        let header = &reader.header;
        let agree = [
            ("the seed", &header.seed, seed.to_hex()),
            ("the hash of the training rows", &header.data, data.to_owned()),
        ];
        for (field, found, expected) in agree {
            if *found != expected {
                let (path, found) = (path.to_owned(), found.clone());
                return Err(NetworkError::Mismatch { path, field, found, expected });
            }
        }
        Ok(reader)
    }

    /// The optimiser's state and the weights kept so far.
    pub fn state<T: Real>(
        &self,
        shape: &Architecture,
    ) -> Result<(TrainingState<T>, Option<Vec<T>>), NetworkError> {
        let state = TrainingState {
            theta: self.layers("", shape)?,
            m: self.layers("adam.m.", shape)?,
            v: self.layers("adam.v.", shape)?,
            steps: self.header.steps,
        };
        let kept = match self.header.history.kept_epoch {
            Some(_) => Some(self.layers("kept.", shape)?),
            None => None,
        };
        Ok((state, kept))
    }
}

/// The bytes of a checkpoint.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, NetworkError> {
    std::fs::read(path).map_err(|e| NetworkError::Checkpoint {
        path: path.to_owned(),
        reason: format!("cannot be read: {e}"),
    })
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

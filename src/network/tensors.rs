//! Named tensors in a safetensors file, checked on the way in.

use super::checkpoint::{Header, VERSION};
use super::{Architecture, NetworkError, Real};
use ndarray::{Array2, ArrayView2};
use safetensors::tensor::{Dtype, SafeTensors, TensorView, serialize};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// The key of our header in the file's metadata.
const KEY: &str = "ebmbook";

/// Collects tensors and writes them.
#[derive(Default)]
pub(crate) struct Writer(Vec<(String, Dtype, Vec<usize>, Vec<u8>)>);

impl Writer {
    /// `<prefix>layer.<l>.weight` (inputs × outputs) and `<prefix>layer.<l>.bias` of every layer.
    pub fn layers<T: Real>(&mut self, prefix: &str, shape: &Architecture, values: &[T]) {
        for (l, layer) in shape.layers().iter().enumerate() {
            let (weight, bias) = values[layer.range()].split_at(layer.inputs * layer.outputs);
            self.tensor(format!("{prefix}layer.{l}.weight"), vec![layer.inputs, layer.outputs], weight);
            self.tensor(format!("{prefix}layer.{l}.bias"), vec![layer.outputs], bias);
        }
    }

    /// The layers of a fitted model, in single precision where that is exact, as it is after training
    /// in it.
    pub fn theta(&mut self, shape: &Architecture, theta: &[f64]) {
        let single: Vec<f32> = theta.iter().map(|p| *p as f32).collect();
        if single.iter().zip(theta).all(|(s, p)| f64::from(*s) == *p) {
            self.layers("", shape, &single);
        } else {
            self.layers("", shape, theta);
        }
    }

    /// A matrix in double precision.
    pub fn matrix(&mut self, name: &str, values: ArrayView2<f64>) {
        let flat: Vec<f64> = values.iter().copied().collect();
        self.tensor(name.into(), vec![values.nrows(), values.ncols()], &flat);
    }

    fn tensor<T: Real>(&mut self, name: String, shape: Vec<usize>, values: &[T]) {
        let (dtype, bytes) = if size_of::<T>() == 4 {
            (Dtype::F32, values.iter().flat_map(|v| (v.wide() as f32).to_le_bytes()).collect())
        } else {
            (Dtype::F64, values.iter().flat_map(|v| v.wide().to_le_bytes()).collect())
        };
        self.0.push((name, dtype, shape, bytes));
    }

    /// The whole file, or nothing.
    pub fn write(&self, path: &Path, header: &impl serde::Serialize) -> Result<(), NetworkError> {
        let broken = |reason: String| NetworkError::Checkpoint { path: path.to_owned(), reason };
        let json = serde_json::to_string(header).map_err(|e| broken(e.to_string()))?;
        let mut views = Vec::with_capacity(self.0.len());
        for (name, dtype, shape, bytes) in &self.0 {
            let view = TensorView::new(*dtype, shape.clone(), bytes).map_err(|e| broken(e.to_string()))?;
            views.push((name.as_str(), view));
        }
        let metadata = HashMap::from([(KEY.to_owned(), json)]);
        let bytes = serialize(views, Some(metadata)).map_err(|e| broken(e.to_string()))?;
        Ok(crate::files::write_atomically(path, |out| out.write_all(&bytes))?)
    }
}

/// A checkpoint in memory, of a model with parameters P.
pub(crate) struct Reader<'a, P> {
    pub header: Header<P>,
    path: PathBuf,
    tensors: SafeTensors<'a>,
}

impl<'a, P: serde::de::DeserializeOwned> Reader<'a, P> {
    /// Checks that the file is whole, ours, of this version and of the kind asked for.
    pub fn new(path: &Path, bytes: &'a [u8], holds: &str) -> Result<Self, NetworkError> {
        let broken = |reason: String| NetworkError::Checkpoint { path: path.to_owned(), reason };
        let tensors = SafeTensors::deserialize(bytes)
            .map_err(|e| broken(format!("not a whole safetensors file ({e})")))?;
        let (_, metadata) = SafeTensors::read_metadata(bytes).map_err(|e| broken(e.to_string()))?;
        let json = metadata.metadata().as_ref().and_then(|m| m.get(KEY));
        let json = json.ok_or_else(|| broken("a safetensors file, but not one of ebmbook".into()))?;
        // The version first: a later format may have other fields.
        let value: serde_json::Value =
            serde_json::from_str(json).map_err(|e| broken(format!("the header is not JSON: {e}")))?;
        let version = value.get("version").and_then(serde_json::Value::as_u64);
        if version != Some(u64::from(VERSION)) {
            let found = version.map_or("none".into(), |v| v.to_string());
            return Err(broken(format!("format version must be {VERSION}, got {found}")));
        }
        let found = value.get("holds").and_then(serde_json::Value::as_str).unwrap_or("nothing known");
        if found != holds {
            return Err(broken(format!("holds a {found}, but a {holds} is needed")));
        }
        let header =
            serde_json::from_value(value).map_err(|e| broken(format!("the header does not fit: {e}")))?;
        Ok(Self { header, path: path.to_owned(), tensors })
    }

    /// An error about this file.
    pub fn broken(&self, reason: impl Into<String>) -> NetworkError {
        NetworkError::Checkpoint { path: self.path.clone(), reason: reason.into() }
    }

    /// Whether there is a tensor of this name.
    pub fn has(&self, name: &str) -> bool {
        self.tensors.tensor(name).is_ok()
    }

    /// The flat parameters whose layers have this prefix.
    pub fn layers<T: Real>(&self, prefix: &str, shape: &Architecture) -> Result<Vec<T>, NetworkError> {
        let mut values = Vec::new();
        for (l, layer) in shape.layers().iter().enumerate() {
            let weight = self.tensor(&format!("{prefix}layer.{l}.weight"), &[layer.inputs, layer.outputs])?;
            let bias = self.tensor(&format!("{prefix}layer.{l}.bias"), &[layer.outputs])?;
            values.extend(weight.into_iter().chain(bias).map(T::of));
        }
        Ok(values)
    }

    /// A matrix of the given shape.
    pub fn matrix(&self, name: &str, (rows, columns): (usize, usize)) -> Result<Array2<f64>, NetworkError> {
        let values = self.tensor(name, &[rows, columns])?;
        Ok(Array2::from_shape_vec((rows, columns), values).expect("the shape was checked"))
    }

    fn tensor(&self, name: &str, shape: &[usize]) -> Result<Vec<f64>, NetworkError> {
        let view = self.tensors.tensor(name).map_err(|_| self.broken(format!("has no tensor `{name}`")))?;
        if view.shape() != shape {
            return Err(self.broken(format!("tensor `{name}` must be {shape:?}, got {:?}", view.shape())));
        }
        let values: Vec<f64> = match view.dtype() {
            Dtype::F32 => {
                view.data().chunks_exact(4).map(|b| f64::from(f32::from_le_bytes(four(b)))).collect()
            }
            Dtype::F64 => view.data().chunks_exact(8).map(|b| f64::from_le_bytes(eight(b))).collect(),
            other => return Err(self.broken(format!("tensor `{name}` must be F32 or F64, got {other:?}"))),
        };
        match values.iter().find(|v| !v.is_finite()) {
            Some(value) => Err(self.broken(format!("tensor `{name}` holds {value}, which is not finite"))),
            None => Ok(values),
        }
    }
}

fn four(bytes: &[u8]) -> [u8; 4] {
    bytes.try_into().expect("chunks of four")
}

fn eight(bytes: &[u8]) -> [u8; 8] {
    bytes.try_into().expect("chunks of eight")
}

//! Checkpoints.

use crate::data::{ColumnKind, Covariates};

/// A hash of the rows and of what their columns mean, to tell whether a run is continued on the
/// data it was started on.
pub(super) fn data_hash(data: &Covariates) -> String {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&(data.n() as u64).to_le_bytes()).update(&(data.d() as u64).to_le_bytes());
    for column in data.columns() {
        hasher.update(&(column.name.len() as u64).to_le_bytes()).update(column.name.as_bytes());
        if let ColumnKind::Categorical { values } = &column.kind {
            hasher.update(&(values.len() as u64).to_le_bytes());
            for value in values {
                hasher.update(&value.to_le_bytes());
            }
        } else {
            hasher.update(&u64::MAX.to_le_bytes());
        }
    }
    for value in data.x() {
        hasher.update(&value.to_le_bytes());
    }
    hasher.finalize().to_hex().to_string()
}

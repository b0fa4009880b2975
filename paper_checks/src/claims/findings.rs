//! What a check measured: values, baselines and controls, before anybody judges them.

use crate::registry::{Claim, Key, Value};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What a check measured.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Findings {
    /// The values the criteria speak of, the most telling first.
    pub values: Vec<Value>,
    /// Numbers to hold them against: trivial predictors, other constructions, ideals.
    pub baselines: Vec<Value>,
    /// The values of each broken or mended variant.
    pub controls: BTreeMap<String, Vec<Value>>,
    /// Facts a reader needs (k, grid, draws).
    pub setting: String,
    /// Sample sizes, numbers of draws or numbers of points, whichever the check varies.
    pub n: Vec<usize>,
    /// Fingerprint of the data or of the first draws: BLAKE3, 16 hexadecimal digits.
    pub data: String,
}

impl Findings {
    /// Gives every value the label that its claim has for it.
    pub(super) fn label(&mut self, claim: &Claim) {
        let of_controls = self.controls.values_mut().flatten();
        for value in self.values.iter_mut().chain(&mut self.baselines).chain(of_controls) {
            value.label = claim.label(&value.key);
        }
    }

    /// Every key that was measured.
    pub fn keys(&self) -> impl Iterator<Item = &Key> {
        let of_controls = self.controls.values().flatten();
        self.values.iter().chain(&self.baselines).chain(of_controls).map(|value| &value.key)
    }
}

/// BLAKE3 over numbers rounded to eight decimals, so that the last bits of a logarithm, which
/// differ from one mathematical library to another, do not count. The first 16 digits.
pub(crate) fn data_hash<'a, A: ndarray::Dimension>(
    arrays: impl IntoIterator<Item = ndarray::ArrayView<'a, f64, A>>,
) -> String {
    let mut hasher = blake3::Hasher::new();
    for array in arrays {
        hasher.update(&(array.len() as u64).to_le_bytes());
        for value in &array {
            hasher.update(&((value * 1e8).round() as i64).to_le_bytes());
        }
    }
    hasher.finalize().to_hex()[..16].to_owned()
}

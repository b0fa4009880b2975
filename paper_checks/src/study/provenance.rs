//! Where and when values were computed. It stands beside them, never inside: values can be
//! compared byte for byte between machines.

use super::{Cell, StudyError};
use serde::{Deserialize, Serialize};
use std::sync::LazyLock;

/// The circumstances of one cell.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Provenance {
    /// Git revision the program was built from, with `+` if its sources were changed; empty if it was
    /// built outside a repository.
    pub revision: String,
    /// Hash of Cargo.lock at build time.
    pub lock: String,
    /// The compiler it was built with.
    pub rustc: String,
    /// The processor.
    pub cpu: String,
    /// Hash of the rows themselves: training and test rows, or the pool that several runs draw samples from.
    pub rows: String,
    /// The master seed.
    pub seed: Option<u64>,
    /// How long the cell took. What it shares with cells that ran before it in the same run, such as a trained
    /// network, is counted there.
    pub seconds: f64,
}

impl Provenance {
    /// The circumstances of a cell that took so long, here and now.
    pub fn now(cell: &Cell, seconds: f64) -> Result<Self, StudyError> {
        let rows = cell.task.rows().rows_hash()?;
        Ok(Self { rows, seed: cell.task.seed(), seconds, ..Self::here() })
    }

    /// The circumstances of any work here, without a cell.
    pub fn here() -> Self {
        static HERE: LazyLock<[String; 4]> = LazyLock::new(|| {
            let lock = blake3::hash(include_bytes!("../../../Cargo.lock")).to_hex()[..32].to_owned();
            [env!("EBMBOOK_REVISION").to_owned(), lock, env!("EBMBOOK_RUSTC").to_owned(), cpu()]
        });
        let [revision, lock, rustc, cpu] = HERE.clone();
        Self { revision, lock, rustc, cpu, rows: String::new(), seed: None, seconds: 0.0 }
    }
}

fn cpu() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = info
        .lines()
        .find_map(|l| l.strip_prefix("model name"))
        .map(|l| l.trim_start_matches([' ', '\t', ':']));
    model.unwrap_or(std::env::consts::ARCH).to_owned()
}

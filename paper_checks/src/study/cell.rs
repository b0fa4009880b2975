//! One cell of a study: where it stands in the study's table, and its task.

use super::{Arm, DataSpec, Task};
use crate::printed::{Block, TablePlace};
use ebmbook::data::Protocol;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The values of a cell by name.
pub type Values = BTreeMap<String, f64>;

/// A cell.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Cell {
    /// The study it belongs to.
    pub study: String,
    /// Block of the paper's table.
    pub block: Block,
    /// Number of covariates.
    pub d: usize,
    /// Number of training rows.
    pub n: usize,
    /// Which account of the experiments.
    pub protocol: Protocol,
    /// What is compared.
    pub arm: Arm,
    /// Which run.
    pub replicate: usize,
    /// The work.
    pub task: Task,
}

/// What the values of a cell depend on. Two cells with equal keys have equal values.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CellKey {
    /// Hash of all of the below.
    pub hash: String,
    /// Hash of the task without its seed.
    pub parameters: String,
    /// The master seed.
    pub seed: Option<u64>,
    /// Hash of the source file, or the version of the generator.
    pub data: String,
    /// Version of the computation.
    pub algorithm: u32,
}

impl Cell {
    /// The cell of a task; sizes and protocol are those of its data.
    pub fn new(study: &str, block: Block, arm: Arm, replicate: usize, task: Task) -> Self {
        let &DataSpec { d, n, protocol, .. } = task.data();
        Self { study: study.into(), block, d, n, protocol, arm, replicate, task }
    }

    /// Where it stands in the table.
    pub fn place(&self) -> TablePlace {
        (self.block, self.d, self.n)
    }

    /// Unique within a study, and readable.
    pub fn name(&self) -> String {
        let Self { study, block, d, n, protocol, arm, replicate, .. } = self;
        format!("{study}/{protocol}/{block}/d{d}-n{n}/{arm}/{replicate}")
    }

    /// What its values depend on.
    pub fn key(&self) -> CellKey {
        let algorithm = self.task.algorithm();
        let mut task = serde_json::to_value(&self.task).expect("a task is plain data");
        let seed = self.task.seed();
        task.as_object_mut().map(|fields| fields.remove("seed"));
        let parameters = short_hash(task.to_string().as_bytes());
        let data = self.task.data().identity();
        let all = format!("{parameters}\n{seed:?}\n{data}\n{algorithm}");
        CellKey { hash: short_hash(all.as_bytes()), parameters, seed, data, algorithm }
    }
}

impl CellKey {
    /// In which respect this key differs from an older one; nothing if it does not.
    pub fn difference(&self, older: &Self) -> Vec<&'static str> {
        let changed = [
            ("parameters", self.parameters != older.parameters),
            ("seed", self.seed != older.seed),
            ("data", self.data != older.data),
            ("algorithm version", self.algorithm != older.algorithm),
        ];
        changed.into_iter().filter(|(_, changed)| *changed).map(|(what, _)| what).collect()
    }
}

/// 128 bits of blake3 in hexadecimal: plenty for some ten thousand cells.
pub(super) fn short_hash(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex()[..32].to_owned()
}

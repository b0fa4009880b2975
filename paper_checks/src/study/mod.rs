//! Studies: the paper's tables and figure as lists of small, replayable pieces of work.
//!
//! In: the name of a study and a scale. Out: values, one small file per cell.
//!
//! ```text
//! study ──plan──▶ cells ──run──▶ store ──▶ results ──▶ tables, verdicts
//! ```
//!
//! A [`Cell`] has a [`Task`], which says everything its values depend on: data, representation,
//! learners, replicate and seed. Values are a pure function of the task. The store is addressed by
//! what a task depends on, so that cells which two studies share are computed once, a killed run
//! goes on where it stopped, and neither the number of threads nor the order of cells matters.

mod arm;
mod cache;
mod cell;
mod circumstances;
mod cost;
mod data;
mod effects;
mod engines;
mod estimate;
mod npci;
mod overlap;
pub mod pictures;
pub mod plans;
mod printed_means;
mod provenance;
pub mod publish;
mod published;
mod quantity;
mod queues;
mod representation;
mod results;
pub(crate) mod row_sums;
mod run;
mod share;
mod spot_check;
mod stability;
mod store;
mod supervised;
pub mod sweep;
pub mod table;
mod task;

pub use crate::registry::Scale;
pub use arm::{Arm, Base, Hyperparameter};
pub use cell::{Cell, CellKey, Values};
pub use circumstances::{BuildRecord, Circumstances};
pub use data::{DataSpec, Source};
pub use ebmbook::cate::LearnerKind;
pub use ebmbook::regress::RegressorKind;
pub use ebmbook::representation::RepresentationKind;
pub use effects::ALPHA;
pub use engines::{Array, ArrayReport, Engine, EngineError, FoundEngine, Slurm, engines};
pub use estimate::{Estimate, Rates};
pub use npci::at_hand as npci_at_hand;
pub use plans::{STUDIES, Study};
pub use printed_means::printed_means;
pub use provenance::Provenance;
pub use published::Published;
pub use quantity::{Fit, PRINTED_REGRESSORS, Predictor, Quantity};
pub use representation::RepresentationSpec;
pub use results::{Results, Studies, Summary};
pub use run::{Order, RunProgress, RunReport, Schedule, run};
pub use share::{NoShare, Share, share_numbers};
pub use spot_check::{
    Agreement, Allowed, CommittedCell, Difference, Population, Recomputed, found_with, least_found, recompute,
};
pub use store::{State, Store};
pub use supervised::{Supervised, SupervisedSpec};
pub use task::{Effects, Overlap, Stability, Task};

use std::path::PathBuf;

/// A specification as text, to hash or to compare.
fn as_text(specification: &impl serde::Serialize) -> String {
    serde_json::to_string(specification).expect("a specification is plain data")
}

/// A study that cannot be planned, run or read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)] // the messages say what the fields are
pub enum StudyError {
    #[error("no study is called `{name}`; there are {known}")]
    Unknown { name: String, known: String },
    #[error("study `{study}` has cells 0..{cells} at this scale, got {id}; see `ebmbook plan {study}`")]
    NoCell { study: String, id: usize, cells: usize },
    #[error("cannot open the store `{}`: {reason}", path.display())]
    Store { path: PathBuf, reason: String },
    #[error("`{}`, line {line}: {reason}", path.display())]
    Malformed { path: PathBuf, line: usize, reason: String },
    #[error("study `{study}` has no committed results: cannot read `{}`: {reason}", path.display())]
    NotPublished { study: String, path: PathBuf, reason: std::io::Error },
    #[error("no committed results in `{}`; `ebmbook publish all --scale full` makes them", path.display())]
    NoResults { path: PathBuf },
    #[error(
        "study `{study}`: {missing} of {cells} cells have no values yet; see `ebmbook plan {study} --why`"
    )]
    Missing { study: String, missing: usize, cells: usize },
    #[error("no setting is called `{name}`; there are {known}")]
    UnknownSetting { name: String, known: String },
    #[error("trial {cell} failed: {reason}")]
    Trial { cell: String, reason: String },
    #[error("NPCI replicate {replicate}: {reason}")]
    Npci { replicate: u32, reason: String },
    #[error("fresh samples need {wanted} rows in all, the data set has {rows}; ask for fewer runs or rows")]
    Pool { wanted: usize, rows: usize },
    #[error(transparent)]
    Method(ebmbook::Error),
}

/// Errors of the method's stages pass through unchanged.
impl<E: Into<ebmbook::Error>> From<E> for StudyError {
    fn from(error: E) -> Self {
        Self::Method(error.into())
    }
}

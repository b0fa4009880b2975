//! Engines: who computes the cells of a study. This machine needs nothing; Slurm runs shares as tasks of a job array.
//!
//! ```text
//! cells ──share──▶ tasks ──sbatch──▶ nodes ──run --share──▶ store ◀──progress── here
//! ```

mod array;
mod slurm;

pub use array::{Array, ArrayReport};
pub use slurm::Slurm;

use clap::ValueEnum;
use strum::{Display, EnumIter};

/// Who computes the cells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Display, EnumIter)]
#[strum(serialize_all = "lowercase")]
pub enum Engine {
    /// This machine, on several threads.
    #[default]
    Local,
    /// A cluster with Slurm.
    Slurm,
}

/// An engine that cannot be used, or that failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)] // the messages say what the fields are
pub enum EngineError {
    #[error("engine slurm: `{0}` is not on the PATH")]
    NotInstalled(&'static str),
    #[error("engine slurm: no controller answers: {0}")]
    NoController(String),
    #[error("no partition is called `{name}`; this cluster has {known}")]
    NoPartition { name: String, known: String },
    #[error("engine slurm: `{command}` failed: {reason}")]
    Failed { command: &'static str, reason: String },
    #[error("cannot write below `{path}`: {reason}")]
    Folder { path: String, reason: std::io::Error },
}

/// An engine, and whether it can be used here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundEngine {
    /// As on the command line.
    pub engine: Engine,
    /// What it is, or what is missing and how to get it.
    pub description: String,
    /// Whether studies can run on it.
    pub usable: bool,
}

/// The engines of this machine.
///
/// ```
/// use paper_checks::study::{Engine, engines};
/// let found = engines();
/// assert!(found[0].engine == Engine::Local && found[0].usable);
/// ```
pub fn engines() -> Vec<FoundEngine> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let local = format!("this machine, {cores} core(s); needs nothing");
    let slurm = Slurm::find().and_then(|slurm| Ok((slurm.partitions()?, slurm.version()?)));
    let usable = slurm.is_ok();
    let slurm = match slurm {
        Ok((partitions, version)) => format!("{version}; partitions: {}", partitions.join(", ")),
        Err(EngineError::NotInstalled(command)) => format!(
            "not installed: `{command}` is not on the PATH; log in to a node of a cluster that has it, or on Debian and \
             Ubuntu `apt-get install slurm-wlm munge`"
        ),
        Err(EngineError::NoController(reason)) => format!("installed, but no controller answers: {reason}"),
        Err(error) => error.to_string(),
    };
    vec![
        FoundEngine { engine: Engine::Local, description: local, usable: true },
        FoundEngine { engine: Engine::Slurm, description: slurm, usable },
    ]
}

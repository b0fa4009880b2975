//! Where and when values were computed. It stands beside them, never inside: values can be
//! compared byte for byte between machines.

use super::Cell;
use serde::{Deserialize, Serialize};
use std::process::Command;
use std::sync::LazyLock;

/// The circumstances of one cell.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Provenance {
    /// Git revision of the program, with `+` if files were changed; empty outside a repository.
    pub revision: String,
    /// Hash of Cargo.lock at build time.
    pub lock: String,
    /// The compiler.
    pub rustc: String,
    /// The processor.
    pub cpu: String,
    /// Hash of the training and test rows themselves.
    pub rows: String,
    /// The master seed.
    pub seed: Option<u64>,
    /// How long the cell took.
    pub seconds: f64,
}

impl Provenance {
    /// The circumstances of a cell that took so long, here and now.
    pub fn now(cell: &Cell, seconds: f64) -> Self {
        let rows = cell.task.data().rows_hash().unwrap_or_default();
        Self { rows, seed: cell.task.seed(), seconds, ..Self::here() }
    }

    /// The circumstances of any work here, without a cell.
    pub fn here() -> Self {
        static HERE: LazyLock<[String; 4]> = LazyLock::new(|| {
            let lock = blake3::hash(include_bytes!("../../../Cargo.lock")).to_hex()[..32].to_owned();
            [revision(), lock, said("rustc", &["--version"]), cpu()]
        });
        let [revision, lock, rustc, cpu] = HERE.clone();
        Self { revision, lock, rustc, cpu, rows: String::new(), seed: None, seconds: 0.0 }
    }
}

fn revision() -> String {
    let head = said("git", &["rev-parse", "--short=12", "HEAD"]);
    let changed = !said("git", &["status", "--porcelain", "--untracked-files=no"]).is_empty();
    if changed && !head.is_empty() { head + "+" } else { head }
}

/// What a program prints; nothing if it is not there.
fn said(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).output();
    let output = output.ok().filter(|o| o.status.success());
    output.map_or(String::new(), |o| String::from_utf8_lossy(&o.stdout).trim().to_owned())
}

fn cpu() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = info
        .lines()
        .find_map(|l| l.strip_prefix("model name"))
        .map(|l| l.trim_start_matches([' ', '\t', ':']));
    model.unwrap_or(std::env::consts::ARCH).to_owned()
}

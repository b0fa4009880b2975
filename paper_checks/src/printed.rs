//! The numbers the paper prints, as typed rows.
//!
//! The files in `printed/` were read off the paper's LaTeX: PEHE by learner (Table 1 and the
//! appendix), PEHE by reduction (Table 2 and the appendix), and the hyper-parameters.

pub mod consistency;

use serde::{Deserialize, Serialize};
use strum::Display;

/// A block of rows of the paper's tables.
///
/// ```
/// use paper_checks::printed::Block;
/// assert_eq!(Block::SyntheticD100.to_string(), "synthetic-d100");
/// assert_eq!(Block::SyntheticD100.data(), "synthetic");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, Display)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
#[allow(missing_docs)] // as printed
pub enum Block {
    SyntheticGrowingD,
    SyntheticD100,
    Twins,
    Ihdp,
}

/// Block, d and n: where a row of a table stands.
pub type TablePlace = (Block, usize, usize);

impl Block {
    /// The data behind it: both synthetic blocks have the same, and share a row.
    pub fn data(self) -> &'static str {
        match self {
            Self::SyntheticGrowingD | Self::SyntheticD100 => "synthetic",
            Self::Twins => "twins",
            Self::Ihdp => "ihdp",
        }
    }

    /// Whether its data are generated.
    pub fn is_synthetic(self) -> bool {
        self.data() == "synthetic"
    }
}

/// One PEHE cell of a table over learners.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct LearnerCell {
    /// Which table of the paper.
    pub table: String,
    /// Outcome regression behind the learner.
    pub regressor: String,
    /// Data set.
    pub dataset: Block,
    /// Number of covariates.
    pub d: usize,
    /// Number of training rows.
    pub n: usize,
    /// X, DR, T or R.
    pub learner: String,
    /// On the EBM's representation (1) or on the covariates (0).
    #[serde(deserialize_with = "flag")]
    pub with_ebm: bool,
    /// Printed mean over ten runs.
    pub pehe_mean: f64,
    /// Printed standard deviation.
    pub pehe_sd: f64,
    /// Whether the cell is set in bold.
    #[serde(deserialize_with = "flag")]
    pub printed_bold: bool,
    /// Whether the cell is marked as best of its row.
    #[serde(deserialize_with = "flag")]
    pub printed_best_of_row: bool,
}

/// One PEHE cell of a table over reductions (R-learner).
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct ReductionCell {
    /// Which table of the paper.
    pub table: String,
    /// Data set.
    pub dataset: Block,
    /// Number of covariates.
    pub d: usize,
    /// Number of training rows.
    pub n: usize,
    /// PCA, FA, SE, Isomap, KPCA, AE or EBM.
    pub reduction: String,
    /// Printed mean over ten runs.
    pub pehe_mean: f64,
    /// Printed standard deviation.
    pub pehe_sd: f64,
    /// Whether the cell is set in bold.
    #[serde(deserialize_with = "flag")]
    pub printed_bold: bool,
}

/// The EBM's hyper-parameters in one setting.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Hyperparameters {
    /// Data set.
    pub dataset: Block,
    /// Number of covariates.
    pub d: usize,
    /// Number of training rows.
    pub n: usize,
    /// Corrupted copies a row.
    pub b: usize,
    /// Size of the representation.
    pub k: usize,
    /// Hidden widths, e.g. `20-20-20`.
    pub hidden_layers: String,
    /// Corruption probability q.
    pub corruption_probability: f64,
}

/// Everything the paper prints that the workbook compares with.
///
/// ```
/// let printed = paper_checks::printed::Printed::load();
/// let cell = printed.table1(50, 100, "T", false).unwrap();
/// assert_eq!(cell.pehe_mean, 2.441);
/// ```
#[derive(Clone, Debug)]
pub struct Printed {
    /// All cells of tables over learners.
    pub learners: Vec<LearnerCell>,
    /// All cells of tables over reductions.
    pub reductions: Vec<ReductionCell>,
    /// Hyper-parameters of every setting.
    pub hyperparameters: Vec<Hyperparameters>,
}

/// The reductions of Tables 2 and A.1: our name and the paper's.
pub const REDUCTIONS: [(&str, &str); 6] = [
    ("pca", "PCA"),
    ("agglomeration", "FA"),
    ("spectral", "SE"),
    ("isomap", "Isomap"),
    ("kernel-pca", "KPCA"),
    ("autoencoder", "AE"),
];

impl Printed {
    /// Reads the tables, which are part of the program.
    pub fn load() -> Self {
        Self {
            learners: rows(include_str!("../printed/pehe_by_learner.csv")),
            reductions: rows(include_str!("../printed/pehe_by_reduction.csv")),
            hyperparameters: rows(include_str!("../printed/hyperparameters.csv")),
        }
    }

    /// A synthetic cell of Table 1.
    pub fn table1(&self, d: usize, n: usize, learner: &str, with_ebm: bool) -> Option<&LearnerCell> {
        self.learners.iter().find(|c| {
            c.table == "main-table-1"
                && c.dataset.is_synthetic()
                && (c.d, c.n) == (d, n)
                && c.learner == learner
                && c.with_ebm == with_ebm
        })
    }
}

fn rows<T: for<'a> Deserialize<'a>>(text: &str) -> Vec<T> {
    csv::Reader::from_reader(text.as_bytes())
        .deserialize()
        .collect::<Result<_, _>>()
        .expect("the tables are part of the program, and a test reads them")
}

fn flag<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<bool, D::Error> {
    match u8::deserialize(deserializer)? {
        0 => Ok(false),
        1 => Ok(true),
        other => Err(serde::de::Error::custom(format!("a flag must be 0 or 1, got {other}"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_printed_cell_is_there() {
        let printed = Printed::load();
        assert_eq!(printed.learners.len(), 696);
        assert_eq!(printed.reductions.len(), 161);
        assert_eq!(printed.hyperparameters.len(), 18);
    }

    #[test]
    fn every_setting_of_table_1_has_hyperparameters() {
        let printed = Printed::load();
        for cell in printed.learners.iter().filter(|c| c.table == "main-table-1") {
            let of_cell = |h: &&Hyperparameters| (h.dataset, h.d, h.n) == (cell.dataset, cell.d, cell.n);
            let found = printed.hyperparameters.iter().find(of_cell);
            let h = found.unwrap_or_else(|| panic!("{} d = {} n = {}", cell.dataset, cell.d, cell.n));
            assert!(
                h.k < h.d && h.b >= 1 && h.corruption_probability > 0.0 && h.corruption_probability <= 1.0
            );
        }
    }
}

//! The plans: which cells each study has, at quick and at full scale.
//!
//! Quick is for every test run: fewer settings and replicates, the same code. Full is what the
//! committed results hold.

mod figure3;
mod imbalance;
mod ladder;
mod learners;
mod mended;
mod methods;
mod reductions;
mod seeds;
mod selection;
mod sensitivity;
mod settings;
pub mod sweep;

pub(super) use figure3::matrix;
pub use methods::Method;
pub use settings::Setting;

use super::{Cell, Scale, StudyError};
use ebmbook::data::Protocol;

/// Master seed of every study.
pub const SEED: u64 = 2022;

/// Both accounts of the experiments, the printed one first.
const PROTOCOLS: [Protocol; 2] = [Protocol::Released, Protocol::Paper];

/// A study: a name, a sentence, and its cells.
#[derive(Clone, Copy)]
pub struct Study {
    /// The name on the command line.
    pub name: &'static str,
    /// What it is.
    pub about: &'static str,
    plan: fn(Scale) -> Vec<Cell>,
}

impl std::fmt::Debug for Study {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Study").field("name", &self.name).finish()
    }
}

/// Every study.
pub const STUDIES: [Study; 17] = [
    study("table1", "Table 1: X, DR, T and R with and without the EBM, kernel ridge", learners::table1),
    study("table2", "Table 2: six reductions and the EBM on Twins, R-learner", reductions::table2),
    study(
        "table-a1",
        "Table A.1: six reductions and the EBM on synthetic data and IHDP, R-learner",
        reductions::table_a1,
    ),
    study("table-power", "Table A.2: the learners with power transform and ridge", learners::power),
    study("table-polynomial", "Table A.3: the learners with polynomial ridge", learners::polynomial),
    study("table-ridge", "Table A.4: the learners with ridge", learners::ridge),
    study("ihdp", "IHDP: the learners with all four regressors", learners::ihdp),
    study(
        "figure3-mcc",
        "Figure 3, bottom: agreement of representations between runs as n grows",
        figure3::mcc,
    ),
    study("figure3-sd", "Figure 3, top: spread of effect estimates between runs as n grows", figure3::sd),
    study("directions", "Figure 3 at its largest n under many matrices B", figure3::directions),
    study(
        "splitting",
        "k folds against all rows for every density: does splitting cost variance?",
        figure3::splitting,
    ),
    study(
        "sensitivity",
        "One hyper-parameter at a time over the ranges the paper searched",
        sensitivity::plan,
    ),
    study(
        "fair-ladder",
        "Noiseless truth and regressors with an intercept: raw, PCA, latent, k-means, EBM",
        ladder::plan,
    ),
    study(
        "mended",
        "Folds by arm and outcome, f modulo B1, cross-fitted, against what else outcomes can make",
        mended::plan,
    ),
    study("selection", "Choosing ten runs by their test error, for every method alike", selection::plan),
    study(
        "sweep",
        "Hyper-parameters drawn over the ranges the paper searched, and every score of each",
        sweep::plan,
    ),
    study("seeds", "The settings of Table 1 over fresh draws of the data", seeds::plan),
];

/// Treated share and overlap of every data set; a few seconds.
pub const IMBALANCE: Study =
    study("imbalance", "Treated share and overlap of every data set", imbalance::plan);

/// IHDP with the outcomes that the authors used, if you have the files.
pub const NPCI: Study = study(
    "ihdp-npci",
    "IHDP with replicates of the NPCI package, which do not ship (folder in EBMBOOK_NPCI)",
    learners::npci,
);

const fn study(name: &'static str, about: &'static str, plan: fn(Scale) -> Vec<Cell>) -> Study {
    Study { name, about, plan }
}

impl Study {
    /// Every study that runs on what ships, the small one of the data sets included.
    pub fn all() -> Vec<Self> {
        STUDIES.into_iter().chain([IMBALANCE]).collect()
    }

    /// [`Study::all`], and the one that needs files from elsewhere.
    pub fn known() -> Vec<Self> {
        Self::all().into_iter().chain([NPCI]).collect()
    }

    /// The study of that name.
    ///
    /// ```
    /// use paper_checks::study::Study;
    /// assert_eq!(Study::find("table1")?.name, "table1");
    /// assert!(Study::find("table9").unwrap_err().to_string().starts_with("no study is called `table9`"));
    /// # Ok::<(), paper_checks::study::StudyError>(())
    /// ```
    pub fn find(name: &str) -> Result<Self, StudyError> {
        Self::known().into_iter().find(|s| s.name == name).ok_or_else(|| {
            let known = Self::known().iter().map(|s| s.name).collect::<Vec<_>>().join(", ");
            StudyError::Unknown { name: name.into(), known }
        })
    }

    /// Its cells, in the order in which they are numbered.
    pub fn cells(&self, scale: Scale) -> Vec<Cell> {
        (self.plan)(scale)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn the_names_of_a_studys_cells_are_unique() {
        for study in Study::known() {
            for scale in [Scale::Quick, Scale::Full] {
                let cells = study.cells(scale);
                let names: BTreeSet<String> = cells.iter().map(Cell::name).collect();
                assert_eq!(names.len(), cells.len(), "{}", study.name);
                assert!(!cells.is_empty(), "{}", study.name);
            }
        }
    }

    #[test]
    fn the_key_of_a_cell_depends_on_seed_and_parameters_and_on_nothing_else() {
        use crate::study::Task;
        let cell = Study::find("table1").unwrap().cells(Scale::Quick).remove(0);
        let renamed = Cell { study: "another".into(), arm: crate::study::Arm::PCA, ..cell.clone() };
        assert_eq!(renamed.key(), cell.key());
        let mut other = cell.clone();
        let Task::Effects(task) = &mut other.task else { panic!("table1 estimates effects") };
        task.seed += 1;
        assert_eq!(other.key().difference(&cell.key()), ["seed"]);
        let Task::Effects(task) = &mut other.task else { panic!("table1 estimates effects") };
        task.replicate += 1;
        assert_eq!(other.key().difference(&cell.key()), ["parameters", "seed"]);
    }
}

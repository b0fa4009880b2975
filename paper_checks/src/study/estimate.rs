//! What a study costs, from the committed seconds. In: cells. Out: core seconds, and how long so many cores take.

use super::cost::Parts;
use super::queues::groups;
use super::share::{seconds, spread};
use super::{Cell, Circumstances, Scale, Study, StudyError};
use itertools::Itertools;
use std::collections::BTreeMap;
use std::path::Path;

/// Seconds that were measured for each second that is expected, study by study.
#[derive(Clone, Debug, Default)]
pub struct Rates {
    of_study: BTreeMap<&'static str, f64>,
    /// For studies that are not committed: that of all others together.
    otherwise: f64,
    /// The processors on which they were measured.
    pub processors: Vec<String>,
}

/// What computing cells takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize)]
pub struct Estimate {
    /// Seconds on one core.
    pub core_seconds: f64,
    /// Seconds until the last of the cores is done.
    pub wall_seconds: f64,
}

impl Rates {
    /// Those of the committed full-scale results in a folder.
    pub fn committed(folder: &Path) -> Result<Self, StudyError> {
        let mut rates = Self::default();
        let (mut measured, mut expected) = (0.0, 0.0);
        for study in Study::known() {
            let Some(told) = Circumstances::read(folder, study.name)? else { continue };
            let cells = study.cells(Scale::Full);
            let distinct = cells.iter().unique_by(|cell| cell.key().hash).count();
            // A row that stands in two blocks is told twice.
            let of_told = told.seconds * distinct as f64 / told.cells as f64;
            let of_study: f64 = groups(&cells).iter().map(|group| seconds(group, Cell::expected_parts)).sum();
            rates.of_study.insert(study.name, of_told / of_study);
            (measured, expected) = (measured + of_told, expected + of_study);
            rates.processors.extend(told.origins.into_iter().map(|origin| origin.cpu));
        }
        if rates.of_study.is_empty() {
            return Err(StudyError::NoResults { path: folder.to_owned() });
        }
        rates.otherwise = measured / expected;
        rates.processors.sort();
        rates.processors.dedup();
        Ok(rates)
    }

    fn parts(&self, cell: &Cell) -> Parts {
        let rate = self.of_study.get(cell.study.as_str()).unwrap_or(&self.otherwise);
        let Parts { shared, own } = cell.expected_parts();
        Parts { shared: rate * shared, own: rate * own }
    }

    /// What these cells cost when so many cores compute a share each.
    pub fn estimate<'a>(&self, cells: impl IntoIterator<Item = &'a Cell>, cores: usize) -> Estimate {
        let costs: Vec<f64> = groups(cells).iter().map(|group| seconds(group, |c| self.parts(c))).collect();
        let (_, loads) = spread(&costs, cores);
        Estimate { core_seconds: costs.iter().sum(), wall_seconds: loads.into_iter().fold(0.0, f64::max) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn committed() -> Rates {
        Rates::committed(&Path::new(env!("CARGO_MANIFEST_DIR")).join("results")).unwrap()
    }

    #[test]
    fn a_committed_study_costs_what_it_cost_and_two_cores_take_half_as_long() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("results");
        let rates = committed();
        for study in Study::all() {
            let cells = study.cells(Scale::Full);
            let told = Circumstances::read(&folder, study.name).unwrap().unwrap();
            let [one, two] = [1, 2].map(|cores| rates.estimate(&cells, cores));
            // Rows that stand in two blocks are told twice, and few.
            let ratio = one.core_seconds / told.seconds;
            assert!(ratio > 0.9 && ratio < 1.0 + 1e-9, "{}: {ratio}", study.name);
            assert!((one.wall_seconds / one.core_seconds - 1.0).abs() < 1e-3, "{}", study.name);
            assert!((2.0 * two.wall_seconds / one.wall_seconds - 1.0).abs() < 0.1, "{}", study.name);
        }
    }

    #[test]
    fn what_two_studies_have_in_common_is_paid_for_once_and_no_core_beats_the_longest_group() {
        let rates = committed();
        let of = |names: &[&str], cores| {
            let cells: Vec<Cell> =
                names.iter().flat_map(|name| Study::find(name).unwrap().cells(Scale::Full)).collect();
            rates.estimate(&cells, cores)
        };
        let [one, other] = ["table1", "table-power"].map(|name| of(&[name], 1).core_seconds);
        let both = of(&["table1", "table-power"], 1).core_seconds;
        assert!(both < 0.9 * (one + other) && both > one, "{both} {one} {other}");
        assert_eq!(of(&["table1"], 10_000), of(&["table1"], 20_000));
    }

    #[test]
    fn a_folder_without_results_is_named() {
        let folder = tempfile::tempdir().unwrap();
        assert!(Rates::committed(folder.path()).unwrap_err().to_string().contains("no committed results"));
    }
}

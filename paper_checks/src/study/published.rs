//! Committed results: the cells of a study as lines of JSON, with the circumstances of the run.

use super::store::write_json;
use super::{Cell, Circumstances, Provenance, Store, Study, StudyError, Values};
use ebmbook::files::write_atomically;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The values of a study, by the hash of what they depend on.
#[derive(Clone, Debug, Default)]
pub struct Published {
    values: BTreeMap<String, Values>,
    /// The line that a cell has in each study, from one.
    lines: BTreeMap<String, Vec<(&'static str, usize)>>,
    /// The circumstances of each study that tells them.
    told: BTreeMap<&'static str, Circumstances>,
}

#[derive(Serialize, Deserialize)]
struct Line {
    cell: String,
    key: String,
    values: Values,
}

impl Published {
    /// The file of a study.
    pub fn path(folder: &Path, study: &str) -> PathBuf {
        folder.join(study).join("cells.jsonl")
    }

    /// The studies that have committed values in a folder.
    pub fn studies(folder: &Path) -> Vec<Study> {
        Study::known().into_iter().filter(|study| Self::path(folder, study.name).is_file()).collect()
    }

    /// The number of committed cells in a folder; what two studies share counts once.
    pub fn count(folder: &Path) -> Result<usize, StudyError> {
        Ok(Self::load_all(folder)?.len())
    }

    /// Reads the committed values of a study.
    pub fn load(folder: &Path, study: &str) -> Result<Self, StudyError> {
        let mut all = Self::default();
        all.read(folder, Study::find(study)?.name)?;
        Ok(all)
    }

    /// Reads the committed values of every study in a folder.
    pub fn load_all(folder: &Path) -> Result<Self, StudyError> {
        let studies = Self::studies(folder);
        if studies.is_empty() {
            return Err(StudyError::NoResults { path: folder.to_owned() });
        }
        let mut all = Self::default();
        studies.iter().try_for_each(|study| all.read(folder, study.name))?;
        Ok(all)
    }

    fn read(&mut self, folder: &Path, study: &'static str) -> Result<(), StudyError> {
        let path = Self::path(folder, study);
        let malformed = |line, reason: String| StudyError::Malformed { path: path.clone(), line, reason };
        let absent = |reason| StudyError::NotPublished { study: study.into(), path: path.clone(), reason };
        let text = std::fs::read_to_string(&path).map_err(absent)?;
        for (number, line) in text.lines().enumerate() {
            let line: Line =
                serde_json::from_str(line).map_err(|error| malformed(number + 1, error.to_string()))?;
            self.lines.entry(line.key.clone()).or_default().push((study, number + 1));
            self.values.insert(line.key, line.values);
        }
        // Values count without it, too; what it says must be readable.
        self.told.extend(Circumstances::read(folder, study)?.map(|told| (study, told)));
        Ok(())
    }

    /// The circumstances of a study.
    pub fn circumstances(&self, study: &str) -> Option<&Circumstances> {
        self.told.get(study)
    }

    /// The circumstances of a cell's values: in its own study or, if it is not there, in one that has it, too.
    pub(super) fn provenance(&self, cell: &Cell) -> Option<Provenance> {
        let places = self.lines.get(&cell.key().hash)?;
        let (study, line) = places.iter().find(|(study, _)| *study == cell.study).or(places.first())?;
        self.told.get(study)?.of_line(*line, cell)
    }

    /// The values of a cell, if what it depends on has not changed since.
    pub fn values(&self, cell: &Cell) -> Option<&Values> {
        self.values.get(&cell.key().hash)
    }

    /// Number of cells.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Writes the values of these cells in a store to `folder/STUDY/`. What was committed before and is used
    /// again brings its circumstances along.
    pub fn write(cells: &[Cell], store: &Store, folder: &Path, study: &str) -> Result<(), StudyError> {
        let mut lines = Vec::new();
        for cell in cells {
            if let super::State::Cached(values) = store.state(cell) {
                let line = Line { cell: cell.name(), key: cell.key().hash, values };
                lines.push(serde_json::to_string(&line).expect("plain data"));
            }
        }
        let missing = cells.len() - lines.len();
        if missing > 0 {
            return Err(StudyError::Missing { study: study.into(), missing, cells: cells.len() });
        }
        let told = Circumstances::of(cells.iter().map(|cell| (cell, store.origin(cell))))?;
        write_atomically(&Self::path(folder, study), |w| {
            lines.iter().try_for_each(|line| writeln!(w, "{line}"))
        })?;
        write_json(&Circumstances::path(folder, study), &told)
    }
}

//! Committed results: the cells of a study as lines of JSON, with the circumstances of the run.

use super::{Cell, Provenance, Store, Study, StudyError, Values};
use ebmbook::files::write_atomically;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::path::{Path, PathBuf};

/// The values of a study, by the hash of what they depend on.
#[derive(Clone, Debug, Default)]
pub struct Published {
    values: BTreeMap<String, Values>,
}

#[derive(Serialize, Deserialize)]
struct Line {
    cell: String,
    key: String,
    values: Values,
}

/// How the values of a study came about.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Circumstances {
    /// Number of cells.
    pub cells: usize,
    /// Sum of the seconds of all cells that ran.
    pub seconds: f64,
    /// Git revisions, compilers, processors and lock files, each once.
    pub revisions: Vec<String>,
    /// Compilers.
    pub rustc: Vec<String>,
    /// Processors.
    pub cpu: Vec<String>,
    /// Hashes of Cargo.lock.
    pub lock: Vec<String>,
    /// Master seeds; none where nothing is drawn.
    #[serde(default)]
    pub seeds: Vec<u64>,
    /// Hash of the rows of each data set, by the data's description.
    pub rows: BTreeMap<String, String>,
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

    /// Reads the committed values of a study.
    pub fn load(folder: &Path, study: &str) -> Result<Self, StudyError> {
        let path = Self::path(folder, study);
        let malformed = |line, reason: String| StudyError::Malformed { path: path.clone(), line, reason };
        let absent = |reason| StudyError::NotPublished { study: study.into(), path: path.clone(), reason };
        let text = std::fs::read_to_string(&path).map_err(absent)?;
        let mut values = BTreeMap::new();
        for (number, line) in text.lines().enumerate() {
            let line: Line =
                serde_json::from_str(line).map_err(|error| malformed(number + 1, error.to_string()))?;
            values.insert(line.key, line.values);
        }
        Ok(Self { values })
    }

    /// Reads the committed values of every study in a folder.
    pub fn load_all(folder: &Path) -> Result<Self, StudyError> {
        let studies = Self::studies(folder);
        if studies.is_empty() {
            return Err(StudyError::NoResults { path: folder.to_owned() });
        }
        let mut values = BTreeMap::new();
        for study in studies {
            values.extend(Self::load(folder, study.name)?.values);
        }
        Ok(Self { values })
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

    /// Writes the values of these cells in a store to `folder/STUDY/`. What was committed there before
    /// and is used again brings its circumstances along.
    pub fn write(cells: &[Cell], store: &Store, folder: &Path, study: &str) -> Result<(), StudyError> {
        let mut lines = Vec::new();
        let mut told = Circumstances { cells: cells.len(), ..Circumstances::default() };
        let (mut missing, mut used_again) = (0, false);
        for cell in cells {
            take_over(&mut told.seeds, cell.task.seed());
            match store.state(cell) {
                super::State::Cached(values) => {
                    let line = Line { cell: cell.name(), key: cell.key().hash, values };
                    lines.push(serde_json::to_string(&line).expect("plain data"));
                }
                super::State::ToRun(_) => missing += 1,
            }
            match store.provenance(cell) {
                Some(provenance) => told.add(cell, &provenance)?,
                None => used_again = true,
            }
        }
        if missing > 0 {
            return Err(StudyError::Missing { study: study.into(), missing, cells: cells.len() });
        }
        let path = folder.join(study).join("provenance.json");
        if used_again {
            let earlier = std::fs::read(&path).ok().and_then(|b| serde_json::from_slice(&b).ok());
            told.include(earlier.unwrap_or_default());
        }
        told.seconds = told.seconds.round();
        write_atomically(&Self::path(folder, study), |w| {
            lines.iter().try_for_each(|line| writeln!(w, "{line}"))
        })?;
        write_atomically(&path, |w| {
            serde_json::to_writer_pretty(&mut *w, &told)?;
            writeln!(w)
        })?;
        Ok(())
    }
}

impl Circumstances {
    fn add(&mut self, cell: &Cell, provenance: &Provenance) -> Result<(), StudyError> {
        let Provenance { revision, rustc, cpu, lock, .. } = provenance.clone();
        let [revisions, rustc, cpu, lock] = [revision, rustc, cpu, lock].map(|item| vec![item]);
        let seconds = provenance.seconds;
        self.include(Self { seconds, revisions, rustc, cpu, lock, ..Self::default() });
        let data = cell.task.rows();
        let name = serde_json::to_string(&data).expect("plain data");
        if let Entry::Vacant(slot) = self.rows.entry(name) {
            slot.insert(data.rows_hash()?);
        }
        Ok(())
    }

    /// Takes over what is not here yet; seconds add up.
    fn include(&mut self, other: Self) {
        self.seconds += other.seconds;
        for (list, items) in [
            (&mut self.revisions, other.revisions),
            (&mut self.rustc, other.rustc),
            (&mut self.cpu, other.cpu),
            (&mut self.lock, other.lock),
        ] {
            take_over(list, items);
        }
        take_over(&mut self.seeds, other.seeds);
        for (data, hash) in other.rows {
            self.rows.entry(data).or_insert(hash);
        }
    }
}

/// Adds the items that are not in the list yet.
fn take_over<T: PartialEq>(list: &mut Vec<T>, items: impl IntoIterator<Item = T>) {
    for item in items {
        if !list.contains(&item) {
            list.push(item);
        }
    }
}

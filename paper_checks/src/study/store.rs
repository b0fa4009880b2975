//! The store: one file per cell, named by the hash of what the cell depends on.
//!
//! ```text
//! store/ab/ab12….json         {"key": …, "task": …, "values": …}
//! store/ab/ab12….run.json     where and how fast (provenance)
//! store/names/STUDY/….json    which key a cell of that name had when it last ran
//! ```
//!
//! Files are written whole or not at all. A file that cannot be read, or that is not what its name
//! says, counts as absent and is reported as damaged. Many runs may write to one store, also from several
//! machines: there is no lock, and two that compute one cell write equal values.

use super::{Cell, CellKey, Provenance, Published, StudyError, Task, Values};
use ebmbook::files::{clear_abandoned, temporary, write_atomically};
use serde::{Deserialize, Serialize};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// A folder of values.
#[derive(Debug)]
pub struct Store {
    folder: PathBuf,
    /// Values that count as being there, besides those of the folder.
    committed: Option<Published>,
}

/// What a store knows of a cell.
#[derive(Clone, Debug, PartialEq)]
pub enum State {
    /// Its values are there.
    Cached(Values),
    /// It has to run; the reason, for people.
    ToRun(String),
}

#[derive(Serialize, Deserialize)]
struct CellFile {
    key: CellKey,
    task: Task,
    values: Values,
}

impl Store {
    /// Where results go unless a folder is named: `cells` in `$EBMBOOK_HOME` if set, else in
    /// `target/ebmbook` of the project.
    pub fn default_folder() -> PathBuf {
        if let Some(home) = std::env::var_os("EBMBOOK_HOME") {
            return Path::new(&home).join("cells");
        }
        let data = ebmbook::data::manifest::Manifest::find().ok();
        let root = data.as_ref().and_then(|m| m.folder().parent()).map(Path::to_owned);
        root.unwrap_or_default().join("target/ebmbook/cells")
    }

    /// Opens for reading. A folder that is not there yet is an empty store.
    pub fn open(folder: &Path) -> Self {
        Self { folder: folder.to_owned(), committed: None }
    }

    /// Opens for writing: makes the folder, and clears away what killed runs left unfinished.
    pub fn open_to_write(folder: &Path) -> Result<Self, StudyError> {
        let problem = |reason: std::io::Error| StudyError::Store {
            path: folder.to_owned(),
            reason: reason.to_string(),
        };
        std::fs::create_dir_all(folder).map_err(problem)?;
        // A folder that may only be read is told before anything is computed.
        temporary(folder).map_err(problem)?;
        clear_abandoned(folder);
        Ok(Self::open(folder))
    }

    /// The store, with committed results in another folder counting as values that are there: a study can
    /// be extended without computing again what was published.
    pub fn with_committed(self, results: &Path) -> Result<Self, StudyError> {
        Ok(Self { committed: Some(Published::load_all(results)?), ..self })
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The values of a cell, or why they have to be computed.
    pub fn state(&self, cell: &Cell) -> State {
        let key = cell.key();
        match std::fs::read(self.values_path(&key)) {
            Ok(bytes) => match serde_json::from_slice::<CellFile>(&bytes) {
                Ok(file) if file.key == key && file.task == cell.task => State::Cached(file.values),
                Ok(_) => State::ToRun("damaged: the file holds another cell".into()),
                Err(error) => State::ToRun(format!("damaged: {error}")),
            },
            Err(error) if error.kind() == ErrorKind::NotFound => {
                match self.committed.as_ref().and_then(|c| c.values(cell)) {
                    Some(values) => State::Cached(values.clone()),
                    None => State::ToRun(self.why(cell, &key)),
                }
            }
            Err(error) => State::ToRun(format!("unreadable: {error}")),
        }
    }

    /// Why a cell without values has none: it is new, or something it depends on has changed.
    fn why(&self, cell: &Cell, key: &CellKey) -> String {
        let older = std::fs::read(self.name_path(cell)).ok();
        match older.and_then(|bytes| serde_json::from_slice::<CellKey>(&bytes).ok()) {
            Some(older) if older != *key => format!("{} changed", key.difference(&older).join(", ")),
            Some(_) => "its file is gone".into(),
            None => "not run yet".into(),
        }
    }

    /// Keeps the values of a cell. The sidecar goes first: values are never without it.
    pub fn save(&self, cell: &Cell, values: &Values, provenance: &Provenance) -> Result<(), StudyError> {
        let key = cell.key();
        let path = self.values_path(&key);
        write_json(&path.with_extension("run.json"), provenance)?;
        write_json(&self.name_path(cell), &key)?;
        let (task, values) = (cell.task.clone(), values.clone());
        write_json(&path, &CellFile { key, task, values })
    }

    /// Whether the folder has a file with the values of a cell; quicker than [`Store::state`], which reads it.
    pub fn has(&self, cell: &Cell) -> bool {
        self.values_path(&cell.key()).is_file()
    }

    /// The circumstances of a cell's values.
    pub fn provenance(&self, cell: &Cell) -> Option<Provenance> {
        let path = self.values_path(&cell.key()).with_extension("run.json");
        serde_json::from_slice(&std::fs::read(path).ok()?).ok()
    }

    /// Those circumstances, or what is told with the committed values if they are used. A killed run may leave
    /// circumstances without values.
    pub(super) fn origin(&self, cell: &Cell) -> Option<Provenance> {
        if self.has(cell) {
            return self.provenance(cell);
        }
        self.committed.as_ref()?.provenance(cell)
    }

    fn values_path(&self, key: &CellKey) -> PathBuf {
        self.folder.join(&key.hash[..2]).join(&key.hash).with_extension("json")
    }

    fn name_path(&self, cell: &Cell) -> PathBuf {
        self.folder.join("names").join(format!("{}.json", cell.name()))
    }
}

/// Writes a JSON file, whole or not at all.
pub(super) fn write_json(path: &Path, content: &impl Serialize) -> Result<(), StudyError> {
    write_atomically(path, |w| {
        serde_json::to_writer_pretty(&mut *w, content)?;
        writeln!(w)
    })?;
    Ok(())
}

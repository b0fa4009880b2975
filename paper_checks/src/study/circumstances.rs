//! How committed values came about: which lines of `cells.jsonl` were computed by which build, on what, on
//! which rows.

use super::{Cell, Provenance, StudyError, as_text};
use itertools::Itertools;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::path::{Path, PathBuf};

/// The file `provenance.json` beside the cells of a study.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Circumstances {
    /// Number of cells.
    pub cells: usize,
    /// Sum of the seconds of all cells.
    pub seconds: f64,
    /// The builds that computed them, in the order in which their cells come.
    pub origins: Vec<BuildRecord>,
    /// Master seeds; none where nothing is drawn.
    pub seeds: Vec<u64>,
    /// Hash of the rows of each data set, by the data's description.
    pub rows: BTreeMap<String, String>,
}

/// One build of the program on one processor, and what it computed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BuildRecord {
    /// Git revision; `+` behind it if sources were changed. Several where it was not kept which line is whose.
    pub revision: String,
    /// The compiler.
    pub rustc: String,
    /// The processor.
    pub cpu: String,
    /// Hash of Cargo.lock.
    pub lock: String,
    /// Number of cells.
    pub cells: usize,
    /// Seconds of its cells. Where some of them were replaced, the others' share.
    pub seconds: f64,
    /// Lines of `cells.jsonl`, from one: `1-60 81 90-95`.
    pub lines: String,
}

impl Circumstances {
    pub(super) fn path(folder: &Path, study: &str) -> PathBuf {
        folder.join(study).join("provenance.json")
    }

    /// Those of a study with committed results in a folder; none if they are not told.
    pub fn read(folder: &Path, study: &str) -> Result<Option<Self>, StudyError> {
        let path = Self::path(folder, study);
        let Ok(bytes) = std::fs::read(&path) else { return Ok(None) };
        let malformed = |error: serde_json::Error| {
            let (line, reason) = (error.line(), error.to_string());
            StudyError::Malformed { path: path.clone(), line, reason }
        };
        serde_json::from_slice(&bytes).map(Some).map_err(malformed)
    }

    /// What is known of these cells, in the order of their lines.
    pub(super) fn of<'a>(
        cells: impl Iterator<Item = (&'a Cell, Option<Provenance>)>,
    ) -> Result<Self, StudyError> {
        let mut told = Self::default();
        for (line, (cell, provenance)) in cells.enumerate() {
            told.cells += 1;
            if let Some(seed) = cell.task.seed().filter(|seed| !told.seeds.contains(seed)) {
                told.seeds.push(seed);
            }
            if let Some(provenance) = provenance {
                told.add(line + 1, cell, &provenance)?;
            }
        }
        for origin in &mut told.origins {
            origin.seconds = origin.seconds.round();
        }
        told.seconds = told.origins.iter().map(|o| o.seconds).sum();
        Ok(told)
    }

    fn add(&mut self, line: usize, cell: &Cell, provenance: &Provenance) -> Result<(), StudyError> {
        let Provenance { revision, rustc, cpu, lock, .. } = provenance.clone();
        let same =
            |o: &BuildRecord| (&o.revision, &o.rustc, &o.cpu, &o.lock) == (&revision, &rustc, &cpu, &lock);
        let at = self.origins.iter().position(same).unwrap_or_else(|| {
            self.origins.push(BuildRecord { revision, rustc, cpu, lock, ..BuildRecord::default() });
            self.origins.len() - 1
        });
        let origin = &mut self.origins[at];
        origin.cells += 1;
        origin.seconds += provenance.seconds;
        extend(&mut origin.lines, line);
        if let Entry::Vacant(slot) = self.rows.entry(described(cell)) {
            let known = Some(provenance.rows.clone()).filter(|hash| !hash.is_empty());
            slot.insert(known.map_or_else(|| cell.task.rows().rows_hash(), Ok)?);
        }
        Ok(())
    }

    /// The circumstances of the cell on a line, from one. Its seconds are the mean over its origin's cells.
    pub(super) fn of_line(&self, line: usize, cell: &Cell) -> Option<Provenance> {
        let origin = self.origins.iter().find(|o| has(&o.lines, line))?;
        let BuildRecord { revision, rustc, cpu, lock, .. } = origin.clone();
        let rows = self.rows.get(&described(cell)).cloned().unwrap_or_default();
        let (seed, seconds) = (cell.task.seed(), origin.seconds / origin.cells as f64);
        Some(Provenance { revision, lock, rustc, cpu, rows, seed, seconds })
    }

    /// What the origins have in one field, each once, for people.
    pub fn listed(&self, field: fn(&BuildRecord) -> &str) -> String {
        self.origins.iter().map(field).unique().join(", ")
    }
}

/// The data of a cell, as text.
fn described(cell: &Cell) -> String {
    as_text(&cell.task.rows())
}

/// Adds a line that comes after all others: the last range grows, or a new one begins.
fn extend(lines: &mut String, line: usize) {
    match ranges(lines).last() {
        Some((first, last)) if last + 1 == line => {
            let kept = lines.rfind(' ').map_or(0, |space| space + 1);
            lines.truncate(kept);
            *lines += &format!("{first}-{line}");
        }
        Some(_) => *lines += &format!(" {line}"),
        None => *lines += &line.to_string(),
    }
}

fn has(lines: &str, line: usize) -> bool {
    ranges(lines).any(|(first, last)| (first..=last).contains(&line))
}

/// First and last line of each range; what is no range is passed over.
fn ranges(lines: &str) -> impl Iterator<Item = (usize, usize)> + '_ {
    lines.split_whitespace().filter_map(|range| {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        Some((first.parse().ok()?, last.parse().ok()?))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::Scale;
    use crate::study::Study;

    fn by(revision: &str, seconds: f64) -> Option<Provenance> {
        Some(Provenance { revision: revision.into(), seconds, rows: "ab".into(), ..Provenance::here() })
    }

    #[test]
    fn lines_next_to_one_another_are_one_range() {
        let mut lines = String::new();
        [1, 2, 3, 5, 8, 9].iter().for_each(|line| extend(&mut lines, *line));
        assert_eq!(lines, "1-3 5 8-9");
        let found: Vec<usize> = (1..=10).filter(|line| has(&lines, *line)).collect();
        assert_eq!(found, [1, 2, 3, 5, 8, 9]);
    }

    #[test]
    fn a_cell_that_is_replaced_takes_its_share_of_the_seconds_with_it_and_a_build_without_cells_is_gone() {
        let cells = &Study::find("imbalance").unwrap().cells(Scale::Quick)[..4];
        let of = |by: &[Option<Provenance>]| Circumstances::of(cells.iter().zip(by.iter().cloned())).unwrap();
        let first = of(&[by("old", 10.0), by("old", 30.0), by("older", 5.0), by("old", 20.0)]);
        assert_eq!(
            (first.cells, first.seconds, first.listed(|o| &o.revision)),
            (4, 65.0, "old, older".into())
        );
        assert_eq!(first.origins[0].lines, "1-2 4");
        // Written again from itself it is the same.
        let again: Vec<_> = cells.iter().enumerate().map(|(i, c)| first.of_line(i + 1, c)).collect();
        assert_eq!(of(&again), first);
        let mut mixed = again;
        (mixed[2], mixed[3]) = (by("new", 1.0), by("new", 1.0));
        let mixed = of(&mixed);
        assert_eq!((mixed.seconds, mixed.listed(|o| &o.revision)), (42.0, "old, new".into()));
        assert_eq!(mixed.origins[1].lines, "3-4");
    }
}

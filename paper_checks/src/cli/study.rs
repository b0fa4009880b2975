//! `ebmbook plan|publish|cell`: the studies, from the list of cells to their values.

use super::output::{Output, rounded};
use super::report::results_in;
use super::text::lasting;
use super::{Outcome, Problem};
use crate::report::write_review;
use crate::study::publish::publish;
use crate::study::{Cell, Estimate, Rates, Scale, State, Store, Study, StudyError};
use itertools::Itertools;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::time::Instant;

/// Which cells, and where their values are kept.
#[derive(clap::Args)]
pub(super) struct Selection {
    /// Studies; `all` for every one. `ebmbook plan` without a name lists them.
    studies: Vec<String>,
    /// `quick` or `full`.
    #[arg(long, value_enum, default_value_t = Scale::Quick)]
    scale: Scale,
    /// Folder of the values [default: target/ebmbook/cells].
    #[arg(long)]
    store: Option<PathBuf>,
    /// Count committed results in this folder as values that are there, to extend a study.
    #[arg(long)]
    with: Option<PathBuf>,
}

impl Selection {
    pub fn folder(&self) -> PathBuf {
        self.store.clone().unwrap_or_else(Store::default_folder)
    }

    pub fn store(&self) -> Result<Store, StudyError> {
        self.and_committed(Store::open(&self.folder()))
    }

    pub fn and_committed(&self, store: Store) -> Result<Store, StudyError> {
        match &self.with {
            Some(results) => store.with_committed(results),
            None => Ok(store),
        }
    }

    pub fn chosen(&self) -> Result<Vec<Study>, StudyError> {
        if self.studies.iter().any(|name| name == "all") {
            return Ok(Study::all());
        }
        self.studies.iter().map(|name| Study::find(name)).collect()
    }

    /// A command about the same cells and the same store, wherever it is called.
    pub fn arguments(&self, command: &str) -> Vec<String> {
        let absolute =
            |path: &PathBuf| std::path::absolute(path).unwrap_or(path.clone()).display().to_string();
        let mut words = vec![command.to_owned()];
        words.extend(self.studies.iter().cloned());
        words.extend(["--scale".to_owned(), self.scale.to_string()]);
        words.extend(["--store".to_owned(), absolute(&self.folder())]);
        words.extend(self.with.iter().flat_map(|folder| ["--with".to_owned(), absolute(folder)]));
        words
    }

    pub fn must_name_a_study(&self) -> Result<(), Problem> {
        match self.studies.is_empty() {
            true => Err(Problem::with_a_way_out("name a study, or `all`; `ebmbook plan` lists them")),
            false => Ok(()),
        }
    }

    pub fn cells(&self) -> Result<Vec<Cell>, StudyError> {
        Ok(self.chosen()?.iter().flat_map(|study| study.cells(self.scale)).collect())
    }
}

impl From<StudyError> for Problem {
    fn from(error: StudyError) -> Self {
        let next = match error {
            StudyError::Method(error) => return error.into(),
            StudyError::Unknown { .. } => "; `ebmbook plan` says what each is",
            StudyError::NotPublished { .. } => "; `ebmbook publish` writes them",
            StudyError::NoCell { .. } | StudyError::NoResults { .. } | StudyError::Missing { .. } => "",
            _ => return Self::new(error.to_string()),
        };
        Self::with_a_way_out(format!("{error}{next}"))
    }
}

/// List studies, or the cells of a study: which have values and how long they took (what cells share counts for
/// the first of them), which have to run, and why. In JSON each has its key, too.
#[derive(clap::Args)]
pub(super) struct PlanArgs {
    #[command(flatten)]
    selection: Selection,
    /// Say for each cell that has to run why it has to.
    #[arg(long)]
    why: bool,
    /// Say what the cells that have to run cost, and how long so many cores take; from the seconds of the committed cells.
    #[arg(long, value_name = "CORES", conflicts_with = "why", value_parser = clap::value_parser!(u16).range(1..))]
    on: Option<u16>,
}

impl PlanArgs {
    pub fn run(&self, output: &Output) -> Result<Outcome, Problem> {
        let store = self.selection.store()?;
        if let Some(cores) = self.on {
            self.selection.must_name_a_study()?;
            return self.costs(&store, usize::from(cores), output);
        }
        if self.selection.studies.is_empty() {
            self.list(&store, output);
            return Ok(Outcome::Fine);
        }
        let cells = self.selection.cells()?;
        let mut rows = Vec::new();
        let (mut cached, mut to_run) = (0, 0);
        for (id, cell) in cells.iter().enumerate() {
            let state = match store.state(cell) {
                State::Cached(_) => {
                    cached += 1;
                    "cached".to_owned()
                }
                State::ToRun(reason) => {
                    to_run += 1;
                    if self.why { format!("to run: {reason}") } else { "to run".to_owned() }
                }
            };
            let seconds = store.provenance(cell).map_or(Value::Null, |p| rounded(p.seconds, 2));
            let mut row = vec![id.into(), cell.name().into(), state.into(), seconds];
            if output.is_json() {
                row.push(cell.key().hash.into());
            }
            rows.push(row);
        }
        // The key is for programs: where in the store the values are, and which cells are one and the same.
        let header = ["id", "cell", "state", "seconds", "key"];
        output.table(if output.is_json() { &header } else { &header[..4] }, &rows);
        output.say(format!("{} cells: {cached} cached, {to_run} to run", cells.len()));
        Ok(Outcome::Fine)
    }

    fn costs(&self, store: &Store, cores: usize, output: &Output) -> Result<Outcome, Problem> {
        let rates = Rates::committed(&results_in(None)?)?;
        let mut all = self.selection.cells()?;
        all.retain(|cell| matches!(store.state(cell), State::ToRun(_)));
        let row = |name: &str, cells: &[&Cell]| -> Vec<Value> {
            let Estimate { core_seconds, wall_seconds } = rates.estimate(cells.iter().copied(), cores);
            let distinct = cells.iter().map(|cell| cell.key().hash).unique().count();
            let time = |seconds: f64| match output.is_json() {
                true => rounded(seconds, 1),
                // An empty sum is minus zero.
                false => lasting(seconds + 0.0).into(),
            };
            vec![name.into(), distinct.into(), time(core_seconds), time(wall_seconds)]
        };
        let mut rows = Vec::new();
        for study in self.selection.chosen()? {
            let cells: Vec<&Cell> = all.iter().filter(|cell| cell.study == study.name).collect();
            rows.push(row(study.name, &cells));
        }
        rows.push(row("together", &all.iter().collect::<Vec<_>>()));
        let core_hours = rates.estimate(&all, cores).core_seconds / 3600.0;
        let on = format!("on {cores}");
        let names = if output.is_json() { ["core seconds", "seconds"] } else { ["on one core", &on] };
        output.table(&["study", "cells to run", names[0], names[1]], &rows);
        output.say(format!(
            "{core_hours:.1} core hours, as measured on {}; what studies have in common is computed once{}.",
            rates.processors.join(", "),
            match self.selection.scale {
                Scale::Quick => "; cells at quick scale are smaller, so this is an upper bound",
                Scale::Full => "",
            }
        ));
        Ok(Outcome::Fine)
    }

    fn list(&self, store: &Store, output: &Output) {
        let row = |study: &Study| {
            let cells = study.cells(self.selection.scale);
            let cached = cells.iter().filter(|c| matches!(store.state(c), State::Cached(_))).count();
            vec![study.name.into(), cells.len().into(), cached.into(), study.about.into()]
        };
        let rows: Vec<Vec<Value>> = Study::known().iter().map(row).collect();
        output.table(&["study", "cells", "cached", "what it is"], &rows);
        output
            .say("`ebmbook run STUDY` computes what is missing; `ebmbook plan STUDY --why` says why it is.");
    }
}

/// Write the results of studies for people: cells, tables, figures and a review.
#[derive(clap::Args)]
pub(super) struct PublishArgs {
    #[command(flatten)]
    selection: Selection,
    /// Folder to write to [default: paper_checks/results, for full scale].
    #[arg(long)]
    to: Option<PathBuf>,
}

impl PublishArgs {
    pub fn run(&self, output: &Output) -> Result<Outcome, Problem> {
        self.selection.must_name_a_study()?;
        let studies = self.selection.chosen()?;
        let to = match &self.to {
            Some(folder) => folder.clone(),
            None if self.selection.scale == Scale::Full => PathBuf::from("paper_checks/results"),
            None => {
                return Err(Problem::new(
                    "--scale must be full for the committed results, got quick; name another folder with --to",
                ));
            }
        };
        let store = self.selection.store()?;
        let mut written = Vec::new();
        for study in &studies {
            let cells = publish(study, self.selection.scale, &store, &to)?;
            written.push(json!({ "study": study.name, "cells": cells, "folder": to.join(study.name) }));
            output.say(format!(
                "{}: {cells} cells, tables and figures in {}",
                study.name,
                to.join(study.name).display()
            ));
        }
        if self.selection.scale == Scale::Full {
            write_review(&to)?;
            output.say(format!("review: {}", to.join("REVIEW.md").display()));
        }
        if output.is_json() {
            output.value(&Value::from(written));
        }
        Ok(Outcome::Fine)
    }
}

/// Compute one cell of a study, whether it has values or not, and show them.
#[derive(clap::Args)]
pub(super) struct CellArgs {
    /// The study.
    study: String,
    /// Number of the cell in `ebmbook plan STUDY`.
    #[arg(long)]
    id: usize,
    /// `quick` or `full`.
    #[arg(long, value_enum, default_value_t = Scale::Quick)]
    scale: Scale,
}

impl CellArgs {
    pub fn run(&self, output: &Output) -> Result<Outcome, Problem> {
        let cells = Study::find(&self.study)?.cells(self.scale);
        let Some(cell) = cells.get(self.id) else {
            let (study, id, cells) = (self.study.clone(), self.id, cells.len());
            return Err(StudyError::NoCell { study, id, cells }.into());
        };
        let start = Instant::now();
        let values = cell.task.compute()?;
        if output.is_json() {
            output.value(&json!({ "cell": cell, "key": cell.key(), "values": values }));
            return Ok(Outcome::Fine);
        }
        output.say(format!("{}  ({:.1} s)", cell.name(), start.elapsed().as_secs_f64()));
        let rows: Vec<Vec<Value>> =
            values.iter().map(|(name, value)| vec![name.clone().into(), rounded(*value, 4)]).collect();
        output.table(&["value", ""], &rows);
        Ok(Outcome::Fine)
    }
}

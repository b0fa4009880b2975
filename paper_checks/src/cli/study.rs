//! `ebmbook plan|run|publish|cell`: the studies, from the list of cells to their values.

use super::fill::cores;
use super::output::{Output, rounded};
use super::progress::Bar;
use super::{Outcome, Problem};
use crate::report::write_review;
use crate::study::publish::publish;
use crate::study::{Cell, Order, Scale, Schedule, State, Store, Study, StudyError, run};
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
    fn folder(&self) -> PathBuf {
        self.store.clone().unwrap_or_else(Store::default_folder)
    }

    fn store(&self) -> Result<Store, StudyError> {
        self.and_committed(Store::open(&self.folder()))
    }

    fn and_committed(&self, store: Store) -> Result<Store, StudyError> {
        match &self.with {
            Some(results) => store.with_committed(results),
            None => Ok(store),
        }
    }

    fn chosen(&self) -> Result<Vec<Study>, StudyError> {
        if self.studies.iter().any(|name| name == "all") {
            return Ok(Study::all());
        }
        self.studies.iter().map(|name| Study::find(name)).collect()
    }

    fn must_name_a_study(&self) -> Result<(), Problem> {
        match self.studies.is_empty() {
            true => Err(Problem::with_a_way_out("name a study, or `all`; `ebmbook plan` lists them")),
            false => Ok(()),
        }
    }

    fn cells(&self) -> Result<Vec<Cell>, StudyError> {
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
            StudyError::Locked { .. } => {
                return Self::new(format!("{error}; wait for it, or name another folder with --store"));
            }
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
}

impl PlanArgs {
    pub fn run(&self, output: &Output) -> Result<Outcome, Problem> {
        let store = self.selection.store()?;
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

/// Compute the cells of studies that have no values yet.
#[derive(clap::Args)]
pub(super) struct RunArgs {
    #[command(flatten)]
    selection: Selection,
    /// Cells at a time [default: one per core].
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// Run cells in an order drawn from this number, instead of those together that share work; values do not
    /// change.
    #[arg(long)]
    shuffle: Option<u64>,
}

impl RunArgs {
    pub fn run(&self, output: &Output) -> Result<Outcome, Problem> {
        self.selection.must_name_a_study()?;
        let mut cells = self.selection.cells()?;
        if let Some(seed) = self.shuffle {
            use ebmbook::{data::split, seed::Seed};
            let order = split::permutation(cells.len(), Seed::new(seed));
            cells = order.into_iter().map(|i| cells[i].clone()).collect();
        }
        let store = self.selection.and_committed(Store::open_to_write(&self.selection.folder())?)?;
        let threads = self.threads.map_or_else(cores, usize::from);
        let start = Instant::now();
        let order = if self.shuffle.is_some() { Order::Given } else { Order::Sharing };
        let schedule = Schedule { order, ..Schedule::on(threads) };
        let report = run(&cells, &store, schedule, &Bar::of("cells"));
        let seconds = start.elapsed().as_secs_f64();
        if output.is_json() {
            let failed: Vec<Value> =
                report.failed.iter().map(|(cell, why)| json!({ "cell": cell, "why": why })).collect();
            let (cached, ran) = (report.cached, report.ran);
            output.value(&json!({ "cached": cached, "ran": ran, "failed": failed, "seconds": seconds }));
        } else {
            let (ran, cached, failed) = (report.ran, report.cached, report.failed.len());
            output.say(format!("{ran} cells ran, {cached} were cached, {failed} failed; {seconds:.1} s"));
            for (cell, why) in &report.failed {
                output.say(format!("FAILED  {cell}: {why}"));
            }
        }
        // What failed before is told first: the run will not come by it again.
        match report.broken {
            Some(error) => Err(error.into()),
            None if report.failed.is_empty() => Ok(Outcome::Fine),
            None => Ok(Outcome::CheckFailed),
        }
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

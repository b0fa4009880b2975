//! `ebmbook run`: the cells of studies that have no values yet, here or on a cluster.

use super::fill::cores;
use super::output::Output;
use super::progress::Bar;
use super::study::Selection;
use super::{Outcome, Problem};
use crate::study::{
    Array, ArrayReport, Cell, Engine, EngineError, Order, RunReport, Schedule, Share, Slurm, Store, run,
};
use serde_json::{Value, json};
use signal_hook::consts::TERM_SIGNALS;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// Tasks of a cluster should take about so many seconds, and be no more than that.
const TASK_SECONDS: f64 = 600.0;
const MOST_TASKS: f64 = 100.0;

/// Compute the cells of studies that have no values yet.
#[derive(clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    selection: Selection,
    /// Cells at a time [default: one per core; on a cluster, one per task].
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// Run cells in an order drawn from this number, instead of those together that share work; values do not
    /// change.
    #[arg(long)]
    shuffle: Option<u64>,
    /// Run one share of the cells, e.g. `3/100`. All shares together are the study, wherever and in whatever order
    /// they run.
    #[arg(long, value_name = "NUMBER/OF")]
    share: Option<Share>,
    /// Who computes: `local` or `slurm`; `ebmbook engines` says what is there.
    #[arg(long, value_enum, default_value_t)]
    engine: Engine,
    #[command(flatten)]
    cluster: Cluster,
}

/// What only a cluster can be told.
#[derive(clap::Args)]
struct Cluster {
    /// Partition of the cluster [default: the cluster's own].
    #[arg(long)]
    partition: Option<String>,
    /// Limit of the time of each task, as Slurm writes it, e.g. `30` (minutes), `2:00:00` or `1-12`.
    #[arg(long, value_parser = slurm_time)]
    time: Option<String>,
    /// Number of tasks that the cells are shared out to [default: of about ten minutes each, at most 100].
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..))]
    tasks: Option<u16>,
}

/// Minutes, minutes:seconds, hours:minutes:seconds, days-hours, days-hours:minutes or days-hours:minutes:seconds.
fn slurm_time(text: &str) -> Result<String, String> {
    let rule = regex::Regex::new(r"^(\d+(:\d{1,2}){0,2}|\d+-\d{1,2}(:\d{1,2}){0,2})$").expect("it is valid");
    let none = |digit: char| !digit.is_ascii_digit() || digit == '0';
    match rule.is_match(text) && !text.chars().all(none) {
        true => Ok(text.to_owned()),
        false => Err(format!(
            "must be minutes, hours:minutes:seconds or days-hours, such as 30, 2:00:00 or 1-12, got `{text}`"
        )),
    }
}

impl From<EngineError> for Problem {
    fn from(error: EngineError) -> Self {
        let next = match error {
            EngineError::NotInstalled(_) => "; `ebmbook engines` says how to get it",
            EngineError::NoController(_) => "; `ebmbook engines` says what is there",
            _ => return Self::new(error.to_string()),
        };
        Self::with_a_way_out(format!("{error}{next}"))
    }
}

impl Args {
    pub fn run(&self, output: &Output) -> Result<Outcome, Problem> {
        self.selection.must_name_a_study()?;
        self.options_suit_the_engine()?;
        let cells = self.selection.cells()?;
        let start = Instant::now();
        let report = match self.engine {
            Engine::Local => ArrayReport { run: self.here(cells)?, ..ArrayReport::default() },
            Engine::Slurm => self.on_slurm(&cells)?,
        };
        self.tell(&report, start.elapsed().as_secs_f64(), output);
        // What failed before is told first: the run will not come by it again.
        match report.run.broken {
            Some(error) => Err(error.into()),
            None if !report.run.failed.is_empty() => Ok(Outcome::CheckFailed),
            None if report.cancelled => Ok(Outcome::Inconclusive),
            None => Ok(Outcome::Fine),
        }
    }

    fn options_suit_the_engine(&self) -> Result<(), Problem> {
        let Cluster { partition, time, tasks } = &self.cluster;
        let (of, given) = match self.engine {
            Engine::Local => (
                "slurm",
                [
                    ("--partition", partition.is_some()),
                    ("--time", time.is_some()),
                    ("--tasks", tasks.is_some()),
                ],
            ),
            Engine::Slurm => (
                "local",
                [("--share", self.share.is_some()), ("--shuffle", self.shuffle.is_some()), ("", false)],
            ),
        };
        match given.into_iter().find(|(_, given)| *given) {
            Some((option, _)) => {
                Err(Problem::new(format!("{option} belongs to --engine {of}, got {}", self.engine)))
            }
            None => Ok(()),
        }
    }

    fn here(&self, mut cells: Vec<Cell>) -> Result<RunReport, Problem> {
        if let Some(share) = self.share {
            cells = share.of(&cells);
        }
        if let Some(seed) = self.shuffle {
            use ebmbook::{data::split, seed::Seed};
            let order = split::permutation(cells.len(), Seed::new(seed));
            cells = order.into_iter().map(|i| cells[i].clone()).collect();
        }
        let threads = self.threads.map_or_else(cores, usize::from);
        let order = if self.shuffle.is_some() { Order::Given } else { Order::Sharing };
        let schedule = Schedule { order, ..Schedule::on(threads) };
        Ok(run(&cells, &self.store()?, schedule, &Bar::of("cells")))
    }

    fn on_slurm(&self, cells: &[Cell]) -> Result<ArrayReport, Problem> {
        let slurm = Slurm::find()?;
        slurm.check(self.cluster.partition.as_deref())?;
        let seconds: f64 = cells.iter().map(Cell::expected_seconds).sum();
        let tasks = || (seconds / TASK_SECONDS).ceil().clamp(1.0, MOST_TASKS) as usize;
        let program = std::env::current_exe();
        let array = Array {
            program: program.map_err(|e| Problem::new(format!("cannot tell where the program is: {e}")))?,
            arguments: self.selection.arguments("run"),
            tasks: self.cluster.tasks.map_or_else(tasks, usize::from),
            threads: self.threads.map_or(1, usize::from),
            partition: self.cluster.partition.clone(),
            time: self.cluster.time.clone(),
        };
        let cancel = Arc::new(AtomicBool::new(false));
        for signal in TERM_SIGNALS {
            signal_hook::flag::register(*signal, cancel.clone())
                .map_err(|error| Problem::new(format!("cannot listen for Ctrl-C: {error}")))?;
        }
        Ok(array.run(slurm, cells, &self.store()?, &cancel, &Bar::of("cells"))?)
    }

    fn store(&self) -> Result<Store, Problem> {
        Ok(self.selection.and_committed(Store::open_to_write(&self.selection.folder())?)?)
    }

    fn tell(&self, report: &ArrayReport, seconds: f64, output: &Output) {
        let ArrayReport { run, jobs, requeued, cancelled } = report;
        if output.is_json() {
            let failed: Vec<Value> =
                run.failed.iter().map(|(cell, why)| json!({ "cell": cell, "why": why })).collect();
            let mut value =
                json!({ "cached": run.cached, "ran": run.ran, "failed": failed, "seconds": seconds });
            if self.engine == Engine::Slurm {
                value["jobs"] = json!(jobs);
                value["requeued"] = json!(requeued);
                value["cancelled"] = json!(cancelled);
                value["left"] = json!(run.left);
            }
            return output.value(&value);
        }
        let (ran, cached, failed) = (run.ran, run.cached, run.failed.len());
        output.say(format!("{ran} cells ran, {cached} were cached, {failed} failed; {seconds:.1} s"));
        for why in requeued {
            output.say(format!("AGAIN   {why}"));
        }
        for (cell, why) in &run.failed {
            output.say(format!("FAILED  {cell}: {why}"));
        }
        if *cancelled {
            output.say(format!("CANCELLED with {} cells left; the same command goes on with them", run.left));
        }
    }
}

//! Runs the cells of a plan that have no values yet, on several threads.

use super::queues::Queues;
use super::{Cell, Provenance, State, Store, StudyError, Values};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::time::Instant;

/// What is told while cells run.
pub trait RunProgress: Sync {
    /// These cells are to run; so many were there already.
    fn start(&self, to_run: &[&Cell], cached: usize);
    /// A cell is finished, with values or without.
    fn finished(&self, cell: &Cell, seconds: f64);
    /// How many tasks of a cluster run and wait.
    fn status(&self, _: &str) {}
    /// Something happened that is worth a line.
    fn say(&self, _: &str) {}
}

/// Nothing is told.
impl RunProgress for () {
    fn start(&self, _: &[&Cell], _: usize) {}
    fn finished(&self, _: &Cell, _: f64) {}
}

/// How a run ended.
#[derive(Debug, Default)]
pub struct RunReport {
    /// Cells whose values were there already, or that another run computed meanwhile.
    pub cached: usize,
    /// Cells that ran.
    pub ran: usize,
    /// Cells that failed, with the reason. They are not tried again.
    pub failed: Vec<(String, String)>,
    /// Cells that were not begun because time was up or the store could not be written.
    pub left: usize,
    /// Why the store could not be written, which ended the run.
    pub broken: Option<StudyError>,
}

/// The order in which cells run. Values do not depend on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// Cells that share a representation follow one another on one thread, so that it is trained once, and a
    /// thread stays with one data set as long as it can.
    #[default]
    Sharing,
    /// As they are given.
    Given,
}

/// How cells are run.
#[derive(Clone, Copy, Debug)]
pub struct Schedule {
    /// Cells at a time.
    pub threads: usize,
    /// No cell is begun after it.
    pub deadline: Option<Instant>,
    /// Which comes first.
    pub order: Order,
}

impl Schedule {
    /// So many cells at a time, until all are done, in the order that saves most work.
    pub fn on(threads: usize) -> Self {
        Self { threads, deadline: None, order: Order::Sharing }
    }
}

/// Runs what has to run. Values are kept as soon as they are there; a cell that fails is reported
/// and the others go on, but a store that cannot be written ends the run. A cell that another run has finished
/// meanwhile is not computed again.
pub fn run(cells: &[Cell], store: &Store, schedule: Schedule, progress: &dyn RunProgress) -> RunReport {
    // Cells that two studies share are computed once.
    let mut seen = std::collections::BTreeSet::new();
    let mut missing: Vec<&Cell> = cells
        .iter()
        .filter(|cell| seen.insert(cell.key().hash) && matches!(store.state(cell), State::ToRun(_)))
        .collect();
    let (cached, to_run) = (seen.len() - missing.len(), missing.len());
    progress.start(&missing, cached);
    if schedule.order == Order::Sharing {
        // The slowest first, so that the end is not one core waiting for another.
        missing.sort_by_cached_key(|cell| std::cmp::Reverse((1e3 * cell.expected_seconds()) as u64));
    }
    let queues = Mutex::new(match schedule.order {
        Order::Sharing => Queues::sharing(missing),
        Order::Given => Queues::given(missing),
    });
    let report = Mutex::new(RunReport { cached, ..RunReport::default() });
    let so_far = || report.lock().expect("nothing panics while it is held");
    let goes_on = || so_far().broken.is_none() && schedule.deadline.is_none_or(|end| Instant::now() < end);
    let one = |cell: &Cell| {
        let start = Instant::now();
        if let State::Cached(_) = store.state(cell) {
            so_far().cached += 1;
            return progress.finished(cell, 0.0);
        }
        let values = attempt(cell);
        let seconds = start.elapsed().as_secs_f64();
        let save =
            |values: Values| Provenance::now(cell, seconds).and_then(|by| store.save(cell, &values, &by));
        match values.map(save) {
            Ok(Ok(())) => so_far().ran += 1,
            Ok(Err(error)) => {
                so_far().broken = Some(error);
                return;
            }
            Err(reason) => so_far().failed.push((cell.name(), reason)),
        }
        progress.finished(cell, seconds);
    };
    let work = || {
        let mut at = None;
        let next = |at: &mut _| queues.lock().expect("nothing panics while it is held").next(at);
        while let Some(group) = next(&mut at) {
            for cell in group {
                if !goes_on() {
                    return;
                }
                one(cell);
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..schedule.threads.max(1) {
            scope.spawn(work);
        }
    });
    let mut report = report.into_inner().expect("nothing panics while it is held");
    report.failed.sort();
    report.left = cached + to_run - report.cached - report.ran - report.failed.len();
    report
}

/// The values of a cell, or one line that says why there are none. Values that are not numbers
/// would spoil every mean they enter, so they count as a failure.
pub(super) fn attempt(cell: &Cell) -> Result<Values, String> {
    let values = match catch_unwind(AssertUnwindSafe(|| cell.task.compute())) {
        Ok(result) => result.map_err(|error| error.to_string())?,
        Err(panic) => {
            let said = panic.downcast_ref::<String>().map(String::as_str);
            let said = said.or_else(|| panic.downcast_ref::<&str>().copied());
            return Err(format!("panicked: {}", said.unwrap_or("no message")));
        }
    };
    match values.iter().find(|(_, value)| !value.is_finite()) {
        Some((name, value)) => Err(format!("`{name}` is {value}, which is not finite")),
        None => Ok(values),
    }
}

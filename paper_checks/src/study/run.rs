//! Runs the cells of a plan that have no values yet, on several threads.

use super::{Cell, Provenance, State, Store, StudyError, Values};
use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Instant;

/// What is told while cells run.
pub trait Progress: Sync {
    /// So many cells are to run; so many were there already.
    fn start(&self, to_run: usize, cached: usize);
    /// A cell is finished.
    fn finished(&self, cell: &Cell, seconds: f64);
}

/// Nothing is told.
impl Progress for () {
    fn start(&self, _: usize, _: usize) {}
    fn finished(&self, _: &Cell, _: f64) {}
}

/// How a run ended.
#[derive(Debug, Default)]
pub struct RunReport {
    /// Cells whose values were there already.
    pub cached: usize,
    /// Cells that ran.
    pub ran: usize,
    /// Cells that failed, with the reason. They are not tried again.
    pub failed: Vec<(String, String)>,
    /// Cells that were not begun because time was up.
    pub left: usize,
}

/// The order in which cells run. Values do not depend on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// Cells that share a representation follow one another on one thread, so that it is trained once; those
    /// on the same data are near one another.
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
/// and the others go on, but a store that cannot be written ends the run.
pub fn run(
    cells: &[Cell],
    store: &Store,
    schedule: Schedule,
    progress: &dyn Progress,
) -> Result<RunReport, StudyError> {
    // Cells that two studies share are computed once.
    let mut seen = std::collections::BTreeSet::new();
    let missing: Vec<&Cell> = cells
        .iter()
        .filter(|cell| seen.insert(cell.key().hash) && matches!(store.state(cell), State::ToRun(_)))
        .collect();
    let mut report = RunReport { cached: seen.len() - missing.len(), ..RunReport::default() };
    progress.start(missing.len(), report.cached);
    let to_run = missing.len();
    let groups = match schedule.order {
        Order::Sharing => that_share(missing),
        Order::Given => missing.into_iter().map(|cell| vec![cell]).collect(),
    };
    let (next, ran, stop) = (AtomicUsize::new(0), AtomicUsize::new(0), AtomicBool::new(false));
    let failed = Mutex::new(Vec::new());
    let broken = Mutex::new(None);
    let goes_on =
        || !stop.load(Ordering::Relaxed) && schedule.deadline.is_none_or(|end| Instant::now() < end);
    let one = |cell: &Cell| {
        let start = Instant::now();
        match attempt(cell) {
            Ok(values) => {
                let seconds = start.elapsed().as_secs_f64();
                if let Err(error) = store.save(cell, &values, &Provenance::now(cell, seconds)) {
                    *broken.lock().expect("nothing panics while it is held") = Some(error);
                    stop.store(true, Ordering::Relaxed);
                    return;
                }
                ran.fetch_add(1, Ordering::Relaxed);
                progress.finished(cell, seconds);
            }
            Err(reason) => {
                failed.lock().expect("nothing panics while it is held").push((cell.name(), reason));
            }
        }
    };
    let work = || {
        while let Some(group) = groups.get(next.fetch_add(1, Ordering::Relaxed)) {
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
    if let Some(error) = broken.into_inner().expect("nothing panics while it is held") {
        return Err(error);
    }
    report.ran = ran.into_inner();
    report.failed = failed.into_inner().expect("nothing panics while it is held");
    report.failed.sort();
    report.left = to_run - report.ran - report.failed.len();
    Ok(report)
}

/// Groups of cells that share work, each for one thread: a second one would have to wait for the first. Groups
/// stand where their first cell stood, those on data that an earlier group has right after it.
fn that_share(cells: Vec<&Cell>) -> Vec<Vec<&Cell>> {
    let (mut data, mut work) = (HashMap::new(), HashMap::new());
    let mut groups: Vec<(usize, Vec<&Cell>)> = Vec::new();
    for cell in cells {
        let sets = data.len();
        let set = *data.entry(cell.task.data().clone()).or_insert(sets);
        let at = *work.entry(cell.task.shared()).or_insert(groups.len());
        if at == groups.len() {
            groups.push((set, Vec::new()));
        }
        groups[at].1.push(cell);
    }
    // Stable: groups on the same data stay in order.
    groups.sort_by_key(|(set, _)| *set);
    groups.into_iter().map(|(_, cells)| cells).collect()
}

/// The values of a cell, or one line that says why there are none. Values that are not numbers
/// would spoil every mean they enter, so they count as a failure.
fn attempt(cell: &Cell) -> Result<Values, String> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checks::Scale;
    use crate::study::Study;

    #[test]
    fn groups_hold_every_cell_once_and_cells_of_a_group_share_their_representation() {
        let cells: Vec<Cell> = Study::all().iter().flat_map(|s| s.cells(Scale::Quick)).collect();
        let groups = that_share(cells.iter().collect());
        let mut names: Vec<String> = groups.iter().flatten().map(|c| c.name()).collect();
        names.sort();
        let mut all: Vec<String> = cells.iter().map(Cell::name).collect();
        all.sort();
        assert_eq!(names, all);
        for group in &groups {
            assert!(group.iter().all(|c| c.task.shared() == group[0].task.shared()));
        }
        let shared: std::collections::BTreeSet<String> = groups.iter().map(|g| g[0].task.shared()).collect();
        assert_eq!(shared.len(), groups.len(), "no representation is in two groups");
    }

    #[test]
    fn tables_that_differ_in_the_regressor_alone_and_both_halves_of_figure_3_train_once() {
        let together = |one: &str, other: &str, arm: &str| {
            let cells = |study: &str| Study::find(study).unwrap().cells(Scale::Quick);
            let of = |cells: &[Cell]| {
                let here = cells.iter().filter(|c| c.arm == arm);
                here.map(|c| c.task.shared()).collect::<std::collections::BTreeSet<_>>()
            };
            let (one, other) = (of(&cells(one)), of(&cells(other)));
            !other.is_empty() && other.is_subset(&one)
        };
        assert!(together("table1", "table-power", "ebm-pairwise"));
        assert!(together("table1", "table-ridge", "raw"));
        assert!(together("figure3-mcc", "figure3-sd", "ebm"));
        assert!(!together("figure3-mcc", "splitting", "all rows"), "another method");
    }
}

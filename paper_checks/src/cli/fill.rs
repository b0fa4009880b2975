//! Fills the store with the cells that claims need.

use super::Problem;
use super::kept::NO_TIME;
use super::progress::Bar;
use crate::claims::{self, Context};
use crate::registry::Claim;
use crate::study::{Cell, Order, Schedule, State, Store, Studies, Study, StudyError, run};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

/// How filling the store went.
#[derive(Default)]
pub(super) struct Filled {
    /// Cells whose values were there already.
    pub cached: usize,
    /// Cells that ran.
    pub ran: usize,
    /// Cells that failed, with the reason.
    pub failed: Vec<(String, String)>,
    /// Failed cells by study; a cell that two studies share stands under both.
    failed_in: BTreeMap<String, Vec<(String, String)>>,
}

impl Filled {
    /// Why so many cells of a study have no values, and whether for want of time.
    pub fn why_missing(&self, study: &str, missing: usize, planned: usize) -> (String, bool) {
        let failed = self.failed_in.get(study).map_or(&[][..], Vec::as_slice);
        let no_time = |cells: usize| format!("{cells} of {planned} cells of `{study}` {NO_TIME}");
        match failed.first() {
            None => (no_time(missing), true),
            Some((cell, why)) => {
                let left = missing.saturating_sub(failed.len());
                let rest = if left > 0 { format!("; {}", no_time(left)) } else { String::new() };
                let number = failed.len();
                let why = format!(
                    "{number} of {planned} cells of `{study}` failed, the first is {cell}: {why}{rest}"
                );
                (why, left > 0)
            }
        }
    }

    /// The failures as an error, for a command that can do nothing without every cell.
    pub fn complete(self) -> Result<Self, Problem> {
        match self.failed.first() {
            Some((cell, why)) => {
                let number = self.failed.len();
                Err(Problem::with_a_way_out(format!(
                    "{number} cells failed; the first is {cell}: {why}; see `ebmbook plan`"
                )))
            }
            None => Ok(self),
        }
    }
}

/// Computes the cells that claims need and that have no values yet. A store that lacks nothing is
/// only read.
pub(super) fn fill_store(
    claims: &[&Claim],
    context: &Context,
    deadline: Option<Instant>,
) -> Result<Filled, Problem> {
    let Studies::Store(folder) = &context.studies else { return Ok(Filled::default()) };
    let studies = in_order(claims, context)?;
    let cells: Vec<Cell> = studies.iter().flat_map(|(_, cells)| cells).cloned().collect();
    let there = Store::open(folder);
    let missing = |cell: &Cell| matches!(there.state(cell), State::ToRun(_));
    if !cells.iter().any(missing) {
        // Cells that two studies share count once.
        let distinct: BTreeSet<String> = cells.iter().map(|c| c.key().hash).collect();
        return Ok(Filled { cached: distinct.len(), ..Filled::default() });
    }
    // With a budget the claims to read first come first; without one, what saves most work does.
    let order = if deadline.is_some() { Order::Given } else { Order::Sharing };
    let schedule = Schedule { threads: cores(), deadline, order };
    let report = run(&cells, &Store::open_to_write(folder)?, schedule, &Bar::of("cells"));
    if let Some(error) = report.broken {
        return Err(error.into());
    }
    let mut failed_in: BTreeMap<String, Vec<(String, String)>> = BTreeMap::new();
    for (name, why) in &report.failed {
        let key = cells.iter().find(|c| c.name() == *name).map(Cell::key);
        for (study, of_study) in &studies {
            if of_study.iter().any(|c| Some(c.key()) == key) {
                failed_in.entry(study.clone()).or_default().push((name.clone(), why.clone()));
            }
        }
    }
    Ok(Filled { cached: report.cached, ran: report.ran, failed: report.failed, failed_in })
}

/// The studies behind these claims with their cells: first those behind the claims to read first,
/// and small ones before large ones, so that a budget decides as many claims as it can.
fn in_order(claims: &[&Claim], context: &Context) -> Result<Vec<(String, Vec<Cell>)>, StudyError> {
    let names: BTreeSet<&str> = claims.iter().flat_map(|c| &c.studies).map(String::as_str).collect();
    let mut studies = Vec::new();
    for name in names {
        studies.push((name.to_owned(), Study::find(name)?.cells(context.scale)));
    }
    let first = claims::read_first();
    let behind_first = |name: &str| first.iter().any(|claim| claim.studies.iter().any(|study| study == name));
    studies.sort_by_key(|(name, cells)| (!behind_first(name), cells.len()));
    Ok(studies)
}

/// One cell per core: each runs on one thread.
pub(super) fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_studies_behind_the_claims_to_read_first_come_first_and_small_ones_early() {
        let claims: Vec<&Claim> = claims::all().collect();
        let studies = in_order(&claims, &Context::default()).unwrap();
        let names: Vec<&str> = studies.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(
            names[..3].iter().copied().collect::<BTreeSet<_>>(),
            ["table-a1", "table1", "table2"].into()
        );
        assert!(studies[3..].is_sorted_by_key(|(_, cells)| cells.len()), "{names:?}");
        assert_eq!(names.iter().copied().collect::<BTreeSet<_>>().len(), names.len());
    }

    #[test]
    fn a_missing_cell_either_failed_or_did_not_fit() {
        let failed = vec![("ihdp/0".to_owned(), "no file".to_owned())];
        let filled = Filled { failed_in: [("ihdp".to_owned(), failed)].into(), ..Filled::default() };
        let no_time = "3 of 9 cells of `table1` did not fit into the budget";
        assert_eq!(filled.why_missing("table1", 3, 9), (no_time.to_owned(), true));
        let only = "1 of 9 cells of `ihdp` failed, the first is ihdp/0: no file";
        assert_eq!(filled.why_missing("ihdp", 1, 9), (only.to_owned(), false));
        let (both, out_of_time) = filled.why_missing("ihdp", 3, 9);
        assert!(both.ends_with("; 2 of 9 cells of `ihdp` did not fit into the budget") && out_of_time);
    }
}

//! The paper's tables in the form of a study's results, so that a check can be asked what it finds in them.

use super::table::printed::{learner_cell, reduction_cell};
use super::{Arm, Cell, Fit, Results, Study, StudyError, Task, Values};
use crate::printed::Printed;
use crate::registry::Scale;
use ebmbook::data::Protocol;
use std::collections::{HashMap, HashSet};

/// The printed means over the settings that a study has at this scale: one run per arm, under `released`, whose numbers
/// are printed. Arms and learners that the paper does not print are left out.
///
/// ```
/// use paper_checks::claims::Scale;
/// use paper_checks::study::{Arm, Fit, LearnerKind, printed_means};
/// let table1 = printed_means("table1", Scale::Full)?;
/// assert_eq!(table1.arms(), [Arm::RAW, Arm::EBM]);
/// let t = table1.only(|c| (c.d, c.n, c.arm) == (50, 100, Arm::RAW));
/// assert_eq!(t.values(Fit::kernel_ridge(LearnerKind::T).pehe()), [2.441]);
/// # Ok::<(), paper_checks::study::StudyError>(())
/// ```
pub fn printed_means(study: &str, scale: Scale) -> Result<Results, StudyError> {
    let printed = Printed::load();
    let mut known: HashMap<String, Values> = HashMap::new();
    let mut cells = Study::find(study)?.cells(scale);
    // The first run of each arm stands for all.
    let mut seen = HashSet::new();
    let mut is_new = |c: &Cell| seen.insert((c.block, c.d, c.n, c.arm));
    cells.retain(|c| c.protocol == Protocol::Released && is_new(c));
    for cell in &cells {
        // Two blocks of a table share a row, and print it differently: it counts as the first of them has it.
        known.entry(cell.key().hash).or_insert_with(|| values(&printed, cell));
    }
    let of = |cell: &Cell| known.get(&cell.key().hash).filter(|values| !values.is_empty()).cloned();
    cells.retain(|cell| of(cell).is_some());
    Results::collect(cells, of)
}

/// What is printed for a cell, by the names that its values have.
fn values(printed: &Printed, cell: &Cell) -> Values {
    let Task::Effects(task) = &cell.task else { return Values::new() };
    let place = (cell.block, cell.d, cell.n);
    let pehe = |fit: Fit| match (cell.study.as_str(), cell.arm) {
        ("table2" | "table-a1", arm) => reduction_cell(printed, place, arm).map(|c| c.pehe_mean),
        (_, Arm::RAW) => learner_cell(printed, place, fit, false).map(|c| c.pehe_mean),
        (_, Arm::EBM) => learner_cell(printed, place, fit, true).map(|c| c.pehe_mean),
        _ => None,
    };
    task.fits.iter().filter_map(|fit| Some((fit.pehe().to_string(), pehe(*fit)?))).collect()
}

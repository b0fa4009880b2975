//! The paper's tables in the form of a study's results, so that a check can be asked what it finds in them.

use super::{Cell, Results, Study, StudyError, Task, Values};
use crate::printed::{LearnerCell, Printed, REDUCTIONS, ReductionCell};
use crate::registry::Scale;
use ebmbook::data::Protocol;
use std::collections::{BTreeSet, HashMap};

/// The printed means over the settings that a study has at this scale: one run per arm, under `released`, whose numbers
/// are printed. Arms and learners that the paper does not print are left out.
///
/// ```
/// use paper_checks::{claims::Scale, study::printed_means};
/// let table1 = printed_means("table1", Scale::Full)?;
/// assert_eq!(table1.arms(), ["raw", "ebm-pairwise"]);
/// assert_eq!(table1.only(|c| c.n == 100 && c.d == 50 && c.arm == "raw").values("t kernel-ridge"), [2.441]);
/// # Ok::<(), paper_checks::study::StudyError>(())
/// ```
pub fn printed_means(study: &str, scale: Scale) -> Result<Results, StudyError> {
    let printed = Printed::load();
    let mut known: HashMap<String, Values> = HashMap::new();
    let mut cells = Study::find(study)?.cells(scale);
    // The first run of each arm stands for all.
    let mut seen = BTreeSet::new();
    let mut is_new = |c: &Cell| seen.insert((c.block.clone(), c.d, c.n, c.arm.clone()));
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
    let fits = task.fits.iter();
    fits.filter_map(|fit| Some((fit.name(), pehe(printed, cell, &fit.learner, &fit.regressor)?))).collect()
}

fn pehe(printed: &Printed, cell: &Cell, learner: &str, regressor: &str) -> Option<f64> {
    if matches!(cell.study.as_str(), "table2" | "table-a1") {
        let (_, name) =
            REDUCTIONS.into_iter().chain([("ebm-pairwise", "EBM")]).find(|(arm, _)| *arm == cell.arm)?;
        let same = |c: &&ReductionCell| {
            (&c.dataset, c.d, c.n, c.reduction.as_str()) == (&cell.block, cell.d, cell.n, name)
        };
        return printed.reductions.iter().find(same).map(|c| c.pehe_mean);
    }
    let with_ebm = match cell.arm.as_str() {
        "raw" => false,
        "ebm-pairwise" => true,
        _ => return None,
    };
    let same = |c: &&LearnerCell| {
        (&c.dataset, c.d, c.n, c.with_ebm) == (&cell.block, cell.d, cell.n, with_ebm)
            && c.learner.eq_ignore_ascii_case(learner)
            && c.regressor.starts_with(regressor)
    };
    printed.learners.iter().find(same).map(|c| c.pehe_mean)
}

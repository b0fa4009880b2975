//! The printed number of a claim is the statistic its check computes: the check itself, given the
//! printed means in the place of our values, finds the same number.

use paper_checks::checks::{self, Context, Scale, studies_of};
use paper_checks::claim::registry;
use paper_checks::deviation::ledger;
use paper_checks::printed::{LearnerCell, Printed, REDUCTIONS};
use paper_checks::report::{printed_number, printed_value};
use paper_checks::study::{Arm, Cell, Provenance, Store, Studies, Study, Values};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Every cell of these studies with the printed means as values; what is not printed is one.
fn print_into(folder: &Path, studies: &[&str]) {
    let store = Store::open_to_write(folder).unwrap();
    let printed = Printed::load();
    // A row that two blocks share is one experiment, and counts as the first of them prints it.
    let mut seen = BTreeSet::new();
    for name in studies {
        for cell in Study::find(name).unwrap().cells(Scale::Quick) {
            if !seen.insert(cell.key().hash) {
                continue;
            }
            let mut values: Values = BTreeMap::new();
            for learner in ["t", "x", "dr", "r"] {
                for regressor in ["kernel-ridge", "power", "polynomial", "ridge"] {
                    let pehe = pehe(&printed, &cell, learner, regressor).unwrap_or(1.0);
                    values.insert(format!("{learner} {regressor}"), pehe);
                }
            }
            for trivial in ["zero", "constant", "oracle"] {
                values.insert(trivial.into(), 1.0);
            }
            store.save(&cell, &values, &Provenance::here()).unwrap();
        }
    }
}

fn pehe(printed: &Printed, cell: &Cell, learner: &str, regressor: &str) -> Option<f64> {
    if matches!(cell.study.as_str(), "table2" | "table-a1") {
        let mut names = REDUCTIONS.into_iter().chain([("ebm-pairwise", "EBM")]);
        let (_, name) = names.find(|(arm, _)| *arm == cell.arm.to_string())?;
        let same = |c: &&paper_checks::printed::ReductionCell| {
            (&c.dataset, c.d, c.n, c.reduction.as_str()) == (&cell.block, cell.d, cell.n, name)
        };
        return printed.reductions.iter().find(same).map(|c| c.pehe_mean);
    }
    let with_ebm = match cell.arm {
        Arm::RAW => false,
        Arm::EBM => true,
        _ => return None,
    };
    let same = |c: &&paper_checks::printed::LearnerCell| {
        (&c.dataset, c.d, c.n, c.with_ebm) == (&cell.block, cell.d, cell.n, with_ebm)
            && c.learner.eq_ignore_ascii_case(learner)
            && c.regressor.starts_with(regressor)
    };
    printed.learners.iter().find(same).map(|c| c.pehe_mean)
}

#[test]
fn a_check_of_the_printed_means_finds_the_printed_numbers() {
    let mut compared = Vec::new();
    for claim in registry().iter().filter(|c| !studies_of(&c.id).is_empty()) {
        let id = claim.id.as_str();
        let has_one = |name: &str| printed_value(id, name, Scale::Quick).is_some();
        if !claim.criteria.iter().any(|c| has_one(&c.value)) && printed_number(id, Scale::Quick).is_none() {
            continue;
        }
        // A store for each claim: studies share cells, and a block's name says which row is printed.
        let folder = tempfile::tempdir().unwrap();
        print_into(folder.path(), studies_of(id));
        let studies = Studies::Store(folder.path().to_owned());
        let report = checks::run(claim, &Context { studies, ..Context::default() }).unwrap();
        for found in &report.findings.values {
            let Some(printed) = printed_value(id, &found.name, Scale::Quick) else { continue };
            // Sums of a few dozen numbers in another order.
            assert!(
                (found.estimate - printed).abs() < 1e-9,
                "{id}: {} is {}, printed {printed}",
                found.name,
                found.estimate
            );
            compared.push((id, found.name.clone()));
        }
        let first = printed_value(id, &report.findings.values[0].name, Scale::Quick);
        assert_eq!(printed_number(id, Scale::Quick), first, "{id}: it is that of the first value");
    }
    let count = |id: &str| compared.iter().filter(|(claim, _)| *claim == id).count();
    let counts = [
        ("table1-ebm-helps", 1),
        ("table1-gain-shrinks", 1),
        ("table1-gaps-shrink", 1),
        ("table1-r-best", 1),
        ("table2-ebm-beats-reductions", 1),
        ("regressor-agnostic", 3),
        ("ihdp", 4),
        ("seed-dependence", 1),
    ];
    assert!(counts.iter().all(|(id, number)| count(id) == *number), "{compared:?}");
    assert_eq!(compared.len(), counts.iter().map(|(_, number)| number).sum::<usize>(), "{compared:?}");
}

#[test]
fn the_ledger_quotes_the_printed_errors_of_r_on_the_covariates() {
    let of_appendix = |c: &&LearnerCell| {
        ["power-transform", "polynomial", "ridge"].contains(&c.regressor.as_str())
            && c.dataset.is_synthetic()
            && (c.learner.as_str(), c.with_ebm) == ("R", false)
    };
    let printed = Printed::load();
    let errors: Vec<f64> = printed.learners.iter().filter(of_appendix).map(|c| c.pehe_mean).collect();
    let (least, most) = errors.iter().fold((f64::MAX, 0.0_f64), |(l, m), e| (l.min(*e), m.max(*e)));
    let row = ledger().into_iter().find(|d| d.id == "r-on-covariates").unwrap();
    assert!(
        row.paper.contains(&format!("errors of {least:.0} to {most:.0} on synthetic data")),
        "{}",
        row.paper
    );
}

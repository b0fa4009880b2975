//! The printed number of a claim is the statistic its check computes: the check itself, given the
//! printed means in the place of our values, finds the same number.

use paper_checks::checks::{self, Context, Scale, studies_of};
use paper_checks::claim::{find, registry};
use paper_checks::printed::{Printed, REDUCTIONS};
use paper_checks::report::printed_number;
use paper_checks::study::{Cell, Provenance, Store, Studies, Study, Values};
use std::collections::BTreeMap;
use std::path::Path;

/// Every cell of these studies with the printed means as values; what is not printed is one.
fn print_into(folder: &Path, studies: &[&str]) {
    let store = Store::open_to_write(folder).unwrap();
    let printed = Printed::load();
    for name in studies {
        for cell in Study::find(name).unwrap().cells(Scale::Quick) {
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
        let (_, name) = names.find(|(arm, _)| *arm == cell.arm)?;
        let same = |c: &&paper_checks::printed::ReductionCell| {
            (&c.dataset, c.d, c.n, c.reduction.as_str()) == (&cell.block, cell.d, cell.n, name)
        };
        return printed.reductions.iter().find(same).map(|c| c.pehe_mean);
    }
    let with_ebm = match cell.arm.as_str() {
        "raw" => false,
        "ebm-pairwise" => true,
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
fn a_check_of_the_printed_means_finds_the_printed_number() {
    let with_number: Vec<&str> = registry()
        .iter()
        .map(|c| c.id.as_str())
        .filter(|id| printed_number(id, Scale::Quick).is_some())
        .collect();
    assert_eq!(
        with_number,
        [
            "table1-ebm-helps",
            "table1-gain-shrinks",
            "table1-gaps-shrink",
            "table1-r-best",
            "table2-ebm-beats-reductions",
            "regressor-agnostic",
            "ihdp",
            "seed-dependence",
            "printed-consistency"
        ]
    );
    for id in with_number {
        // A store for each claim: studies share cells, and a block's name says which row is printed.
        let folder = tempfile::tempdir().unwrap();
        print_into(folder.path(), studies_of(id));
        let studies = Studies::Store(folder.path().to_owned());
        let report = checks::run(find(id).unwrap(), &Context { studies, ..Context::default() }).unwrap();
        let (found, printed) = (&report.findings.values[0], printed_number(id, Scale::Quick).unwrap());
        // Sums of a few dozen numbers in another order.
        assert!(
            (found.estimate - printed).abs() < 1e-9,
            "{id}: {} is {}, printed {printed}",
            found.name,
            found.estimate
        );
    }
}

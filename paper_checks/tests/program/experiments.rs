//! The claims about the experiments: verdicts at quick scale are those on record, controls come out
//! as they must, and committed results are what the committed cells give.

use crate::support::{assert_are_the_snapshots, read, results as committed};
use paper_checks::claims::{self, Context, Scale};
use paper_checks::registry::{Claim, Part};
use paper_checks::registry::{Scope, Verdict, verdict};
use paper_checks::report::review;
use paper_checks::study::publish::{files, write_text};
use paper_checks::study::sweep::figure_names;
use paper_checks::study::{
    CommittedCell, Published, Results, Schedule, Store, Studies, Study, Task, npci_at_hand, run,
};
use std::collections::BTreeSet;

/// The claims that this file is about.
fn experiments() -> impl Iterator<Item = &'static Claim> {
    claims::all().filter(|c| c.part == Part::Experiments)
}

#[test]
fn verdicts_at_quick_scale_are_those_on_record() {
    let store = tempfile::tempdir().unwrap();
    let cells: Vec<_> = Study::all().iter().flat_map(|s| s.cells(Scale::Quick)).collect();
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let schedule = Schedule::on(threads);
    let report = run(&cells, &Store::open_to_write(store.path()).unwrap(), schedule, &());
    assert!(report.failed.is_empty(), "{:?}", report.failed);

    let context = Context { studies: Studies::Store(store.path().to_owned()), ..Context::default() };
    for claim in experiments() {
        let id = &claim.id;
        let report = claims::run(claim, &context).unwrap();
        let text = report.text();
        assert_eq!(report.verdict, claim.recorded, "{text}");
        assert!(report.faulty_controls.is_empty(), "{text}");
        // What few runs leave open they do not break either; at full scale every gate is broken by a control.
        let mut unbroken = report.unbroken_gates(claim);
        unbroken.retain(|gate| !report.open.iter().any(|open| open.value.as_ref() == Some(gate)));
        // Where another gate decides, one that is open is not listed as lacking.
        unbroken.retain(|gate| {
            let own = claim.criteria.iter().filter(|c| c.value == **gate && c.scope == Scope::Stated);
            let mut alone = own.map(|c| verdict(&report.findings.values, std::slice::from_ref(c), 1.0));
            !alone.any(|verdict| verdict == Verdict::Inconclusive)
        });
        assert!(claim.recorded.is_open() || unbroken.is_empty(), "{id}: {unbroken:?}");
        assert!(text.lines().count() <= 40, "{id}");
        // A criterion about a value that the check does not return decides nothing: the claim is on record as open.
        for criterion in &claim.criteria {
            let value = report.findings.values.iter().find(|v| v.key == criterion.value);
            let waits = claim.recorded.is_open() && value.is_none();
            assert!(
                waits || value.is_some_and(|v| v.estimate.is_finite()),
                "{id}: `{}` is not measured",
                criterion.value
            );
        }
        assert_are_the_snapshots(claim, &report, &context);
    }
}

#[test]
fn every_claim_about_the_experiments_names_known_studies() {
    for claim in claims::all() {
        // One is about the printed numbers alone, and one about other entries.
        let without = ["printed-consistency", "claim-1"].contains(&claim.id.as_str());
        let needs = claim.part == Part::Experiments && !without;
        assert_eq!(!claim.studies.is_empty(), needs, "{}", claim.id);
        for study in &claim.studies {
            assert!(Study::find(study).is_ok(), "{} asks for `{study}`", claim.id);
        }
    }
}

/// The names of the figures that the cells of a study give, without computing a value.
fn figures(study: &str, scale: Scale) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    if study == "sweep" {
        return figure_names().map(|(.., name)| name).collect();
    }
    for cell in Study::find(study).unwrap().cells(scale) {
        let protocol = cell.protocol;
        if let Task::Effects(task) = &cell.task {
            for fit in &task.fits {
                names.insert(format!("{}-{}-{}-{protocol}", cell.block, fit.learner, fit.regressor));
                if task.fits.len() >= 4 {
                    names.insert(format!("{}-learners-{}-{protocol}", cell.block, fit.regressor));
                }
            }
        } else {
            names.extend(["mcc", "sd-of-effects"].map(|value| format!("{value}-{protocol}")));
        }
    }
    names
}

#[test]
fn every_figure_of_a_claim_is_one_of_a_study_that_it_rests_on() {
    let mut distinct = BTreeSet::new();
    for claim in experiments() {
        let mut quick = 0;
        for (study, name) in claim.figures() {
            assert!(claim.studies.iter().any(|s| s == study), "{}: {study}", claim.id);
            assert!(figures(study, Scale::Full).contains(name), "{}: {study} has no `{name}`", claim.id);
            quick += usize::from(figures(study, Scale::Quick).contains(name));
        }
        // A share of treated rows, a list of misprints and a count of verdicts are no curves.
        let without = ["imbalance", "printed-consistency", "claim-1"].contains(&claim.id.as_str());
        assert_eq!((claim.figures.is_empty(), quick == 0), (without, without), "{}", claim.id);
        assert!(without || distinct.insert(&claim.figures), "{}: another claim shows the same", claim.id);
    }
}

#[test]
fn committed_tables_and_figures_are_what_the_committed_cells_give() {
    for study in Published::studies(&committed()) {
        let published = Published::load(&committed(), study.name).unwrap();
        let results = Results::from_published(study.cells(Scale::Full), &published).unwrap();
        for (name, content) in files(&study, Scale::Full, &results, &committed()).unwrap() {
            let path = committed().join(study.name).join(&name);
            if std::env::var_os("UPDATE_RECORDS").is_some() {
                write_text(&path, &content).unwrap();
            }
            assert!(
                read(&path) == content,
                "{} is not what its cells give; run this test with UPDATE_RECORDS=1",
                path.display()
            );
        }
    }
    let page = review(&committed()).unwrap();
    if std::env::var_os("UPDATE_RECORDS").is_some() {
        std::fs::write(committed().join("REVIEW.md"), &page).unwrap();
    }
    let same = read(committed().join("REVIEW.md")) == page;
    assert!(same, "REVIEW.md is not what the results give; run this test with UPDATE_RECORDS=1");
}

#[test]
fn verdicts_on_the_committed_results_are_those_on_record() {
    let context =
        Context { scale: Scale::Full, studies: Studies::Published(committed()), ..Context::default() };
    let here: Vec<&str> = Published::studies(&committed()).iter().map(|s| s.name).collect();
    for claim in experiments().filter(|c| c.studies.iter().all(|study| here.contains(&study.as_str()))) {
        let report = claims::run(claim, &context).unwrap();
        assert_eq!(report.verdict, claim.recorded_at(Scale::Full), "{}", report.text());
        assert!(report.faulty_controls.is_empty(), "{}", report.text());
        assert!(report.finding().is_ok(), "{}: its finding asks for {:?}", claim.id, report.finding());
    }
}

#[test]
fn a_committed_cell_of_each_study_can_be_computed_again() {
    let here = |study: &Study| study.name != "ihdp-npci" || npci_at_hand();
    for study in Published::studies(&committed()).into_iter().filter(here) {
        let published = Published::load(&committed(), study.name).unwrap();
        // The smallest cell of the study, and the smallest in which a network is trained, stand for all: same
        // code, less time.
        let cells = study.cells(Scale::Full);
        let smallest = cells.iter().min_by_key(|c| (c.n, c.d)).unwrap();
        let trained = cells.iter().filter(|c| c.arm.is_ebm()).min_by_key(|c| (c.n, c.d));
        for cell in [Some(smallest), trained].into_iter().flatten() {
            let values = published.values(cell).unwrap_or_else(|| panic!("{} is not committed", cell.name()));
            let values = values.clone();
            let again = CommittedCell { cell: cell.clone(), values }.recompute();
            let difference = &again.difference;
            let close = difference.as_ref().is_none_or(|d| d.apart <= again.allowed().apart);
            assert!(close, "{}: {difference:?}; raise the algorithm version", cell.name());
        }
    }
}

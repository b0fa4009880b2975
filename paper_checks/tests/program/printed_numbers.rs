//! What the paper's own tables say on a claim is the claim's check, applied to the printed means.

use paper_checks::claims::{self, Scale, check_of};
use paper_checks::printed::{LearnerCell, Printed};
use paper_checks::registry::{Key, ledger};

/// Values of the printed means that are finite, with their claims.
fn printed(scale: Scale) -> Vec<(&'static str, Key, f64)> {
    let of = |claim: &'static paper_checks::registry::Claim| {
        let values = check_of(claim).printed.map(|printed| printed(scale).unwrap()).unwrap_or_default();
        let finite = values.into_iter().filter(|v| v.estimate.is_finite());
        finite.map(|v| (claim.id.as_str(), v.key, v.estimate)).collect::<Vec<_>>()
    };
    claims::all().flat_map(of).collect()
}

#[test]
fn a_check_of_the_printed_means_finds_what_the_tables_say() {
    let found = printed(Scale::Full);
    let number = |claim: &str, key: &str| {
        let of = found.iter().find(|(id, k, _)| *id == claim && k.to_string() == key);
        of.unwrap_or_else(|| panic!("{claim}: no {key} in {found:?}")).2
    };
    // Mean over the fourteen rows and four learners of Table 1 of log2(without / with), by hand from the CSV file.
    let rows: Vec<LearnerCell> = Printed::load().learners;
    let table1: Vec<&LearnerCell> = rows.iter().filter(|c| c.table == "main-table-1").collect();
    let mut gains = std::collections::BTreeMap::new();
    for without in table1.iter().filter(|c| !c.with_ebm) {
        let same = |c: &&&LearnerCell| {
            c.with_ebm
                && (&c.dataset, c.d, c.n, &c.learner)
                    == (&without.dataset, without.d, without.n, &without.learner)
        };
        let with = table1.iter().find(same).unwrap();
        // A row that two blocks print counts once, as the first has it.
        let data = without.dataset.data();
        let gain = (without.pehe_mean / with.pehe_mean).log2();
        gains.entry((data, without.d, without.n, without.learner.clone())).or_insert(gain);
    }
    let by_hand = gains.values().sum::<f64>() / gains.len() as f64;
    assert!((number("table1-ebm-helps", "gain@released") - by_hand).abs() < 1e-12);
    assert!(number("table1-r-best", "margin@released") < 0.0, "R with EBM is printed as best");
    assert!(number("regressor-agnostic", "gain(ridge)@released") > 0.0);
}

#[test]
fn every_scale_has_the_printed_values_of_these_claims() {
    for scale in [Scale::Quick, Scale::Full] {
        let found = printed(scale);
        let count = |id: &str| found.iter().filter(|(claim, _, _)| *claim == id).count();
        for (id, number) in [
            ("table1-ebm-helps", 1),
            ("table1-gain-shrinks", 1),
            ("table1-gaps-shrink", 1),
            ("table1-r-best", 1),
            ("table2-ebm-beats-reductions", 1),
            ("regressor-agnostic", 3),
            ("ihdp", 4),
            ("seed-dependence", 1),
        ] {
            assert_eq!(count(id), number, "{id} at {scale} scale: {found:?}");
        }
    }
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

//! The support vector classifier against scikit-learn's, on golden values of
//! `SVC(probability=True, random_state=42)` (`tests/fixtures/regenerate_learners.py`).

use crate::support::{gap, golden_matrix};
use ebmbook::regress::{Classification, FittedSvc, Svc};
use ndarray::{Array1, Array2};

fn golden(name: &str) -> Array2<f64> {
    golden_matrix(&format!("svc_{name}"))
}

fn fitted(svc: Svc) -> FittedSvc {
    let treated: Array1<bool> = golden("y").column(0).mapv(|y| y == 1.0);
    svc.fit_svc(golden("X").view(), treated.view()).unwrap()
}

#[test]
fn decision_values_agree_to_1e_10() {
    let deviation =
        gap(&fitted(Svc::new(42)).decision(golden("Xt").view()).unwrap(), golden("out").column(0));
    println!("decision values: {deviation:.1e}");
    assert!(deviation < 1e-10, "{deviation:e}");
}

#[test]
fn probabilities_agree_to_1e_10() {
    let p1 = fitted(Svc::new(42)).probability(golden("Xt").view()).unwrap();
    let deviation = gap(&p1, golden("out").column(2)).max(gap(&(1.0 - p1), golden("out").column(1)));
    println!("probabilities: {deviation:.1e}");
    assert!(deviation < 1e-10, "{deviation:e}");
}

#[test]
fn platt_a_and_b_and_the_intercept_agree_to_1e_10() {
    let svc = fitted(Svc::new(42));
    let found: Array1<f64> = [svc.platt().0, svc.platt().1, svc.intercept()].into_iter().collect();
    let deviation = gap(&found, golden("ab").column(0));
    println!("A, B and intercept: {deviation:.1e}");
    assert!(deviation < 1e-10, "{deviation:e}");
}

#[test]
fn decision_values_of_a_tight_solution_agree_to_1e_10() {
    // Even after thousands of steps the two programs are on the same path.
    let svc = fitted(Svc::new(42).with_tolerance(1e-10).unwrap());
    let deviation = gap(&svc.decision(golden("Xt").view()).unwrap(), golden("tight").column(0));
    println!("tight decision values: {deviation:.1e}");
    assert!(deviation < 1e-10, "{deviation:e}");
}

#[test]
fn another_seed_moves_the_probabilities_and_not_the_decision() {
    // The comparison can fail: other folds give another A and B.
    let (one, other) = (fitted(Svc::new(42)), fitted(Svc::new(43)));
    let xt = golden("Xt");
    assert_eq!(one.decision(xt.view()).unwrap(), other.decision(xt.view()).unwrap());
    let moved = gap(&one.probability(xt.view()).unwrap(), other.probability(xt.view()).unwrap().view());
    assert!(moved > 1e-4, "{moved:e}");
}

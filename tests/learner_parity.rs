//! Every learner with every regressor against EconML and scikit-learn, on golden values.
//!
//! The values were computed by scikit-learn 0.24.2 and EconML 0.12.0, with a closed-form
//! propensity so that nothing random enters; `tests/fixtures/regenerate_learners.py` recomputes
//! them with current versions.

use ebmbook::cate::{
    DrLearner, Folding, Learner, Propensity, RLearner, SLearner, Sample, TLearner, XLearner,
};
use ebmbook::regress::{self, ClosedForm, Regressor};
use ndarray::{Array1, Array2};
use rstest::rstest;
use serde_json::Value;
use std::sync::{Arc, LazyLock};

static GOLDEN: LazyLock<Value> = LazyLock::new(|| {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/learners.json");
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
});

fn vector(name: &str) -> Array1<f64> {
    GOLDEN[name].as_array().unwrap().iter().map(|v| v.as_f64().unwrap()).collect()
}

fn matrix(name: &str) -> Array2<f64> {
    let rows = GOLDEN[name].as_array().unwrap();
    let values: Vec<f64> =
        rows.iter().flat_map(|r| r.as_array().unwrap()).map(|v| v.as_f64().unwrap()).collect();
    Array2::from_shape_vec((rows.len(), values.len() / rows.len()), values).unwrap()
}

fn sample() -> Sample {
    Sample::new(matrix("X"), vector("T").mapv(|t| t == 1.0), vector("Y")).unwrap()
}

/// `fold0` lists the rows of the first test fold.
fn folding() -> Folding {
    let mut of_row = vec![1; vector("T").len()];
    vector("fold0").iter().for_each(|row| of_row[*row as usize] = 0);
    Folding::Given(of_row)
}

fn learner(name: &str, regressor: Arc<dyn Regressor>) -> Box<dyn Learner> {
    let propensity = Propensity::model(ClosedForm);
    match name {
        "T" => Box::new(TLearner::new(regressor)),
        "S" => Box::new(SLearner::new(regressor)),
        "X" => Box::new(XLearner::new(regressor, propensity)),
        "DR" => Box::new(DrLearner::new(regressor, propensity, folding())),
        "R" => Box::new(RLearner::new(regressor, propensity, folding())),
        other => panic!("no golden values for {other}"),
    }
}

/// The largest difference between our effects and the golden ones.
fn deviation(key: &str, regressor: &str, alpha: f64, name: &str) -> f64 {
    let regressor = regress::by_name(regressor, alpha).unwrap();
    let effect = learner(name, regressor).fit(&sample()).unwrap();
    let found = effect.at(matrix("Xt").view().into()).unwrap();
    let golden = vector(&format!("{key}_{name}"));
    assert_eq!(found.len(), golden.len());
    (&found - &golden).iter().fold(0.0, |m: f64, e| m.max(e.abs()))
}

#[rstest]
fn effects_agree_with_econml_to_rounding(
    #[values(("kr", "kernel-ridge"), ("ridge", "ridge"), ("poly", "polynomial"))] regressor: (&str, &str),
    #[values("T", "S", "X", "DR", "R")] name: &str,
) {
    // 200 rows, outcomes of size one, condition numbers up to 10³: rounding is far below 1e-10.
    let deviation = deviation(regressor.0, regressor.1, 1.0, name);
    println!("{name} with {}: {deviation:.1e}", regressor.1);
    assert!(deviation < 1e-10, "{name} with {}: {deviation:e}", regressor.1);
}

#[rstest]
fn effects_with_a_power_transform_agree_to_the_tolerance_of_its_line_search(
    #[values("T", "S", "X", "DR", "R")] name: &str,
) {
    // Penalty 0.001, as in the released notebook. The exponents are minimisers found to 1.5e-8, and versions of scipy differ by 2e-8.
    let deviation = deviation("power", "power", 0.001, name);
    println!("{name} with power: {deviation:.1e}");
    assert!(deviation < 1e-6, "{name}: {deviation:e}");
}

#[test]
fn a_wrong_penalty_is_noticed() {
    // The comparison can fail: another penalty moves the effects by far more than the tolerance.
    let effect = learner("T", regress::by_name("ridge", 1.001).unwrap()).fit(&sample()).unwrap();
    let found = effect.at(matrix("Xt").view().into()).unwrap();
    let difference = (&found - &vector("ridge_T")).iter().fold(0.0_f64, |m, e| m.max(e.abs()));
    assert!(difference > 1e-6, "{difference:e}");
}

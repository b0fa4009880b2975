//! "A regression is indifferent to a constant shift of its input": true of ridge with an
//! intercept and of an RBF kernel, false of the other three regressors of the paper.

use crate::support::gap;
use ebmbook::cate::{Features, Folding, Learner, Propensity, RLearner, Sample, TLearner};
use ebmbook::data::synthetic::Released;
use ebmbook::regress::{self, ClosedForm, KernelRidge};
use ebmbook::seed::Seed;
use ndarray::{Array1, Array2, s};
use rstest::rstest;

const SHIFT: f64 = 3.0;

/// Five covariates of the released data: 200 training rows, 100 others, outcomes.
fn rows() -> (Array2<f64>, Array1<bool>, Array1<f64>, Array2<f64>) {
    let data = Released::new(5, 200).unwrap().generate();
    let (a, y) = (data.train.treatment().unwrap().to_owned(), data.train.outcome().unwrap().to_owned());
    (data.train.x().to_owned(), a, y, data.test.x().slice(s![..100, ..]).to_owned())
}

/// The largest change of a prediction when every feature of every row moves by [`SHIFT`], in
/// units of the predictions' standard deviation.
fn change(regressor: &str, features: Features) -> f64 {
    let (x, _, y, test) = rows();
    let predict = |shift: f64| {
        let made = features.switches((&x + shift).view(), (&test + shift).view());
        let fitted = regress::by_name(regressor, 1.0).unwrap().fit(made.train.view(), y.view()).unwrap();
        fitted.predict(made.test.view()).unwrap()
    };
    let (here, there) = (predict(0.0), predict(SHIFT));
    gap(&there, &here) / here.std(0.0)
}

#[rstest]
fn a_shift_changes_regressions_that_penalise_the_level(
    #[values("kernel-ridge", "polynomial", "power")] regressor: &str,
) {
    let change = change(regressor, Features::default());
    println!("{regressor}: {change:.3}");
    // A hundredth of the predictions' spread: visible in print, and ten powers of ten above rounding.
    assert!(change > 0.01, "{regressor}: {change}");
}

#[rstest]
fn a_shift_does_not_change_ridge_with_intercept_or_an_rbf_kernel(#[values("ridge", "rbf")] regressor: &str) {
    let change = change(regressor, Features::default());
    println!("{regressor}: {change:.1e}");
    // Squared norms grow to 5·(3+3)² = 180 and lose that factor of 2⁻⁵³ in differences; the
    // systems' condition numbers (up to 200) multiply it: about 1e-11.
    assert!(change < 1e-10, "{regressor}: {change}");
}

#[rstest]
fn standardised_features_make_every_regression_indifferent(
    #[values("kernel-ridge", "rbf", "ridge", "polynomial", "power")] regressor: &str,
) {
    let change = change(regressor, Features { standardise: true, constant_column: false });
    // Standardising a shifted column loses a factor 10 of 2⁻⁵³; the power transform's line search
    // stops within 1.5e-8 of its minimum.
    assert!(change < 1e-6, "{regressor}: {change}");
}

#[test]
fn a_constant_column_softens_the_shift_without_removing_it() {
    let bare = change("kernel-ridge", Features::default());
    let with_column = change("kernel-ridge", Features { standardise: false, constant_column: true });
    println!("kernel-ridge: {bare:.3} without, {with_column:.3} with a constant column");
    assert!(with_column < 0.5 * bare && with_column > 1e-6, "{bare} {with_column}");
}

#[test]
fn effects_of_t_and_r_learners_inherit_the_shift() {
    let (x, a, y, test) = rows();
    let effect = |learner: &dyn Learner, shift: f64| {
        let sample = Sample::new(&x + shift, a.clone(), y.clone()).unwrap();
        learner.fit(&sample).unwrap().at((&test + shift).view().into()).unwrap()
    };
    let moved = |learner: &dyn Learner| {
        let (here, there) = (effect(learner, 0.0), effect(learner, SHIFT));
        gap(&there, &here) / here.std(0.0)
    };
    let folding = || Folding::Stratified { k: 2, seed: Seed::new(0) };
    // Ridge nuisances do not feel the shift; the constant propensity does not either. What is
    // left is the final stage, which has no intercept.
    let r = RLearner::new(regress::Ridge::default(), Propensity::Constant, folding());
    assert!(moved(&TLearner::new(KernelRidge::default())) > 0.1);
    assert!(moved(&r) > 0.1);
    assert!(moved(&TLearner::new(regress::Ridge::default())) < 1e-10);
    assert!(moved(&r.with_final_stage(regress::Ridge::default())) < 1e-10);
    // A propensity with a penalised intercept feels it too.
    let closed = RLearner::new(regress::Ridge::default(), Propensity::model(ClosedForm), folding());
    assert!(moved(&closed.with_final_stage(regress::Ridge::default())) > 1e-6);
}

//! Cross-fitting: who is fitted how often, on which rows.

use ebmbook::cate::{DrLearner, Folding, Learner, Propensity, RLearner, Sample};
use ebmbook::regress::{Classification, Classifier, ClosedForm, KernelRidge, RegressError, Ridge};
use ebmbook::seed::Seed;
use ndarray::{Array1, Array2, ArrayView1, ArrayView2};
use rand::Rng;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A classifier that counts its fits.
#[derive(Clone, Default)]
struct Counting(Arc<AtomicUsize>);

impl Classifier for Counting {
    fn name(&self) -> &'static str {
        "counting"
    }

    fn fit(
        &self,
        x: ArrayView2<f64>,
        treated: ArrayView1<bool>,
    ) -> Result<Box<dyn Classification>, RegressError> {
        self.0.fetch_add(1, Ordering::Relaxed);
        ClosedForm.fit(x, treated)
    }
}

fn sample() -> Sample {
    let mut rng = Seed::new(4).rng();
    let x = Array2::from_shape_simple_fn((60, 3), || rng.random_range(-1.0..1.0));
    let treated = Array1::from_shape_fn(60, |i| x[[i, 0]] + rng.random_range(-1.0..1.0) > 0.0);
    let y = Array1::from_shape_fn(60, |i| x[[i, 1]] + f64::from(u8::from(treated[i])));
    Sample::new(x, treated, y).unwrap()
}

#[test]
fn dr_and_r_on_the_same_folds_fit_the_propensity_once() {
    let (sample, counter) = (sample(), Counting::default());
    let propensity = Propensity::model(counter.clone());
    let folding = Folding::Stratified { k: 2, seed: Seed::new(9) };
    let dr = DrLearner::new(Ridge::default(), propensity.clone(), folding.clone());
    let r = RLearner::new(KernelRidge::default(), propensity.clone(), folding.clone());
    let at = |effect: Box<dyn ebmbook::cate::Effect>| effect.at(sample.rows()).unwrap();

    let folds = folding.folds(sample.treated()).unwrap();
    let e = folds.propensity(&sample, &propensity).unwrap();
    let shared = [
        at(dr.fit_given(&sample, &folds, e.view()).unwrap()),
        at(r.fit_given(&sample, &folds, e.view()).unwrap()),
    ];
    assert_eq!(counter.0.load(Ordering::Relaxed), 2, "one fit a fold serves both learners");

    let alone = [at(dr.fit(&sample).unwrap()), at(r.fit(&sample).unwrap())];
    assert_eq!(counter.0.load(Ordering::Relaxed), 6, "two more for each learner alone");
    assert_eq!(shared, alone);
}

#[test]
fn a_row_takes_no_part_in_its_own_nuisance() {
    let sample = sample();
    let folding = Folding::Stratified { k: 3, seed: Seed::new(9) };
    let folds = folding.folds(sample.treated()).unwrap();
    let propensity = Propensity::model(ClosedForm);
    let before = folds.propensity(&sample, &propensity).unwrap();
    // Flip the treatment of row 0 (its fold and its arm's other rows stay): its own propensity and
    // those of its fold must not move, those of the other folds must.
    let mut treated = sample.treated().to_owned();
    treated[0] = !treated[0];
    let flipped = Sample::new(sample.x().to_owned(), treated, sample.outcome().to_owned()).unwrap();
    let after = folds.propensity(&flipped, &propensity).unwrap();
    for i in 0..sample.n() {
        assert_eq!(before[i] == after[i], folds.of_row()[i] == folds.of_row()[0], "row {i}");
    }
}

#[test]
fn stratified_folds_balance_both_arms_and_repeat_by_seed() {
    let sample = sample();
    let folds =
        |seed: u64| Folding::Stratified { k: 4, seed: Seed::new(seed) }.folds(sample.treated()).unwrap();
    assert_eq!(folds(1), folds(1));
    assert_ne!(folds(1), folds(2));
    for arm in [false, true] {
        let count = |f: usize| sample.arm(arm).iter().filter(|i| folds(1).of_row()[**i] == f).count();
        let counts: Vec<usize> = (0..4).map(count).collect();
        assert!(counts.iter().max().unwrap() - counts.iter().min().unwrap() <= 1, "{counts:?}");
    }
}

use super::*;
use crate::data::Covariates;
use crate::ebm::{Ebm, EbmParams};
use crate::seed::Seed;
use ndarray::{Array1, Array2};
use rand::Rng;
use rand_distr::{Distribution, StandardNormal};

fn rows(n: usize) -> (Array1<bool>, Array1<f64>) {
    (Array1::from_shape_fn(n, |i| i % 4 == 0), Array1::from_shape_fn(n, |i| (i * 7 % n) as f64))
}

fn refused(treated: &Array1<bool>, outcome: &Array1<f64>, bins: &OutcomeBins) -> String {
    ArmOutcome::new(treated.view(), outcome.view(), bins).unwrap_err().to_string()
}

#[test]
fn every_row_is_in_the_fold_of_its_arm_and_bin() {
    let (treated, outcome) = rows(200);
    let folds = ArmOutcome::new(treated.view(), outcome.view(), &OutcomeBins::Edges(vec![99.0])).unwrap();
    for i in 0..200 {
        let expected = 2 * usize::from(treated[i]) + usize::from(outcome[i] > 99.0);
        assert_eq!(folds.of_row()[i], expected);
    }
    let quantiles = ArmOutcome::new(treated.view(), outcome.view(), &OutcomeBins::Quantiles(5)).unwrap();
    // 150 control rows and 50 treated ones, five bins each.
    assert_eq!(quantiles.shares(), [[0.15; 5], [0.05; 5]].concat());
}

#[test]
fn values_have_a_bin_each() {
    let (treated, _) = rows(80);
    let outcome = Array1::from_shape_fn(80, |i| f64::from(u8::from(i % 3 == 0)));
    let folds = ArmOutcome::new(treated.view(), outcome.view(), &OutcomeBins::Values).unwrap();
    assert_eq!(folds.means(), [0.0, 1.0, 0.0, 1.0]);
}

#[test]
fn what_cannot_be_a_fold_is_named() {
    let (treated, outcome) = rows(40);
    let error = |outcome: &Array1<f64>, bins| refused(&treated, outcome, &bins);
    assert_eq!(
        error(&outcome, OutcomeBins::Quantiles(3)),
        "the treated arm has 10 rows, too few for 3 outcome bins of at least 5 rows each"
    );
    assert_eq!(
        error(&Array1::ones(40), OutcomeBins::Quantiles(2)),
        "the outcome is 1 in all 30 rows of the control arm; it must vary to be put into bins"
    );
    assert_eq!(
        error(&outcome.mapv(|y| y % 2.0), OutcomeBins::Quantiles(4)),
        "4 outcome bins are asked for, but the outcome takes 2 distinct values in the control arm; ask for at most 2, or for its values"
    );
    assert_eq!(
        error(&outcome, OutcomeBins::Edges(vec![37.5])),
        "bin 2 of 2 in the control arm (outcomes above 37.5) has 2 rows; each must have at least 5"
    );
    assert_eq!(
        error(&outcome, OutcomeBins::Values),
        "the outcome takes 40 distinct values, too many for a bin each (at most 16); give a number of bins"
    );
    assert_eq!(
        error(&outcome, OutcomeBins::Quantiles(1)),
        "number of outcome bins must be at least 2, got 1"
    );
    let nobody = Array1::from_elem(40, false);
    assert_eq!(
        refused(&nobody, &outcome, &OutcomeBins::Quantiles(2)),
        "the treated arm has no rows; folds by arm and outcome need both arms"
    );
    // Ties move the edge: eight of the ten treated rows are 0, so two are left for the upper bin.
    let tied = Array1::from_shape_fn(40, |i| if i < 32 { 0.0 } else { i as f64 });
    assert_eq!(
        error(&tied, OutcomeBins::Quantiles(2)),
        "bin 2 of 2 in the treated arm (outcomes above 0) has 2 rows; each must have at least 5"
    );
}

/// Pearson's correlation.
fn correlation(a: &Array1<f64>, b: &Array1<f64>) -> f64 {
    let (a, b) = (a - a.mean().unwrap(), b - b.mean().unwrap());
    a.dot(&b) / (a.dot(&a) * b.dot(&b)).sqrt()
}

#[test]
fn other_rows_for_copies_and_a_classifier_learn_the_same_log_odds() {
    // Two folds with P(1 | x) = σ(2x), given by edges on an outcome that says the fold.
    let mut rng = Seed::new(6).rng();
    let x = Array2::from_shape_fn((2000, 1), |_| StandardNormal.sample(&mut rng));
    let of_row: Vec<usize> =
        x.iter().map(|x: &f64| usize::from(rng.random_bool(1.0 / (1.0 + (-2.0 * x).exp())))).collect();
    let rows = Covariates::continuous(x.clone()).unwrap();
    let params = EbmParams::new(2).hidden(&[32]).rate(3e-3).epochs(60);
    let folds = ArmOutcome { of_row, bins: 1, shares: vec![0.5; 2], means: vec![0.0; 2] };
    let given = params.clone().folds(folds.folds());
    let contrast = Ebm::fit(&given.clone().other_rows(true), &rows, Seed::new(1)).unwrap();
    let classifier = FoldClassifier::fit(&params, &folds, &rows, Seed::new(1)).unwrap();
    // e_0 − e_1 = log P(1 | x) − log P(0 | x) + c = 2x + c, and logits have the other sign.
    let by_contrast = contrast.modulo_b1(x.view()).unwrap().column(0).to_owned();
    let by_classifier = classifier.contrasts(x.view()).unwrap().column(0).to_owned();
    let truth = x.column(0).to_owned();
    assert!(correlation(&by_contrast, &truth) > 0.97, "{}", correlation(&by_contrast, &truth));
    assert!(correlation(&by_classifier, &truth) < -0.97);
    // Both are 2x/√2 up to a constant, so the slope on x is √2: standard error about .06 of a logistic regression.
    let slope = |f: &Array1<f64>| correlation(f, &truth) * f.std(0.0) / truth.std(0.0);
    assert!((slope(&by_contrast) - 2.0_f64.sqrt()).abs() < 0.3, "{}", slope(&by_contrast));
    assert!((slope(&by_classifier) + 2.0_f64.sqrt()).abs() < 0.3, "{}", slope(&by_classifier));
    // With random folds there is nothing to tell: the contrast stays at a coin flip.
    let random = Ebm::fit(&params.other_rows(true), &rows, Seed::new(1)).unwrap();
    let loss = random.history().kept_validation().unwrap();
    assert!((loss - std::f64::consts::LN_2).abs() < 0.02, "{loss}");
}

#[test]
fn other_rows_need_an_objective_without_kernel_terms() {
    let params = EbmParams::new(2).other_rows(true).objective(crate::ebm::Objective::Ranking);
    assert_eq!(
        params.check(3).unwrap_err().to_string(),
        "objective must be `pairwise` or `energy-only` where copies are other rows, got ranking"
    );
}

//! Training as a whole: what must hold of any run.

use crate::support::small_data as data;
use ebmbook::ebm::{DirectionLaw, EbmParams, Keep, Precision, Trainer};
use ebmbook::prelude::*;
use ndarray::Array2;

fn quick() -> EbmParams {
    Ebm::params(3).copies(2).epochs(4).batch(32)
}

fn theta(params: &EbmParams, seed: u64) -> Vec<f64> {
    Ebm::fit(params, data().covariates(), Seed::new(seed)).unwrap().theta().to_vec()
}

#[test]
fn the_same_seed_gives_the_same_bits_at_any_number_of_threads() {
    let expected = theta(&quick(), 1);
    for threads in [1, 2, 8] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        // Runs that are interleaved with others on the same pool.
        let found: Vec<Vec<f64>> = pool.install(|| {
            use rayon::prelude::*;
            (0..6).into_par_iter().map(|i| theta(&quick(), 1 + i % 2)).collect()
        });
        assert!(found.iter().step_by(2).all(|t| *t == expected), "{threads} threads");
        assert!(found.iter().skip(1).step_by(2).all(|t| *t != expected), "another seed, another run");
    }
}

#[test]
fn training_lowers_the_loss_and_keeps_the_best_epoch() {
    let params = quick().epochs(40).rate(3e-3);
    let ebm = Ebm::fit(&params, data().covariates(), Seed::new(3)).unwrap();
    let history = ebm.history();
    let validation: Vec<f64> = history.epochs.iter().filter_map(|e| e.validation).collect();
    let best = validation.iter().copied().fold(f64::INFINITY, f64::min);
    assert_eq!(history.kept_validation(), Some(best));
    assert!(history.epochs[39].train < 0.8 * history.epochs[0].train, "{history:?}");
}

#[test]
fn the_released_program_keeps_the_worst_epoch() {
    let params = EbmParams::released(3).copies(2).epochs(21).validate_every(3).batch(32);
    let ebm = Ebm::fit(&params, data().covariates(), Seed::new(3)).unwrap();
    let history = ebm.history();
    let validation: Vec<f64> = history.epochs.iter().filter_map(|e| e.validation).collect();
    assert!(validation.len() >= 2, "{history:?}");
    let worst = validation.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    assert_eq!(history.kept_validation(), Some(worst));
}

#[test]
fn early_stopping_waits_as_long_as_it_is_told() {
    // A rate so small that nothing improves beyond noise would still improve monotonically; a rate
    // so large that validation soon rises stops the run.
    let params = quick().epochs(400).rate(0.05).patience(Some(5));
    let ebm = Ebm::fit(&params, data().covariates(), Seed::new(2)).unwrap();
    let history = ebm.history();
    assert!(history.stopped_early && history.epochs.len() < 400);
    assert_eq!(history.epochs.len() - history.kept_epoch.unwrap(), 5);
}

#[test]
fn representations_are_standardised_by_the_training_rows() {
    let data = synthetic::Released::new(20, 120).unwrap().generate();
    let ebm = Ebm::fit(&quick(), data.train.covariates(), Seed::new(1)).unwrap();
    let (train, test) = (ebm.embed(data.train.x()).unwrap(), ebm.embed(data.test.x()).unwrap());
    for j in 0..3 {
        assert!(train.column(j).mean().unwrap().abs() < 1e-12);
        assert!((train.column(j).std(0.0) - 1.0).abs() < 1e-12);
    }
    // The test rows go through the training rows' mean and standard deviation.
    let raw_train = ebm.raw(data.train.x()).unwrap();
    let raw_test = ebm.raw(data.test.x()).unwrap();
    let expected = (raw_test[[7, 1]] - raw_train.column(1).mean().unwrap()) / raw_train.column(1).std(0.0);
    assert!((test[[7, 1]] - expected).abs() < 1e-10);
}

#[test]
fn energies_are_the_representation_along_the_directions() {
    let data = data();
    let ebm = Ebm::fit(&quick(), data.covariates(), Seed::new(1)).unwrap();
    let (f, e) = (ebm.raw(data.x()).unwrap(), ebm.energies(data.x()).unwrap());
    let by_hand = f.row(5).dot(&ebm.directions().beta(2));
    assert!((e[[5, 2]] - by_hand).abs() < 1e-12);
    let ratio = ebm.log_density_ratio(data.x(), data.x().slice(ndarray::s![..;-1, ..])).unwrap();
    assert!((ratio[[0, 1]] - (e[[119, 1]] - e[[0, 1]])).abs() < 1e-12);
    // Shifting the last bias moves f and no density.
    let moved = ebm.shifted(&[1.0, 2.0, 3.0]).unwrap();
    let same = moved.log_density_ratio(data.x(), data.x().slice(ndarray::s![..;-1, ..])).unwrap();
    assert!((&same - &ratio).iter().all(|d| d.abs() < 1e-12));
}

#[test]
fn single_and_double_precision_start_alike_and_stay_close() {
    let losses = |precision| {
        let ebm = Ebm::fit(&quick().precision(precision), data().covariates(), Seed::new(1)).unwrap();
        ebm.history().epochs.clone()
    };
    let (single, double) = (losses(Precision::F32), losses(Precision::F64));
    // The first epoch has three steps: rounding (6e-8) cannot have grown past 1e-5 of the loss.
    assert!((single[0].train - double[0].train).abs() < 1e-5, "{single:?} {double:?}");
    assert_ne!(single[3].train, double[3].train, "they are different arithmetics");
}

#[test]
fn bad_parameters_are_one_line_that_names_field_rule_and_value() {
    let refused = |params: EbmParams| {
        Trainer::new(&params, data().covariates(), Seed::new(0)).err().expect("refused").to_string()
    };
    assert_eq!(refused(quick().corruption(1.2)), "corruption probability q must lie in (0, 1], got 1.2");
    assert_eq!(refused(quick().copies(0)), "number of corrupted copies b must be at least 1, got 0");
    assert_eq!(refused(quick().rate(-1.0)), "learning rate must be positive and finite, got -1");
    assert_eq!(refused(quick().rate(f64::NAN)), "learning rate must be positive and finite, got NaN");
    assert_eq!(refused(quick().validation(1.0)), "validation share must lie in [0, 1), got 1");
    assert_eq!(
        refused(quick().validation(0.0)),
        "validation share must be positive unless the last weights are kept, got 0"
    );
    assert_eq!(refused(quick().hidden(&[20, 0])), "hidden width must be at least 1 (layer 2), got 0");
    assert_eq!(refused(Ebm::params(200)), "number of folds must lie in 1..=120, the rows there are, got 200");
    assert_eq!(
        refused(Ebm::params(6).directions(DirectionLaw::Authors)),
        "representation size k must be one of 3, 4, 5, 10, 12, 14, 15, 16, 20 for the authors' directions, got 6"
    );
    assert!(refused(quick().objective(Objective::ReleasedProgram)).starts_with("folds must be k-means"));
    let huge = Ebm::fit(&quick().rate(1e30).keep(Keep::Last), data().covariates(), Seed::new(0));
    assert!(huge.unwrap_err().to_string().starts_with("training diverged: the loss is"));
    let width = Ebm::untrained(&quick(), data().covariates(), Seed::new(0)).unwrap();
    assert_eq!(
        width.embed(Array2::zeros((1, 3)).view()).unwrap_err().to_string(),
        "rows have 3 covariates, but the model was trained on 20"
    );
}

//! The autoencoder learns what it can learn, starts as the released program's does, and stops,
//! saves and goes on as the EBM's runs do.

use crate::support::normals;
use ebmbook::ebm::{Ebm, Keep, Precision};
use ebmbook::prelude::*;
use ebmbook::representation::autoencoder::AutoencoderTrainer;
use ebmbook::representation::{Autoencoder, AutoencoderParams, Pca};
use ndarray::{Array2, Axis};
use rstest::rstest;

/// Rows of 8 columns near a plane.
fn plane(n: usize, seed: u64) -> Covariates {
    let x = normals(n, 2, seed).dot(&normals(2, 8, 77)) + 0.1 * normals(n, 8, seed ^ 1);
    Covariates::continuous(x).unwrap()
}

/// Mean squared error of rebuilding, relative to that of the column means.
fn relative_error(rebuilt: &Array2<f64>, x: &Covariates) -> f64 {
    let error = (rebuilt - &x.x()).mapv(|e| e * e).mean().unwrap();
    error / x.x().var_axis(Axis(0), 0.0).mean().unwrap()
}

#[test]
fn rows_near_a_plane_are_rebuilt_from_two_numbers() {
    let (train, test) = (plane(600, 1), plane(400, 2));
    let model = Autoencoder::fit(&Autoencoder::params(2), &train, Seed::new(3)).unwrap();
    let error = relative_error(&model.rebuild(test.x()).unwrap(), &test);
    // Noise of variance 0.01 in columns of variance about 2 is not to be had; PCA leaves 0.004. A
    // network of the right size must come near, one number fewer leaves a third or more.
    assert!(error < 0.05, "{error}");
    let one = Autoencoder::fit(&Autoencoder::params(1), &train, Seed::new(3)).unwrap();
    let error = relative_error(&one.rebuild(test.x()).unwrap(), &test);
    assert!(error > 0.1, "{error}");
}

#[test]
fn the_code_carries_what_principal_components_carry() {
    let (train, test) = (plane(600, 1), plane(400, 2));
    let code = AutoencoderParams::new(2).fit(&train, Seed::new(3)).unwrap();
    let scores = Pca::new(2).fit(&train, Seed::new(0)).unwrap().transform(test.x()).unwrap();
    // R² of a linear regression of each score on the code and a constant; nonlinear codes of a plane
    // are close to linear.
    let f = code.transform(test.x()).unwrap();
    let design = ndarray::concatenate![Axis(1), f, Array2::ones((400, 1))];
    for score in scores.columns() {
        let beta = ebmbook::linalg::least_squares(design.view(), score);
        let residual = &score - &design.dot(&beta);
        let r2 = 1.0 - residual.dot(&residual) / score.dot(&score);
        assert!(r2 > 0.8, "{r2}");
    }
}

#[test]
fn the_released_shape_has_seven_hidden_layers_of_forty_on_either_side() {
    let shape = Autoencoder::params(5).released().shape(48).unwrap();
    let maps: Vec<(usize, bool)> = shape.layers().iter().map(|l| (l.outputs, l.activated)).collect();
    let half = |end: usize| {
        let mut maps = vec![(40, false)];
        maps.extend([(40, true); 6]);
        maps.push((end, false));
        maps
    };
    assert_eq!(maps, [half(5), half(48)].concat());
}

#[test]
fn the_released_start_is_far_from_the_rows() {
    // Weights N(0, 1) multiply the scale by about √20 in each ReLU layer of 40. A start with
    // weights of the size of 1/√inputs leaves the loss near the variance of the rows, which is 1.
    let rows = plane(200, 4);
    let first = |params: AutoencoderParams| {
        let params = params.standardise(true).epochs(1);
        Autoencoder::fit(&params, &rows, Seed::new(1)).unwrap().history().epochs[0].train
    };
    assert!(first(Autoencoder::params(2)) < 2.0);
    assert!(first(Autoencoder::params(2).released()) > 1e10);
}

#[rstest]
#[case(Keep::Best)]
#[case(Keep::Last)]
fn a_run_stops_after_its_patience_and_keeps_what_it_was_asked_to(#[case] keep: Keep) {
    let rows = plane(120, 5);
    let params = Autoencoder::params(2).rate(0.02).patience(Some(3)).keep(keep).epochs(500);
    let model = Autoencoder::fit(&params, &rows, Seed::new(2)).unwrap();
    let history = model.history();
    assert!(history.stopped_early && history.epochs.len() < 500);
    let losses: Vec<f64> = history.epochs.iter().map(|e| e.validation.unwrap()).collect();
    let best = losses.iter().copied().fold(f64::INFINITY, f64::min);
    assert_eq!(losses[losses.len() - 4], best, "it stopped three epochs after the best one");
    let kept = (keep == Keep::Best).then_some(losses.len() - 3);
    assert_eq!(history.kept_epoch, kept);
}

#[rstest]
#[case(Precision::F32)]
#[case(Precision::F64)]
fn a_resumed_run_ends_at_the_same_bits(#[case] precision: Precision) {
    let rows = plane(150, 6);
    let path = tempfile::tempdir().unwrap().keep().join("run.safetensors");
    let params = Autoencoder::params(2).epochs(8).precision(precision);
    let whole = Autoencoder::fit(&params, &rows, Seed::new(4)).unwrap();
    let mut trainer = AutoencoderTrainer::new(&params, &rows, Seed::new(4)).unwrap();
    for _ in 0..3 {
        trainer.epoch().unwrap();
        trainer.save(&path).unwrap();
        trainer = AutoencoderTrainer::resume(&path, &rows, Seed::new(4)).unwrap();
    }
    while trainer.epoch().unwrap().is_some() {}
    let resumed = trainer.finish();
    assert_eq!(resumed.history(), whole.history());
    assert_eq!(resumed.rebuild(rows.x()).unwrap(), whole.rebuild(rows.x()).unwrap());
}

#[test]
fn the_same_seed_gives_the_same_bits_on_any_number_of_threads() {
    let rows = plane(150, 7);
    let fit = |seed| {
        let model = Autoencoder::fit(&Autoencoder::params(2).epochs(5), &rows, Seed::new(seed)).unwrap();
        model.encode(rows.x()).unwrap()
    };
    let alone = fit(1);
    std::thread::scope(|scope| {
        let together: Vec<_> = (0..3).map(|_| scope.spawn(|| fit(1))).collect();
        for thread in together {
            assert_eq!(thread.join().unwrap(), alone);
        }
    });
    assert_ne!(fit(2), alone);
}

#[test]
fn files_that_do_not_fit_are_refused_in_one_line() {
    let rows = plane(60, 8);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.safetensors");
    let mut trainer = AutoencoderTrainer::new(&Autoencoder::params(2), &rows, Seed::new(1)).unwrap();
    trainer.epoch().unwrap();
    trainer.save(&path).unwrap();
    let resume = |rows: &Covariates, seed| {
        AutoencoderTrainer::resume(&path, rows, Seed::new(seed)).err().unwrap().to_string()
    };
    assert!(resume(&rows, 2).contains("the seed is "));
    assert!(resume(&plane(60, 9), 1).contains("the hash of the training rows is "));
    let error = Autoencoder::load(&path).unwrap_err().to_string();
    assert!(error.ends_with("holds a run of an autoencoder, but a trained autoencoder is needed"), "{error}");

    let ebm = folder.path().join("ebm.safetensors");
    Ebm::untrained(&Ebm::params(2), &rows, Seed::new(1)).unwrap().save(&ebm).unwrap();
    let error = Autoencoder::load(&ebm).unwrap_err().to_string();
    assert!(error.ends_with("holds a model, but a trained autoencoder is needed"), "{error}");

    let bytes = std::fs::read(&path).unwrap();
    std::fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();
    let error = resume(&rows, 1);
    assert!(error.contains("not a whole safetensors file") && error.lines().count() == 1, "{error}");
}

#[rstest]
#[case(Autoencoder::params(0), "representation size k must be at least 1, got 0")]
#[case(Autoencoder::params(2).hidden(&[8, 0]), "hidden width must be at least 1 (layer 2), got 0")]
#[case(Autoencoder::params(2).epochs(0), "number of epochs must be at least 1, got 0")]
#[case(Autoencoder::params(2).rate(f64::NAN), "learning rate must be positive and finite, got NaN")]
#[case(Autoencoder::params(2).patience(Some(0)), "patience must be at least 1, got 0")]
fn impossible_parameters_are_refused_by_name(#[case] params: AutoencoderParams, #[case] message: &str) {
    assert_eq!(params.fit(&plane(50, 1), Seed::new(0)).err().unwrap().to_string(), message);
}

#[test]
fn too_few_rows_are_refused() {
    let rows = Covariates::continuous(ndarray::array![[1.0, 2.0]]).unwrap();
    let error = Autoencoder::fit(&Autoencoder::params(1), &rows, Seed::new(0)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "number of training rows must be more than the 1 held out for validation, got 1"
    );
}

//! Checkpoints: the same bits back, and a typed error for anything else.

use crate::support::small_data as data;
use ebmbook::ebm::{EbmParams, Engine, Precision, Trainer};
use ebmbook::prelude::*;
use rstest::rstest;
use std::path::PathBuf;

fn params() -> EbmParams {
    Ebm::params(3).copies(2).epochs(6).batch(32)
}

fn file(name: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    (folder, path)
}

/// The file of an untrained model.
fn untrained() -> (tempfile::TempDir, PathBuf) {
    let (folder, path) = file("model.safetensors");
    Ebm::untrained(&params(), data().covariates(), Seed::new(1)).unwrap().save(&path).unwrap();
    (folder, path)
}

#[rstest]
#[case(Precision::F32, Engine::Fused)]
#[case(Precision::F64, Engine::Fused)]
#[case(Precision::F32, Engine::Tape)]
fn a_resumed_run_ends_with_the_bits_of_one_that_never_stopped(
    #[case] precision: Precision,
    #[case] engine: Engine,
) {
    let (data, seed, params) = (data(), Seed::new(5), params().precision(precision).engine(engine));
    let whole = Ebm::fit(&params, data.covariates(), seed).unwrap();
    let (_folder, path) = file("run.safetensors");
    let mut trainer = Trainer::new(&params, data.covariates(), seed).unwrap();
    // Stopped and resumed after every epoch.
    for epoch in 1..=6 {
        assert_eq!(trainer.epoch().unwrap().unwrap().epoch, epoch);
        trainer.save(&path).unwrap();
        trainer = Trainer::resume(&path, data.covariates(), seed).unwrap();
    }
    assert!(trainer.epoch().unwrap().is_none(), "the run is over");
    let resumed = trainer.finish().unwrap();
    assert_eq!(resumed.theta(), whole.theta());
    assert_eq!(resumed.history(), whole.history());
    assert_eq!(resumed.embed(data.x()).unwrap(), whole.embed(data.x()).unwrap());
}

#[test]
fn a_loaded_model_is_the_model() {
    let data = data();
    let params = params().folds(Folds::KMeans);
    let ebm = Ebm::fit(&params, data.covariates(), Seed::new(1)).unwrap();
    let (_folder, path) = file("model.safetensors");
    for ebm in [ebm.clone(), ebm.shifted(&[0.1, 0.2, 0.3]).unwrap()] {
        ebm.save(&path).unwrap();
        let loaded = Ebm::load(&path).unwrap();
        assert_eq!(loaded.theta(), ebm.theta());
        assert_eq!(loaded.energies(data.x()).unwrap(), ebm.energies(data.x()).unwrap());
        assert_eq!(loaded.embed(data.x()).unwrap(), ebm.embed(data.x()).unwrap());
        assert_eq!(loaded.parameters(), &params);
        assert_eq!(loaded.centres(), ebm.centres());
        assert_eq!(loaded.history(), ebm.history());
    }
}

#[test]
fn a_file_cut_anywhere_is_refused() {
    let (_folder, path) = untrained();
    let bytes = std::fs::read(&path).unwrap();
    for length in (0..bytes.len()).step_by(97).chain([bytes.len() - 1]) {
        std::fs::write(&path, &bytes[..length]).unwrap();
        let error = Ebm::load(&path).unwrap_err().to_string();
        assert!(error.contains("not a whole safetensors file"), "{length}: {error}");
        assert_eq!(error.lines().count(), 1);
    }
}

#[test]
fn a_damaged_header_never_panics() {
    let (_folder, path) = untrained();
    let bytes = std::fs::read(&path).unwrap();
    let header = 8 + u64::from_le_bytes(bytes[..8].try_into().unwrap()) as usize;
    // Each byte of the header in turn becomes a 9 or a quote: refused or read, never a panic.
    for position in (8..header).step_by(7) {
        for byte in [b'9', b'"'] {
            let mut damaged = bytes.clone();
            damaged[position] = byte;
            std::fs::write(&path, &damaged).unwrap();
            if let Err(error) = Ebm::load(&path) {
                assert_eq!(error.to_string().lines().count(), 1, "{error}");
            }
        }
    }
}

#[test]
fn foreign_wrong_and_missing_files_are_told_apart() {
    let (data, seed) = (data(), Seed::new(1));
    let (_folder, path) = file("some.safetensors");
    let load = || Ebm::load(&path).unwrap_err().to_string();
    assert!(load().contains("cannot be read"), "{}", load());
    let foreign: Vec<(&str, safetensors::tensor::TensorView)> = vec![];
    std::fs::write(&path, safetensors::serialize(foreign, None).unwrap()).unwrap();
    assert!(load().contains("not one of ebmbook"), "{}", load());
    Trainer::new(&params(), data.covariates(), seed).unwrap().save(&path).unwrap();
    assert!(load().ends_with("holds a run, but a model is needed"), "{}", load());

    // A run goes on with its own seed and its own rows only.
    let resume = |covariates: &Covariates, seed| {
        Trainer::resume(&path, covariates, seed).err().expect("refused").to_string()
    };
    assert!(resume(data.covariates(), Seed::new(2)).contains("the seed is"));
    let other = data.rows(&(0..119).collect::<Vec<_>>());
    assert!(resume(other.covariates(), seed).contains("the hash of the training rows is"));
}

#[test]
fn weights_that_are_not_numbers_are_refused() {
    let (_folder, path) = untrained();
    let mut bytes = std::fs::read(&path).unwrap();
    let end = bytes.len();
    bytes[end - 4..].copy_from_slice(&f32::NAN.to_le_bytes());
    std::fs::write(&path, &bytes).unwrap();
    assert!(Ebm::load(&path).unwrap_err().to_string().contains("not finite"));
}

//! The same run on the CPU and on a CUDA device. Where there is no device (or the build has no
//! CUDA support) the CPU is compared with itself through the other engine instead.

use crate::support::{gap, small_data};
use ebmbook::ebm::{Device, EbmParams, Precision};
use ebmbook::network::Engine;
use ebmbook::prelude::*;

fn fit(params: &EbmParams) -> (Vec<f64>, ndarray::Array2<f64>) {
    let data = small_data();
    let ebm = Ebm::fit(params, data.covariates(), Seed::new(1)).unwrap();
    (ebm.history().epochs.iter().map(|e| e.train).collect(), ebm.embed(data.x()).unwrap())
}

#[test]
fn devices_agree_on_losses_and_embeddings() {
    // Double precision and few steps: the devices add in different orders (the GPU with atomics),
    // which is worth 1e-15 a sum; ten steps of Adam amplify it by the inverse of the smallest √v̂.
    let params = Ebm::params(3).copies(2).epochs(4).batch(48).precision(Precision::F64);
    let (losses, f) = fit(&params);
    let other = match Device::Cuda(0).check() {
        Ok(()) => params.device(Device::Cuda(0)),
        Err(missing) => {
            eprintln!("no CUDA comparison: {missing}");
            params.engine(Engine::Tape)
        }
    };
    let (other_losses, other_f) = fit(&other);
    for (a, b) in losses.iter().zip(&other_losses) {
        assert!((a - b).abs() < 1e-9, "{losses:?} {other_losses:?}");
    }
    assert!(gap(&f, &other_f) < 1e-6, "{}", gap(&f, &other_f));
}

#[test]
fn a_device_that_is_not_there_is_an_error_and_not_a_panic() {
    let error = Device::Cuda(99).check().unwrap_err().to_string();
    assert!(error.starts_with("device cuda:99: ") && error.lines().count() == 1, "{error}");
    let data = small_data();
    let params = Ebm::params(3).device(Device::Cuda(99));
    assert_eq!(Ebm::fit(&params, data.covariates(), Seed::new(1)).unwrap_err().to_string(), error);
}

//! A fair ladder: noiseless truth, regressors with an intercept, arm means removed, replicates
//! over draws of the data. Does reducing the dimension help, and does the EBM?

use super::{Arm, Setting};
use crate::study::Scale;
use crate::study::{Cell, Fit, Task};
use ebmbook::data::Protocol;
use ebmbook::ebm::network::Activation;
use ebmbook::ebm::{EbmParams, Folds};

/// Coordinates of the EBM, and of PCA (the latent has five).
const K_EBM: usize = 10;
const K_PCA: usize = 5;

pub(super) fn plan(scale: Scale) -> Vec<Cell> {
    let (settings, draws): (&[(usize, usize)], _) = match scale {
        Scale::Full => (&[(100, 500), (100, 1500), (250, 1500)], 16),
        Scale::Quick => (&[(100, 500)], 12),
    };
    let fits = [Fit::new("t", "ridge"), Fit::new("t", "rbf")];
    let mut cells = Vec::new();
    for protocol in [Protocol::Released, Protocol::Paper] {
        for setting in Setting::synthetic().iter().filter(|s| settings.contains(&(s.d, s.n))) {
            for arm in arms(protocol, scale) {
                for draw in 0..draws {
                    let data = crate::study::DataSpec { draw, ..setting.data(protocol) };
                    let mut cell = arm.cell("fair-ladder", setting, data, &fits, draw as usize);
                    if let Task::Effects(task) = &mut cell.task {
                        task.centre_arms = true;
                    }
                    cells.push(cell);
                }
            }
        }
    }
    cells
}

fn arms(protocol: Protocol, scale: Scale) -> Vec<Arm> {
    // Noise on the scale of the data's local spread, and a smooth network.
    let ebm = || EbmParams::new(K_EBM).hidden(&[64, 64]).activation(Activation::Silu).noise_sd(0.3);
    // Ridge and RBF kernels measure distances: whatever is learned has standardised coordinates, in both protocols.
    let trained = |name: &str, folds: Folds| Arm::trained(name, ebm().folds(folds), Protocol::Paper);
    let mut arms = vec![
        Arm::raw(),
        Arm::reduction("pca", K_PCA, protocol).standardised(),
        Arm::latent(),
        trained("ebm random folds", Folds::Random),
        Arm::untrained_with(ebm(), Protocol::Paper),
    ];
    if scale == Scale::Full {
        arms.push(Arm::reduction("kmeans-distances", K_EBM, protocol).standardised());
        arms.push(trained("ebm k-means folds", Folds::KMeans));
        arms.push(trained("ebm soft folds", Folds::Soft { temperature: 1.0 }));
    }
    arms
}

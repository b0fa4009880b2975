//! A fair ladder: noiseless truth, regressors with an intercept, arm means removed, replicates
//! over draws of the data. Does reducing the dimension help, and does the EBM?

use super::{Method, PROTOCOLS, Setting};
use crate::study::{Arm, Base, Cell, DataSpec, Fit, LearnerKind, RegressorKind, Scale, Task};
use ebmbook::data::Protocol;
use ebmbook::ebm::{EbmParams, Folds};
use ebmbook::network::Activation;

/// Coordinates of the EBM, and of PCA (the latent has five).
const K_EBM: usize = 10;
const K_PCA: usize = 5;

pub(super) fn plan(scale: Scale) -> Vec<Cell> {
    let (settings, draws): (&[(usize, usize)], _) = match scale {
        Scale::Full => (&[(100, 500), (100, 1500), (250, 1500)], 16),
        Scale::Quick => (&[(100, 500)], 12),
    };
    let fits = [RegressorKind::Ridge, RegressorKind::Rbf].map(|r| Fit::new(LearnerKind::T, r));
    let mut cells = Vec::new();
    for protocol in PROTOCOLS {
        for setting in Setting::synthetic().iter().filter(|s| settings.contains(&(s.d, s.n))) {
            for method in methods(protocol, scale) {
                for draw in 0..draws {
                    let data = DataSpec { draw, ..setting.data(protocol) };
                    let mut cell = method.cell("fair-ladder", setting, data, &fits, draw as usize);
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

fn methods(protocol: Protocol, scale: Scale) -> Vec<Method> {
    // Noise on the scale of the data's local spread, and a smooth network.
    let ebm = || EbmParams::new(K_EBM).hidden(&[64, 64]).activation(Activation::Silu).noise_sd(0.3);
    // Ridge and RBF kernels measure distances: whatever is learned has standardised coordinates, in both protocols.
    let trained = |base, folds| Method::trained(Arm::of(base), ebm().folds(folds), Protocol::Paper);
    let mut methods = vec![
        Method::raw(),
        Method::reduction(Base::Pca, K_PCA, protocol).standardised(),
        Method::latent(),
        trained(Base::EbmRandomFolds, Folds::Random),
        Method::untrained_with(ebm(), Protocol::Paper),
    ];
    if scale == Scale::Full {
        methods.push(Method::reduction(Base::KmeansDistances, K_EBM, protocol).standardised());
        methods.push(trained(Base::EbmKMeansFolds, Folds::KMeans));
        methods.push(trained(Base::EbmSoftFolds, Folds::Soft { temperature: 1.0 }));
    }
    methods
}

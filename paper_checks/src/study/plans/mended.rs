//! Mending it: folds by arm and outcome, f modulo B1, cross-fitted, against what else outcomes can make and against
//! what needs none. Noiseless truth where it is known, regressors with an intercept, replicates over draws of the data.
//! A column of ones beside the covariates changes nothing here, so there is no arm `raw+1`.

use super::{Method, PROTOCOLS, SEED, Setting};
use crate::printed::Block;
use crate::study::{
    Arm, Base, Cell, DataSpec, Fit, LearnerKind, RegressorKind, Scale, Supervised, SupervisedSpec, Task,
};
use ebmbook::data::Protocol;
use ebmbook::ebm::{EbmParams, Folds, OutcomeBins};
use ebmbook::network::Activation;

/// Coordinates of the EBM with random folds, as on the fair ladder, and components of PCA.
const K_EBM: usize = 10;
const K_PCA: usize = 5;
/// With fewer rows than this a half of them does not fill four bins in each arm.
const MANY: usize = 500;

pub(super) fn plan(scale: Scale) -> Vec<Cell> {
    let draws = if scale == Scale::Full { 8 } else { 12 };
    let fits = [RegressorKind::Ridge, RegressorKind::Rbf].map(|r| Fit::new(LearnerKind::T, r));
    let mut cells = Vec::new();
    for protocol in PROTOCOLS {
        for setting in settings(scale) {
            for draw in 0..draws {
                let data = DataSpec { draw, ..setting.data(protocol) };
                for method in unsupervised(&setting, protocol) {
                    let mut cell = method.cell("mended", &setting, data.clone(), &fits, draw as usize);
                    if let Task::Effects(task) = &mut cell.task {
                        task.centre_arms = true;
                    }
                    cells.push(cell);
                }
                for (base, method, components, cross_fitted) in supervised(&setting, scale) {
                    let task = Task::Supervised(Supervised {
                        data: data.clone(),
                        method,
                        components,
                        cross_fitted,
                        fits: fits.to_vec(),
                        replicate: draw as usize,
                        seed: SEED,
                    });
                    cells.push(Cell::new("mended", setting.block, Arm::of(base), draw as usize, task));
                }
            }
        }
    }
    cells
}

/// The nine synthetic settings, and Twins and IHDP with the most rows.
fn settings(scale: Scale) -> Vec<Setting> {
    if scale == Scale::Quick {
        return Setting::synthetic().into_iter().filter(|s| (s.d, s.n) == (50, 100)).collect();
    }
    let largest = |block| Setting::of(&[block]).into_iter().max_by_key(|setting| setting.n);
    Setting::synthetic()
        .into_iter()
        .chain([Block::Twins, Block::Ihdp].into_iter().filter_map(largest))
        .collect()
}

/// Noise on the scale of the data's local spread, and a smooth network.
fn network(k: usize) -> EbmParams {
    EbmParams::new(k).hidden(&[64, 64]).activation(Activation::Silu).noise_sd(0.3)
}

/// What needs no outcome, on all rows.
fn unsupervised(setting: &Setting, protocol: Protocol) -> Vec<Method> {
    let random = network(K_EBM).folds(Folds::Random);
    let mut methods = vec![
        Method::raw(),
        Method::reduction(Base::Pca, K_PCA, protocol).standardised(),
        Method::untrained_with(network(K_EBM), Protocol::Paper),
        Method::trained(Arm::of(Base::EbmRandomFolds), random, Protocol::Paper),
    ];
    methods.extend(setting.block.is_synthetic().then(Method::latent));
    methods
}

type Planned = (Base, SupervisedSpec, Option<usize>, bool);

/// What outcomes make.
fn supervised(setting: &Setting, scale: Scale) -> Vec<Planned> {
    let bins = match (setting.block, setting.n) {
        // Mortality has two values.
        (Block::Twins, _) => OutcomeBins::Values,
        (_, n) if n < MANY => OutcomeBins::Quantiles(2),
        _ => OutcomeBins::Quantiles(4),
    };
    let params = Box::new(network(2));
    let logits = SupervisedSpec::FoldLogits { bins: bins.clone(), params: params.clone() };
    let ebm = |params: Box<EbmParams>, pilot| SupervisedSpec::FoldEbm { bins: bins.clone(), params, pilot };
    let mended = ebm(params.clone(), true);
    let mut methods = vec![
        (Base::EbmArmOutcome, mended.clone(), None, true),
        (Base::EbmArmOutcomeSameRows, mended.clone(), None, false),
        (Base::SoftmaxLogits, logits.clone(), None, true),
        (Base::SoftmaxLogitsSameRows, logits.clone(), None, false),
    ];
    if scale == Scale::Full {
        methods.extend([
            (Base::EbmArmOutcomeAfterPca, mended, Some(K_PCA), true),
            (Base::SoftmaxLogitsAfterPca, logits, Some(K_PCA), true),
            (Base::EbmOtherRows, ebm(Box::new(params.other_rows(true)), false), None, true),
            (Base::Scores, SupervisedSpec::Scores, None, true),
        ]);
    }
    methods
}

//! Does the mended EBM serve effects better than what it mends, than PCA, and than a classifier of the same folds?

use crate::claims::compare::{Gains, Pair, of};
use crate::claims::{Check, Context, Findings};
use crate::printed::Block;
use crate::registry::{Key, Value};
use crate::study::{Arm, Base, Fit, LearnerKind, Predictor, Quantity, RegressorKind, Results, StudyError};
use ebmbook::data::Protocol;

pub const CHECK: Check = Check::new(measure);

const MENDED: Arm = Arm::of(Base::EbmArmOutcome);
const AFTER_PCA: Arm = Arm::of(Base::EbmArmOutcomeAfterPca);
const LOGITS: Arm = Arm::of(Base::SoftmaxLogits);
const LOGITS_AFTER_PCA: Arm = Arm::of(Base::SoftmaxLogitsAfterPca);
/// What the question names.
const RIVALS: [Arm; 3] = [Arm::of(Base::EbmRandomFolds), Arm::PCA, LOGITS];
/// What stands beside them.
const FURTHER: [Arm; 5] =
    [Arm::RAW, Arm::UNTRAINED, Arm::LATENT, Arm::of(Base::Scores), Arm::of(Base::EbmOtherRows)];
const BOTH: [RegressorKind; 2] = [RegressorKind::Ridge, RegressorKind::Rbf];

fn measure(context: &Context) -> Result<Findings, StudyError> {
    let all = context.results("mended")?;
    let synthetic = all.only(|cell| cell.block.is_synthetic());
    let gains = |mended: Arm, rivals: [Arm; 3]| -> Vec<Value> {
        let pairs = RIVALS.into_iter().zip(rivals);
        pairs
            .flat_map(|(name, rival)| gain(&synthetic, "gain", name, [mended, rival], &noiseless(&BOTH)))
            .collect()
    };
    let mut findings = Findings {
        values: gains(MENDED, RIVALS),
        controls: [
            ("against-the-latents".to_owned(), gains(MENDED, [Arm::LATENT; 3])),
            ("latents-against-covariates".to_owned(), gains(Arm::LATENT, [Arm::RAW; 3])),
        ]
        .into(),
        setting: "synthetic data, noiseless truth, T-learner, arm means removed, fresh draws of the data"
            .into(),
        ..Findings::default()
    };
    let mut beside = |results: &Results, name: &str, lower: Arm, rivals: &[Arm], errors: &[Quantity]| {
        let known = results.arms();
        for rival in rivals.iter().filter(|rival| known.contains(rival)) {
            findings.baselines.extend(gain(results, name, *rival, [lower, *rival], errors));
        }
    };
    beside(&synthetic, "gain", MENDED, &FURTHER, &noiseless(&BOTH));
    beside(&synthetic, "after-pca", AFTER_PCA, &[Arm::PCA, LOGITS, LOGITS_AFTER_PCA], &noiseless(&BOTH));
    let [twins, ihdp] = [Block::Twins, Block::Ihdp].map(|block| all.only(|cell| cell.block == block));
    beside(&twins, "gain-twins", MENDED, &RIVALS, &noisy(&BOTH));
    beside(&ihdp, "gain-ihdp", MENDED, &RIVALS, &noiseless(&BOTH));
    Ok(findings)
}

fn noiseless(with: &[RegressorKind]) -> Vec<Quantity> {
    with.iter().map(|kind| Quantity::Noiseless(Predictor::Fit(Fit::new(LearnerKind::T, *kind)))).collect()
}

fn noisy(with: &[RegressorKind]) -> Vec<Quantity> {
    with.iter().map(|kind| Fit::new(LearnerKind::T, *kind).pehe()).collect()
}

/// log₂(error(than) / error(lower)) under both protocols, the mean over settings and regressors draw by draw. `name` is what
/// stands in the key for `than`.
fn gain(results: &Results, key: &str, name: Arm, [lower, than]: [Arm; 2], errors: &[Quantity]) -> [Value; 2] {
    [Protocol::Released, Protocol::Paper].map(|protocol| {
        let gains = Gains::log_ratio(&of(results, protocol), Pair { lower, than }, errors);
        gains.mean_over_draws(Key::new(key).of(name).under(protocol))
    })
}

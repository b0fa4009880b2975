//! Section 5: reductions that see outcomes overfit them. Softmax logits of arm and outcome bin against the unsupervised
//! EBM of the same network, on the learner's rows and cross-fitted.

use crate::claims::compare::{Gains, Pair, of};
use crate::claims::{Check, Context, Findings};
use crate::printed::Block;
use crate::registry::{Key, Value};
use crate::study::{Arm, Base, Fit, LearnerKind, Predictor, Quantity, RegressorKind, Results, StudyError};
use ebmbook::data::Protocol;

pub const CHECK: Check = Check::new(measure);

const UNSUPERVISED: Arm = Arm::of(Base::EbmRandomFolds);
const LOGITS: [(&str, Arm); 2] =
    [("same rows", Arm::of(Base::SoftmaxLogitsSameRows)), ("cross-fitted", Arm::of(Base::SoftmaxLogits))];
const MENDED: [(&str, Arm); 2] =
    [("same rows", Arm::of(Base::EbmArmOutcomeSameRows)), ("cross-fitted", Arm::of(Base::EbmArmOutcome))];
const BOTH: [RegressorKind; 2] = [RegressorKind::Ridge, RegressorKind::Rbf];

fn measure(context: &Context) -> Result<Findings, StudyError> {
    let all = context.results("mended")?;
    let results = all.only(|cell| cell.block.is_synthetic());
    // One arm, whichever rows are asked for.
    let always = |arm: Arm| LOGITS.map(|(rows, _)| (rows, arm));
    let of_both = |logits, mended, lower| {
        let of = |name, arms| ratios(&results, name, arms, lower, &BOTH);
        [of("unsupervised", logits), of("unsupervised-ebm", mended)].concat()
    };
    let of_one = |arm, lower| of_both(always(arm), always(arm), lower);
    let mut findings = Findings {
        values: of_both(LOGITS, MENDED, UNSUPERVISED),
        controls: [
            ("latents-in-their-place".to_owned(), of_one(Arm::LATENT, UNSUPERVISED)),
            ("covariates-against-latents".to_owned(), of_one(Arm::RAW, Arm::LATENT)),
        ]
        .into(),
        setting: "synthetic data, noiseless truth, T-learner, arm means removed, fresh draws of the data"
            .into(),
        ..Findings::default()
    };
    let beside = &mut findings.baselines;
    for (name, [(_, own), (_, crossed)]) in [("overfit", LOGITS), ("overfit-ebm", MENDED)] {
        beside.extend(PROTOCOLS.map(|p| ratio(&results, Key::new(name).under(p), own, crossed, &BOTH)));
    }
    beside.extend(ratios(&results, "with-ridge", LOGITS, UNSUPERVISED, &BOTH[..1]));
    beside.extend(ratios(&results, "with-rbf", LOGITS, UNSUPERVISED, &BOTH[1..]));
    let twins = all.only(|cell| cell.block == Block::Twins);
    if !twins.is_empty() {
        beside.extend(ratios(&twins, "twins", LOGITS, UNSUPERVISED, &BOTH));
    }
    Ok(findings)
}

const PROTOCOLS: [Protocol; 2] = [Protocol::Released, Protocol::Paper];

/// log₂ of the error on each of two arms over that on another one, under both protocols.
fn ratios(
    results: &Results,
    name: &str,
    arms: [(&str, Arm); 2],
    lower: Arm,
    with: &[RegressorKind],
) -> Vec<Value> {
    let of_arm = |(rows, arm): (&str, Arm)| {
        PROTOCOLS.map(|p| ratio(results, Key::new(name).of(rows).under(p), arm, lower, with))
    };
    arms.into_iter().flat_map(of_arm).collect()
}

/// log₂(error(than) / error(lower)) of the mean over settings and regressors, draw by draw.
fn ratio(results: &Results, key: Key, than: Arm, lower: Arm, with: &[RegressorKind]) -> Value {
    // Of twins no noiseless effect is known.
    let noisy = results.rows().any(|(cell, _)| cell.block == Block::Twins);
    let error = |kind: &RegressorKind| {
        let of = Predictor::Fit(Fit::new(LearnerKind::T, *kind));
        if noisy { Quantity::Pehe(of) } else { Quantity::Noiseless(of) }
    };
    let errors: Vec<Quantity> = with.iter().map(error).collect();
    let protocol = key.protocol().expect("each value is of one");
    Gains::log_ratio(&of(results, protocol), Pair { lower, than }, &errors).mean_over_draws(key)
}

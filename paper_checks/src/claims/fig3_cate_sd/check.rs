//! Figure 3, top: the spread of effect estimates between runs falls with n and is below the autoencoder's.

use crate::claims::curves::Curve;
use crate::claims::{Check, Context, Findings};
use crate::registry::{Key, Value};
use crate::study::{Arm, Base, Quantity, Results, StudyError};

pub const CHECK: Check = Check::new(measure);

const EBM: Arm = Arm::of(Base::Ebm);
const AUTOENCODER: Arm = Arm::of(Base::AutoencoderReleased);

fn measure(context: &Context) -> Result<Findings, StudyError> {
    let results = context.results("figure3-sd")?;
    let mut findings = Findings {
        values: values(&results, EBM, AUTOENCODER),
        setting: "Twins, R-learner, k = 5, same sample and B, other initialisations; slope of log2 sd a doubling of n".into(),
        ..Findings::default()
    };
    findings.controls.insert("swapped".into(), values(&results, AUTOENCODER, EBM));
    // A precision in the place of a spread.
    let inverted = results.planted(|cell, v| if cell.arm == EBM { v.recip() } else { v });
    findings.controls.insert("precision-for-spread".into(), values(&inverted, EBM, AUTOENCODER));
    for arm in results.arms() {
        let curve = Curve::new(&results, arm, Quantity::SdOfEffects, |v| v);
        findings.baselines.push(curve.last(Key::new("sd-last").of(arm)));
    }
    let fresh = |base| Arm::of(base).on_fresh_samples();
    let rivals = [
        (EBM, Arm::of(Base::Autoencoder), "a sane autoencoder"),
        (fresh(Base::Ebm), fresh(Base::Autoencoder), "a sane autoencoder, fresh samples"),
        (fresh(Base::Ebm), fresh(Base::Pca), "PCA, fresh samples"),
        (fresh(Base::Ebm), fresh(Base::Untrained), "untrained, fresh samples"),
    ];
    for (own, rival, name) in rivals {
        if results.arms().contains(&rival) {
            let [own, rival] =
                [own, rival].map(|arm| Curve::new(&results, arm, Quantity::SdOfEffects, f64::log2));
            findings.baselines.push(own.share_below(&rival, Key::new("share-below").of(name)));
        }
    }
    let spread = Curve::new(&results, EBM, Quantity::SdOfEffects, f64::log2);
    findings.baselines.extend(spread.slope_ends(&"slope".into(), "slope of the spread"));
    // A spread may fall for anything that shrinks toward a constant: the others' slopes, and the errors.
    for arm in results.arms().into_iter().filter(|arm| ![EBM, Arm::PCA.plus_constant()].contains(arm)) {
        let spread = Curve::new(&results, arm, Quantity::SdOfEffects, f64::log2);
        findings.baselines.push(spread.slope(Key::new("arm-slope").of(arm)));
    }
    let with_error = |arm: &Arm| [EBM, Arm::UNTRAINED].contains(arm) || arm.fresh;
    for arm in results.arms().into_iter().filter(with_error) {
        let pehe = Curve::new(&results, arm, Quantity::MeanPehe, |v| v);
        findings.baselines.push(pehe.last(Key::new("pehe-last").of(arm)));
    }
    // A regression on one scalar has little that could vary.
    for arm in results.arms().into_iter().filter(|arm| arm.fresh) {
        let rank = Curve::new(&results, arm, Quantity::EffectiveRank, |v| v);
        findings.baselines.push(rank.last(Key::new("rank-last").of(arm)));
        if arm.is_ebm() {
            let constant = Curve::new(&results, arm, Quantity::CONSTANT, |v| v);
            findings.baselines.push(constant.last(Key::new("pehe-last").of("one constant, fresh samples")));
        }
    }
    Ok(findings)
}

fn values(results: &Results, arm: Arm, than: Arm) -> Vec<Value> {
    let log = |arm| Curve::new(results, arm, Quantity::SdOfEffects, f64::log2);
    vec![
        log(arm).slope("slope"),
        log(arm).share_below(&log(than), Key::new("share-below").of("the autoencoder")),
    ]
}

//! Figure 3, bottom: MCC rises with n toward 1, for random directions B, and is above the autoencoder's.

use crate::claims::curves::Curve;
use crate::claims::many_directions::check::under_haar_draws;
use crate::claims::{Check, Context, Findings};
use crate::registry::{Key, Value};
use crate::study::{Arm, Base, Quantity, Results, StudyError};

pub const CHECK: Check = Check::new(measure);

/// The paper's way: with the authors' own directions, and with directions drawn afresh.
const AUTHORS: Arm = Arm::of(Base::Ebm);
const HAAR: Arm = Arm::of(Base::EbmHaar);
/// The variant in which the task is not trivial.
const LIGHT: Arm = Arm::of(Base::EbmLight).on_fresh_samples();
const AUTOENCODER: Arm = Arm::of(Base::AutoencoderReleased);

fn measure(context: &Context) -> Result<Findings, StudyError> {
    let results = context.results("figure3-mcc")?;
    let drawn = under_haar_draws(&context.results("directions")?);
    let mut findings = Findings {
        values: values(&results, AUTHORS, &drawn),
        setting: "Twins, k = 5, signed MCC between runs; slope a doubling of n".into(),
        ..Findings::default()
    };
    let largest = results.settings().iter().map(|(_, _, n)| *n).max();
    let untrained = results.only(|c| c.arm == Arm::UNTRAINED && Some(c.n) == largest).values(Quantity::Mcc);
    findings.controls.insert("untrained".into(), values(&results, Arm::UNTRAINED, &untrained));
    let against: Vec<f64> = drawn.iter().map(|mcc| -mcc).collect();
    findings.controls.insert("turned-with-n".into(), values(&turned(&results), AUTHORS, &against));
    for arm in results.arms() {
        let curve = Curve::new(&results, arm, Quantity::Mcc, |v| v);
        findings.baselines.push(curve.last(Key::new("mcc-last").of(arm)));
    }
    for arm in results.arms().into_iter().filter(|arm| arm.is_ebm()) {
        let rank = Curve::new(&results, arm, Quantity::EffectiveRank, |v| v);
        findings.baselines.push(rank.last(Key::new("rank-last").of(arm)));
    }
    for arm in [AUTHORS, HAAR, LIGHT].into_iter().filter(|arm| results.arms().contains(arm)) {
        let curve = Curve::new(&results, arm, Quantity::Mcc, |v| v);
        let key = Key::new("slope").of(arm);
        findings.baselines.extend(curve.slope_ends(&key, &format!("slope of MCC, {arm}")));
    }
    // Without the sign, and after the best linear matching, which forgives what identifiability forbids.
    for (matched, value) in [("absolute", Quantity::MccAbsolute), ("canonical", Quantity::MccCanonical)] {
        let own = results.arms().into_iter().filter(|arm| *arm == AUTHORS || arm.is_autoencoder());
        for arm in own {
            let curve = Curve::new(&results, arm, value, |v| v);
            findings.baselines.push(curve.last(Key::new("matched-last").of(matched).of(arm)));
        }
    }
    Ok(findings)
}

/// Agreement of the EBM's runs that turns into its opposite as n grows: from v at the smallest n to −v at the
/// largest, on a line in log n.
fn turned(results: &Results) -> Results {
    results.planted(|cell, value| {
        if ![AUTHORS, HAAR].contains(&cell.arm) {
            return value;
        }
        let sizes = results.only(|c| c.arm == cell.arm).settings();
        let [least, most] = [usize::min, usize::max]
            .map(|of| sizes.iter().map(|s| s.2).reduce(of).map_or(f64::NAN, |n| (n as f64).ln()));
        value * (1.0 - 2.0 * ((cell.n as f64).ln() - least) / (most - least))
    })
}

/// The figure with the authors' B, and the agreement under each of many others.
fn values(results: &Results, authors: Arm, drawn: &[f64]) -> Vec<Value> {
    let curve = |arm| Curve::new(results, arm, Quantity::Mcc, |v| v);
    let authors = curve(authors);
    vec![
        authors.slope(Key::new("slope").of("the authors' B")),
        authors.last(Key::new("mcc-last").of("the authors' B")),
        curve(AUTOENCODER).share_below(&authors, "share-above"),
        Value::mean(Key::new("mcc-last").of("Haar draws"), drawn),
    ]
}

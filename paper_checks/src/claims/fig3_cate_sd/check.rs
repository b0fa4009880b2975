//! Figure 3, top: the spread of effect estimates between runs falls with n and is below the autoencoder's.

use crate::claims::curves::Curve;
use crate::claims::{Check, Context, Findings};
use crate::registry::{Key, Value};
use crate::study::{Results, StudyError};

pub const CHECK: Check = Check::new(measure);

fn measure(context: &Context) -> Result<Findings, StudyError> {
    let results = context.results("figure3-sd")?;
    let mut findings = Findings {
        values: values(&results, "ebm", "autoencoder released"),
        setting: "Twins, R-learner, k = 5, same sample and B, other initialisations; slope of log2 sd a doubling of n".into(),
        ..Findings::default()
    };
    findings.controls.insert("swapped".into(), values(&results, "autoencoder released", "ebm"));
    let growing = results.planted(|cell, v| if cell.arm == "ebm" { v * (cell.n as f64).powi(2) } else { v });
    findings.controls.insert("spread-that-grows".into(), values(&growing, "ebm", "autoencoder released"));
    for arm in results.arms() {
        let curve = Curve::new(&results, &arm, "sd of effects", |v| v);
        findings.baselines.push(curve.last(Key::new("sd-last").of(arm)));
    }
    let rivals = [
        ("ebm", "autoencoder", "a sane autoencoder"),
        ("ebm, fresh samples", "autoencoder, fresh samples", "a sane autoencoder, fresh samples"),
        ("ebm, fresh samples", "pca, fresh samples", "PCA, fresh samples"),
        ("ebm, fresh samples", "untrained, fresh samples", "untrained, fresh samples"),
    ];
    for (own, rival, name) in rivals {
        if results.arms().iter().any(|arm| arm == rival) {
            let [own, rival] = [own, rival].map(|arm| Curve::new(&results, arm, "sd of effects", f64::log2));
            findings.baselines.push(own.share_below(&rival, Key::new("share-below").of(name)));
        }
    }
    let spread = Curve::new(&results, "ebm", "sd of effects", f64::log2);
    findings.baselines.extend(spread.slope_ends(&"slope".into(), "slope of the spread"));
    // A spread may fall for anything that shrinks toward a constant: the others' slopes, and the errors.
    for arm in results.arms().iter().filter(|arm| !["ebm", "pca+1"].contains(&arm.as_str())) {
        let spread = Curve::new(&results, arm, "sd of effects", f64::log2);
        findings.baselines.push(spread.slope(Key::new("arm-slope").of(arm)));
    }
    let is_fresh = |arm: &str| arm.ends_with("fresh samples");
    let with_error = |arm: &&String| ["ebm", "untrained"].contains(&arm.as_str()) || is_fresh(arm);
    for arm in results.arms().iter().filter(with_error) {
        let pehe = Curve::new(&results, arm, "pehe", |v| v);
        findings.baselines.push(pehe.last(Key::new("pehe-last").of(arm)));
    }
    // A regression on one scalar has little that could vary.
    for arm in results.arms().iter().filter(|arm| is_fresh(arm)) {
        let rank = Curve::new(&results, arm, "effective rank", |v| v);
        findings.baselines.push(rank.last(Key::new("rank-last").of(arm)));
        if arm.starts_with("ebm") {
            let constant = Curve::new(&results, arm, "constant", |v| v);
            findings.baselines.push(constant.last(Key::new("pehe-last").of("one constant, fresh samples")));
        }
    }
    Ok(findings)
}

fn values(results: &Results, arm: &str, than: &str) -> Vec<Value> {
    let log = |arm: &str| Curve::new(results, arm, "sd of effects", f64::log2);
    vec![
        log(arm).slope("slope"),
        log(arm).share_below(&log(than), Key::new("share-below").of("the autoencoder")),
    ]
}

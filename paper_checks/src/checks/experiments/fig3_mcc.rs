//! MCC rises with n toward 1 and lies above the autoencoder's.

use super::curves::Curve;
use crate::checks::{Context, Findings};
use crate::study::{Results, StudyError};
use crate::verdict::Value;

/// The paper's way, and the variant in which the task is not trivial.
const PRINTED: &str = "ebm";
const LIGHT: &str = "ebm light, fresh samples";

pub(super) fn check(context: &Context) -> Result<Findings, StudyError> {
    let results = context.results("figure3-mcc")?;
    let mut findings = Findings {
        values: values(&results, PRINTED, LIGHT, "autoencoder released"),
        setting: "Twins, k = 5, signed MCC between runs; slope a doubling of n".into(),
        ..Findings::default()
    };
    findings
        .controls
        .insert("untrained".into(), values(&results, "untrained", "untrained", "autoencoder released"));
    for arm in results.arms() {
        findings
            .baselines
            .push(Curve::new(&results, &arm, "mcc", |v| v).last(&format!("MCC at the largest n, {arm}")));
    }
    for arm in results.arms().iter().filter(|arm| arm.starts_with("ebm")) {
        let rank = Curve::new(&results, arm, "effective rank", |v| v);
        findings.baselines.push(rank.last(&format!("effective rank at the largest n, {arm}")));
    }
    for (arm, name) in [(PRINTED, "printed shape"), (LIGHT, "light corruption")] {
        let curve = Curve::new(&results, arm, "mcc", |v| v);
        findings.baselines.extend(curve.slope_ends(&format!("slope of MCC, {name}")));
    }
    // Without the sign, and after the best linear matching, which forgives what identifiability forbids.
    for value in ["mcc, absolute", "mcc, canonical"] {
        let own = results.arms().into_iter().filter(|arm| arm == PRINTED || arm.starts_with("autoencoder"));
        for arm in own {
            let name = format!("{value}, at the largest n, {arm}");
            findings.baselines.push(Curve::new(&results, &arm, value, |v| v).last(&name));
        }
    }
    Ok(findings)
}

fn values(results: &Results, arm: &str, light: &str, than: &str) -> Vec<Value> {
    let curve = |arm: &str| Curve::new(results, arm, "mcc", |v| v);
    vec![
        curve(arm).slope("slope of MCC, printed shape"),
        curve(arm).last("MCC at the largest n, printed shape"),
        curve(than).share_below(&curve(arm), "share of n above the autoencoder"),
        curve(light).slope("slope of MCC, light corruption"),
        curve(light).last("MCC at the largest n, light corruption"),
    ]
}

//! MCC rises with n toward 1 and lies above the autoencoder's.

use super::curves::Curve;
use crate::checks::{Context, Findings};
use crate::study::{Results, StudyError};
use crate::verdict::Value;

/// The paper's way: with the authors' own directions, and with directions drawn afresh.
const AUTHORS: &str = "ebm";
const HAAR: &str = "ebm, Haar directions";
/// The variant in which the task is not trivial.
const LIGHT: &str = "ebm light, fresh samples";
const AUTOENCODER: &str = "autoencoder released";

pub(super) fn check(context: &Context) -> Result<Findings, StudyError> {
    let results = context.results("figure3-mcc")?;
    let mut findings = Findings {
        values: values(&results, AUTHORS, HAAR),
        setting: "Twins, k = 5, signed MCC between runs; slope a doubling of n".into(),
        ..Findings::default()
    };
    findings.controls.insert("untrained".into(), values(&results, "untrained", "untrained"));
    findings.controls.insert("turned-with-n".into(), values(&turned(&results), AUTHORS, HAAR));
    findings.controls.insert("authors-alone".into(), values(&results, AUTHORS, AUTHORS));
    for arm in results.arms() {
        findings
            .baselines
            .push(Curve::new(&results, &arm, "mcc", |v| v).last(&format!("MCC at the largest n, {arm}")));
    }
    for arm in results.arms().iter().filter(|arm| arm.starts_with("ebm")) {
        let rank = Curve::new(&results, arm, "effective rank", |v| v);
        findings.baselines.push(rank.last(&format!("effective rank at the largest n, {arm}")));
    }
    let here = |arm: &&str| results.arms().iter().any(|known| known == arm);
    for arm in [AUTHORS, HAAR, LIGHT].iter().filter(|arm| here(arm)) {
        let curve = Curve::new(&results, arm, "mcc", |v| v);
        findings.baselines.extend(curve.slope_ends(&format!("slope of MCC, {arm}")));
    }
    // Without the sign, and after the best linear matching, which forgives what identifiability forbids.
    for value in ["mcc, absolute", "mcc, canonical"] {
        let own = results.arms().into_iter().filter(|arm| arm == AUTHORS || arm.starts_with("autoencoder"));
        for arm in own {
            let name = format!("{value}, at the largest n, {arm}");
            findings.baselines.push(Curve::new(&results, &arm, value, |v| v).last(&name));
        }
    }
    Ok(findings)
}

/// Agreement of the EBM's runs that turns into its opposite as n grows: from v at the smallest n to −v at the
/// largest, on a line in log n.
fn turned(results: &Results) -> Results {
    results.planted(|cell, value| {
        if ![AUTHORS, HAAR].contains(&cell.arm.as_str()) {
            return value;
        }
        let sizes = results.only(|c| c.arm == cell.arm).settings();
        let [least, most] = [usize::min, usize::max]
            .map(|of| sizes.iter().map(|s| s.2).reduce(of).map_or(f64::NAN, |n| (n as f64).ln()));
        value * (1.0 - 2.0 * ((cell.n as f64).ln() - least) / (most - least))
    })
}

fn values(results: &Results, authors: &str, haar: &str) -> Vec<Value> {
    let curve = |arm: &str| Curve::new(results, arm, "mcc", |v| v);
    let (authors, haar) = (curve(authors), curve(haar));
    vec![
        authors.slope("slope of MCC, the authors' B"),
        authors.last("MCC at the largest n, the authors' B"),
        curve(AUTOENCODER).share_below(&authors, "share of n above the autoencoder"),
        haar.last("MCC at the largest n, another B"),
    ]
}

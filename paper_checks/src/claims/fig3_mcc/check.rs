//! Figure 3, bottom: MCC rises with n toward 1, for random directions B, and is above the autoencoder's.

use crate::claims::curves::Curve;
use crate::claims::{Check, Context, Findings};
use crate::registry::{Key, Value};
use crate::study::{Results, StudyError};

pub const CHECK: Check = Check::new(measure);

/// The paper's way: with the authors' own directions, and with directions drawn afresh.
const AUTHORS: &str = "ebm";
const HAAR: &str = "ebm, Haar directions";
/// The variant in which the task is not trivial.
const LIGHT: &str = "ebm light, fresh samples";
const AUTOENCODER: &str = "autoencoder released";

fn measure(context: &Context) -> Result<Findings, StudyError> {
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
        let curve = Curve::new(&results, &arm, "mcc", |v| v);
        findings.baselines.push(curve.last(Key::new("mcc-last").of(arm)));
    }
    for arm in results.arms().iter().filter(|arm| arm.starts_with("ebm")) {
        let rank = Curve::new(&results, arm, "effective rank", |v| v);
        findings.baselines.push(rank.last(Key::new("rank-last").of(arm)));
    }
    let here = |arm: &&str| results.arms().iter().any(|known| known == arm);
    for arm in [AUTHORS, HAAR, LIGHT].iter().filter(|arm| here(arm)) {
        let curve = Curve::new(&results, arm, "mcc", |v| v);
        let key = Key::new("slope").of(arm);
        findings.baselines.extend(curve.slope_ends(&key, &format!("slope of MCC, {arm}")));
    }
    // Without the sign, and after the best linear matching, which forgives what identifiability forbids.
    for matched in ["absolute", "canonical"] {
        let own = results.arms().into_iter().filter(|arm| arm == AUTHORS || arm.starts_with("autoencoder"));
        for arm in own {
            let curve = Curve::new(&results, &arm, &format!("mcc, {matched}"), |v| v);
            findings.baselines.push(curve.last(Key::new("matched-last").of(matched).of(arm)));
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
        authors.slope(Key::new("slope").of("the authors' B")),
        authors.last(Key::new("mcc-last").of("the authors' B")),
        curve(AUTOENCODER).share_below(&authors, "share-above"),
        haar.last(Key::new("mcc-last").of("another B")),
    ]
}

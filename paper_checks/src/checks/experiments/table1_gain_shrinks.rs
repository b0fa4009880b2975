//! The gain of the EBM over the covariates diminishes with n: slope of log₂ of the ratio of errors
//! on log₂ n.

use super::compare::{Gains, Pair, average, learners, of, refs, slope};
use crate::checks::{Context, Findings};
use crate::study::{Results, StudyError, Summary};
use crate::verdict::Value;
use ebmbook::data::Protocol;

/// Blocks in which n alone grows.
const BLOCKS: [&str; 2] = ["synthetic-d100", "twins"];

pub(super) fn check(context: &Context) -> Result<Findings, StudyError> {
    let results = context.results("table1")?;
    let pair = Pair { lower: "ebm-pairwise", than: "raw" };
    let mut findings = Findings {
        values: values(&results, pair),
        setting: "mean over four learners, kernel ridge; slope a doubling of n".into(),
        ..Findings::default()
    };
    findings.controls.insert("swapped".into(), values(&results, pair.swapped()));
    // The block of which the sentence was written, in both places.
    let alone = findings.values.iter().map(|v| {
        let other = v.name.replace("twins", BLOCKS[0]);
        let same = findings.values.iter().find(|w| w.name == other).expect("every block is there");
        Value { name: v.name.clone(), ..same.clone() }
    });
    let alone = alone.collect();
    findings.controls.insert("synthetic-alone".into(), alone);
    for arm in ["untrained", "pca+1"] {
        for value in values(&results, Pair { lower: arm, than: "raw" }) {
            findings.baselines.push(Value { name: format!("{}, {arm}", value.name), ..value });
        }
    }
    Ok(findings)
}

fn values(results: &Results, pair: Pair) -> Vec<Value> {
    let names = learners("kernel-ridge");
    let mut values = Vec::new();
    for protocol in [Protocol::Released, Protocol::Paper] {
        for block in BLOCKS {
            let here = of(results, protocol).only(|c| c.block == block);
            let (mut x, mut y) = (Vec::new(), Vec::new());
            for setting in here.settings() {
                let at = here.only(|c| c.n == setting.2);
                let gains = Gains::log_ratio(&at, pair, &refs(&names));
                let runs = average(&gains.0.into_iter().map(|(_, _, d)| d).collect::<Vec<_>>());
                if let Some(summary) = Summary::of(&runs) {
                    x.push((setting.2 as f64).log2());
                    y.push(summary);
                }
            }
            values.push(slope(&format!("slope of the gain, {block}, {protocol}"), &x, &y));
        }
    }
    values
}

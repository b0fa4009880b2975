//! The gain of the EBM over the covariates diminishes with n: slope of log₂ of the ratio of errors
//! on log₂ n.

use super::compare::{Gains, Pair, average, learners, of, refs, slope, slope_ends};
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
    for Line { name, x, runs } in lines(&results, pair) {
        findings.baselines.extend(slope_ends(&name, &x, &runs));
    }
    // The covariates with an intercept: rare categories are nearly constant columns, and linear kernel
    // ridge takes them for one, which a row that has the category pays for.
    for value in values(&results, Pair { than: "raw+1", ..pair }) {
        findings.baselines.push(Value { name: format!("{}, over raw+1", value.name), ..value });
    }
    for arm in ["untrained", "pca+1"] {
        for value in values(&results, Pair { lower: arm, than: "raw" }) {
            findings.baselines.push(Value { name: format!("{}, {arm}", value.name), ..value });
        }
    }
    Ok(findings)
}

fn values(results: &Results, pair: Pair) -> Vec<Value> {
    lines(results, pair)
        .into_iter()
        .map(|Line { name, x, runs }| {
            let y: Vec<Summary> = runs.iter().filter_map(|r| Summary::of(r)).collect();
            slope(&name, &x, &y)
        })
        .collect()
}

/// A gain at each n.
struct Line {
    name: String,
    /// log₂ n
    x: Vec<f64>,
    /// Run by run, the mean over learners.
    runs: Vec<Vec<f64>>,
}

fn lines(results: &Results, pair: Pair) -> Vec<Line> {
    let names = learners("kernel-ridge");
    let mut lines = Vec::new();
    for protocol in [Protocol::Released, Protocol::Paper] {
        for block in BLOCKS {
            let here = of(results, protocol).only(|c| c.block == block);
            let name = format!("slope of the gain, {block}, {protocol}");
            let (mut x, mut runs) = (Vec::new(), Vec::new());
            for setting in here.settings() {
                let gains = Gains::log_ratio(&here.only(|c| c.n == setting.2), pair, &refs(&names));
                x.push((setting.2 as f64).log2());
                runs.push(average(&gains.0.into_iter().map(|(_, _, d)| d).collect::<Vec<_>>()));
            }
            lines.push(Line { name, x, runs });
        }
    }
    lines
}

//! Section 6.1: differences between the learners shrink with the EBM. Largest minus smallest PEHE of the four.

use crate::claims::compare::{SHARE_ALPHA, distinct, learners, named, of, pooled};
use crate::claims::{Check, Context, Findings, Scale};
use crate::registry::{Key, Value};
use crate::study::{Arm, RegressorKind, Results, StudyError, printed_means};
use ebmbook::data::Protocol;

pub const CHECK: Check = Check { printed: Some(printed), ..Check::new(measure) };

const NAMES: [&str; 2] = ["shrinkage", "share-smaller"];

fn measure(context: &Context) -> Result<Findings, StudyError> {
    let results = context.results("table1")?;
    let mut findings = Findings {
        values: values(&results, Arm::EBM, Arm::RAW, NAMES),
        setting: format!("{} settings, spread of T, X, DR and R in each run", results.settings().len()),
        ..Findings::default()
    };
    findings.controls.insert("swapped".into(), values(&results, Arm::RAW, Arm::EBM, NAMES));
    findings.baselines = values(&results, Arm::UNTRAINED, Arm::RAW, ["untrained", "share-untrained"]);
    Ok(findings)
}

/// How much the spread shrinks, and the share of settings in which it does, under these names.
fn values(results: &Results, small: Arm, large: Arm, [ratio, share]: [&str; 2]) -> Vec<Value> {
    let mut values = Vec::new();
    for protocol in [Protocol::Released, Protocol::Paper] {
        let here = of(results, protocol);
        let of_settings: Vec<Vec<f64>> = here
            .settings()
            .iter()
            .map(|setting| {
                let spread = |arm| spreads(&here.at(*setting, arm));
                spread(large).iter().zip(spread(small)).map(|(l, s)| (l / s).log2()).collect()
            })
            .collect();
        let shrinkage = distinct(&of_settings);
        values.push(pooled(Key::new(ratio).under(protocol), &shrinkage));
        values.push(Value::share(Key::new(share).under(protocol), &shrinkage, SHARE_ALPHA));
    }
    values
}

fn printed(scale: Scale) -> Result<Vec<Value>, StudyError> {
    Ok(named(NAMES[0], values(&printed_means("table1", scale)?, Arm::EBM, Arm::RAW, NAMES)))
}

/// Largest minus smallest PEHE over the four learners, run by run.
fn spreads(results: &Results) -> Vec<f64> {
    let errors: Vec<Vec<f64>> =
        learners(RegressorKind::KernelRidge).into_iter().map(|l| results.values(l)).collect();
    (0..errors.iter().map(Vec::len).min().unwrap_or(0))
        .map(|run| {
            let of_run = || errors.iter().map(|e| e[run]);
            of_run().fold(f64::MIN, f64::max) - of_run().fold(f64::MAX, f64::min)
        })
        .collect()
}

//! Section 6.1: sample splitting does not increase the variance. k folds against all rows for every density.

use crate::claims::compare::average;
use crate::claims::{Check, Context, Findings};
use crate::registry::Value;
use crate::study::{Arm, Base, Quantity, Results, StudyError, Task};

pub const CHECK: Check = Check::new(measure);

const SPLIT: Arm = Arm::of(Base::RandomFolds);
const WHOLE: Arm = Arm::of(Base::AllRows);

fn measure(context: &Context) -> Result<Findings, StudyError> {
    let results = context.results("splitting")?;
    let sizes: Vec<String> = results.settings().iter().map(|(_, _, n)| n.to_string()).collect();
    let split = results.only(|c| c.arm == SPLIT && c.n == results.settings()[0].2);
    let runs = split.rows().next().map_or(0, |(cell, _)| match &cell.task {
        Task::Stability(task) => task.runs,
        _ => 0,
    });
    let mut findings = Findings {
        values: vec![log_ratio(&results, Quantity::SdOfEffects, "spread-ratio")],
        setting: format!(
            "Twins, n = {}, R-learner, k = 5, printed shape; {} groups of {runs} runs on the same sample",
            sizes.join(", "),
            split.len()
        ),
        ..Findings::default()
    };
    findings.baselines.push(log_ratio(&results, Quantity::SdOfPehe, "pehe-sd-ratio"));
    findings.baselines.push(log_ratio(&results, Quantity::Mcc, "mcc-ratio"));
    // The spread of single runs on one side, that of their mean on the other.
    let root = (runs as f64).sqrt();
    let mixed = results.planted(|cell, value| if cell.arm == WHOLE { value / root } else { value });
    let mixed = log_ratio(&mixed, Quantity::SdOfEffects, "spread-ratio");
    findings.controls.insert("error-of-the-mean".into(), vec![mixed]);
    Ok(findings)
}

/// Mean over n of log₂(value with random folds / value on all rows). A group has the same initialisations
/// at every n, so n is averaged within a group and the groups are the replicates.
fn log_ratio(results: &Results, value: Quantity, name: &str) -> Value {
    let ratios: Vec<Vec<f64>> = results
        .settings()
        .iter()
        .map(|(_, _, n)| {
            let of = |arm: Arm| results.only(|c| c.n == *n && c.arm == arm).values(value);
            of(SPLIT).iter().zip(of(WHOLE)).map(|(a, b)| (a / b).abs().log2()).collect()
        })
        .collect();
    Value::mean(name, &average(&ratios))
}

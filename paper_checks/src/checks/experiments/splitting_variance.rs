//! Sample splitting does not increase the variance: k folds against all rows for every density.

use super::compare::average;
use crate::checks::{Context, Findings};
use crate::study::{Arm, Base, Quantity, Results, StudyError, Task};
use crate::verdict::Value;

const NAME: &str = "log2 ratio of spreads, split over all";

pub(super) fn check(context: &Context) -> Result<Findings, StudyError> {
    let results = context.results("splitting")?;
    let sizes: Vec<String> = results.settings().iter().map(|(_, _, n)| n.to_string()).collect();
    let split = results.only(|c| c.arm == Arm::of(Base::RandomFolds) && c.n == results.settings()[0].2);
    let runs = split.rows().next().map_or(0, |(cell, _)| match &cell.task {
        Task::Stability(task) => task.runs,
        _ => 0,
    });
    let mut findings = Findings {
        values: vec![log_ratio(
            &results,
            Arm::of(Base::RandomFolds),
            Arm::of(Base::AllRows),
            Quantity::SdOfEffects,
            NAME,
        )],
        setting: format!(
            "Twins, n = {}, R-learner, k = 5, printed shape; {} groups of {runs} runs on the same sample",
            sizes.join(", "),
            split.len()
        ),
        ..Findings::default()
    };
    findings.baselines.push(log_ratio(
        &results,
        Arm::of(Base::RandomFolds),
        Arm::of(Base::AllRows),
        Quantity::SdOfPehe,
        "log2 ratio of PEHE's sd",
    ));
    findings.baselines.push(log_ratio(
        &results,
        Arm::of(Base::RandomFolds),
        Arm::of(Base::AllRows),
        Quantity::Mcc,
        "log2 ratio of MCC",
    ));
    // A method whose spread is three times as large must be caught.
    let inflated = results
        .planted(|cell, value| if cell.arm == Arm::of(Base::RandomFolds) { 3.0 * value } else { value });
    findings.controls.insert(
        "spread-trebled".into(),
        vec![log_ratio(
            &inflated,
            Arm::of(Base::RandomFolds),
            Arm::of(Base::AllRows),
            Quantity::SdOfEffects,
            NAME,
        )],
    );
    Ok(findings)
}

/// Mean over n of log₂(value in one arm / value in the other). A group has the same initialisations
/// at every n, so n is averaged within a group and the groups are the replicates.
fn log_ratio(results: &Results, arm: Arm, than: Arm, value: Quantity, name: &str) -> Value {
    let ratios: Vec<Vec<f64>> = results
        .settings()
        .iter()
        .map(|(_, _, n)| {
            let of = |arm: Arm| results.only(|c| c.n == *n && c.arm == arm).values(value);
            of(arm).iter().zip(of(than)).map(|(a, b)| (a / b).abs().log2()).collect()
        })
        .collect();
    Value::mean(name, &average(&ratios))
}

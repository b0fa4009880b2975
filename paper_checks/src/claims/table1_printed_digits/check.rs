//! Table 1, columns without EBM: the printed cells follow from the authors' data and learners. T and X, recomputed on
//! the regenerated data.

use crate::claims::compare::of;
use crate::claims::{Check, Context, Findings};
use crate::printed::{Block, Printed};
use crate::registry::{Key, Value};
use crate::study::{Arm, Fit, LearnerKind, Results, StudyError, Summary};
use ebmbook::data::Protocol;

pub const CHECK: Check = Check::new(measure);

fn measure(context: &Context) -> Result<Findings, StudyError> {
    let table = of(&context.results("table1")?, Protocol::Released).only(|c| c.arm == Arm::RAW);
    let synthetic = table.only(|c| c.block.is_synthetic());
    let twins = table.only(|c| c.block == Block::Twins);
    let fresh = of(&context.results("seeds")?, Protocol::Released)
        .only(|c| c.arm == Arm::RAW && c.block.is_synthetic());
    let mut findings = Findings {
        values: [LearnerKind::T, LearnerKind::X].map(|learner| worst(&synthetic, learner)).into(),
        baselines: [LearnerKind::Dr, LearnerKind::R].map(|learner| score(&synthetic, learner)).into(),
        setting: format!(
            "{} synthetic settings, regenerated from the authors' seeds",
            synthetic.settings().len()
        ),
        ..Findings::default()
    };
    let other = |results: &Results| {
        // Fresh draws were made for T and R only; T stands for X there.
        let has_x = !pairs(results, LearnerKind::X).is_empty();
        let x = worst(results, if has_x { LearnerKind::X } else { LearnerKind::T });
        vec![worst(results, LearnerKind::T), Value { key: difference(LearnerKind::X), ..x }]
    };
    findings.controls.insert("another-draw".into(), other(&fresh));
    findings.controls.insert("light-twins".into(), other(&twins));
    Ok(findings)
}

fn difference(learner: LearnerKind) -> Key {
    Key::new("difference").of(learner.to_string().to_uppercase())
}

/// Largest difference between a printed cell and ours.
fn worst(results: &Results, learner: LearnerKind) -> Value {
    let differences =
        pairs(results, learner).into_iter().map(|(printed, ours)| (printed.0 - ours.mean).abs());
    Value::exact(difference(learner), largest(differences))
}

/// The largest of some numbers; NaN of none, so that a table that matches nothing passes nothing.
fn largest(numbers: impl Iterator<Item = f64>) -> f64 {
    numbers.fold(f64::NAN, f64::max)
}

/// Largest |z| where folds are random: two means of ten runs each.
fn score(results: &Results, learner: LearnerKind) -> Value {
    let scores = pairs(results, learner).into_iter().map(|((mean, sd), ours)| {
        // z = difference / √(s²/r + s²_printed/10)
        (mean - ours.mean).abs() / (ours.se().powi(2) + sd * sd / 10.0).sqrt()
    });
    Value::exact(Key::new("score").of(learner.to_string().to_uppercase()), largest(scores))
}

/// ((printed mean, printed sd), ours) for each setting.
fn pairs(results: &Results, learner: LearnerKind) -> Vec<((f64, f64), Summary)> {
    let printed = Printed::load();
    let (value, letter) = (Fit::kernel_ridge(learner).pehe(), learner.to_string());
    results
        .settings()
        .iter()
        .filter_map(|setting| {
            let cell = printed.learners.iter().find(|c| {
                c.table == "main-table-1"
                    && (c.dataset, c.d, c.n) == *setting
                    && c.learner.eq_ignore_ascii_case(&letter)
                    && !c.with_ebm
            })?;
            Some(((cell.pehe_mean, cell.pehe_sd), results.summary(*setting, Arm::RAW, value)?))
        })
        .collect()
}

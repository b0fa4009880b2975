//! Section 6.1: the R-learner with the EBM has the lowest PEHE on average over Table 1.

use crate::claims::compare::{learners, mean, of, one_experiment_each, pooled};
use crate::claims::{Check, Context, Findings, Scale};
use crate::printed::Printed;
use crate::registry::{Key, Value};
use crate::study::{Arm, Fit, LearnerKind, Quantity, RegressorKind, Results, StudyError, printed_means};
use ebmbook::data::Protocol;

pub const CHECK: Check = Check { printed: Some(printed), ..Check::new(measure) };

fn measure(context: &Context) -> Result<Findings, StudyError> {
    let results = context.results("table1")?;
    let mut findings = Findings {
        values: values(&results, LearnerKind::R, Arm::EBM, "margin"),
        baselines: vec![Value::exact("printed-rows", over_printed_rows())],
        setting: "mean over settings; rivals are the other three learners with EBM and all four without"
            .into(),
        ..Findings::default()
    };
    // Would the sentence be as true of another learner?
    for learner in [LearnerKind::T, LearnerKind::X, LearnerKind::Dr] {
        let name = format!("margin-{learner}");
        findings.baselines.extend(values(&results, learner, Arm::EBM, &name));
    }
    findings.controls.insert("r-without-ebm".into(), values(&results, LearnerKind::R, Arm::RAW, "margin"));
    findings.controls.insert("dr-without-ebm".into(), values(&results, LearnerKind::Dr, Arm::RAW, "margin"));
    Ok(findings)
}

/// Candidate minus best rival, by mean over the table; paired run by run. The rival is picked on the same
/// runs, which counts against the candidate; the gate's α is a seventh of the usual one for that.
fn values(results: &Results, learner: LearnerKind, arm: Arm, name: &str) -> Vec<Value> {
    let learner = Fit::kernel_ridge(learner).pehe();
    [Protocol::Released, Protocol::Paper]
        .into_iter()
        .map(|protocol| {
            let here = of(results, protocol);
            let candidate = columns(&here, learner, arm);
            let rivals: Vec<Vec<Vec<f64>>> = [Arm::EBM, Arm::RAW]
                .into_iter()
                .flat_map(|a| learners(RegressorKind::KernelRidge).into_iter().map(move |l| (a, l)))
                .filter(|rival| *rival != (arm, learner))
                .map(|(a, l)| columns(&here, l, a))
                .collect();
            let level =
                |column: &Vec<Vec<f64>>| mean(&column.iter().map(|runs| mean(runs)).collect::<Vec<_>>());
            let best = rivals.iter().min_by(|x, y| level(x).total_cmp(&level(y))).expect("seven rivals");
            let differences: Vec<Vec<f64>> = one_experiment_each(&here.settings())
                .into_iter()
                .map(|i| candidate[i].iter().zip(&best[i]).map(|(c, b)| c - b).collect())
                .collect();
            pooled(Key::new(name).under(protocol), &differences)
        })
        .collect()
}

/// Runs of each setting.
fn columns(results: &Results, learner: Quantity, arm: Arm) -> Vec<Vec<f64>> {
    results.settings().iter().map(|setting| results.at(*setting, arm).values(learner)).collect()
}

fn printed(scale: Scale) -> Result<Vec<Value>, StudyError> {
    Ok(values(&printed_means("table1", scale)?, LearnerKind::R, Arm::EBM, "margin"))
}

/// The margin that a reader of Table 1 takes from its columns: over all of its rows at every scale, also over the one
/// that is printed twice.
fn over_printed_rows() -> f64 {
    let cells = Printed::load().learners;
    let level = |learner: &str, with_ebm: bool| {
        let column: Vec<f64> = cells
            .iter()
            .filter(|c| c.table == "main-table-1" && c.learner == learner && c.with_ebm == with_ebm)
            .map(|c| c.pehe_mean)
            .collect();
        mean(&column)
    };
    let rivals = ["X", "DR", "T"].map(|l| level(l, true)).into_iter();
    let best = rivals.chain(["X", "DR", "T", "R"].map(|l| level(l, false))).fold(f64::MAX, f64::min);
    level("R", true) - best
}

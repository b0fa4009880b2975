//! Tables A.1 to A.5: the EBM helps on IHDP too. Gain over the covariates, with our own draw of response surface B.

use crate::claims::compare::{Gains, Pair, learners, of, trivial_to_ebm};
use crate::claims::{Check, Context, Findings, Scale};
use crate::registry::{Key, Value};
use crate::study::table::{Row, rows};
use crate::study::{
    Arm, Fit, LearnerKind, PRINTED_REGRESSORS, Quantity, RegressorKind, Results, StudyError, printed_means,
};
use ebmbook::data::Protocol;

pub const CHECK: Check = Check { printed: Some(printed), ..Check::new(measure) };

const OVER_RAW: Pair = Pair { lower: Arm::EBM, than: Arm::RAW };

fn measure(context: &Context) -> Result<Findings, StudyError> {
    let results = context.results("ihdp")?;
    let mut findings = Findings {
        values: values(&results, OVER_RAW, "gain"),
        setting: "response surface B, our draws; kernel ridge has no intercept, the others have one".into(),
        ..Findings::default()
    };
    // A representation with four times the error must fail, one with a tenth of it must hold.
    for (id, factor) in [("error-quadrupled", 4.0), ("error-divided-by-ten", 0.1)] {
        let planted = results.planted(|cell, v| if cell.arm == OVER_RAW.lower { factor * v } else { v });
        findings.controls.insert(id.into(), values(&planted, OVER_RAW, "gain"));
    }
    for (name, arm) in [
        ("untrained", Arm::UNTRAINED),
        ("pca", Arm::PCA.plus_constant()),
        ("raw-constant", Arm::RAW.plus_constant()),
    ] {
        findings.baselines.extend(values(&results, Pair { lower: arm, than: Arm::RAW }, name));
    }
    let (names, paper) = (learners(RegressorKind::KernelRidge), of(&results, Protocol::Paper));
    let key = Key::new("constant").of(RegressorKind::KernelRidge).under(Protocol::Paper);
    findings.baselines.push(trivial_to_ebm(&paper, Quantity::CONSTANT, &names, key));
    // The authors' own outcomes, where somebody had the files.
    if let Ok(npci) = context.results("ihdp-npci") {
        findings.baselines.extend(values(&npci, OVER_RAW, "npci"));
        findings.baselines.push(farthest_from_printed(&npci));
    }
    Ok(findings)
}

/// What T and X with ridge on the covariates have of the printed errors, on the authors' outcomes.
fn farthest_from_printed(npci: &Results) -> Value {
    let ridge = [LearnerKind::T, LearnerKind::X].map(|l| Fit::new(l, RegressorKind::Ridge).pehe());
    let here = |r: &Row| r.arm == Arm::RAW && ridge.contains(&r.value);
    let off = |r: Row| r.printed.filter(|_| here(&r)).map(|printed| (r.ours / printed - 1.0).abs());
    // NaN of none, so that a table without printed cells shows.
    let largest = rows("ihdp-npci", npci).into_iter().filter_map(off).fold(f64::NAN, f64::max);
    Value::exact("off-printed", largest)
}

fn values(results: &Results, pair: Pair, name: &str) -> Vec<Value> {
    let mut values = Vec::new();
    for protocol in [Protocol::Released, Protocol::Paper] {
        for regressor in PRINTED_REGRESSORS {
            let names = learners(regressor);
            let gains = Gains::log_ratio(&of(results, protocol), pair, &names);
            let key = Key::new(name).of(regressor).under(protocol);
            // Under `paper` run r is draw r of the response surface, in every setting.
            values.push(match protocol {
                Protocol::Released => gains.mean(key),
                Protocol::Paper => gains.mean_over_draws(key),
            });
        }
    }
    values
}

fn printed(scale: Scale) -> Result<Vec<Value>, StudyError> {
    Ok(values(&printed_means("ihdp", scale)?, OVER_RAW, "gain"))
}

//! The same on IHDP, with our own draw of response surface B.

use super::compare::{Gains, Pair, of, trivial_to_ebm};
use crate::checks::{Context, Findings};
use crate::study::table::{Row, rows};
use crate::study::{Arm, Fit, LearnerKind, Quantity, RegressorKind, Results, StudyError};
use crate::verdict::Value;
use ebmbook::data::Protocol;

pub(super) fn check(context: &Context) -> Result<Findings, StudyError> {
    let results = context.results("ihdp")?;
    let over_raw = Pair { lower: Arm::EBM, than: Arm::RAW };
    let mut findings = Findings {
        values: values(&results, over_raw),
        setting: "response surface B, our draws; kernel ridge has no intercept, the others have one".into(),
        ..Findings::default()
    };
    // A representation with four times the error must fail, one with a tenth of it must hold.
    for (id, factor) in [("error-quadrupled", 4.0), ("error-divided-by-ten", 0.1)] {
        let planted = results.planted(|cell, v| if cell.arm == over_raw.lower { factor * v } else { v });
        findings.controls.insert(id.into(), values(&planted, over_raw));
    }
    for arm in [Arm::UNTRAINED, Arm::PCA.plus_constant(), Arm::RAW.plus_constant()] {
        for value in values(&results, Pair { lower: arm, than: Arm::RAW }) {
            findings.baselines.push(Value { name: format!("{}, {arm}", value.name), ..value });
        }
    }
    let (names, paper) =
        (super::compare::learners(RegressorKind::KernelRidge), of(&results, Protocol::Paper));
    let name = "log2 PEHE ratio of constant to EBM, kernel-ridge, paper";
    findings.baselines.push(trivial_to_ebm(&paper, Quantity::CONSTANT, &names, name));
    // The authors' own outcomes, where somebody had the files.
    if let Ok(npci) = context.results("ihdp-npci") {
        for value in values(&npci, over_raw) {
            findings.baselines.push(Value { name: format!("{}, NPCI outcomes", value.name), ..value });
        }
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
    Value::exact("largest |ours / printed - 1|, T and X, ridge, raw, NPCI outcomes", largest)
}

fn values(results: &Results, pair: Pair) -> Vec<Value> {
    let mut values = Vec::new();
    for protocol in [Protocol::Released, Protocol::Paper] {
        for regressor in RegressorKind::PRINTED {
            let names = super::compare::learners(regressor);
            let gains = Gains::log_ratio(&of(results, protocol), pair, &names);
            let name = format!("log2 PEHE ratio, {regressor}, {protocol}");
            // Under `paper` run r is draw r of the response surface, in every setting.
            values.push(match protocol {
                Protocol::Released => gains.mean(&name),
                Protocol::Paper => gains.mean_over_draws(&name),
            });
        }
    }
    values
}

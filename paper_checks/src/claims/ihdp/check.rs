//! Tables A.1 to A.5 under `released`: the EBM helps on IHDP too. Gain over the covariates, on the authors' own replicate of
//! the outcomes where somebody had the files; on our draw of response surface B beside it.

use crate::claims::compare::{Gains, Pair, learners, of};
use crate::claims::{Check, Context, Findings, Scale};
use crate::registry::{Key, Value};
use crate::study::table::{Row, rows};
use crate::study::{
    Arm, Base, Fit, LearnerKind, PRINTED_REGRESSORS, RegressorKind, Results, StudyError, printed_means,
};
use ebmbook::data::Protocol;

pub const CHECK: Check = Check { printed: Some(printed), ..Check::new(measure) };

const OVER_RAW: Pair = Pair { lower: Arm::EBM, than: Arm::RAW };

fn measure(context: &Context) -> Result<Findings, StudyError> {
    let own = context.results("ihdp")?;
    let mut findings = Findings {
        setting: "response surface B; kernel ridge has no intercept, the others have one".into(),
        ..Findings::default()
    };
    // The other protocol, over our draws, under the name of this one.
    findings.controls.insert("other-protocol".into(), gains(&own, Protocol::Paper, OVER_RAW, "gain"));
    for (name, arm) in [
        ("own-draw", Arm::EBM),
        ("untrained", Arm::UNTRAINED),
        ("pca", Arm::PCA.plus_constant()),
        ("raw-constant", Arm::RAW.plus_constant()),
    ] {
        let pair = Pair { lower: arm, than: Arm::RAW };
        findings.baselines.extend(gains(&own, Protocol::Released, pair, name));
    }
    if let Ok(npci) = context.results("ihdp-npci") {
        findings.values = gains(&npci, Protocol::Released, OVER_RAW, "gain");
        let own = Pair { lower: Arm::of(Base::EbmReleasedProgram), ..OVER_RAW };
        findings.baselines.extend(gains(&npci, Protocol::Released, own, "released-program"));
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

/// Gain with each of the printed regressors. Under `paper` run r is draw r of the response surface, in every setting.
pub(in crate::claims) fn gains(results: &Results, protocol: Protocol, pair: Pair, name: &str) -> Vec<Value> {
    let of_regressor = |regressor: RegressorKind| {
        let gains = Gains::log_ratio(&of(results, protocol), pair, &learners(regressor));
        let key = Key::new(name).of(regressor);
        match protocol {
            Protocol::Released => gains.mean(key),
            Protocol::Paper => gains.mean_over_draws(key),
        }
    };
    PRINTED_REGRESSORS.map(of_regressor).to_vec()
}

fn printed(scale: Scale) -> Result<Vec<Value>, StudyError> {
    Ok(gains(&printed_means("ihdp", scale)?, Protocol::Released, OVER_RAW, "gain"))
}

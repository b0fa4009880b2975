//! Tables A.1 to A.5 under `paper`: the EBM helps on IHDP too. Gain over the covariates, over draws of response surface B.

use crate::claims::compare::{Pair, learners, of, trivial_to_ebm};
use crate::claims::ihdp::check::gains;
use crate::claims::{Check, Context, Findings};
use crate::registry::Key;
use crate::study::{Arm, Quantity, RegressorKind, StudyError};
use ebmbook::data::Protocol;

pub const CHECK: Check = Check::new(measure);

const OVER_RAW: Pair = Pair { lower: Arm::EBM, than: Arm::RAW };

fn measure(context: &Context) -> Result<Findings, StudyError> {
    let results = context.results("ihdp")?;
    let gains = |pair, name: &str| gains(&results, Protocol::Paper, pair, name);
    let arm = |lower| Pair { lower, than: Arm::RAW };
    let mut findings = Findings {
        values: gains(OVER_RAW, "gain"),
        controls: [
            ("untrained".to_owned(), gains(arm(Arm::UNTRAINED), "gain")),
            ("swapped".to_owned(), gains(OVER_RAW.swapped(), "gain")),
        ]
        .into(),
        setting: "response surface B, our draws; kernel ridge has no intercept, the others have one".into(),
        ..Findings::default()
    };
    for (name, lower) in [("pca", Arm::PCA.plus_constant()), ("raw-constant", Arm::RAW.plus_constant())] {
        findings.baselines.extend(gains(arm(lower), name));
    }
    let names = learners(RegressorKind::KernelRidge);
    let key = Key::new("constant").of(RegressorKind::KernelRidge);
    let paper = of(&results, Protocol::Paper);
    findings.baselines.push(trivial_to_ebm(&paper, Quantity::CONSTANT, &names, key));
    Ok(findings)
}

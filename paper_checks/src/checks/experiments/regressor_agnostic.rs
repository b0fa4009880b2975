//! The same conclusion with every regressor: gain over the covariates for each of the four.

use super::compare::{Gains, Pair, learners, mean, of, trivial_to_ebm};
use crate::checks::{Context, Findings};
use crate::study::{Arm, Quantity, RegressorKind, Results, StudyError};
use crate::verdict::Value;
use ebmbook::data::Protocol;

const TABLES: [(&str, RegressorKind); 4] = [
    ("table1", RegressorKind::KernelRidge),
    ("table-power", RegressorKind::Power),
    ("table-polynomial", RegressorKind::Polynomial),
    ("table-ridge", RegressorKind::Ridge),
];

pub(super) fn check(context: &Context) -> Result<Findings, StudyError> {
    let tables: Vec<(RegressorKind, Results)> = TABLES
        .into_iter()
        .map(|(study, regressor)| Ok((regressor, context.results(study)?)))
        .collect::<Result<_, StudyError>>()?;
    let over_raw = Pair { lower: Arm::EBM, than: Arm::RAW };
    let mut findings = Findings {
        values: values(&tables, over_raw),
        setting: "four learners, settings of Table 1".into(),
        ..Findings::default()
    };
    findings.controls.insert("swapped".into(), values(&tables, over_raw.swapped()));
    for (regressor, results) in &tables {
        let names = learners(*regressor);
        // Twins has no known latent, so that is a mean over fewer settings.
        for (than, data) in
            [(Arm::UNTRAINED, ""), (Arm::PCA.plus_constant(), ""), (Arm::LATENT, ", synthetic")]
        {
            let beyond = Pair { lower: Arm::EBM, than };
            let gain = Gains::log_ratio(&of(results, Protocol::Released), beyond, &names);
            let name = format!("log2 PEHE ratio of {than} to EBM{data}, {regressor}, released");
            findings.baselines.push(gain.mean(&name));
        }
        let untrained = Pair { lower: Arm::EBM, than: Arm::UNTRAINED };
        let gain = Gains::log_ratio(&of(results, Protocol::Paper), untrained, &names);
        findings
            .baselines
            .push(gain.mean(&format!("log2 PEHE ratio of untrained to EBM, {regressor}, paper")));
    }
    let ratios: Vec<f64> = tables
        .iter()
        .map(|(regressor, results)| {
            let names = learners(*regressor);
            trivial_to_ebm(&of(results, Protocol::Released), Quantity::CONSTANT, &names, "").estimate
        })
        .collect();
    let name = "log2 PEHE ratio of constant to EBM, mean over the regressors, released";
    findings.baselines.push(Value::exact(name, mean(&ratios)));
    Ok(findings)
}

fn values(tables: &[(RegressorKind, Results)], pair: Pair) -> Vec<Value> {
    let mut values = Vec::new();
    for protocol in [Protocol::Released, Protocol::Paper] {
        for (regressor, results) in tables {
            let names = learners(*regressor);
            let gains = Gains::log_ratio(&of(results, protocol), pair, &names);
            values.push(gains.mean(&format!("log2 PEHE ratio, {regressor}, {protocol}")));
            values.push(gains.share(&format!("share of cells with a gain, {regressor}, {protocol}")));
        }
    }
    values
}

//! With the EBM every learner has a lower PEHE: in every setting, under both protocols, and by
//! more than an untrained network of the same shape.

use super::compare::{Gains, Pair, learners, of, trivial_to_ebm};
use crate::checks::{Context, Findings};
use crate::study::{Arm, Base, Quantity, RegressorKind, Results, StudyError};
use crate::verdict::Value;
use ebmbook::data::Protocol;

const OVER_RAW: Pair = Pair { lower: Arm::EBM, than: Arm::RAW };
const OVER_UNTRAINED: Pair = Pair { lower: Arm::EBM, than: Arm::UNTRAINED };

pub(super) fn check(context: &Context) -> Result<Findings, StudyError> {
    let results = context.results("table1")?;
    let mut findings = Findings {
        values: values(&results, OVER_RAW, OVER_UNTRAINED),
        setting: format!(
            "{} settings, 4 learners, kernel ridge, pairwise objective",
            results.settings().len()
        ),
        ..Findings::default()
    };
    findings.controls.insert("swapped".into(), values(&results, OVER_RAW.swapped(), OVER_UNTRAINED));
    let worse = results.planted(|cell, error| if cell.arm == OVER_RAW.lower { 4.0 * error } else { error });
    findings.controls.insert("error-quadrupled".into(), values(&worse, OVER_RAW, OVER_UNTRAINED));
    let names = learners(RegressorKind::KernelRidge);
    for protocol in [Protocol::Released, Protocol::Paper] {
        let here = of(&results, protocol);
        for trivial in [Quantity::ZERO, Quantity::CONSTANT] {
            let name = format!("log2 PEHE ratio of {trivial} to EBM, {protocol}");
            findings.baselines.push(trivial_to_ebm(&here, trivial, &names, &name));
        }
        let gain = Gains::log_ratio(&here, Pair { than: Arm::RAW.plus_constant(), ..OVER_RAW }, &names);
        let share = format!("share of cells with a gain over covariates and a constant, {protocol}");
        findings.baselines.push(gain.mean(&format!("log2 PEHE ratio of raw+1 to EBM, {protocol}")));
        findings.baselines.push(gain.share(&share));
        let both = Pair { lower: Arm::EBM.plus_constant(), than: Arm::RAW.plus_constant() };
        let gain = Gains::log_ratio(&here, both, &names);
        if !gain.0.is_empty() {
            findings.baselines.push(gain.mean(&format!("log2 PEHE ratio of raw+1 to EBM+1, {protocol}")));
        }
        // Twins has no known latent, so that is a mean over fewer settings.
        for (arm, called) in [
            (Arm::UNTRAINED, "untrained"),
            (Arm::PCA.plus_constant(), "pca+1"),
            (Arm::LATENT, "latent, synthetic"),
        ] {
            let gain = Gains::log_ratio(&here, Pair { lower: arm, than: Arm::RAW }, &names);
            findings.baselines.push(gain.mean(&format!("log2 PEHE ratio of raw to {called}, {protocol}")));
        }
        // The other objectives, where they were run: the printed one, and the released program's.
        for (arm, called) in [
            (Arm::of(Base::EbmRanking), "printed objective"),
            (Arm::of(Base::EbmReleasedProgram), "released program"),
        ] {
            let gain = Gains::log_ratio(&here, Pair { lower: arm, than: Arm::RAW }, &names);
            if !gain.0.is_empty() {
                let name = |what: &str| format!("{what}, EBM with the {called}, {protocol}");
                findings.baselines.push(gain.mean(&name("log2 PEHE ratio of raw to EBM")));
                findings.baselines.push(gain.share(&name("share of cells with a gain")));
            }
        }
        let over_raw = Gains::log_ratio(&here, OVER_RAW, &names);
        findings.baselines.push(over_raw.sign_test(&format!("gain over the covariates, {protocol}")));
    }
    Ok(findings)
}

fn values(results: &Results, over_raw: Pair, over_untrained: Pair) -> Vec<Value> {
    let names = learners(RegressorKind::KernelRidge);
    let mut values = Vec::new();
    for protocol in [Protocol::Released, Protocol::Paper] {
        let here = of(results, protocol);
        // Ratios: a single run of DR, whose last regression is ordinary least squares on nearly
        // collinear coordinates, can be off by three orders of magnitude.
        let gains = Gains::log_ratio(&here, over_raw, &names);
        values.push(gains.mean(&format!("log2 PEHE ratio of raw to EBM, {protocol}")));
        values.push(gains.share(&format!("share of cells with a gain, {protocol}")));
        let beyond = Gains::log_ratio(&here, over_untrained, &names);
        values.push(beyond.mean(&format!("log2 PEHE ratio of untrained to EBM, {protocol}")));
    }
    values
}

//! With the EBM every learner has a lower PEHE: in every setting, under both protocols, and by
//! more than an untrained network of the same shape.

use super::compare::{Gains, Pair, learners, of, refs, trivial_to_ebm};
use crate::checks::{Context, Findings};
use crate::study::{Results, StudyError};
use crate::verdict::Value;
use ebmbook::data::Protocol;

const OVER_RAW: Pair = Pair { lower: "ebm-pairwise", than: "raw" };
const OVER_UNTRAINED: Pair = Pair { lower: "ebm-pairwise", than: "untrained" };

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
    let names = learners("kernel-ridge");
    for protocol in [Protocol::Released, Protocol::Paper] {
        let here = of(&results, protocol);
        for trivial in ["zero", "constant"] {
            let name = format!("log2 PEHE ratio of {trivial} to EBM, {protocol}");
            findings.baselines.push(trivial_to_ebm(&here, trivial, &refs(&names), &name));
        }
        let gain = Gains::log_ratio(&here, Pair { than: "raw+1", ..OVER_RAW }, &refs(&names));
        let share = format!("share of cells with a gain over covariates and a constant, {protocol}");
        findings.baselines.push(gain.mean(&format!("log2 PEHE ratio of raw+1 to EBM, {protocol}")));
        findings.baselines.push(gain.share(&share));
        let both = Pair { lower: "ebm-pairwise+1", than: "raw+1" };
        let gain = Gains::log_ratio(&here, both, &refs(&names));
        if !gain.0.is_empty() {
            findings.baselines.push(gain.mean(&format!("log2 PEHE ratio of raw+1 to EBM+1, {protocol}")));
        }
        // Twins has no known latent, so that is a mean over fewer settings.
        for (arm, called) in [("untrained", "untrained"), ("pca+1", "pca+1"), ("latent", "latent, synthetic")]
        {
            let gain = Gains::log_ratio(&here, Pair { lower: arm, than: "raw" }, &refs(&names));
            findings.baselines.push(gain.mean(&format!("log2 PEHE ratio of raw to {called}, {protocol}")));
        }
        // The other objectives, where they were run: the printed one, and the released program's.
        for (arm, called) in
            [("ebm-ranking", "printed objective"), ("ebm-released-program", "released program")]
        {
            let gain = Gains::log_ratio(&here, Pair { lower: arm, than: "raw" }, &refs(&names));
            if !gain.0.is_empty() {
                let name = |what: &str| format!("{what}, EBM with the {called}, {protocol}");
                findings.baselines.push(gain.mean(&name("log2 PEHE ratio of raw to EBM")));
                findings.baselines.push(gain.share(&name("share of cells with a gain")));
            }
        }
        let over_raw = Gains::log_ratio(&here, OVER_RAW, &refs(&names));
        findings.baselines.push(over_raw.sign_test(&format!("gain over the covariates, {protocol}")));
    }
    Ok(findings)
}

fn values(results: &Results, over_raw: Pair, over_untrained: Pair) -> Vec<Value> {
    let names = learners("kernel-ridge");
    let mut values = Vec::new();
    for protocol in [Protocol::Released, Protocol::Paper] {
        let here = of(results, protocol);
        // Ratios: a single run of DR, whose last regression is ordinary least squares on nearly
        // collinear coordinates, can be off by three orders of magnitude.
        let gains = Gains::log_ratio(&here, over_raw, &refs(&names));
        values.push(gains.mean(&format!("log2 PEHE ratio of raw to EBM, {protocol}")));
        values.push(gains.share(&format!("share of cells with a gain, {protocol}")));
        let beyond = Gains::log_ratio(&here, over_untrained, &refs(&names));
        values.push(beyond.mean(&format!("log2 PEHE ratio of untrained to EBM, {protocol}")));
    }
    values
}

//! Each printed setting is one draw of the data: do gain and ranking survive fresh draws?

use super::compare::{Gains, Pair, of, trivial_to_ebm};
use crate::checks::{Context, Findings};
use crate::printed::Block;
use crate::study::{Arm, Fit, LearnerKind, Quantity, Results, StudyError};
use crate::verdict::Value;
use ebmbook::data::Protocol;

const VALUES: [Quantity; 2] =
    [Fit::kernel_ridge(LearnerKind::T).pehe(), Fit::kernel_ridge(LearnerKind::R).pehe()];

pub(super) fn check(context: &Context) -> Result<Findings, StudyError> {
    let results = context.results("seeds")?;
    let over_raw = Pair { lower: Arm::EBM, than: Arm::RAW };
    let mut findings = Findings {
        values: values(&results, over_raw),
        setting: format!(
            "{} settings, T and R; synthetic: fresh networks and rows in each draw; Twins: fresh cuts",
            results.settings().len()
        ),
        ..Findings::default()
    };
    findings.controls.insert("swapped".into(), values(&results, over_raw.swapped()));
    for protocol in [Protocol::Released, Protocol::Paper] {
        let here = of(&results, protocol).only(|c| c.block.is_synthetic());
        let gains = Gains::log_ratio(&here, over_raw, &VALUES);
        let draws: Vec<bool> = gains.0.iter().flat_map(|(_, _, d)| d.iter().map(|g| *g > 0.0)).collect();
        let share = draws.iter().filter(|won| **won).count() as f64 / draws.len() as f64;
        findings.baselines.push(Value::exact(&format!("share of draws with a gain, {protocol}"), share));
        let twins = of(&results, protocol).only(|c| c.block == Block::Twins);
        for (data, here) in [("synthetic", &here), ("twins", &twins)] {
            for (arm, than) in
                [(Arm::EBM, Arm::UNTRAINED), (Arm::PCA.plus_constant(), Arm::EBM), (Arm::LATENT, Arm::EBM)]
            {
                let gain = Gains::log_ratio(here, Pair { lower: arm, than }, &VALUES);
                let name = format!("log2 PEHE ratio of {than} to {arm}, {data}, {protocol}");
                // Twins has no known latent.
                if !gain.0.is_empty() {
                    findings.baselines.push(gain.mean_over_draws(&name));
                }
            }
            let name = format!("log2 PEHE ratio of constant to ebm-pairwise, {data}, {protocol}");
            findings.baselines.push(trivial_to_ebm(here, Quantity::CONSTANT, &VALUES, &name));
        }
    }
    Ok(findings)
}

fn values(results: &Results, pair: Pair) -> Vec<Value> {
    let mut values = Vec::new();
    for protocol in [Protocol::Released, Protocol::Paper] {
        for block in ["synthetic", "twins"] {
            let here = of(results, protocol).only(|c| c.block.data() == block);
            let gains = Gains::log_ratio(&here, pair, &VALUES);
            let name = format!("log2 PEHE ratio of raw to EBM, {block}, {protocol}");
            values.push(gains.mean_over_draws(&name));
        }
    }
    values
}

//! Table 1: each printed setting is one draw of the data. Does the gain survive fresh draws?

use crate::claims::compare::{Gains, Pair, of, trivial_to_ebm};
use crate::claims::{Check, Context, Findings, Scale};
use crate::printed::Block;
use crate::registry::{Key, Value};
use crate::study::{Arm, Fit, LearnerKind, Quantity, Results, StudyError, printed_means};
use ebmbook::data::Protocol;

pub const CHECK: Check = Check { printed: Some(printed), ..Check::new(measure) };

const OVER_RAW: Pair = Pair { lower: Arm::EBM, than: Arm::RAW };

const VALUES: [Quantity; 2] =
    [Fit::kernel_ridge(LearnerKind::T).pehe(), Fit::kernel_ridge(LearnerKind::R).pehe()];

fn measure(context: &Context) -> Result<Findings, StudyError> {
    let results = context.results("seeds")?;
    let mut findings = Findings {
        values: values(&results, OVER_RAW),
        setting: format!(
            "{} settings, T and R; synthetic: fresh networks and rows in each draw; Twins: fresh cuts",
            results.settings().len()
        ),
        ..Findings::default()
    };
    findings.controls.insert("swapped".into(), values(&results, OVER_RAW.swapped()));
    for protocol in [Protocol::Released, Protocol::Paper] {
        let here = of(&results, protocol).only(|c| c.block.is_synthetic());
        let gains = Gains::log_ratio(&here, OVER_RAW, &VALUES);
        let draws: Vec<bool> = gains.0.iter().flat_map(|(_, _, d)| d.iter().map(|g| *g > 0.0)).collect();
        let share = draws.iter().filter(|won| **won).count() as f64 / draws.len() as f64;
        findings.baselines.push(Value::exact(Key::new("draws-gained").under(protocol), share));
        let twins = of(&results, protocol).only(|c| c.block == Block::Twins);
        for (data, here) in [("synthetic", &here), ("twins", &twins)] {
            let key = |name: &str| Key::new(name).of(data).under(protocol);
            for (name, lower, than) in [
                ("untrained", Arm::EBM, Arm::UNTRAINED),
                ("pca", Arm::PCA.plus_constant(), Arm::EBM),
                ("latent", Arm::LATENT, Arm::EBM),
            ] {
                let gain = Gains::log_ratio(here, Pair { lower, than }, &VALUES);
                // Twins has no known latent.
                if !gain.0.is_empty() {
                    findings.baselines.push(gain.mean_over_cuts(key(name), here));
                }
            }
            findings.baselines.push(trivial_to_ebm(here, Quantity::CONSTANT, &VALUES, key("constant")));
        }
    }
    Ok(findings)
}

fn values(results: &Results, pair: Pair) -> Vec<Value> {
    let mut values = Vec::new();
    for protocol in [Protocol::Released, Protocol::Paper] {
        for data in ["synthetic", "twins"] {
            let here = of(results, protocol).only(|c| c.block.data() == data);
            let gains = Gains::log_ratio(&here, pair, &VALUES);
            values.push(gains.mean_over_cuts(Key::new("gain").of(data).under(protocol), &here));
        }
    }
    values
}

/// On synthetic data, whose draw is at hand; the cut of Twins behind the table is not.
fn printed(scale: Scale) -> Result<Vec<Value>, StudyError> {
    let synthetic = printed_means("seeds", scale)?.only(|c| c.block.is_synthetic());
    Ok(values(&synthetic, OVER_RAW))
}

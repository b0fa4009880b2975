//! Tables A.2 to A.4: the EBM helps with power transform, polynomial and ridge regression too. Gain over the covariates
//! for each of four regressors.

use crate::claims::compare::{Gains, Pair, learners, mean, named, of, trivial_to_ebm};
use crate::claims::{Check, Context, Findings, Scale};
use crate::registry::{Key, Value};
use crate::study::{Arm, Base, Quantity, RegressorKind, Results, StudyError, printed_means};
use ebmbook::data::Protocol;

pub const CHECK: Check = Check { printed: Some(printed), ..Check::new(measure) };

const OVER_RAW: Pair = Pair { lower: Arm::EBM, than: Arm::RAW };

const TABLES: [(&str, RegressorKind); 4] = [
    ("table1", RegressorKind::KernelRidge),
    ("table-power", RegressorKind::Power),
    ("table-polynomial", RegressorKind::Polynomial),
    ("table-ridge", RegressorKind::Ridge),
];

fn measure(context: &Context) -> Result<Findings, StudyError> {
    let tables: Vec<(RegressorKind, Results)> = TABLES
        .into_iter()
        .map(|(study, regressor)| Ok((regressor, context.results(study)?)))
        .collect::<Result<_, StudyError>>()?;
    let mut findings = Findings {
        values: values(&tables, OVER_RAW),
        setting: "four learners, settings of Table 1".into(),
        ..Findings::default()
    };
    findings.controls.insert("swapped".into(), values(&tables, OVER_RAW.swapped()));
    for (regressor, results) in &tables {
        let names = learners(*regressor);
        // Twins has no known latent, so that is a mean over fewer settings.
        for (name, than, protocol) in [
            ("untrained", Arm::UNTRAINED, Protocol::Released),
            ("pca", Arm::PCA.plus_constant(), Protocol::Released),
            ("latent", Arm::LATENT, Protocol::Released),
            ("untrained", Arm::UNTRAINED, Protocol::Paper),
        ] {
            let gain = Gains::log_ratio(&of(results, protocol), Pair { than, ..OVER_RAW }, &names);
            findings.baselines.push(gain.mean(Key::new(name).of(regressor).under(protocol)));
        }
        let own = Pair { lower: Arm::of(Base::EbmReleasedProgram), ..OVER_RAW };
        let gain = Gains::log_ratio(&of(results, Protocol::Released), own, &names);
        if !gain.0.is_empty() {
            let key = Key::new("released-program").of(regressor).under(Protocol::Released);
            findings.baselines.push(gain.mean(key));
        }
    }
    let ratios: Vec<f64> = tables
        .iter()
        .map(|(regressor, results)| {
            let names = learners(*regressor);
            trivial_to_ebm(&of(results, Protocol::Released), Quantity::CONSTANT, &names, "constant").estimate
        })
        .collect();
    findings.baselines.push(Value::exact(Key::new("constant").under(Protocol::Released), mean(&ratios)));
    Ok(findings)
}

fn values(tables: &[(RegressorKind, Results)], pair: Pair) -> Vec<Value> {
    let mut values = Vec::new();
    for protocol in [Protocol::Released, Protocol::Paper] {
        for (regressor, results) in tables {
            let names = learners(*regressor);
            let gains = Gains::log_ratio(&of(results, protocol), pair, &names);
            let key = |name: &str| Key::new(name).of(regressor).under(protocol);
            values.push(gains.mean(key("gain")));
            values.push(gains.share(key("share-gained")));
        }
    }
    values
}

/// Tables A.2 to A.4. The gain with kernel ridge is Table 1's, and stands with that table.
fn printed(scale: Scale) -> Result<Vec<Value>, StudyError> {
    let tables: Vec<(RegressorKind, Results)> = TABLES[1..]
        .iter()
        .map(|(study, regressor)| Ok((*regressor, printed_means(study, scale)?)))
        .collect::<Result<_, StudyError>>()?;
    Ok(named("gain", values(&tables, OVER_RAW)))
}

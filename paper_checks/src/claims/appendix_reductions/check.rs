//! Appendix A.1: none of the reductions learns an informative representation. Is a learner on one better than a constant?

use crate::claims::compare::{SHARE_ALPHA, average, of};
use crate::claims::{Check, Context, Findings};
use crate::registry::{Key, Value};
use crate::study::{Arm, Base, Fit, LearnerKind, Quantity, Results, StudyError};
use ebmbook::data::Protocol;

pub const CHECK: Check = Check::new(measure);

const VALUE: Quantity = Fit::kernel_ridge(LearnerKind::R).pehe();
const PROTOCOLS: [Protocol; 2] = [Protocol::Released, Protocol::Paper];
const HOW: [(&str, bool); 2] = [("as it is", false), ("with a constant column", true)];

/// Log ratio of the errors of a trivial predictor and of the learner.
type Ratio = fn(trivial: f64, error: f64) -> f64;

fn gain(trivial: f64, error: f64) -> f64 {
    (trivial / error).log2()
}

/// What is held against what; a control changes one of the three.
#[derive(Clone, Copy)]
struct Comparison {
    /// Stands in the place of a reduction where it has values.
    instead: Option<Arm>,
    trivial: Quantity,
    ratio: Ratio,
}

fn measure(context: &Context) -> Result<Findings, StudyError> {
    let (table2, a1) = (context.results("table2")?, context.results("table-a1")?);
    let data = [
        ("Twins", table2),
        ("synthetic", a1.only(|c| c.block.is_synthetic())),
        ("IHDP", a1.only(|c| !c.block.is_synthetic())),
    ];
    let plain = Comparison { instead: None, trivial: Quantity::CONSTANT, ratio: gain };
    let mut findings = Findings {
        values: values(&data, plain),
        setting:
            "R-learner, kernel ridge, against the difference in means; released adds one to treated outcomes"
                .into(),
        ..Findings::default()
    };
    for (id, comparison) in [
        ("latents", Comparison { instead: Some(Arm::LATENT), ..plain }),
        ("against-zero", Comparison { trivial: Quantity::ZERO, ..plain }),
        ("wrong-sign", Comparison { ratio: |trivial, error| gain(error, trivial), ..plain }),
    ] {
        findings.controls.insert(id.into(), values(&data, comparison));
    }
    let constant = true;
    for (name, results) in &data {
        let program = Arm::of(Base::EbmReleasedProgram);
        for arm in [Arm::PCA, Arm::EBM, program].map(|arm| Arm { constant, ..arm }) {
            let key = Key::new("gain").of(arm.base).of(name).of(HOW[1].0).under(Protocol::Released);
            let runs = over_settings(&of(results, Protocol::Released), arm, plain);
            if !runs.is_empty() {
                findings.baselines.push(Value::mean(key, &runs));
            }
        }
    }
    Ok(findings)
}

/// For each protocol, kind of data and way: the share of reductions that beat the trivial predictor.
fn values(data: &[(&str, Results); 3], comparison: Comparison) -> Vec<Value> {
    let mut values = Vec::new();
    for protocol in PROTOCOLS {
        for (how, constant) in HOW {
            for (name, results) in data {
                let here = of(results, protocol);
                let of_base = |base: Base| {
                    let instead = comparison.instead.map(|arm| over_settings(&here, arm, comparison));
                    instead.filter(|runs| !runs.is_empty()).unwrap_or_else(|| {
                        over_settings(&here, Arm { constant, ..Arm::of(base) }, comparison)
                    })
                };
                let reductions: Vec<Vec<f64>> = Base::REDUCTIONS.into_iter().map(of_base).collect();
                let key = Key::new("share-informative").of(name).of(how).under(protocol);
                values.push(Value::share(key, &reductions, SHARE_ALPHA));
            }
        }
    }
    values
}

/// Mean over settings of the ratio, run by run: the settings of a run are independent, runs are the replicates.
fn over_settings(results: &Results, arm: Arm, comparison: Comparison) -> Vec<f64> {
    let of_setting = |place| {
        let here = results.at(place, arm);
        let pairs = here.values(comparison.trivial).into_iter().zip(here.values(VALUE));
        pairs.map(|(trivial, error)| (comparison.ratio)(trivial, error)).collect::<Vec<f64>>()
    };
    let all: Vec<Vec<f64>> =
        results.settings().into_iter().map(of_setting).filter(|r| !r.is_empty()).collect();
    average(&all)
}

//! Tables 2 and A.1: the EBM beats six reductions (R-learner, linear kernel ridge without intercept). As the tables
//! have it, and once every method is given a constant column. Under `released` one is added to treated
//! outcomes, as in the printed tables; under `paper` it is not.

use crate::claims::compare::{Gains, Pair, SHARE_ALPHA, named, of, trivial_to_ebm};
use crate::claims::{Check, Context, Findings, Scale};
use crate::registry::{Key, Value};
use crate::study::{Arm, Base, Fit, LearnerKind, Quantity, Results, StudyError, printed_means};
use ebmbook::data::Protocol;

pub const CHECK: Check = Check { printed: Some(printed), ..Check::new(measure) };

const VALUE: Quantity = Fit::kernel_ridge(LearnerKind::R).pehe();
const PROTOCOLS: [Protocol; 2] = [Protocol::Released, Protocol::Paper];
/// The data of Table 2 and of Table A.1.
const DATA: [&str; 2] = ["Twins", "synthetic and IHDP"];

fn measure(context: &Context) -> Result<Findings, StudyError> {
    let tables = [context.results("table2")?, context.results("table-a1")?];
    let mut findings = Findings {
        values: values(&tables, Arm::EBM),
        setting: "R-learner, kernel ridge; released adds one to treated outcomes, paper does not".into(),
        ..Findings::default()
    };
    findings.controls.insert("pca-in-its-place".into(), values(&tables, Arm::PCA));
    findings.controls.insert("wrong-sign".into(), compared(&tables, Arm::EBM, Pair::swapped));
    for protocol in PROTOCOLS {
        let ebm_to = |arm: &str, data: &str| Key::new("ebm-to").of(arm).of(data).under(protocol);
        for (data, results) in DATA.into_iter().zip(&tables) {
            let here = of(results, protocol);
            let program = Arm::of(Base::EbmReleasedProgram);
            for arm in [Arm::PCA.plus_constant(), Arm::EBM.plus_constant(), Arm::UNTRAINED, program] {
                let gain = Gains::log_ratio(&here, Pair { lower: arm, than: Arm::EBM }, &[VALUE]);
                if !gain.0.is_empty() {
                    findings.baselines.push(gain.mean(ebm_to(&arm.to_string(), data)));
                }
            }
            if protocol == Protocol::Released {
                let key = Key::new("constant").of(data).under(protocol);
                findings.baselines.push(trivial_to_ebm(&here, Quantity::CONSTANT, &[VALUE], key));
            }
        }
        let synthetic = of(&tables[1], protocol).only(|c| c.block.is_synthetic());
        let floor = Gains::log_ratio(&synthetic, Pair { lower: Arm::LATENT, than: Arm::EBM }, &[VALUE]);
        findings.baselines.push(floor.mean(ebm_to("the latent", "synthetic")));
    }
    Ok(findings)
}

/// Two numbers for each table, as it is and with a constant column on both sides: the share of (setting, rival)
/// in which the candidate has the lower error (geometric mean over runs), and the mean log ratio of errors, rivals' to its own.
fn values(tables: &[Results; 2], candidate: Arm) -> Vec<Value> {
    compared(tables, candidate, |pair| pair)
}

/// [`values`] with each comparison as a control wants it.
fn compared(tables: &[Results; 2], candidate: Arm, order: fn(Pair) -> Pair) -> Vec<Value> {
    let mut values = Vec::new();
    for protocol in PROTOCOLS {
        for (data, results) in DATA.into_iter().zip(tables) {
            let here = of(results, protocol);
            for (how, constant) in [("as it is", false), ("with a constant column", true)] {
                let lower = Arm { constant, ..candidate };
                let rivals: Vec<Gains> = Base::REDUCTIONS
                    .into_iter()
                    .chain([Arm::EBM.base])
                    .map(|base| Arm { constant, ..Arm::of(base) })
                    .filter(|than| *than != lower)
                    .map(|than| Gains::log_ratio(&here, order(Pair { lower, than }), &[VALUE]))
                    .collect();
                let comparisons: Vec<Vec<f64>> = rivals.iter().flat_map(Gains::cells).collect();
                let key = |name: &str| Key::new(name).of(data).of(how).under(protocol);
                values.push(Value::share(key("share-won"), &comparisons, SHARE_ALPHA));
                // Rivals of one setting meet the same runs of the candidate: they are averaged run by run.
                let all = Gains(rivals.into_iter().flat_map(|gains| gains.0).collect());
                values.push(all.mean(key("gain")));
            }
        }
    }
    values
}

fn printed(scale: Scale) -> Result<Vec<Value>, StudyError> {
    let twins = [printed_means("table2", scale)?, Results::default()];
    Ok(named("share-won", values(&twins, Arm::EBM)))
}

//! The EBM beats six reductions (R-learner, linear kernel ridge without intercept): as the tables
//! have it, and once every method is given a constant column. Under `released` one is added to treated
//! outcomes, as in the printed tables; under `paper` it is not.

use super::compare::{Gains, Pair, SHARE_ALPHA, of, trivial_to_ebm};
use crate::checks::{Context, Findings};
use crate::study::{Arm, Base, Fit, LearnerKind, Quantity, Results, StudyError};
use crate::verdict::Value;
use ebmbook::data::Protocol;

const VALUE: Quantity = Fit::kernel_ridge(LearnerKind::R).pehe();
const PROTOCOLS: [Protocol; 2] = [Protocol::Released, Protocol::Paper];

pub(super) fn check(context: &Context) -> Result<Findings, StudyError> {
    let tables =
        [("Twins", context.results("table2")?), ("synthetic and IHDP", context.results("table-a1")?)];
    let mut findings = Findings {
        values: values(&tables, Arm::EBM),
        setting: "R-learner, kernel ridge; released adds one to treated outcomes, paper does not".into(),
        ..Findings::default()
    };
    findings.controls.insert("pca-in-its-place".into(), values(&tables, Arm::PCA));
    let worse = tables.each_ref().map(|(name, results)| {
        (*name, results.planted(|c, error| if c.arm.base == Arm::EBM.base { 10.0 * error } else { error }))
    });
    findings.controls.insert("error-times-ten".into(), values(&worse, Arm::EBM));
    for protocol in PROTOCOLS {
        for (name, results) in &tables {
            let here = of(results, protocol);
            for arm in [Arm::PCA.plus_constant(), Arm::EBM.plus_constant(), Arm::UNTRAINED] {
                let gain = Gains::log_ratio(&here, Pair { lower: arm, than: Arm::EBM }, &[VALUE]);
                let name = format!("log2 PEHE ratio of the EBM to {arm}, {name}, {protocol}");
                findings.baselines.push(gain.mean(&name));
            }
            if protocol == Protocol::Released {
                let constant = format!("log2 PEHE ratio of constant to the EBM, {name}, {protocol}");
                findings.baselines.push(trivial_to_ebm(&here, Quantity::CONSTANT, &[VALUE], &constant));
            }
        }
        let synthetic = of(&tables[1].1, protocol).only(|c| c.block.is_synthetic());
        let floor = Gains::log_ratio(&synthetic, Pair { lower: Arm::LATENT, than: Arm::EBM }, &[VALUE]);
        let name = format!("log2 PEHE ratio of the EBM to the latent, synthetic, {protocol}");
        findings.baselines.push(floor.mean(&name));
    }
    Ok(findings)
}

/// For each table, as it is and with a constant column on both sides: in which share of (setting, rival)
/// the candidate has the lower error (geometric mean over runs), and the mean log ratio of the rivals' error to its own.
fn values(tables: &[(&str, Results); 2], candidate: Arm) -> Vec<Value> {
    let mut values = Vec::new();
    for protocol in PROTOCOLS {
        for (table, results) in tables {
            let here = of(results, protocol);
            for (how, constant) in [("as it is", false), ("with a constant column", true)] {
                let lower = Arm { constant, ..candidate };
                let rivals: Vec<Gains> = Base::REDUCTIONS
                    .into_iter()
                    .chain([Arm::EBM.base])
                    .map(|base| Arm { constant, ..Arm::of(base) })
                    .filter(|than| *than != lower)
                    .map(|than| Gains::log_ratio(&here, Pair { lower, than }, &[VALUE]))
                    .collect();
                let comparisons: Vec<Vec<f64>> = rivals.iter().flat_map(Gains::cells).collect();
                let called = |what: &str| format!("{what}, {table}, {how}, {protocol}");
                values.push(Value::share(&called("share of comparisons won"), &comparisons, SHARE_ALPHA));
                // Rivals of one setting meet the same runs of the candidate: they are averaged run by run.
                let all = Gains(rivals.into_iter().flat_map(|gains| gains.0).collect());
                values.push(all.mean(&called("log2 PEHE ratio of the reductions to the EBM")));
            }
        }
    }
    values
}

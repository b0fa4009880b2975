//! Is the autoencoder of the comparison a fair baseline? The released start against a sane one.

use super::compare::{Gains, Pair, of};
use crate::checks::{Context, Findings};
use crate::study::{Arm, Base, Fit, LearnerKind, Quantity, Results, StudyError};
use crate::verdict::Value;
use ebmbook::data::Protocol;

const VALUE: Quantity = Fit::kernel_ridge(LearnerKind::R).pehe();

pub(super) fn check(context: &Context) -> Result<Findings, StudyError> {
    let tables =
        [("Twins", context.results("table2")?), ("synthetic and IHDP", context.results("table-a1")?)];
    let pair = Pair {
        lower: Arm::of(Base::AutoencoderSane).plus_constant(),
        than: Arm::of(Base::Autoencoder).plus_constant(),
    };
    let mut findings = Findings {
        values: values(&tables, pair),
        setting: "released protocol, R-learner, a constant column beside both codes".into(),
        ..Findings::default()
    };
    let worse = Pair { lower: Arm::PCA.plus_constant(), than: Arm::of(Base::Agglomeration) };
    findings.controls.insert("no-intercept".into(), values(&tables, worse));
    for (name, results) in &tables {
        let gain = Gains::new(
            &of(results, Protocol::Released),
            Pair { lower: Arm::PCA.plus_constant(), than: Arm::of(Base::AutoencoderSane).plus_constant() },
            &[VALUE],
        );
        findings.baselines.push(gain.mean(&format!("gain of PCA over the sane start, {name}")));
    }
    Ok(findings)
}

fn values(tables: &[(&str, Results); 2], pair: Pair) -> Vec<Value> {
    tables
        .iter()
        .map(|(name, results)| {
            Gains::new(&of(results, Protocol::Released), pair, &[VALUE])
                .mean(&format!("error of the released start above the sane one, {name}"))
        })
        .collect()
}

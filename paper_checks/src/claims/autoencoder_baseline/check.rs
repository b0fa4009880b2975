//! Figure 3 and Table 2: is the autoencoder of the comparison a fair baseline? The released start against a sane one.

use crate::claims::compare::{Gains, Pair, of};
use crate::claims::{Check, Context, Findings};
use crate::registry::{Key, Value};
use crate::study::{Arm, Base, Fit, LearnerKind, Quantity, Results, StudyError};
use ebmbook::data::Protocol;

pub const CHECK: Check = Check::new(measure);

const VALUE: Quantity = Fit::kernel_ridge(LearnerKind::R).pehe();
/// PCA and the autoencoder with a sane start, a constant column beside each.
const PCA: Arm = Arm::PCA.plus_constant();
const SANE: Arm = Arm::of(Base::AutoencoderSane).plus_constant();

fn measure(context: &Context) -> Result<Findings, StudyError> {
    let tables =
        [("Twins", context.results("table2")?), ("synthetic and IHDP", context.results("table-a1")?)];
    let pair = Pair { lower: SANE, than: Arm::of(Base::Autoencoder).plus_constant() };
    let mut findings = Findings {
        values: values(&tables, pair),
        setting: "released protocol, R-learner, a constant column beside both codes".into(),
        ..Findings::default()
    };
    let worse = Pair { lower: PCA, than: Arm::of(Base::Agglomeration) };
    findings.controls.insert("no-intercept".into(), values(&tables, worse));
    for (name, results) in &tables {
        let gain = Gains::new(&of(results, Protocol::Released), Pair { lower: PCA, than: SANE }, &[VALUE]);
        findings.baselines.push(gain.mean(Key::new("pca-gain").of(name)));
    }
    Ok(findings)
}

fn values(tables: &[(&str, Results); 2], pair: Pair) -> Vec<Value> {
    tables
        .iter()
        .map(|(name, results)| {
            Gains::new(&of(results, Protocol::Released), pair, &[VALUE]).mean(Key::new("excess").of(name))
        })
        .collect()
}

//! Figure 3 and Table 2: is the autoencoder of the comparison a fair baseline? The released start against a sane one.

use crate::claims::compare::{Gains, Pair, of};
use crate::claims::{Check, Context, Findings};
use crate::registry::{Key, Value};
use crate::study::{Results, StudyError};
use ebmbook::data::Protocol;

pub const CHECK: Check = Check::new(measure);

const VALUE: &str = "r kernel-ridge";

fn measure(context: &Context) -> Result<Findings, StudyError> {
    let tables =
        [("Twins", context.results("table2")?), ("synthetic and IHDP", context.results("table-a1")?)];
    let pair = Pair { lower: "autoencoder-sane+1", than: "autoencoder+1" };
    let mut findings = Findings {
        values: values(&tables, pair),
        setting: "released protocol, R-learner, a constant column beside both codes".into(),
        ..Findings::default()
    };
    let worse = Pair { lower: "pca+1", than: "agglomeration" };
    findings.controls.insert("no-intercept".into(), values(&tables, worse));
    for (name, results) in &tables {
        let gain = Gains::new(
            &of(results, Protocol::Released),
            Pair { lower: "pca+1", than: "autoencoder-sane+1" },
            &[VALUE],
        );
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

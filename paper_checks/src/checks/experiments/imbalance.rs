//! The motivation is imbalance, n_t ≪ n_c: do the data sets of the tables have it?

use crate::checks::{Context, Findings};
use crate::study::{Quantity, StudyError};
use crate::verdict::Value;

pub(super) fn check(context: &Context) -> Result<Findings, StudyError> {
    let results = context.results("imbalance")?;
    let share = |data: &str| results.only(|c| c.block.data() == data).values(Quantity::TreatedShare);
    let smallest = |block: &str| share(block).into_iter().fold(f64::MAX, f64::min);
    let values = |synthetic: f64, twins: f64, ihdp: f64| {
        vec![
            Value::exact("smallest treated share, synthetic", synthetic),
            Value::exact("smallest treated share, Twins", twins),
            Value::exact("smallest treated share, IHDP", ihdp),
        ]
    };
    let (synthetic, twins, ihdp) = (smallest("synthetic"), smallest("twins"), smallest("ihdp"));
    let mut findings = Findings {
        values: values(synthetic, twins, ihdp),
        setting: format!("{} data sets, both protocols", results.len()),
        ..Findings::default()
    };
    // IHDP in every place: what a table with rare treatment would give.
    findings.controls.insert("ihdp-alone".into(), values(ihdp, ihdp, ihdp));
    let relabelled = |block: &str| share(block).into_iter().map(|s| 1.0 - s).fold(f64::MAX, f64::min);
    findings.controls.insert(
        "arms-relabelled".into(),
        values(relabelled("synthetic"), relabelled("twins"), relabelled("ihdp")),
    );
    for block in ["synthetic", "twins", "ihdp"] {
        let here = results.only(|c| c.block.data() == block);
        for name in [Quantity::ExtremePropensities, Quantity::AreaUnderTheCurve] {
            let largest = here.values(name).into_iter().fold(0.0, f64::max);
            findings.baselines.push(Value::exact(&format!("largest {name}, {block}"), largest));
        }
    }
    Ok(findings)
}

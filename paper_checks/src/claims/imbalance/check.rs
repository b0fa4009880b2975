//! Section 2: the motivation is imbalance, n_t ≪ n_c. Do the data sets of the tables have it?

use crate::claims::{Check, Context, Findings};
use crate::registry::{Key, Value};
use crate::study::{Quantity, StudyError};

pub const CHECK: Check = Check::new(measure);

fn measure(context: &Context) -> Result<Findings, StudyError> {
    let results = context.results("imbalance")?;
    let share = |data: &str| results.only(|c| c.block.data() == data).values(Quantity::TreatedShare);
    let smallest = |data: &str| share(data).into_iter().fold(f64::MAX, f64::min);
    let values = |synthetic: f64, twins: f64, ihdp: f64| {
        [("synthetic", synthetic), ("Twins", twins), ("IHDP", ihdp)]
            .map(|(data, share)| Value::exact(Key::new("treated-share").of(data), share))
            .to_vec()
    };
    let (synthetic, twins, ihdp) = (smallest("synthetic"), smallest("twins"), smallest("ihdp"));
    let mut findings = Findings {
        values: values(synthetic, twins, ihdp),
        setting: format!("{} data sets, both protocols", results.len()),
        ..Findings::default()
    };
    // IHDP in every place: what a table with rare treatment would give.
    findings.controls.insert("ihdp-alone".into(), values(ihdp, ihdp, ihdp));
    let relabelled = |data: &str| share(data).into_iter().map(|s| 1.0 - s).fold(f64::MAX, f64::min);
    findings.controls.insert(
        "arms-relabelled".into(),
        values(relabelled("synthetic"), relabelled("twins"), relabelled("ihdp")),
    );
    for data in ["synthetic", "twins", "ihdp"] {
        let here = results.only(|c| c.block.data() == data);
        for (name, value) in
            [("extreme", Quantity::ExtremePropensities), ("area", Quantity::AreaUnderTheCurve)]
        {
            let largest = here.values(value).into_iter().fold(0.0, f64::max);
            findings.baselines.push(Value::exact(Key::new(name).of(data), largest));
        }
    }
    Ok(findings)
}

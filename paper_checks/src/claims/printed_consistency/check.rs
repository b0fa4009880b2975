//! All tables: the printed numbers agree with the printed statements and with one another.

use crate::claims::{Check, Context, Findings, Scale};
use crate::claims::{table1_gain_shrinks, table1_gaps_shrink, table1_r_best};
use crate::printed::{Block, LearnerCell, Printed, consistency};
use crate::registry::{Key, Value};
use crate::study::StudyError;
use std::collections::BTreeSet;

pub const CHECK: Check = Check::new(measure);

fn measure(_: &Context) -> Result<Findings, StudyError> {
    let printed = Printed::load();
    let found = consistency::disagreements(&printed);
    let count = |kind: consistency::DisagreementKind| found.iter().filter(|d| d.kind == kind).count() as f64;
    let mut findings = Findings {
        values: vec![Value::exact("disagreements", found.len() as f64)],
        setting: format!(
            "{} learner cells and {} reduction cells",
            printed.learners.len(),
            printed.reductions.len()
        ),
        ..Findings::default()
    };
    // A wrong digit may be repeated and wrongly bold, both at once.
    let places: BTreeSet<&str> = found.iter().map(|d| d.place.as_str()).collect();
    findings.baselines.push(Value::exact("places", places.len() as f64));
    for kind in consistency::DisagreementKind::ALL {
        findings.baselines.push(Value::exact(Key::new("kind").of(kind.describe()), count(kind)));
    }
    // What the text says of Table 1, by the printed means themselves.
    for (name, check) in [
        ("printed-slope", table1_gain_shrinks::check::CHECK),
        ("printed-shrinkage", table1_gaps_shrink::check::CHECK),
        ("printed-margin", table1_r_best::check::CHECK),
    ] {
        let printed = check.printed.expect("the tables print what it takes")(Scale::Full)?;
        findings.baselines.push(Value::exact(name, printed[0].estimate));
    }
    // Tables that agree by construction must show none, and with one digit changed at least one.
    let reconciled = consistency::reconciled(&printed);
    let mut mistyped = reconciled.clone();
    let again = |c: &LearnerCell| c.table == "main-with-ihdp" && c.dataset != Block::Ihdp;
    let last = mistyped.learners.iter().rposition(again).expect("the table is there");
    mistyped.learners[last].pehe_mean += 0.1;
    let worse = consistency::disagreements(&mistyped).len() as f64;
    findings.controls.insert("one-digit-changed".into(), vec![Value::exact("disagreements", worse)]);
    let agreeing = consistency::disagreements(&reconciled).len() as f64;
    findings.controls.insert("reconciled".into(), vec![Value::exact("disagreements", agreeing)]);
    Ok(findings)
}

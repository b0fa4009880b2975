//! The printed tables against the printed statements and one another.

use crate::checks::{Context, Findings};
use crate::printed::{Printed, consistency};
use crate::study::StudyError;
use crate::verdict::Value;

pub(super) fn check(_: &Context) -> Result<Findings, StudyError> {
    let printed = Printed::load();
    let found = consistency::disagreements(&printed);
    let count = |kind: consistency::Kind| found.iter().filter(|d| d.kind == kind).count() as f64;
    let mut findings = Findings {
        values: vec![Value::exact("disagreements", found.len() as f64)],
        setting: format!(
            "{} learner cells and {} reduction cells",
            printed.learners.len(),
            printed.reductions.len()
        ),
        ..Findings::default()
    };
    for kind in consistency::Kind::ALL {
        findings.baselines.push(Value::exact(kind.describe(), count(kind)));
    }
    // Tables that agree by construction must show none, and with one digit changed at least one.
    let reconciled = consistency::reconciled(&printed);
    let mut mistyped = reconciled.clone();
    let last =
        mistyped.learners.iter().rposition(|c| c.table == "main-with-ihdp").expect("the table is there");
    mistyped.learners[last].pehe_mean += 10.0;
    let worse = consistency::disagreements(&mistyped).len() as f64;
    findings.controls.insert("one-digit-changed".into(), vec![Value::exact("disagreements", worse)]);
    let agreeing = consistency::disagreements(&reconciled).len() as f64;
    findings.controls.insert("reconciled".into(), vec![Value::exact("disagreements", agreeing)]);
    Ok(findings)
}

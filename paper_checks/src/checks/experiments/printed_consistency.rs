//! The printed tables against the printed statements and one another.

use crate::checks::{Context, Findings, Scale};
use crate::printed::{Printed, consistency};
use crate::report::printed_number;
use crate::study::StudyError;
use crate::verdict::Value;
use std::collections::BTreeSet;

pub(super) fn check(_: &Context) -> Result<Findings, StudyError> {
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
    // A wrong digit may be repeated, wrongly bold and not lower, all at once.
    let places: BTreeSet<&str> = found.iter().map(|d| d.place.as_str()).collect();
    let name = "places (data, d, n, learner or reduction) with a disagreement, each counted once";
    findings.baselines.push(Value::exact(name, places.len() as f64));
    for kind in consistency::DisagreementKind::ALL {
        findings.baselines.push(Value::exact(kind.describe(), count(kind)));
    }
    // What the text says of Table 1, by the printed means themselves.
    for (claim, statement) in [
        ("table1-gain-shrinks", "slope of the printed gain a doubling of n, synthetic-d100"),
        ("table1-gaps-shrink", "log2 ratio of the printed spreads between learners, without to with"),
        ("table1-r-best", "printed PEHE of R with EBM minus that of the best rival, mean of the table"),
    ] {
        let number = printed_number(claim, Scale::Full).expect("the tables print what it takes");
        findings.baselines.push(Value::exact(statement, number));
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

//! `ebmbook claims` and `ebmbook explain CLAIM`.

use super::output::Output;
use super::{Outcome, Problem};
use crate::claim::{self, Claim};
use crate::deviation::ledger;
use serde_json::Value;

/// Lists every claim with the verdict on record.
pub(super) fn list(output: &Output) -> Outcome {
    let rows: Vec<Vec<Value>> = claim::registry()
        .iter()
        .map(|c| {
            vec![
                c.id.clone().into(),
                c.recorded.to_string().into(),
                c.place.clone().into(),
                c.statement.clone().into(),
            ]
        })
        .collect();
    output.table(&["claim", "recorded verdict", "place", "statement"], &rows);
    Outcome::Fine
}

/// Finds a claim, or says which ids come close.
pub(super) fn find(id: &str) -> Result<&'static Claim, Problem> {
    claim::find(id).ok_or_else(|| {
        let close: Vec<&str> = claim::registry()
            .iter()
            .map(|c| c.id.as_str())
            .filter(|known| {
                known.contains(id)
                    || id.contains(known)
                    || known.starts_with(id.split('-').next().unwrap_or(id))
            })
            .collect();
        let hint =
            if close.is_empty() { String::new() } else { format!("; did you mean {}", close.join(", ")) };
        Problem::new(format!("no claim is called `{id}`{hint} (`ebmbook claims` lists them)"))
    })
}

/// Prints statement, place, method, criteria, controls and caveats of one claim.
pub(super) fn explain(id: &str, output: &Output) -> Result<Outcome, Problem> {
    let c = find(id)?;
    let criteria: Vec<String> = c
        .criteria
        .iter()
        .map(|k| {
            let (sign, bound) = match k.rule {
                crate::verdict::Rule::AtMost => ("≤", k.target + k.tolerance),
                crate::verdict::Rule::AtLeast => ("≥", k.target - k.tolerance),
            };
            let scope = if k.scope == crate::verdict::Scope::Repaired { " (weaker form)" } else { "" };
            format!("{} {sign} {bound:.6e}{scope}: {}", k.value, k.reason)
        })
        .collect();
    let controls: Vec<String> = c.controls.iter().map(|k| format!("{}: {}", k.id, k.breaks)).collect();
    let caveats: Vec<String> = ledger()
        .iter()
        .filter(|d| c.deviations.contains(&d.id))
        .map(|d| format!("{}: the paper: {}; here: {}; because: {}", d.id, d.paper, d.choice, d.reason))
        .collect();
    output.properties(&[
        ("claim", c.id.clone().into()),
        ("place", c.place.clone().into()),
        ("statement", c.statement.clone().into()),
        ("equation", c.equation.clone().into()),
        ("measured", c.measured.clone().into()),
        ("demands", criteria.join("\n").into()),
        ("controls", controls.join("\n").into()),
        ("deviations", if caveats.is_empty() { "none".into() } else { caveats.join("\n").into() }),
        ("verdict on record", c.recorded.to_string().into()),
        ("meaning", c.meaning.clone().into()),
        ("notebook", c.notebook.clone().into()),
        ("run it", format!("ebmbook check {}", c.id).into()),
    ]);
    Ok(Outcome::Fine)
}

//! `ebmbook claims`: every entry with what is on record, by kind and section.

use super::Outcome;
use super::output::Output;
use crate::claims;
use crate::registry::Claim;
use serde_json::Value;

/// Lists every entry.
pub(super) fn list(output: &Output) -> Outcome {
    let mut entries: Vec<&Claim> = claims::all().collect();
    entries.sort_by_key(|c| (c.kind, c.section()));
    let row = |c: &&Claim| -> Vec<Value> {
        let cells =
            [c.kind.to_string(), c.id.clone(), c.recorded_words(), c.place.clone(), c.statement.clone()];
        cells.into_iter().map(Value::from).collect()
    };
    let rows: Vec<Vec<Value>> = entries.iter().map(row).collect();
    output.table(&["kind", "claim", "on record", "place", "statement"], &rows);
    Outcome::Fine
}

//! `ebmbook claims`: every entry with what is on record, by kind and section.

use super::Outcome;
use super::lines::{coloured, words};
use super::output::Output;
use super::text::{pad, shorten, width};
use crate::claims::{self, Scale};
use crate::registry::{Claim, Kind};
use serde_json::Value;
use strum::IntoEnumIterator;

/// Columns for an id, and for a verdict with its mark.
const ID: usize = 30;
const VERDICT: usize = 16;

/// Lists every entry.
pub(super) fn list(output: &Output) -> Outcome {
    let mut entries: Vec<&Claim> = claims::all().collect();
    entries.sort_by_key(|c| (c.kind, c.section()));
    if output.is_json() {
        let row = |c: &&Claim| -> Vec<Value> {
            let verdict = c.recorded_at(Scale::Full).to_string();
            let cells = [c.kind.to_string(), c.id.clone(), verdict, c.place.clone(), c.statement.clone()];
            cells.into_iter().map(Value::from).collect()
        };
        let rows: Vec<Vec<Value>> = entries.iter().map(row).collect();
        output.table(&["kind", "claim", "on record", "place", "statement"], &rows);
    } else {
        lines(&entries, width()).iter().for_each(|line| output.line(line));
    }
    Outcome::Fine
}

/// One line per entry, below its section, below its kind. Verdicts are those on record at full scale.
fn lines(entries: &[&Claim], width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for kind in Kind::iter() {
        let here: Vec<&&Claim> = entries.iter().filter(|c| c.kind == kind).collect();
        let heading = match kind {
            Kind::Claim => "Claims of the paper",
            Kind::Question => "Questions that a reviewer would ask",
            Kind::Theorem => "Theorems of ours",
        };
        lines.extend([format!("{heading}: {}", here.len())]);
        let mut section = "";
        for claim in here {
            if claim.section().1 != section {
                section = claim.section().1;
                lines.push(format!("  {}", shorten(section, width - 2)));
            }
            let verdict = claim.recorded_at(Scale::Full);
            let said = pad(&format!("{} {}", verdict.mark(), words(verdict)), VERDICT);
            let room = width.saturating_sub(4 + ID + VERDICT);
            let title = shorten(&claim.title, room);
            lines.push(format!("    {}{}{title}", pad(&claim.id, ID), coloured(&said, verdict)));
        }
        lines.push(String::new());
    }
    lines.push("`ebmbook explain ID` says what was measured, and what it means.".into());
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_fits_a_terminal_and_names_every_entry() {
        let mut entries: Vec<&Claim> = claims::all().collect();
        entries.sort_by_key(|c| (c.kind, c.section()));
        let lines = lines(&entries, 80);
        assert!(lines.iter().all(|line| console::measure_text_width(line) <= 80));
        for claim in claims::all() {
            let line = lines.iter().find(|line| line.contains(&format!("    {} ", claim.id)));
            assert!(line.is_some_and(|line| line.ends_with(&claim.title)), "{}", claim.id);
        }
    }
}

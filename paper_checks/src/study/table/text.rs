//! The rows of a study as CSV and as markdown.

use super::{Comparison, Row, Whose};
use ebmbook::data::Protocol;
use itertools::Itertools;
use serde::{Serialize, Serializer};
use std::fmt::Display;
use strum::IntoEnumIterator;

/// The rows as CSV.
pub fn csv(rows: &[Row]) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for row in rows {
        writer.serialize(row).expect("memory can be written");
    }
    String::from_utf8(writer.into_inner().expect("memory can be written")).expect("CSV is text")
}

/// Four decimals: one more than the paper prints.
pub(super) fn four<S: Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64((value * 1e4).round() / 1e4)
}

pub(super) fn four_if_any<S: Serializer>(value: &Option<f64>, serializer: S) -> Result<S::Ok, S::Error> {
    value.map(|v| (v * 1e4).round() / 1e4).serialize(serializer)
}

pub(super) fn one_if_any<S: Serializer>(value: &Option<f64>, serializer: S) -> Result<S::Ok, S::Error> {
    value.map(|v| (v * 10.0).round() / 10.0).serialize(serializer)
}

pub(super) fn shown<S: Serializer>(value: &impl Display, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(value)
}

pub(super) fn shown_if_any<S: Serializer>(
    value: &Option<impl Display>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    value.as_ref().map(ToString::to_string).serialize(serializer)
}

/// The rows as markdown: one table for each protocol.
pub fn markdown(title: &str, rows: &[Row]) -> String {
    let mut text = format!("# {title}\n");
    for protocol in [Protocol::Released, Protocol::Paper] {
        let here: Vec<&Row> = rows.iter().filter(|r| r.protocol == protocol).collect();
        if here.is_empty() {
            continue;
        }
        text += &format!("\n## Protocol: {protocol}\n\n");
        text += &counts(&here);
        text += "| block | d | n | representation | value | printed | ours | median | z | verdict | rows | zero | constant | oracle | skill |\n";
        text += "|---|--:|--:|---|---|--:|--:|--:|--:|---|---|--:|--:|--:|--:|\n";
        for r in here {
            let printed = r.printed.zip(r.printed_sd).map(|(mean, sd)| format!("{mean:.3} ({sd:.2})"));
            let verdict = Some(r.verdict).filter(|v| *v != Comparison::NotPrinted).map(|v| v.to_string());
            let mut cells = vec![
                r.block.to_string(),
                r.d.to_string(),
                r.n.to_string(),
                r.arm.to_string(),
                r.value.to_string(),
                printed.unwrap_or_default(),
                format!("{:.3} ({:.2})", r.ours, r.sd),
                format!("{:.3}", r.median),
                r.z.map_or(String::new(), |z| format!("{z:.1}")),
                verdict.unwrap_or_default(),
                r.rows.map_or(String::new(), |rows| rows.to_string()),
            ];
            let trivial = [r.zero, r.constant, r.oracle, r.skill];
            cells.extend(trivial.map(|v| v.map_or(String::new(), |v| format!("{v:.3}"))));
            text += &format!("| {} |\n", cells.join(" | "));
        }
    }
    text
}

/// How the printed cells came out, for each representation beside which they stand, and what to bear in mind.
fn counts(rows: &[&Row]) -> String {
    // Chosen runs are held against a chosen cell: there is nothing to count.
    let compared = || rows.iter().filter(|r| r.verdict != Comparison::Chosen);
    let groups: Vec<_> = compared().filter_map(|r| Some((r.arm, r.rows?))).unique().collect();
    let mut text = String::new();
    for &(arm, whose) in &groups {
        let here = || rows.iter().filter(|r| r.arm == arm && r.rows == Some(whose));
        let said = Comparison::iter()
            .map(|verdict| (here().filter(|r| r.verdict == verdict).count(), verdict))
            .filter(|(count, _)| *count > 0)
            .map(|(count, verdict)| format!("{count} {verdict}"))
            .join(", ");
        let on = if whose == Whose::Same { String::new() } else { format!(", {whose}") };
        text += &format!("- {} printed cells beside `{arm}`{on}: {said}\n", here().count());
    }
    if groups.iter().any(|(_, whose)| *whose != Whose::Same) {
        text += "- z counts the noise between runs. On other rows than the authors' a large z may be that of the rows: \
                 the number is not reproduced, but the method is not refuted by it.\n";
    }
    if rows.iter().any(|r| r.zero.is_some() && r.oracle.is_none()) {
        text += "- Twins have no noiseless effect: there is no oracle.\n";
    }
    if rows.iter().any(|r| r.verdict == Comparison::Chosen) {
        text += "- The printed column of the EBM is the mean of ten runs that were chosen by their test error. What the \
                 choice alone gives is in the lines with \"ten best of\", for untrained networks, too, with the EBM's \
                 printed cell beside; on synthetic data, where the rows are the authors'.\n";
    }
    if text.is_empty() { text } else { text + "\n" }
}

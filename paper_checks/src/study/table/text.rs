//! The rows of a study as CSV and as markdown.

use super::{DIVERGED, Row, Rows, TEN_BEST};
use ebmbook::data::Protocol;
use serde::Serialize;

/// The rows as CSV.
pub fn csv(rows: &[Row]) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for row in rows {
        writer.serialize(Rounded::from(row)).expect("memory can be written");
    }
    String::from_utf8(writer.into_inner().expect("memory can be written")).expect("CSV is text")
}

/// Four decimals: one more than the paper prints.
#[derive(Serialize)]
struct Rounded<'a> {
    protocol: Protocol,
    block: &'a str,
    d: usize,
    n: usize,
    arm: &'a str,
    value: &'a str,
    printed: Option<f64>,
    printed_sd: Option<f64>,
    ours: f64,
    sd: f64,
    median: f64,
    runs: usize,
    z: Option<f64>,
    verdict: &'a str,
    rows: Option<&'a str>,
    zero: Option<f64>,
    constant: Option<f64>,
    oracle: Option<f64>,
    skill: Option<f64>,
}

impl<'a> From<&'a Row> for Rounded<'a> {
    fn from(r: &'a Row) -> Self {
        let round = |v: f64| (v * 1e4).round() / 1e4;
        Self {
            protocol: r.protocol,
            block: &r.block,
            d: r.d,
            n: r.n,
            arm: &r.arm,
            value: &r.value,
            printed: r.printed,
            printed_sd: r.printed_sd,
            ours: round(r.ours),
            sd: round(r.sd),
            median: round(r.median),
            runs: r.runs,
            z: r.z.map(|z| (z * 10.0).round() / 10.0),
            verdict: r.verdict,
            rows: r.rows.map(Rows::name),
            zero: r.zero.map(round),
            constant: r.constant.map(round),
            oracle: r.oracle.map(round),
            skill: r.skill.map(round),
        }
    }
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
            let plain = |v: Option<f64>| v.map_or(String::new(), |v| format!("{v:.3}"));
            let printed = match (r.printed, r.printed_sd) {
                (Some(mean), Some(sd)) => format!("{mean:.3} ({sd:.2})"),
                _ => String::new(),
            };
            text += &format!(
                "| {} | {} | {} | {} | {} | {printed} | {:.3} ({:.2}) | {:.3} | {} | {} | {} | {} | {} | {} | {} |\n",
                r.block,
                r.d,
                r.n,
                r.arm,
                r.value,
                r.ours,
                r.sd,
                r.median,
                r.z.map_or(String::new(), |z| format!("{z:.1}")),
                if r.verdict == "not printed" { "" } else { r.verdict },
                r.rows.map_or("", Rows::name),
                plain(r.zero),
                plain(r.constant),
                plain(r.oracle),
                plain(r.skill),
            );
        }
    }
    text
}

/// How the printed cells came out, for each representation beside which they stand, and what to bear in mind.
fn counts(rows: &[&Row]) -> String {
    let mut groups: Vec<(&str, Rows)> = Vec::new();
    // Chosen runs are held against a chosen cell: there is nothing to count.
    let compared = rows.iter().filter(|r| !r.arm.contains(TEN_BEST));
    for (arm, whose) in compared.filter_map(|r| Some((r.arm.as_str(), r.rows?))) {
        if !groups.contains(&(arm, whose)) {
            groups.push((arm, whose));
        }
    }
    let mut text = String::new();
    for &(arm, whose) in &groups {
        let here = || rows.iter().filter(|r| r.arm == arm && r.rows == Some(whose));
        let said: Vec<String> = ["same digits", "agrees", "ours is lower", "ours is higher", DIVERGED]
            .iter()
            .map(|verdict| (here().filter(|r| r.verdict == *verdict).count(), verdict))
            .filter(|(count, _)| *count > 0)
            .map(|(count, verdict)| format!("{count} {verdict}"))
            .collect();
        let on = if whose == Rows::Same { String::new() } else { format!(", {}", whose.name()) };
        text += &format!("- {} printed cells beside `{arm}`{on}: {}\n", here().count(), said.join(", "));
    }
    if groups.iter().any(|(_, whose)| *whose != Rows::Same) {
        text += "- z counts the noise between runs. On other rows than the authors' a large z may be that of the rows: \
                 the number is not reproduced, but the method is not refuted by it.\n";
    }
    if rows.iter().any(|r| r.zero.is_some() && r.oracle.is_none()) {
        text += "- Twins have no noiseless effect: there is no oracle.\n";
    }
    if rows.iter().any(|r| r.arm.contains(TEN_BEST)) {
        text += "- The printed column of the EBM is the mean of ten runs that were chosen by their test error. What the \
                 choice alone gives is in the lines with \"ten best of\", for untrained networks, too, with the EBM's \
                 printed cell beside; on synthetic data, where the rows are the authors'.\n";
    }
    if text.is_empty() { text } else { text + "\n" }
}

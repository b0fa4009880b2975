//! The rows of a study as CSV and as markdown.

use super::{DIVERGED, OTHER_DATA, Row};
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
        text += "| block | d | n | representation | value | printed | ours | median | z | verdict | zero | constant | oracle | skill |\n";
        text += "|---|--:|--:|---|---|--:|--:|--:|--:|---|--:|--:|--:|--:|\n";
        for r in here {
            let plain = |v: Option<f64>| v.map_or(String::new(), |v| format!("{v:.3}"));
            let printed = match (r.printed, r.printed_sd) {
                (Some(mean), Some(sd)) => format!("{mean:.3} ({sd:.2})"),
                _ => String::new(),
            };
            text += &format!(
                "| {} | {} | {} | {} | {} | {printed} | {:.3} ({:.2}) | {:.3} | {} | {} | {} | {} | {} | {} |\n",
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
                plain(r.zero),
                plain(r.constant),
                plain(r.oracle),
                plain(r.skill),
            );
        }
    }
    text
}

/// How the printed cells came out, for each representation beside which they stand.
fn counts(rows: &[&Row]) -> String {
    let mut arms: Vec<&str> = rows.iter().filter(|r| r.printed.is_some()).map(|r| r.arm.as_str()).collect();
    let mut seen = std::collections::BTreeSet::new();
    arms.retain(|arm| seen.insert(*arm));
    let mut text = String::new();
    for arm in arms {
        let of_arm = || rows.iter().filter(|r| r.arm == arm && r.printed.is_some());
        let said: Vec<String> =
            ["same digits", "agrees", "ours is lower", "ours is higher", DIVERGED, OTHER_DATA, "chosen"]
                .iter()
                .map(|verdict| (of_arm().filter(|r| r.verdict == *verdict).count(), verdict))
                .filter(|(count, _)| *count > 0)
                .map(|(count, verdict)| format!("{count} {verdict}"))
                .collect();
        text += &format!("- {} printed cells beside `{arm}`: {}\n", of_arm().count(), said.join(", "));
    }
    if text.is_empty() { text } else { text + "\n" }
}

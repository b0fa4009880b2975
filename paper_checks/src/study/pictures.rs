//! The figures of a study: dots with intervals for tables, curves over n for stability.

use super::table::{self, Row};
use super::{Results, Task};
use crate::verdict::Value;
use ebmbook::data::Protocol;
use ebmbook::show::Figure;

/// Runs behind a printed cell.
const PRINTED_RUNS: usize = 10;

/// Half of the two-sided 95 % interval of a mean over so many runs: Student's t; nothing for a single run.
fn half_width(se: f64, runs: usize) -> f64 {
    let mean = Value::estimated("", 0.0, se).with_freedom(runs.saturating_sub(1).max(1));
    if runs < 2 { 0.0 } else { mean.interval().map_or(0.0, |[_, high]| high) }
}

/// Each figure with the name of its file.
pub fn figures(study: &str, results: &Results) -> Vec<(String, Figure)> {
    let is_curve = results.rows().any(|(cell, _)| matches!(cell.task, Task::Stability(_)));
    let mut figures = Vec::new();
    for protocol in [Protocol::Released, Protocol::Paper] {
        let here = results.only(|c| c.protocol == protocol);
        if here.is_empty() {
            continue;
        }
        if is_curve {
            for value in ["mcc", "effective rank", "sd of effects"] {
                if let Some(figure) = curve(study, &here, protocol, value) {
                    figures.push((format!("{}-{protocol}", value.replace(' ', "-")), figure));
                }
            }
        } else {
            figures.extend(blocks(study, &here, protocol));
        }
    }
    figures
}

/// A line for each arm over n, with 95 % bands where groups of runs give them.
fn curve(study: &str, results: &Results, protocol: Protocol, value: &str) -> Option<Figure> {
    let title = format!("{study}: {value} between runs, {protocol} protocol");
    let label = match value {
        "mcc" => "MCC, signed",
        "sd of effects" => "standard deviation of effects, outcome units",
        other => other,
    };
    let mut figure = Figure::new(title).x("n, training rows").log_x().y(label);
    let mut drawn = false;
    for arm in results.arms() {
        let of_arm = results.only(|c| c.arm == arm);
        let points: Vec<(f64, f64, f64, f64)> = of_arm
            .settings()
            .iter()
            .filter_map(|setting| {
                let s = of_arm.summary(setting, &arm, value)?;
                let half = half_width(s.se(), s.runs);
                Some((setting.2 as f64, s.mean, s.mean - half, s.mean + half))
            })
            .collect();
        if !points.is_empty() {
            figure = figure.line_with_band(&arm, &points);
            drawn = true;
        }
    }
    drawn.then_some(figure)
}

/// For each block and value: representations as dots, settings as categories.
fn blocks(study: &str, results: &Results, protocol: Protocol) -> Vec<(String, Figure)> {
    let rows: Vec<Row> = table::rows(study, results);
    let mut figures = Vec::new();
    let mut seen: Vec<(String, String)> = Vec::new();
    for row in rows.iter().filter(|r| r.zero.is_some() && !r.value.ends_with(", noiseless")) {
        let key = (row.block.clone(), row.value.clone());
        if seen.contains(&key) {
            continue;
        }
        seen.push(key.clone());
        let here: Vec<&Row> = rows.iter().filter(|r| (&r.block, &r.value) == (&key.0, &key.1)).collect();
        figures.push((
            format!("{}-{}-{protocol}", key.0, key.1.replace(' ', "-")),
            dots(study, &key.0, &key.1, protocol, &here),
        ));
    }
    figures
}

fn dots(study: &str, block: &str, value: &str, protocol: Protocol, rows: &[&Row]) -> Figure {
    let mut settings: Vec<(usize, usize)> = Vec::new();
    let mut arms: Vec<&str> = Vec::new();
    for row in rows {
        if !settings.contains(&(row.d, row.n)) {
            settings.push((row.d, row.n));
        }
        if !arms.contains(&row.arm.as_str()) {
            arms.push(&row.arm);
        }
    }
    let at = |row: &Row| settings.iter().position(|s| *s == (row.d, row.n)).expect("it is listed") as f64;
    let names: Vec<String> = settings.iter().map(|(d, n)| format!("d = {d}, n = {n}")).collect();
    let (learner, regressor) = value.split_once(' ').unwrap_or((value, ""));
    let title =
        format!("{study}, {block}: {}-learner, {regressor}, {protocol} protocol", learner.to_uppercase());
    let height = 120 + 64 * settings.len() as u32;
    let mut figure = Figure::new(title).x("PEHE, outcome units").y_categories(&names).size(760, height);
    let trivial: Vec<(f64, f64, f64, f64)> = settings
        .iter()
        .filter_map(|s| rows.iter().find(|r| (r.d, r.n) == *s))
        .filter_map(|r| r.zero.map(|zero| (at(r), zero, zero, zero)))
        .collect();
    figure = figure.dots("predicting zero", &trivial);
    for arm in arms {
        let interval = |r: &&&Row| {
            let half = half_width(r.sd / (r.runs as f64).sqrt(), r.runs);
            (at(r), r.ours, r.ours - half, r.ours + half)
        };
        let points: Vec<_> = rows.iter().filter(|r| r.arm == arm).map(|r| interval(&r)).collect();
        figure = figure.dots(arm, &points);
        let printed: Vec<_> = rows
            .iter()
            .filter(|r| r.arm == arm)
            .filter_map(|r| {
                let half = half_width(r.printed_sd? / (PRINTED_RUNS as f64).sqrt(), PRINTED_RUNS);
                Some((at(r), r.printed?, r.printed? - half, r.printed? + half))
            })
            .collect();
        // The printed EBM column stands once, beside our first objective.
        if !printed.is_empty() && (arm == "raw" || !arm.starts_with("ebm-") || arm == "ebm-pairwise") {
            figure = figure.dots(&format!("{arm}, printed"), &printed);
        }
    }
    figure
}

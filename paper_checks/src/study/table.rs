//! Printed beside reproduced: one row for each number of a study, with the trivial predictors.

use super::{Results, Summary};
use crate::printed::Printed;
use ebmbook::data::Protocol;
use ebmbook::metrics::skill;
use serde::Serialize;

/// One number of a study beside what the paper prints, if it prints it.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// Block of the table.
    pub block: String,
    /// Number of covariates.
    pub d: usize,
    /// Number of training rows.
    pub n: usize,
    /// Which account of the experiments.
    pub protocol: Protocol,
    /// The representation.
    pub arm: String,
    /// What is measured: `r kernel-ridge` is the PEHE of that learner.
    pub value: String,
    /// Printed mean.
    pub printed: Option<f64>,
    /// Printed standard deviation.
    pub printed_sd: Option<f64>,
    /// Our mean.
    pub ours: f64,
    /// Our standard deviation over runs.
    pub sd: f64,
    /// Our median, which one run that went astray cannot spoil.
    pub median: f64,
    /// Number of runs.
    pub runs: usize,
    /// Difference in standard errors: ours minus printed.
    pub z: Option<f64>,
    /// What that says.
    pub verdict: &'static str,
    /// PEHE of predicting zero.
    pub zero: Option<f64>,
    /// PEHE of predicting the difference in means.
    pub constant: Option<f64>,
    /// PEHE of the true effect against the same truth.
    pub oracle: Option<f64>,
    /// 1 − (PEHE / PEHE of the constant)²: above zero is better than a constant.
    pub skill: Option<f64>,
}

/// Printed numbers have three decimals; half a unit on each side.
const DIGITS: f64 = 0.001;
/// Beyond so many standard errors two means of ten runs differ; by chance one pair in 370.
const FAR: f64 = 3.0;

/// Every number of a study, in the order of its plan.
pub fn rows(study: &str, results: &Results) -> Vec<Row> {
    let printed = Printed::load();
    let mut rows = Vec::new();
    for protocol in [Protocol::Released, Protocol::Paper] {
        let here = results.only(|c| c.protocol == protocol);
        for setting in here.settings() {
            let of_setting = here.only(|c| (&c.block, c.d, c.n) == (&setting.0, setting.1, setting.2));
            for arm in of_setting.arms() {
                let of_arm = of_setting.only(|c| c.arm == arm);
                for value in names(&of_arm) {
                    let Some(ours) = Summary::of(&of_arm.values(&value)) else { continue };
                    let trivial = |name: &str| {
                        let suffix = if value.ends_with(", noiseless") { ", noiseless" } else { "" };
                        Summary::of(&of_arm.values(&format!("{name}{suffix}"))).map(|s| s.mean)
                    };
                    let is_error = is_pehe(&value);
                    let constant = trivial("constant").filter(|_| is_error);
                    let known = find(&printed, study, protocol, &setting, &arm, &value);
                    let (z, verdict) = compare(known, &ours);
                    rows.push(Row {
                        block: setting.0.clone(),
                        d: setting.1,
                        n: setting.2,
                        protocol,
                        arm: arm.clone(),
                        value: value.clone(),
                        printed: known.map(|k| k.0),
                        printed_sd: known.map(|k| k.1),
                        ours: ours.mean,
                        sd: ours.sd,
                        median: ours.median,
                        runs: ours.runs,
                        z,
                        verdict,
                        zero: trivial("zero").filter(|_| is_error),
                        constant,
                        oracle: trivial("oracle").filter(|_| is_error),
                        skill: constant.map(|c| skill(ours.mean, c)),
                    });
                }
            }
        }
    }
    rows
}

fn is_pehe(value: &str) -> bool {
    ["t ", "x ", "dr ", "r "].iter().any(|learner| value.starts_with(learner))
}

/// The values of a group of cells, trivial predictors apart.
fn names(results: &Results) -> Vec<String> {
    let trivial = |name: &str| ["zero", "constant", "oracle"].iter().any(|t| name.starts_with(t));
    let first = results.rows().next().map(|(_, values)| values.keys().cloned().collect::<Vec<_>>());
    first.unwrap_or_default().into_iter().filter(|name| !trivial(name)).collect()
}

/// Printed mean and standard deviation of a number.
fn find(
    printed: &Printed,
    study: &str,
    protocol: Protocol,
    (block, d, n): &(String, usize, usize),
    arm: &str,
    value: &str,
) -> Option<(f64, f64)> {
    // The text's protocol has other data: nothing printed belongs beside it.
    if protocol == Protocol::Paper {
        return None;
    }
    let (learner, regressor) = value.split_once(' ')?;
    if matches!(study, "table2" | "table-a1") {
        let name = match arm {
            "pca" => "PCA",
            "agglomeration" => "FA",
            "spectral" => "SE",
            "isomap" => "Isomap",
            "kernel-pca" => "KPCA",
            "autoencoder" => "AE",
            "ebm-pairwise" => "EBM",
            _ => return None,
        };
        let same = |c: &&crate::printed::ReductionCell| {
            (&c.dataset, c.d, c.n) == (block, *d, *n) && c.reduction == name
        };
        return printed
            .reductions
            .iter()
            .find(|c| same(c) && value == "r kernel-ridge")
            .map(|c| (c.pehe_mean, c.pehe_sd));
    }
    if !matches!(study, "table1" | "table-power" | "table-polynomial" | "table-ridge" | "ihdp") {
        return None;
    }
    let with_ebm = match arm {
        "raw" => false,
        arm if arm.starts_with("ebm-") => true,
        _ => return None,
    };
    let table = if regressor == "power" { "power-transform" } else { regressor };
    let same = |c: &&crate::printed::LearnerCell| {
        c.regressor == table
            && (&c.dataset, c.d, c.n) == (block, *d, *n)
            && c.learner.eq_ignore_ascii_case(learner)
            && c.with_ebm == with_ebm
    };
    printed.learners.iter().find(same).map(|c| (c.pehe_mean, c.pehe_sd))
}

/// z and what it says. Both means have a standard error; the printed one is over ten runs.
fn compare(printed: Option<(f64, f64)>, ours: &Summary) -> (Option<f64>, &'static str) {
    let Some((mean, sd)) = printed else { return (None, "not printed") };
    let difference = ours.mean - mean;
    // A printed mean is rounded to three decimals: uniform within half a unit, variance unit²/12.
    let rounding = DIGITS * DIGITS / 12.0;
    let z = difference / (ours.se().powi(2) + sd * sd / 10.0 + rounding).sqrt();
    let verdict = if difference.abs() <= DIGITS {
        "same digits"
    } else if z.abs() <= FAR {
        "agrees"
    } else if difference < 0.0 {
        "ours is lower"
    } else {
        "ours is higher"
    };
    (Some(z), verdict)
}

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
        let verdicts = ["same digits", "agrees", "ours is lower", "ours is higher"];
        let counts: Vec<String> = verdicts
            .iter()
            .map(|v| (here.iter().filter(|r| r.verdict == *v).count(), v))
            .filter(|(count, _)| *count > 0)
            .map(|(count, v)| format!("{count} {v}"))
            .collect();
        if !counts.is_empty() {
            text += &format!("Printed cells: {}.\n\n", counts.join(", "));
        }
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

//! What a table shows of a judged claim, on the terminal and on the page alike: our number, the
//! printed one, a baseline and the caveat.

use super::{printed_number, printed_value};
use crate::checks::{Report, Scale};
use crate::claim::{self, Claim};
use crate::verdict::{Criterion, Scope, Value, Verdict, verdict};
use ebmbook::show::format_number;
use serde::Serialize;

/// One row of the table of verdicts. Every number carries its name.
#[derive(Clone, Debug, Serialize)]
pub struct Shown {
    /// The value that decides: of a claim that fails, the one that breaks its criterion by the most tolerances;
    /// of one that is open, the first that is; else the claim's first.
    pub measured: Option<Value>,
    /// The same statistic of the printed means, where the tables print what it takes.
    pub printed: Option<f64>,
    /// What to hold the value against; a control is called `control ID`.
    pub baseline: Option<Value>,
    /// Id of the deviation that describes the weaker form, if the verdict is about that.
    pub caveat: Option<String>,
}

impl Shown {
    /// The row of a judged claim.
    ///
    /// ```
    /// use paper_checks::{checks::{self, Context}, claim, report::Shown};
    /// let context = Context::default();
    /// let report = checks::run(claim::find("minimality").unwrap(), &context)?;
    /// let shown = Shown::new(&report, context.scale);
    /// assert_eq!(shown.caveat.as_deref(), Some("minimality-columns"));
    /// assert_eq!(shown.baseline.unwrap().name, "control x-itself");
    /// # Ok::<(), paper_checks::study::StudyError>(())
    /// ```
    pub fn new(report: &Report, scale: Scale) -> Self {
        let claim = claim::find(&report.claim).expect("a report is about a claim of the registry");
        let measured = decisive(claim, report);
        Self {
            // What is printed does not depend on whether anything was measured.
            printed: match measured {
                Some(v) => printed_value(&claim.id, &v.name, scale),
                None => printed_number(&claim.id, scale),
            },
            baseline: measured.and_then(|v| baseline(claim, report, v)),
            measured: measured.cloned(),
            caveat: claim.caveat.clone().filter(|_| report.verdict == Verdict::HoldsWithCaveat),
        }
    }
}

/// The criterion that a failing claim breaks by the most tolerances; none of a claim that does not fail.
pub(super) fn worst<'a>(claim: &'a Claim, report: &Report) -> Option<&'a Criterion> {
    let values = &report.findings.values;
    let breaks = |c: &&Criterion| {
        let alone = Criterion { scope: Scope::Stated, ..(*c).clone() };
        verdict(values, &[alone], 1.0) == Verdict::Fails
    };
    let tolerances = |c: &Criterion| {
        let value = values.iter().find(|v| v.name == c.value).map_or(f64::NAN, |v| v.estimate);
        (value - c.target).abs() / c.tolerance
    };
    let broken = claim.criteria.iter().filter(|c| c.scope == Scope::Stated).filter(breaks);
    let worst = broken.max_by(|a, b| tolerances(a).total_cmp(&tolerances(b)));
    worst.filter(|_| report.verdict == Verdict::Fails)
}

/// The value to show.
fn decisive<'a>(claim: &Claim, report: &'a Report) -> Option<&'a Value> {
    let values = &report.findings.values;
    let open = report.open.first().filter(|_| report.verdict == Verdict::Inconclusive).map(|o| &o.value);
    let telling = worst(claim, report).map(|c| &c.value).or(open);
    telling.and_then(|name| values.iter().find(|v| v.name == *name)).or_else(|| values.first())
}

/// The baseline that the claim names; without one, the first control whose value is another one.
fn baseline(claim: &Claim, report: &Report, measured: &Value) -> Option<Value> {
    let findings = &report.findings;
    let control = |id: &str| {
        let value = findings.controls.get(id)?.iter().find(|v| v.name == measured.name)?;
        Some(Value { name: format!("control {id}"), ..value.clone() })
    };
    match &claim.baseline {
        Some(name) => {
            let find = |name: &str| {
                let all = || findings.baselines.iter().chain(&findings.values);
                all().find(|v| v.name == name && v.name != measured.name).cloned()
            };
            // It is named for the first value; another one has its own where there is one.
            let first = findings.values.first()?;
            find(&counterpart(name, &first.name, &measured.name))
                .or_else(|| find(name))
                .or_else(|| control(name))
        }
        None => {
            let others = claim.controls.iter().filter_map(|c| control(&c.id));
            others.into_iter().find(|v| v.estimate != measured.estimate)
        }
    }
}

/// The name with the parts between commas in which `shown` differs from `first`.
fn counterpart(name: &str, first: &str, shown: &str) -> String {
    let parts: Vec<(&str, &str)> = first.split(", ").zip(shown.split(", ")).collect();
    let other = |part| parts.iter().find(|(of_first, _)| *of_first == part).map_or(part, |(_, own)| *own);
    name.split(", ").map(other).collect::<Vec<_>>().join(", ")
}

/// 95 % of the value's own law: Student's t where it rests on few runs. For a share, what is certain.
pub(super) fn interval(value: &Value) -> String {
    match value.interval() {
        Some([low, high]) => format!("[{}, {}]", format_number(low), format_number(high)),
        None => String::new(),
    }
}

/// A value with its interval.
pub fn with_interval(value: &Value) -> String {
    format!("{} {}", format_number(value.estimate), interval(value)).trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_counterpart_of_a_baseline_has_the_protocol_and_the_data_of_the_value() {
        let first = "log2 PEHE ratio, ridge, released";
        let shown = "log2 PEHE ratio, power, paper";
        let other = counterpart("log2 PEHE ratio, ridge, released, untrained", first, shown);
        assert_eq!(other, "log2 PEHE ratio, power, paper, untrained");
    }
}

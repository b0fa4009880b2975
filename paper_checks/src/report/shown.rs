//! What a table shows of a judged claim, on the terminal and on the page alike: our number, the
//! printed one, a baseline and the caveat.

use crate::claims::{Report, check_of, find};
use crate::registry::{Baseline, Claim, Criterion, Key, Scale, Scope, Value, Verdict, verdict};
use ebmbook::data::Protocol;
use ebmbook::show::format_number;
use serde::Serialize;

/// One row of the table of verdicts. Every number carries its label.
#[derive(Clone, Debug, Serialize)]
pub struct Shown {
    /// The value that decides: of a claim that fails, the one that breaks its criterion by the most tolerances;
    /// of one that is open, the first that is; else the claim's first.
    pub measured: Option<Value>,
    /// Its statistic in the printed means, where the tables print what it takes.
    pub printed: Option<f64>,
    /// What to hold the value against; a control is called by what it changes.
    pub baseline: Option<Value>,
    /// Id of the deviation that describes the weaker form, if the verdict is about that.
    pub caveat: Option<String>,
}

impl Shown {
    /// The row of a judged claim.
    ///
    /// ```
    /// use paper_checks::{claims::{self, Context}, report::Shown};
    /// let report = claims::run(claims::find("random-directions").unwrap(), &Context::default())?;
    /// let shown = Shown::new(&report);
    /// assert_eq!(shown.caveat.as_deref(), Some("directions-symmetric"));
    /// assert!(shown.baseline.unwrap().label.starts_with("QR"));
    /// # Ok::<(), paper_checks::study::StudyError>(())
    /// ```
    pub fn new(report: &Report) -> Self {
        let claim = find(&report.claim).expect("a report is about a claim of the registry");
        let measured = decisive(claim, report);
        Self {
            // What is printed does not depend on whether anything was measured.
            printed: printed(claim, report.scale)
                .iter()
                .find(|v| measured.is_none_or(|m| m.key == v.key))
                .map(|v| v.estimate),
            baseline: measured.and_then(|v| baseline(claim, report, v)),
            measured: measured.cloned(),
            caveat: claim.caveat.clone().filter(|_| report.verdict.is_weaker()),
        }
    }
}

/// The claim's values in the means that the paper prints, where its tables print what they take.
pub(super) fn printed(claim: &Claim, scale: Scale) -> Vec<Value> {
    let found = check_of(claim).printed.and_then(|printed| printed(scale).ok()).unwrap_or_default();
    let is_printed = |v: &Value| v.key.protocol() == Some(Protocol::Released) && v.estimate.is_finite();
    found.into_iter().filter(is_printed).collect()
}

/// The criterion that a failing claim breaks by the most tolerances; none of a claim that does not fail.
pub(super) fn worst<'a>(claim: &'a Claim, report: &Report) -> Option<&'a Criterion> {
    let values = &report.findings.values;
    let breaks = |c: &&Criterion| {
        let alone = Criterion { scope: Scope::Stated, ..(*c).clone() };
        verdict(values, &[alone], 1.0) == Verdict::Fails
    };
    let tolerances = |c: &Criterion| {
        let value = Value::find(values, &c.value).map_or(f64::NAN, |v| v.estimate);
        (value - c.target).abs() / c.tolerance
    };
    let broken = claim.criteria.iter().filter(|c| c.scope == Scope::Stated).filter(breaks);
    let worst = broken.max_by(|a, b| tolerances(a).total_cmp(&tolerances(b)));
    worst.filter(|_| report.verdict.is_broken())
}

/// The value to show.
fn decisive<'a>(claim: &Claim, report: &'a Report) -> Option<&'a Value> {
    let values = &report.findings.values;
    let open = report.open.first().filter(|_| report.verdict.is_open());
    let telling = worst(claim, report).map(|c| &c.value).or(open.and_then(|o| o.value.as_ref()));
    telling.and_then(|key| Value::find(values, key)).or_else(|| values.first())
}

/// What the claim says to hold a value against; without a word of it, the first control whose value differs.
fn baseline(claim: &Claim, report: &Report, measured: &Value) -> Option<Value> {
    let findings = &report.findings;
    let find = |key: &Key| {
        let mut all = findings.baselines.iter().chain(&findings.values);
        all.find(|v| v.key == *key && v.key != measured.key).cloned()
    };
    let control = |id: &str| {
        let value = findings.controls.get(id)?.iter().find(|v| v.key == measured.key)?;
        let label = claim.controls.iter().find(|c| c.id == id)?.breaks.clone();
        Some(Value { label, ..value.clone() })
    };
    match &claim.baseline {
        // A value that has no counterpart is held against that of the first.
        Some(Baseline::Like(name)) => find(&measured.key.counterpart(name))
            .or_else(|| find(&findings.values.first()?.key.counterpart(name))),
        Some(Baseline::Value(key)) => find(key),
        Some(Baseline::Control(id)) => control(id),
        None => {
            let others = claim.controls.iter().filter_map(|c| control(&c.id));
            others.into_iter().find(|v| v.estimate != measured.estimate)
        }
    }
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

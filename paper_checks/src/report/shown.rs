//! What a table shows of a judged claim, on the terminal and on the page alike: our number, the
//! printed one, a baseline and the caveat.

use super::printed_number;
use crate::checks::{Report, Scale};
use crate::claim::{self, Claim};
use crate::verdict::{Value, Verdict};
use ebmbook::show::format_number;
use serde::Serialize;

/// One row of the table of verdicts. Every number carries its name.
#[derive(Clone, Debug, Serialize)]
pub struct Shown {
    /// The claim's first value.
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
        Self {
            measured: report.findings.values.first().cloned(),
            printed: printed_number(&claim.id, scale),
            baseline: baseline(claim, report),
            caveat: claim.caveat.clone().filter(|_| report.verdict == Verdict::HoldsWithCaveat),
        }
    }
}

/// The baseline that the claim names; without one, the first control whose value is another one.
fn baseline(claim: &Claim, report: &Report) -> Option<Value> {
    let findings = &report.findings;
    let first = findings.values.first()?;
    let control = |id: &str| {
        let value = findings.controls.get(id)?.iter().find(|v| v.name == first.name)?;
        Some(Value { name: format!("control {id}"), ..value.clone() })
    };
    match &claim.baseline {
        Some(name) => {
            let named = findings.baselines.iter().chain(&findings.values).find(|v| v.name == *name);
            named.cloned().or_else(|| control(name))
        }
        None => {
            let others = claim.controls.iter().filter_map(|c| control(&c.id));
            others.into_iter().find(|v| v.estimate != first.estimate)
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

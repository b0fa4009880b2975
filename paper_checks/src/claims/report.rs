//! A claim and what was found about it, judged.

use super::calibration::on_record;
use super::{Findings, check_of, find};
use crate::context::Context;
use crate::registry::{
    Claim, Criterion, Key, Kind, Open, Scale, Template, Value, Verdict, false_alarm_rate, open, power,
    verdict,
};
use crate::study::StudyError;
use ebmbook::data::Protocol;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A judged claim.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Report {
    /// Which claim.
    pub claim: String,
    /// How large the check was.
    pub scale: Scale,
    /// What came out.
    pub verdict: Verdict,
    /// What is on record.
    pub recorded: Verdict,
    /// What stands between these values and another verdict: see [`open`].
    pub open: Vec<Open>,
    /// For a claim about both protocols, the verdict on the values of each alone.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub by_protocol: BTreeMap<String, Verdict>,
    /// The verdict with every tolerance halved, and doubled.
    pub at_half_and_double: [Verdict; 2],
    /// Probability that chance alone breaks a true claim.
    pub false_alarm_rate: f64,
    /// The verdict on each broken or mended variant.
    pub controls: BTreeMap<String, Verdict>,
    /// For each broken variant, the probability that a repetition calls it broken.
    pub power: BTreeMap<String, f64>,
    /// How often each broken variant came out `fails` over the seeds of the calibration on record, which are
    /// fewer and smaller runs than these: `[times, seeds]`.
    #[serde(default)]
    pub counted: BTreeMap<String, [usize; 2]>,
    /// Controls whose verdict is not the one they must have: a fault of the check.
    pub faulty_controls: Vec<String>,
    /// The seed of the check, first 16 hexadecimal digits.
    pub seed: String,
    /// What was measured.
    pub findings: Findings,
}

impl Report {
    /// The report as a few lines of text.
    pub fn text(&self) -> String {
        let kind = find(&self.claim).map_or(Kind::Claim, |c| c.kind);
        let mut lines = vec![
            format!("{}: {}", kind, self.claim),
            format!("{}: {} (on record: {})", kind.outcome(), self.verdict, self.recorded),
            format!(
                "at half the tolerance: {}, at twice: {}",
                self.at_half_and_double[0], self.at_half_and_double[1]
            ),
            format!("false-alarm rate: {:.1e}", self.false_alarm_rate),
            format!("setting: {}", self.findings.setting),
        ];
        // The values of a study carry their own provenance.
        let own_data = !self.findings.data.is_empty();
        if own_data {
            let n: Vec<String> = self.findings.n.iter().map(usize::to_string).collect();
            lines.push(format!("n: {}", n.join(", ")));
            lines.push(format!("seed: {}", self.seed));
            lines.push(format!("data: {}", self.findings.data));
        }
        let criteria = find(&self.claim).map_or(&[][..], |c| &c.criteria);
        let demands = |v: &Value| {
            let of_value = criteria.iter().filter(|c| c.value == v.key);
            of_value.map(|c| format!(" ; demanded {}", c.demand())).collect::<String>()
        };
        lines.extend(
            self.findings.values.iter().map(|v| format!("value: {} = {}{}", v.label, number(v), demands(v))),
        );
        // How much is missing depends on the last digits; what is missing does not.
        let open: Vec<&str> = self.open.iter().map(|open| open.label.as_str()).collect();
        lines.extend((!open.is_empty()).then(|| format!("open: {}", open.join(" | "))));
        lines.extend(
            self.findings.baselines.iter().map(|v| format!("beside it: {} = {}", v.label, number(v))),
        );
        lines.extend(self.controls.iter().map(|(id, verdict)| {
            let power = self.power.get(id).filter(|_| own_data).map(|power| format!(", power {power:.3}"));
            let counted = self
                .counted
                .get(id)
                .map(|[times, seeds]| format!(", counted {times} of {seeds} at reduced size"));
            format!("control: {id} {verdict}{}{}", power.unwrap_or_default(), counted.unwrap_or_default())
        }));
        lines.join("\n")
    }

    /// The finding of its claim, filled with what was measured; an error is the first key that was not.
    ///
    /// ```
    /// use paper_checks::claims::{self, Context};
    /// let claim = claims::find("sufficiency").unwrap();
    /// let report = claims::run(claim, &Context::default())?;
    /// assert!(report.finding().is_ok_and(|sentence| !sentence.contains('{')));
    /// # Ok::<(), paper_checks::study::StudyError>(())
    /// ```
    pub fn finding(&self) -> Result<String, Key> {
        self.fill(&self.entry().finding)
    }

    /// The finding in a few words, filled likewise.
    pub fn short_finding(&self) -> Result<String, Key> {
        self.fill(&self.entry().short)
    }

    fn entry(&self) -> &'static Claim {
        find(&self.claim).expect("a report is about a claim of the registry")
    }

    /// A sentence of its claim, filled with what was measured; an error is the first key that was not.
    pub fn fill(&self, template: &Template) -> Result<String, Key> {
        let Findings { values, baselines, controls, .. } = &self.findings;
        template.fill(|key, control| {
            let found = match control {
                Some(id) => Value::find(controls.get(id)?, key),
                None => Value::find(values, key).or_else(|| Value::find(baselines, key)),
            };
            found.map(|value| value.estimate)
        })
    }

    /// Gates that no broken variant of the claim breaks: they would pass whatever is measured. There must
    /// be none.
    ///
    /// ```
    /// use paper_checks::claims::{self, Context};
    /// let claim = claims::find("identifiability-shift").unwrap();
    /// let mut report = claims::run(claim, &Context::default())?;
    /// assert!(report.unbroken_gates(claim).is_empty());
    /// report.findings.controls.clear();
    /// assert_eq!(report.unbroken_gates(claim).len(), claim.criteria.len());
    /// # Ok::<(), paper_checks::study::StudyError>(())
    /// ```
    pub fn unbroken_gates<'a>(&self, claim: &'a Claim) -> Vec<&'a Key> {
        let broken = claim.broken_controls();
        let variants: Vec<&Vec<Value>> = broken.filter_map(|c| self.findings.controls.get(&c.id)).collect();
        // More likely than not to be called broken again: that is to be called broken here.
        let unbroken = |gate: &&Criterion| !variants.iter().any(|values| gate.power(values) > 0.5);
        claim.criteria.iter().filter(unbroken).map(|gate| &gate.value).collect()
    }
}

/// The verdict on the values of each protocol alone: those whose keys say so, or all where the claim says that they
/// follow one.
fn by_protocol(claim: &Claim, values: &[Value]) -> BTreeMap<String, Verdict> {
    let of = |protocol: Protocol| {
        let all = claim.protocol == Some(protocol);
        let follows = |c: &&Criterion| all || c.value.protocol() == Some(protocol);
        let criteria: Vec<Criterion> = claim.criteria.iter().filter(follows).cloned().collect();
        (!criteria.is_empty()).then(|| (protocol.to_string(), verdict(values, &criteria, 1.0).of(claim.kind)))
    };
    [Protocol::Released, Protocol::Paper].into_iter().filter_map(of).collect()
}

/// The estimate, and what chance leaves of it: a 95 % interval, or what is certain of a share.
fn number(v: &Value) -> String {
    match (v.interval(), v.limits) {
        (Some(_), Some(certain)) => {
            format!("{:.6e} (certain: [{:.3}, {:.3}])", v.estimate, certain.low, certain.high)
        }
        (Some([low, high]), None) => format!("{:.6e} (95 %: [{low:.4e}, {high:.4e}])", v.estimate),
        (None, _) => format!("{:.6e}", v.estimate),
    }
}

/// Measures and judges one claim.
///
/// ```
/// use paper_checks::{claims::{self, Context}, registry::Verdict};
/// let claim = claims::find("sufficiency").unwrap();
/// let report = claims::run(claim, &Context::default())?;
/// assert_eq!(report.verdict, Verdict::Holds);
/// assert!(report.faulty_controls.is_empty());
/// # Ok::<(), paper_checks::study::StudyError>(())
/// ```
///
/// # Panics
/// If the claim is not one of [`all`](super::all).
pub fn run(claim: &Claim, context: &Context) -> Result<Report, StudyError> {
    let context = Context { seed: context.seed.child(&claim.id), ..context.clone() };
    let findings = (check_of(claim).measure)(&context)?;
    Ok(judge(claim, findings, &context))
}

/// Judges what was found, with the seed and at the scale of a context.
pub(super) fn judge(claim: &Claim, mut findings: Findings, context: &Context) -> Report {
    findings.label(claim);
    let counted = on_record(&claim.id).map_or_else(BTreeMap::new, |record| {
        record.counted.into_iter().map(|c| (c.control, [c.fails, record.seeds])).collect()
    });
    let verdict = |values: &[Value], scale| claim.judge(values, scale);
    let controls: BTreeMap<String, Verdict> =
        findings.controls.iter().map(|(id, v)| (id.clone(), verdict(v, 1.0))).collect();
    let broken = claim.broken_controls();
    let power_of = |id: &String| findings.controls.get(id).map_or(0.0, |v| power(v, &claim.criteria));
    let faulty = claim.controls.iter().filter(|c| controls.get(&c.id) != Some(&c.expect));
    Report {
        faulty_controls: faulty.map(|c| c.id.clone()).collect(),
        claim: claim.id.clone(),
        scale: context.scale,
        verdict: verdict(&findings.values, 1.0),
        open: open(&findings.values, &claim.criteria).into_iter().map(|o| o.labelled(claim)).collect(),
        by_protocol: by_protocol(claim, &findings.values),
        recorded: claim.recorded_at(context.scale),
        at_half_and_double: [verdict(&findings.values, 0.5), verdict(&findings.values, 2.0)],
        false_alarm_rate: false_alarm_rate(&findings.values, &claim.criteria),
        counted,
        power: broken.map(|c| (c.id.clone(), power_of(&c.id))).collect(),
        seed: context.seed.to_hex()[..16].to_owned(),
        controls,
        findings,
    }
}

//! One check a claim: it measures, for the claim as printed and for each broken variant. The
//! verdict comes afterwards, from [`verdict`](crate::verdict) and the claim's criteria.

mod approximation;
mod approximation_linear_proof;
mod cate_consistency;
mod consistency;
mod context;
mod cross_entropy_lemma;
mod dr_rate;
mod experiments;
mod identifiability_converse;
mod identifiability_forward;
mod limit_rank_one;
mod minimality;
mod partition_cancels;
mod population_optimum;
mod population_optimum_continuous;
mod random_directions;
mod rate_in_d;
mod record;
mod shift_indifference;
mod signal_in_high_d;
mod sufficiency;

pub use crate::study::Scale;
pub use context::{Context, Mutation};
pub(crate) use experiments::one_experiment_each;
pub use experiments::{EXPERIMENTS, Experiment, SHARE_ALPHA, studies_of};
pub use record::Record;
pub use signal_in_high_d::{Signal, signal_at_printed_settings};

use crate::calibration::on_record;
use crate::claim::{self, Claim};
use crate::study::StudyError;
use crate::verdict::{Criterion, Open, Value, Verdict, false_alarm_rate, open, power, verdict};
use ebmbook::data::Protocol;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What a check measured.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Findings {
    /// The values the criteria speak of, the most telling first.
    pub values: Vec<Value>,
    /// Numbers to hold them against: trivial predictors, other constructions, ideals.
    pub baselines: Vec<Value>,
    /// The same values for each broken or mended variant.
    pub controls: BTreeMap<String, Vec<Value>>,
    /// Facts a reader needs (k, grid, draws).
    pub setting: String,
    /// Sample sizes, numbers of draws or numbers of points, whichever the check varies.
    pub n: Vec<usize>,
    /// Fingerprint of the data or of the first draws: BLAKE3, 16 hexadecimal digits.
    pub data: String,
}

/// BLAKE3 over numbers rounded to eight decimals, so that the last bits of a logarithm, which
/// differ from one mathematical library to another, do not count. The first 16 digits.
pub(crate) fn data_hash<'a, A: ndarray::Dimension>(
    arrays: impl IntoIterator<Item = ndarray::ArrayView<'a, f64, A>>,
) -> String {
    let mut hasher = blake3::Hasher::new();
    for array in arrays {
        hasher.update(&(array.len() as u64).to_le_bytes());
        for value in &array {
            hasher.update(&((value * 1e8).round() as i64).to_le_bytes());
        }
    }
    hasher.finalize().to_hex()[..16].to_owned()
}

/// A function that measures one claim.
pub type Check = fn(&Context) -> ebmbook::Result<Findings>;

/// The check of each claim that has one.
pub const CHECKS: [(&str, Check); 18] = [
    ("sufficiency", sufficiency::check),
    ("minimality", minimality::check),
    ("random-directions", random_directions::check),
    ("identifiability-forward", identifiability_forward::check),
    ("identifiability-converse", identifiability_converse::check),
    ("approximation", approximation::check),
    ("approximation-linear-proof", approximation_linear_proof::check),
    ("partition-cancels", partition_cancels::check),
    ("cross-entropy-lemma", cross_entropy_lemma::check),
    ("population-optimum", population_optimum::check),
    ("population-optimum-continuous", population_optimum_continuous::check),
    ("consistency", consistency::check),
    ("limit-rank-one", limit_rank_one::check),
    ("signal-in-high-d", signal_in_high_d::check),
    ("rate-in-d", rate_in_d::check),
    ("dr-rate", dr_rate::check),
    ("cate-consistency", cate_consistency::check),
    ("shift-indifference", shift_indifference::check),
];

/// The claims with values that have a standard error, and so a law that a calibration can test.
pub const STATISTICAL: [&str; 6] = [
    "rate-in-d",
    "dr-rate",
    "population-optimum-continuous",
    "consistency",
    "limit-rank-one",
    "cate-consistency",
];

/// The claims that judge medians: their limits count what lies above and below, whatever the law; what a
/// calibration can test is that the numbers they count are independent.
pub const DISTRIBUTION_FREE: [&str; 2] = ["approximation", "signal-in-high-d"];

/// The independent numbers behind one median.
#[derive(Clone, Debug, PartialEq)]
pub struct Replicates {
    /// Of what.
    pub name: String,
    /// One number a draw.
    pub numbers: Vec<f64>,
}

/// What is behind the medians of a claim that judges such.
pub(crate) fn replicates(claim: &Claim, context: &Context) -> Option<ebmbook::Result<Vec<Replicates>>> {
    match claim.id.as_str() {
        "approximation" => Some(approximation::replicates(context)),
        "signal-in-high-d" => Some(signal_in_high_d::replicates(context)),
        _ => None,
    }
}

/// A judged claim.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Report {
    /// Which claim.
    pub claim: String,
    /// What came out.
    pub verdict: Verdict,
    /// What is on record.
    pub recorded: Verdict,
    /// What an inconclusive verdict lacks.
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
        let mut lines = vec![
            format!("claim: {}", self.claim),
            format!("verdict: {} (on record: {})", self.verdict, self.recorded),
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
        let criteria = claim::find(&self.claim).map_or(&[][..], |c| &c.criteria);
        let demands = |v: &Value| {
            let of_value = criteria.iter().filter(|c| c.value == v.name);
            of_value.map(|c| format!(" ; demanded {}", c.demand())).collect::<String>()
        };
        lines.extend(
            self.findings.values.iter().map(|v| format!("value: {} = {}{}", v.name, number(v), demands(v))),
        );
        // How much is missing depends on the last digits; what is missing does not.
        let open: Vec<&str> = self.open.iter().map(|open| open.value.as_str()).collect();
        lines.extend((!open.is_empty()).then(|| format!("open: {}", open.join(" | "))));
        lines
            .extend(self.findings.baselines.iter().map(|v| format!("beside it: {} = {}", v.name, number(v))));
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

    /// Gates that no broken variant of the claim breaks: they would pass whatever is measured. There must
    /// be none.
    ///
    /// ```
    /// use paper_checks::{checks::{self, Context}, claim};
    /// let claim = claim::find("identifiability-converse").unwrap();
    /// let mut report = checks::run(claim, &Context::default())?;
    /// assert!(report.unbroken_gates(claim).is_empty());
    /// report.findings.controls.remove("nearly-parallel-b");
    /// assert_eq!(report.unbroken_gates(claim), ["recovery error over log-density error"]);
    /// # Ok::<(), paper_checks::study::StudyError>(())
    /// ```
    pub fn unbroken_gates<'a>(&self, claim: &'a Claim) -> Vec<&'a str> {
        let broken = claim.controls.iter().filter(|c| c.expect == Verdict::Fails);
        let variants: Vec<&Vec<Value>> = broken.filter_map(|c| self.findings.controls.get(&c.id)).collect();
        // More likely than not to be called broken again: that is to be called broken here.
        let unbroken = |gate: &&Criterion| !variants.iter().any(|values| gate.power(values) > 0.5);
        claim.criteria.iter().filter(unbroken).map(|gate| gate.value.as_str()).collect()
    }
}

/// The verdict on the values of each protocol alone: those whose names end with it, or all where the claim says
/// that they follow one.
fn by_protocol(claim: &Claim, values: &[Value]) -> BTreeMap<String, Verdict> {
    let of = |protocol: Protocol| {
        let named = |c: &&Criterion| c.value.ends_with(&format!(", {protocol}"));
        let criteria: Vec<Criterion> = claim.criteria.iter().filter(named).cloned().collect();
        let criteria = if claim.protocol == Some(protocol) { claim.criteria.clone() } else { criteria };
        (!criteria.is_empty()).then(|| (protocol.to_string(), verdict(values, &criteria, 1.0)))
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

/// What the check of a claim about the theory finds.
///
/// # Panics
/// If the claim has no check; a test makes sure that each has one.
pub(crate) fn measure(claim: &Claim, context: &Context) -> ebmbook::Result<Findings> {
    let (_, check) = CHECKS.iter().find(|(id, _)| *id == claim.id).expect("every claim has a check");
    check(context)
}

/// Measures and judges one claim.
///
/// ```
/// use paper_checks::{checks::{self, Context}, claim, verdict::Verdict};
/// let claim = claim::find("cross-entropy-lemma").unwrap();
/// let report = checks::run(claim, &Context::default())?;
/// assert_eq!(report.verdict, Verdict::Holds);
/// assert!(report.faulty_controls.is_empty());
/// # Ok::<(), paper_checks::study::StudyError>(())
/// ```
///
/// # Panics
/// If the claim has no check; a test makes sure that each has one.
pub fn run(claim: &Claim, context: &Context) -> Result<Report, StudyError> {
    let context = Context { seed: context.seed.child(&claim.id), ..context.clone() };
    let findings = match EXPERIMENTS.iter().find(|(id, _, _)| *id == claim.id) {
        Some((_, _, check)) => check(&context)?,
        None => measure(claim, &context)?,
    };
    Ok(judge(claim, findings, &context))
}

/// Judges what was found, with the seed and at the scale of a context.
fn judge(claim: &Claim, findings: Findings, context: &Context) -> Report {
    let counted = on_record(&claim.id).map_or_else(BTreeMap::new, |record| {
        record.counted.into_iter().map(|c| (c.control, [c.fails, record.seeds])).collect()
    });
    let verdict = |values: &[Value], scale| verdict(values, &claim.criteria, scale);
    let controls: BTreeMap<String, Verdict> =
        findings.controls.iter().map(|(id, v)| (id.clone(), verdict(v, 1.0))).collect();
    let broken = claim.controls.iter().filter(|c| c.expect == Verdict::Fails);
    let power_of = |id: &String| findings.controls.get(id).map_or(0.0, |v| power(v, &claim.criteria));
    let faulty = claim.controls.iter().filter(|c| controls.get(&c.id) != Some(&c.expect));
    Report {
        faulty_controls: faulty.map(|c| c.id.clone()).collect(),
        claim: claim.id.clone(),
        verdict: verdict(&findings.values, 1.0),
        open: open(&findings.values, &claim.criteria),
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

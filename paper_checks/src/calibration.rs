//! Are the gates honest? In: a claim with statistical gates. Out: how its p-values are spread over
//! fresh seeds, and the power of each gate against the broken variants.
//!
//! A gate compares t = (value − bound)/se with a quantile of Student's t. Its false-alarm rate is what
//! it says if (value − truth)/se has that law, that is, if
//!
//! ```text
//! u = F((value − truth) / se)
//! ```
//!
//! is uniform over fresh seeds. The truth is taken to be the mean over all seeds, u is counted in ten
//! bins and the counts are compared with equal shares by Pearson's χ² (nine degrees of freedom).
//! Sizes are reduced, so that hundreds of repetitions are affordable. Medians, and shares of
//! settings with a certain median, need no calibration: their limits count what lies above and below, and the
//! law of that is binomial whatever is measured.
//!
//! Power is stated twice: that of the full gate at quick scale, from its standard error, and how often each
//! broken variant came out `fails` over the seeds, which at reduced size is the harder question.

use crate::checks::{self, Context, Findings, STATISTICAL};
use crate::claim::{Claim, find};
use crate::study::StudyError;
use crate::verdict::{Value, Verdict, verdict};
use ebmbook::seed::Seed;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use statrs::distribution::{ChiSquared, ContinuousCDF};

/// Bins of the test of uniformity.
pub const BINS: usize = 10;
/// Its error rate, for each gate: one in a thousand.
pub const UNIFORMITY_ALPHA: f64 = 1e-3;
/// Repetitions whose numbers are kept, so that a test can run them again.
const KEPT: usize = 3;

/// How the p-values of one gate are spread.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Spread {
    /// The value that the gate looks at.
    pub value: String,
    /// Its mean over the seeds.
    pub mean: f64,
    /// How many u fall in each tenth of (0, 1).
    pub counts: Vec<usize>,
    /// P(χ²₉ ≥ the one found).
    pub p_value: f64,
    /// Estimate and standard error of the first seeds.
    pub first: Vec<[f64; 2]>,
}

/// The power of one gate against one broken variant.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Power {
    /// The broken variant.
    pub control: String,
    /// The value that the gate looks at.
    pub value: String,
    /// Probability that a repetition calls the variant broken.
    pub power: f64,
}

/// How often a broken variant was found out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Counted {
    /// The broken variant.
    pub control: String,
    /// Seeds for which it came out `fails`.
    pub fails: usize,
}

/// The calibration of one claim, as it is kept in `results/calibration/`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Calibration {
    /// Which claim.
    pub claim: String,
    /// Version of the program that wrote it.
    pub program: String,
    /// How to write it again.
    pub command: String,
    /// Master seed; repetition i starts at `Seed::new(master).child("calibration").index(i)`.
    pub master_seed: u64,
    /// Repetitions.
    pub seeds: usize,
    /// Whether every gate passes the test of uniformity.
    pub uniform: bool,
    /// One entry a gate with a standard error.
    #[serde(rename = "gate", default)]
    pub gates: Vec<Spread>,
    /// One entry a broken variant.
    #[serde(default)]
    pub counted: Vec<Counted>,
    /// One entry for each gate and broken variant.
    pub power: Vec<Power>,
}

/// p-value of Pearson's χ² for equal shares.
///
/// ```
/// use paper_checks::calibration::uniformity;
/// assert!(uniformity(&[20; 10]) > 0.999);
/// assert!(uniformity(&[110, 10, 10, 10, 10, 10, 10, 10, 10, 10]) < 1e-9);
/// ```
pub fn uniformity(counts: &[usize]) -> f64 {
    let expected = counts.iter().sum::<usize>() as f64 / counts.len() as f64;
    // Σ (observed − expected)² / expected
    let statistic: f64 = counts.iter().map(|c| (*c as f64 - expected).powi(2) / expected).sum();
    ChiSquared::new(counts.len() as f64 - 1.0).map_or(f64::NAN, |law| law.sf(statistic))
}

/// What the check of a claim finds in repetition i, at reduced size; none if chance has no say in it.
pub fn repetition(claim: &Claim, master_seed: u64, i: usize) -> Option<ebmbook::Result<Findings>> {
    STATISTICAL.iter().find(|id| **id == claim.id)?;
    let seed = Seed::new(master_seed).child("calibration").index(i).child(&claim.id);
    Some(checks::measure(claim, &Context { reduced: true, seed, ..Context::default() }))
}

/// The values of a repetition that a gate with a standard error looks at.
pub fn gated<'a>(claim: &'a Claim, findings: &'a Findings) -> impl Iterator<Item = &'a Value> {
    let of_gate = |v: &&Value| v.se.is_some() && claim.criteria.iter().any(|c| c.value == v.name);
    findings.values.iter().filter(of_gate)
}

/// Repeats the check of a claim over fresh seeds; `progress` is called after each repetition.
///
/// # Panics
/// If chance has no say in the claim.
pub fn calibrate(
    claim: &Claim,
    master_seed: u64,
    seeds: usize,
    progress: impl Fn() + Sync,
) -> Result<Calibration, StudyError> {
    let repetitions: Vec<Findings> = (0..seeds)
        .into_par_iter()
        .map(|i| {
            let findings = repetition(claim, master_seed, i).expect("the claim has statistical gates");
            progress();
            findings
        })
        .collect::<ebmbook::Result<_>>()?;
    let by_seed: Vec<Vec<Value>> = repetitions.iter().map(|f| gated(claim, f).cloned().collect()).collect();
    let gates: Vec<Spread> = (0..by_seed[0].len())
        .map(|g| spread(&by_seed.iter().map(|values| values[g].clone()).collect::<Vec<_>>()))
        .collect();
    let broken = claim.controls.iter().filter(|c| c.expect == Verdict::Fails);
    let fails = |findings: &&Findings, control: &String| {
        verdict(&findings.controls[control], &claim.criteria, 1.0) == Verdict::Fails
    };
    let counted = broken.map(|c| Counted {
        fails: repetitions.iter().filter(|findings| fails(findings, &c.id)).count(),
        control: c.id.clone(),
    });
    Ok(Calibration {
        claim: claim.id.clone(),
        program: format!("ebmbook {}", env!("CARGO_PKG_VERSION")),
        command: format!("ebmbook calibrate {} --seeds {seeds} --seed {master_seed}", claim.id),
        master_seed,
        seeds,
        uniform: gates.iter().all(|g| g.p_value >= UNIFORMITY_ALPHA),
        gates,
        counted: counted.collect(),
        power: powers(claim, master_seed)?,
    })
}

fn spread(values: &[Value]) -> Spread {
    let mean = values.iter().map(|v| v.estimate).sum::<f64>() / values.len() as f64;
    let mut counts = vec![0; BINS];
    for u in values.iter().filter_map(|v| v.probability_below(mean)) {
        counts[((u * BINS as f64) as usize).min(BINS - 1)] += 1;
    }
    let first = values.iter().take(KEPT).map(|v| [v.estimate, v.se.unwrap_or(f64::NAN)]).collect();
    Spread { value: values[0].name.clone(), mean, p_value: uniformity(&counts), counts, first }
}

/// The power of each gate against each broken variant, at quick scale.
fn powers(claim: &Claim, master_seed: u64) -> Result<Vec<Power>, StudyError> {
    let context = Context { seed: Seed::new(master_seed), ..Context::default() };
    let report = checks::run(claim, &context)?;
    let broken = claim.controls.iter().filter(|c| c.expect == Verdict::Fails);
    Ok(broken
        .flat_map(|control| {
            let values = &report.findings.controls[&control.id];
            claim.criteria.iter().map(|c| Power {
                control: control.id.clone(),
                value: c.value.clone(),
                power: c.power(values),
            })
        })
        .collect())
}

/// The calibration on record for a claim; none if all its gates are exact.
///
/// ```
/// assert!(paper_checks::calibration::on_record("consistency").unwrap().seeds >= 200);
/// assert!(paper_checks::calibration::on_record("partition-cancels").is_none());
/// ```
pub fn on_record(claim: &str) -> Option<Calibration> {
    let text = match find(claim)?.id.as_str() {
        "rate-in-d" => include_str!("../results/calibration/rate-in-d.toml"),
        "dr-rate" => include_str!("../results/calibration/dr-rate.toml"),
        "population-optimum-continuous" => {
            include_str!("../results/calibration/population-optimum-continuous.toml")
        }
        "consistency" => include_str!("../results/calibration/consistency.toml"),
        "limit-rank-one" => include_str!("../results/calibration/limit-rank-one.toml"),
        "cate-consistency" => include_str!("../results/calibration/cate-consistency.toml"),
        _ => return None,
    };
    Some(toml::from_str(text).expect("the record is part of the program, and a test reads it"))
}

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
//! Sizes are reduced, so that hundreds of repetitions are affordable. Power is that of the full gate
//! at quick scale.

use crate::checks::{self, Context, STATISTICAL};
use crate::claim::{Claim, find};
use crate::study::StudyError;
use crate::verdict::{Value, Verdict};
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
    /// One entry a gate.
    #[serde(rename = "gate")]
    pub gates: Vec<Spread>,
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

/// What the gates of a claim look at in repetition i, at reduced size; none if the claim has no
/// statistical gates.
pub fn repetition(claim: &Claim, master_seed: u64, i: usize) -> Option<ebmbook::Result<Vec<Value>>> {
    let (_, gates) = STATISTICAL.iter().find(|(id, _)| *id == claim.id)?;
    let seed = Seed::new(master_seed).child("calibration").index(i).child(&claim.id);
    let gated = |v: &Value| v.se.is_some() && claim.criteria.iter().any(|c| c.value == v.name);
    let values = gates(&Context { reduced: true, seed, ..Context::default() });
    Some(values.map(|values| values.into_iter().filter(gated).collect()))
}

/// Repeats the gates of a claim over fresh seeds; `progress` is called after each repetition.
///
/// # Panics
/// If the claim has no statistical gates.
pub fn calibrate(
    claim: &Claim,
    master_seed: u64,
    seeds: usize,
    progress: impl Fn() + Sync,
) -> Result<Calibration, StudyError> {
    let repetitions: Vec<Vec<Value>> = (0..seeds)
        .into_par_iter()
        .map(|i| {
            let values = repetition(claim, master_seed, i).expect("the claim has statistical gates");
            progress();
            values
        })
        .collect::<ebmbook::Result<_>>()?;
    let gates: Vec<Spread> = (0..repetitions[0].len())
        .map(|g| spread(&repetitions.iter().map(|r| r[g].clone()).collect::<Vec<_>>()))
        .collect();
    Ok(Calibration {
        claim: claim.id.clone(),
        program: format!("ebmbook {}", env!("CARGO_PKG_VERSION")),
        command: format!("ebmbook calibrate {} --seeds {seeds} --seed {master_seed}", claim.id),
        master_seed,
        seeds,
        uniform: gates.iter().all(|g| g.p_value >= UNIFORMITY_ALPHA),
        gates,
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

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
//! Sizes are reduced, so that hundreds of repetitions are affordable.
//!
//! A gate on a median counts how many of m numbers lie above: Bin(m, ½) for the true median, whatever their law,
//! if they are independent and of one law. Then, with C the count and V uniform,
//!
//! ```text
//! u = P(Bin(m, ½) < C) + V · P(Bin(m, ½) = C)
//! ```
//!
//! is uniform. The truth is the median of all numbers of all seeds; ties with it are split at random.
//!
//! Power is stated twice: that of the full gate at quick scale, from its standard error, and how often each
//! broken variant came out `fails` over the seeds, which at reduced size is the harder question.

use super::{Context, Findings, Replicates, check_of, find, run};
use crate::registry::{Claim, Key, Value, Verdict, verdict};
use crate::study::StudyError;
use ebmbook::seed::Seed;
use ebmbook::theory::saturation::median;
use rand::Rng;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use statrs::distribution::{Binomial, ChiSquared, ContinuousCDF, Discrete, DiscreteCDF};

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
    /// What is taken for the truth: its mean over the seeds; of a median, that of the numbers of all seeds.
    pub truth: f64,
    /// How many u fall in each tenth of (0, 1).
    pub counts: Vec<usize>,
    /// P(χ²₉ ≥ the one found).
    pub p_value: f64,
    /// How many u lie in the outer .05 and .01, half on either side; expected are these shares of the seeds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outer: Option<[usize; 2]>,
    /// Estimate and standard error of the first seeds; of a median, itself and how many numbers lie above.
    pub first: Vec<[f64; 2]>,
}

impl Spread {
    /// What people call the value; the numbers behind a median have their own name.
    pub fn label(&self, claim: &Claim) -> String {
        self.value.parse().map_or_else(|_| self.value.clone(), |key| claim.label(&key))
    }
}

/// The power of one gate against one broken variant.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Power {
    /// The broken variant.
    pub control: String,
    /// The value that the gate looks at.
    pub value: Key,
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
    /// One entry per gate with a standard error, and one per median.
    #[serde(rename = "gate", default)]
    pub gates: Vec<Spread>,
    /// One entry per broken variant.
    #[serde(default)]
    pub counted: Vec<Counted>,
    /// One entry for each gate and broken variant.
    pub power: Vec<Power>,
}

/// p-value of Pearson's χ² for equal shares.
///
/// ```
/// use paper_checks::claims::calibration::uniformity;
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
pub fn repetition(claim: &Claim, master_seed: u64, i: usize) -> Option<Result<Findings, StudyError>> {
    let check = check_of(claim);
    check.calibration.map(|_| (check.measure)(&reduced(claim, master_seed, i)))
}

/// The numbers behind its medians in repetition i; none if it judges no median.
pub fn repeated_medians(
    claim: &Claim,
    master_seed: u64,
    i: usize,
) -> Option<Result<Vec<Replicates>, StudyError>> {
    check_of(claim).replicates.map(|replicates| replicates(&reduced(claim, master_seed, i)))
}

fn reduced(claim: &Claim, master_seed: u64, i: usize) -> Context {
    let seed = Seed::new(master_seed).child("calibration").index(i).child(&claim.id);
    Context { reduced: true, seed, ..Context::default() }
}

/// The values of a repetition that a gate with a standard error looks at.
pub fn gated<'a>(claim: &'a Claim, findings: &'a Findings) -> impl Iterator<Item = &'a Value> {
    let of_gate = |v: &&Value| v.se.is_some() && claim.criteria.iter().any(|c| c.value == v.key);
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
    let of_seed = |i| {
        let findings = repetition(claim, master_seed, i).expect("the claim has statistical gates")?;
        let medians = repeated_medians(claim, master_seed, i).transpose()?.unwrap_or_default();
        progress();
        Ok((findings, medians))
    };
    let found: Result<Vec<(Findings, Vec<Replicates>)>, StudyError> =
        (0..seeds).into_par_iter().map(of_seed).collect();
    let (repetitions, medians): (Vec<Findings>, Vec<Vec<Replicates>>) = found?.into_iter().unzip();
    let by_seed: Vec<Vec<Value>> = repetitions.iter().map(|f| gated(claim, f).cloned().collect()).collect();
    let with_law = by_gate(&by_seed).map(|values| spread(&values));
    let ties = Seed::new(master_seed).child("ties").child(&claim.id);
    let without = by_gate(&medians).enumerate().map(|(g, gate)| spread_of_median(&gate, ties.index(g)));
    let gates: Vec<Spread> = with_law.chain(without).collect();
    let broken = claim.broken_controls();
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

/// Turns lists by seed into lists by gate.
fn by_gate<T: Clone>(by_seed: &[Vec<T>]) -> impl Iterator<Item = Vec<T>> {
    (0..by_seed[0].len()).map(|g| by_seed.iter().map(|values| values[g].clone()).collect())
}

fn spread(values: &[Value]) -> Spread {
    let truth = values.iter().map(|v| v.estimate).sum::<f64>() / values.len() as f64;
    let below: Vec<f64> = values.iter().filter_map(|v| v.probability_below(truth)).collect();
    let counts = tenths(below.iter().copied());
    let beyond = |share: f64| below.iter().filter(|u| u.min(1.0 - **u) < share / 2.0).count();
    let outer = Some([beyond(0.05), beyond(0.01)]);
    let first = values.iter().take(KEPT).map(|v| [v.estimate, v.se.unwrap_or(f64::NAN)]).collect();
    Spread { value: values[0].key.to_string(), truth, p_value: uniformity(&counts), counts, outer, first }
}

/// How the counts of a median are spread; each seed gives the numbers behind it.
fn spread_of_median(seeds: &[Replicates], random: Seed) -> Spread {
    let mut rng = random.rng();
    // A second number next to each decides between equal ones.
    let samples: Vec<Vec<(f64, f64)>> =
        seeds.iter().map(|s| s.numbers.iter().map(|v| (*v, rng.random())).collect()).collect();
    let mut all = samples.concat();
    all.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    let middle = all[all.len() / 2];
    let above = |sample: &Vec<(f64, f64)>| sample.iter().filter(|pair| **pair >= middle).count();
    let probability = |sample: &Vec<(f64, f64)>| {
        let law = Binomial::new(0.5, sample.len() as u64).expect("one half is a probability");
        let count = above(sample) as u64;
        // P(Bin < C) + V · P(Bin = C)
        law.cdf(count) - rng.random::<f64>() * law.pmf(count)
    };
    let counts = tenths(samples.iter().map(probability));
    let first = seeds.iter().zip(&samples).take(KEPT);
    Spread {
        value: seeds[0].name.clone(),
        truth: middle.0,
        p_value: uniformity(&counts),
        counts,
        outer: None,
        first: first.map(|(s, sample)| [median(&s.numbers), above(sample) as f64]).collect(),
    }
}

fn tenths(uniform: impl Iterator<Item = f64>) -> Vec<usize> {
    let mut counts = vec![0; BINS];
    for u in uniform {
        counts[((u * BINS as f64) as usize).min(BINS - 1)] += 1;
    }
    counts
}

/// The power of each gate against each broken variant, at quick scale.
fn powers(claim: &Claim, master_seed: u64) -> Result<Vec<Power>, StudyError> {
    let context = Context { seed: Seed::new(master_seed), ..Context::default() };
    let report = run(claim, &context)?;
    let broken = claim.broken_controls();
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
/// assert!(paper_checks::claims::calibration::on_record("dr-rate").unwrap().seeds >= 200);
/// assert!(paper_checks::claims::calibration::on_record("fig3-mcc").is_none());
/// ```
pub fn on_record(claim: &str) -> Option<Calibration> {
    let text = check_of(find(claim)?).calibration?;
    Some(toml::from_str(text).expect("the record is part of the program, and a test reads it"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_distr::{Distribution, Exp1};

    /// Twenty skewed numbers a seed, each `times` over.
    fn seeds(times: usize) -> Vec<Replicates> {
        let of_seed = |seed| {
            let mut rng = Seed::new(seed).rng();
            let numbers = (0..20 / times).flat_map(|_| vec![f64::powi(Exp1.sample(&mut rng), 4); times]);
            Replicates { name: String::new(), numbers: numbers.collect() }
        };
        (0..400).map(of_seed).collect()
    }

    #[test]
    fn counts_around_a_median_are_uniform_and_those_of_dependent_numbers_are_not() {
        let p = |seeds: &[Replicates]| spread_of_median(seeds, Seed::new(1)).p_value;
        assert!(p(&seeds(1)) > UNIFORMITY_ALPHA);
        assert!(p(&seeds(4)) < UNIFORMITY_ALPHA);
        // A law that moves with the seed: the numbers of one seed lie together.
        let moved = seeds(1).into_iter().enumerate().map(|(i, s)| Replicates {
            numbers: s.numbers.iter().map(|v| v * [1.0, 16.0][i % 2]).collect(),
            ..s
        });
        assert!(p(&moved.collect::<Vec<_>>()) < UNIFORMITY_ALPHA);
        // Numbers of which most are equal are counted fairly, too.
        let coarse = seeds(1)
            .into_iter()
            .map(|s| Replicates { numbers: s.numbers.iter().map(|v| v.min(0.1)).collect(), ..s });
        assert!(p(&coarse.collect::<Vec<_>>()) > UNIFORMITY_ALPHA);
    }
}

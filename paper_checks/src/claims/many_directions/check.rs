//! Figure 3, bottom, under many matrices B: agreement of runs against the smallest row sum of the B that they share.

use crate::claims::{Check, Context, Findings};
use crate::registry::{Key, Limits, Value};
use crate::study::row_sums::point;
use crate::study::{Arm, Base, Quantity, Results, StudyError};
use ebmbook::ebm::{DirectionLaw, Directions};
use ebmbook::metrics::correlation;
use ebmbook::seed::Seed;
use ndarray::Array1;
use statrs::distribution::{Binomial, DiscreteCDF};

pub const CHECK: Check = Check::new(measure);

/// k of the figure, and two larger ones of the tables.
const K: [usize; 3] = [5, 10, 15];
/// What Figure 3's "tends to 1" is read as.
const AGREE: f64 = 0.9;
/// Error rate of the share, as of the other gates on experiments.
const ALPHA: f64 = 1e-5;

/// The agreement of the runs of each Haar draw of a study over directions.
pub(in crate::claims) fn under_haar_draws(results: &Results) -> Vec<f64> {
    of(results, Arm::of(Base::EbmHaar)).into_iter().map(|(_, mcc)| mcc).collect()
}

/// Smallest |(B1)_i| and agreement.
fn of(results: &Results, arm: Arm) -> Vec<(f64, f64)> {
    results.rows().filter(|(cell, _)| cell.arm == arm).filter_map(point).collect()
}

fn measure(context: &Context) -> Result<Findings, StudyError> {
    let results = context.results("directions")?;
    let (drawn, authors) = (of(&results, Arm::of(Base::EbmHaar)), of(&results, Arm::of(Base::Ebm)));
    let theirs = authors.first().map_or(f64::NAN, |(smallest, _)| *smallest);
    let mean = |name: &str, points: &[(f64, f64)]| {
        Value::mean(Key::new("mcc").of(name), &points.iter().map(|(_, mcc)| *mcc).collect::<Vec<_>>())
    };
    let n = results.settings().first().map_or(0, |(_, _, n)| *n);
    let mut findings = Findings {
        values: vec![share_agreeing(&under_haar_draws(&results))],
        setting: format!(
            "Twins, n = {n}, k = 5, {} Haar draws of B, each with a sample of its own",
            drawn.len()
        ),
        ..Findings::default()
    };
    let matched = results.only(|c| c.arm == Arm::of(Base::EbmHaar)).values(Quantity::MccCanonical);
    findings.controls.insert("matched-first".into(), vec![share_agreeing(&matched)]);
    let (large, small): (Vec<_>, Vec<_>) =
        drawn.iter().copied().partition(|(smallest, _)| *smallest >= theirs);
    findings.baselines = vec![
        mean("Haar draws", &drawn),
        mean("the authors' B", &authors),
        mean("row sums as large as the authors'", &large),
        mean("smaller row sums", &small),
        Value::exact("mcc-least", drawn.iter().map(|(_, mcc)| *mcc).fold(f64::NAN, f64::min)),
        Value::exact("smallest", theirs),
        Value::exact("rank-correlation", rank_correlation(&drawn)),
    ];
    for k in K {
        let draws = context.pick(1_000, 10_000);
        let seed = context.seed.child("row sums").index(k);
        findings.baselines.push(share_like(k, theirs, draws, seed)?);
    }
    Ok(findings)
}

/// Share of draws whose runs agree. Draws are independent, so the limits are those of Clopper and Pearson: the shares
/// under which so many, or so few, would come out with half of the error rate.
fn share_agreeing(mcc: &[f64]) -> Value {
    let (m, agree) = (mcc.len() as u64, mcc.iter().filter(|mcc| **mcc >= AGREE).count() as u64);
    let tail = ALPHA / 2.0;
    // P(Bin(m, p) ≥ agree) rises with p, P(Bin(m, p) ≤ agree) falls.
    let low = bisect(|p| agree == 0 || at_most(m, p, agree - 1) < 1.0 - tail);
    let high = bisect(|p| agree == m || at_most(m, p, agree) < tail);
    let limits = Limits {
        low: if agree == 0 { 0.0 } else { low },
        high: if agree == m { 1.0 } else { high },
        alpha: ALPHA,
    };
    Value { limits: Some(limits), ..Value::exact("share-agreeing", agree as f64 / m as f64) }
}

/// P(Bin(m, p) ≤ so many).
fn at_most(m: u64, p: f64, so_many: u64) -> f64 {
    Binomial::new(p, m).map_or(f64::NAN, |law| law.cdf(so_many))
}

/// The least p in [0, 1] from which this is true.
fn bisect(is_beyond: impl Fn(f64) -> bool) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        if is_beyond(middle) { high = middle } else { low = middle }
    }
    high
}

/// Share of Haar draws of size k whose smallest |(B1)_i| is at least so large.
fn share_like(k: usize, least: f64, draws: usize, seed: Seed) -> Result<Value, StudyError> {
    let mut hits = 0;
    for draw in 0..draws {
        let scale = Directions::new(DirectionLaw::Haar, k, seed.index(draw))?.limit_scale();
        hits += usize::from(scale.iter().all(|s| s.abs() >= least));
    }
    let share = hits as f64 / draws as f64;
    let se = (share * (1.0 - share) / draws as f64).sqrt();
    Ok(Value::estimated(Key::new("share-like").of(k), share, se))
}

/// Spearman's: the correlation of the ranks, without ties as the draws are continuous.
fn rank_correlation(points: &[(f64, f64)]) -> f64 {
    let ranks = |values: Vec<f64>| -> Array1<f64> {
        values.iter().map(|v| values.iter().filter(|other| *other < v).count() as f64).collect()
    };
    let (x, y): (Vec<f64>, Vec<f64>) = points.iter().copied().unzip();
    correlation(ranks(x).view(), ranks(y).view())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_of_a_share_are_clopper_and_pearsons() {
        let all = share_agreeing(&[1.0; 100]).limits.unwrap();
        // (α/2)^(1/m)
        assert!((all.low - (ALPHA / 2.0).powf(0.01)).abs() < 1e-9 && all.high == 1.0);
        let none = share_agreeing(&[0.0; 100]).limits.unwrap();
        assert!((none.high - (1.0 - all.low)).abs() < 1e-9 && none.low == 0.0);
    }

    #[test]
    fn ranks_see_a_curve_as_a_line_and_its_mirror_image_as_minus_one() {
        let rising: Vec<(f64, f64)> = (1..9).map(|i| (f64::from(i), f64::from(i).exp())).collect();
        let falling: Vec<(f64, f64)> = rising.iter().map(|(x, y)| (*x, -y)).collect();
        assert!((rank_correlation(&rising) - 1.0).abs() < 1e-12);
        assert!((rank_correlation(&falling) + 1.0).abs() < 1e-12);
    }
}

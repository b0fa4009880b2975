//! What the t-tests on runs are worth where runs are few: the differences behind the tables with their signs flipped at
//! random.
//!
//! A comparison has m runs d_1 … d_m. Centred at their mean and with random signs they have a symmetric law around 0, with
//! tails and outliers as they came out, so that a t-test at α must call a share of at most α of them positive:
//!
//! ```text
//! size(α) = P(t(ε_1 (d_1 − d̄), …, ε_m (d_m − d̄)) > t_{m−1, 1−α})
//! ```
//!
//! Flips make the law symmetric: skewness is looked at by the sign-flip test of the differences themselves, whose
//! p-value is P(Σ ε_r d_r ≥ Σ d_r). With m runs it is at least 2^−m, so it speaks at .01 and says nothing at the gates' 1e-5.

use super::compare::{Gains, Pair};
use crate::registry::Scale;
use crate::study::plans::SEED;
use crate::study::{Arm, Base, Fit, PRINTED_REGRESSORS, Quantity, Results, Studies, StudyError};
use ebmbook::metrics::{one_sided_t, t_quantile};
use ebmbook::seed::Seed;
use rand::Rng;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Random flips of each comparison.
const FLIPS: usize = 2_000;
/// The studies with tables over runs.
const STUDIES: [&str; 7] =
    ["table1", "table2", "table-a1", "table-ridge", "table-power", "table-polynomial", "seeds"];

/// What came out for the comparisons of a study.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Signs {
    /// Which study.
    pub study: String,
    /// Comparisons of the EBM with another arm: settings, learners and protocols.
    pub comparisons: usize,
    /// Share of flipped comparisons that t calls positive at .05.
    pub size_05: f64,
    /// At .01.
    pub size_01: f64,
    /// The largest size at .01 of any comparison.
    pub worst_01: f64,
    /// Comparisons whose sign t calls certain at .01, on either side.
    pub t: usize,
    /// Those of them that the sign-flip test calls certain at .01, too.
    pub both: usize,
    /// Those that the sign-flip test alone calls certain at .01.
    pub flips_alone: usize,
}

/// Flips the signs of the committed differences of every study.
pub fn signs(folder: &Path) -> Result<Vec<Signs>, StudyError> {
    let committed = Studies::Published(folder.to_owned());
    STUDIES.iter().map(|study| Ok(of_study(study, &committed.results(study, Scale::Full)?))).collect()
}

fn of_study(study: &str, results: &Results) -> Signs {
    let quantities: Vec<Quantity> =
        PRINTED_REGRESSORS.into_iter().flat_map(Fit::all).map(Fit::pehe).collect();
    let rivals = Base::REDUCTIONS.into_iter().chain([Base::Raw]).map(Arm::of);
    let mut lists = Vec::new();
    for than in rivals {
        for protocol in [ebmbook::data::Protocol::Released, ebmbook::data::Protocol::Paper] {
            let here = super::compare::of(results, protocol);
            lists.extend(Gains::log_ratio(&here, Pair { lower: Arm::EBM, than }, &quantities).cells());
        }
    }
    lists.retain(|list| list.len() > 2 && list.iter().all(|d| d.is_finite()));
    let seed = Seed::new(SEED).child("signs").child(study);
    let each: Vec<Flipped> =
        lists.par_iter().enumerate().map(|(i, list)| flipped(list, seed.index(i))).collect();
    let share = |of: fn(&Flipped) -> f64| each.iter().map(of).sum::<f64>() / each.len() as f64;
    Signs {
        study: study.to_owned(),
        comparisons: each.len(),
        size_05: share(|f| f.size_05),
        size_01: share(|f| f.size_01),
        worst_01: each.iter().map(|f| f.size_01).fold(0.0, f64::max),
        t: each.iter().filter(|f| f.t).count(),
        both: each.iter().filter(|f| f.t && f.flips).count(),
        flips_alone: each.iter().filter(|f| !f.t && f.flips).count(),
    }
}

/// One comparison.
struct Flipped {
    size_05: f64,
    size_01: f64,
    t: bool,
    flips: bool,
}

fn flipped(list: &[f64], seed: Seed) -> Flipped {
    let m = list.len() as f64;
    let sum: f64 = list.iter().sum();
    let centred: Vec<f64> = list.iter().map(|d| d - sum / m).collect();
    let [at_05, at_01] = [0.05, 0.01].map(|p| t_quantile(p, m - 1.0));
    let mut rng = seed.rng();
    let (mut beyond_05, mut beyond_01, mut as_large) = (0, 0, 0);
    for _ in 0..FLIPS {
        let signs: Vec<f64> = list.iter().map(|_| if rng.random::<bool>() { 1.0 } else { -1.0 }).collect();
        let t = statistic(&signs.iter().zip(&centred).map(|(s, d)| s * d).collect::<Vec<_>>());
        beyond_05 += usize::from(t > at_05);
        beyond_01 += usize::from(t > at_01);
        // Rounding may move a sum of equal terms.
        let of_signs: f64 = signs.iter().zip(list).map(|(s, d)| s * d).sum();
        as_large += usize::from(of_signs.abs() >= sum.abs() * (1.0 - 1e-12));
    }
    let share = |count: usize| count as f64 / FLIPS as f64;
    let [won, lost] = one_sided_t(list);
    // Both ends of a symmetric law: half on either side. The differences themselves are one of the flips.
    let p = (1 + as_large) as f64 / (1 + FLIPS) as f64 / 2.0;
    Flipped { size_05: share(beyond_05), size_01: share(beyond_01), t: won.min(lost) < 0.01, flips: p < 0.01 }
}

fn statistic(list: &[f64]) -> f64 {
    let m = list.len() as f64;
    let mean = list.iter().sum::<f64>() / m;
    let variance = list.iter().map(|d| (d - mean).powi(2)).sum::<f64>() / (m - 1.0);
    mean / (variance / m).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_distr::{Distribution, StandardNormal};

    #[test]
    fn normal_runs_have_the_size_they_should_and_equal_signs_are_certain() {
        let of = |seed: u64| -> Vec<f64> {
            let mut rng = Seed::new(seed).rng();
            (0..10).map(|_| StandardNormal.sample(&mut rng)).collect()
        };
        let sizes: Vec<f64> = (0..200).map(|s| flipped(&of(s), Seed::new(s)).size_05).collect();
        let mean = sizes.iter().sum::<f64>() / 200.0;
        assert!((mean - 0.05).abs() < 0.005, "{mean}");
        let apart = flipped(&[1.0, 1.1, 0.9, 1.2, 1.05, 0.95, 1.3, 1.0, 0.8, 1.1], Seed::new(1));
        assert!(apart.t && apart.flips);
        // One wild run of ten: neither is certain.
        let wild = flipped(&[9.0, 0.1, -0.1, 0.2, -0.2, 0.1, 0.0, 0.1, -0.1, 0.05], Seed::new(1));
        assert!(!wild.t && !wild.flips);
    }
}

//! One hyper-parameter at a time, over the ranges the paper searched (b 1–10, k 3–25, 2–6 layers,
//! q 0.2–0.8), around the printed setting; and the scale of the noise, which it did not vary.
//!
//! The authors' B ends at k = 20, so the end of the range of k has Haar directions, at 20 and 25. k and the depth
//! change the shape of the network, so that an untrained network of that shape stands beside each of their values.

use super::{Method, Setting};
use crate::printed::Block;
use crate::study::{Arm, Base, Cell, Fit, Hyperparameter, LearnerKind, Scale};
use ebmbook::data::Protocol;
use ebmbook::ebm::{DirectionLaw, EbmParams, Objective};
use std::collections::BTreeSet;

pub(super) fn plan(scale: Scale) -> Vec<Cell> {
    // Sixteen runs left the comparison of the hyper-parameters open; what stands beside it needs no more.
    let (at, runs, beside): (&[(Block, usize)], _, _) = match scale {
        Scale::Full => {
            (&[(Block::SyntheticD100, 500), (Block::SyntheticD100, 1500), (Block::Twins, 1500)], OFFSET, 16)
        }
        Scale::Quick => (&[(Block::SyntheticD100, 500)], 6, 6),
    };
    // The sentence of the paper is about the printed objective. It takes longer, so it has two of the settings and fewer
    // runs, and the scale of the noise is left out.
    let printed: (&[(Block, usize)], _) = match scale {
        Scale::Full => (&[(Block::SyntheticD100, 500), (Block::Twins, 1500)], 12),
        Scale::Quick => (at, runs),
    };
    let fits = [LearnerKind::T, LearnerKind::R].map(Fit::kernel_ridge);
    let mut cells = Vec::new();
    let protocol = Protocol::Released;
    for setting in Setting::all().iter().filter(|s| at.contains(&(s.block, s.n))) {
        let data = setting.data(protocol);
        for (family, variants) in families(setting, scale).into_iter().enumerate() {
            for (arm, params) in variants {
                let method = Method::trained(arm, params, protocol);
                // The printed value is in every family: each has runs of its own, or one lucky set of runs
                // would count for all of them.
                let own = (family + 1) * OFFSET..(family + 1) * OFFSET + runs;
                cells.extend(own.map(|r| method.cell("sensitivity", setting, data.clone(), &fits, r)));
            }
        }
        if printed.0.contains(&(setting.block, setting.n)) {
            for (family, variants) in families(setting, scale).into_iter().enumerate().take(SENTENCE) {
                for (arm, params) in variants {
                    let arm = Arm { base: Base::EbmRanking, ..arm };
                    let method = Method::trained(arm, params.objective(Objective::Ranking), protocol);
                    let own = (family + 1) * OFFSET..(family + 1) * OFFSET + printed.1;
                    let fits = &[Fit::kernel_ridge(LearnerKind::R)];
                    cells.extend(own.map(|r| method.cell("sensitivity", setting, data.clone(), fits, r)));
                }
            }
        }
        let beside_all = [vec![Method::raw()], Method::beside(setting, protocol)].concat();
        for method in [beside_all, end_of_range(setting), before_the_first_step(setting, scale)].concat() {
            cells.extend((0..beside).map(|r| method.cell("sensitivity", setting, data.clone(), &fits, r)));
        }
    }
    cells
}

/// The families that the sentence of the paper is about come first: b, k, depth, q.
const SENTENCE: usize = 4;
/// Runs of a family begin here, so there are at most so many.
const OFFSET: usize = 100;

/// `b 3`, `k 10`, …: the printed setting with one thing changed, a list for each thing. The grids are spread
/// over the ranges and hold the printed value; at quick scale they are the ends of the range and the printed value.
fn families(setting: &Setting, scale: Scale) -> [Vec<(Arm, EbmParams)>; 5] {
    let grid = |spread: &[usize], printed: usize| {
        let ends = [spread[0], spread[spread.len() - 1]];
        let spread = if scale == Scale::Quick { &ends } else { spread };
        // In order, each once.
        spread.iter().copied().chain([printed]).collect::<BTreeSet<usize>>().into_iter()
    };
    let with_k = |k: usize| setting.with_k(k).ebm(Protocol::Released, Objective::Pairwise);
    let (b, k, layers, q) = setting.hyperparameters();
    let base = || with_k(k);
    let arm = |of: Hyperparameter, value: f64| Arm::EBM.with(of, value);
    let copies = grid(&[1, 3, 5, 10], b).map(|b| (arm(Hyperparameter::B, b as f64), base().copies(b)));
    let dimensions = grid(&[3, 5, 10, 15, 20], k).map(|k| (arm(Hyperparameter::K, k as f64), with_k(k)));
    let depths = grid(&[2, 3, 4, 6], layers)
        .map(|l| (arm(Hyperparameter::Layers, l as f64), base().hidden(&vec![20; l])));
    // In hundredths, as they are printed.
    let percent = grid(&[20, 35, 50, 65, 80], (100.0 * q).round() as usize).map(|p| p as f64 / 100.0);
    let corruptions = percent.map(|q| (arm(Hyperparameter::Q, q), base().corruption(q)));
    let noises = [0.1, 0.3, 1.0].map(|sd| (arm(Hyperparameter::Noise, sd), base().noise_sd(sd)));
    [copies.collect(), dimensions.collect(), depths.collect(), corruptions.collect(), noises.to_vec()]
}

/// `haar-k 20` and `haar-k 25`: the end of the range of k, with Haar directions.
fn end_of_range(setting: &Setting) -> Vec<Method> {
    let haar = |k: usize| {
        let ebm = setting.with_k(k).ebm(Protocol::Released, Objective::Pairwise);
        let arm = Arm::EBM.with(Hyperparameter::HaarK, k as f64);
        Method::trained(arm, ebm.directions(DirectionLaw::Haar), Protocol::Released)
    };
    [20, 25].map(haar).to_vec()
}

/// `untrained k 3`, …, `untrained layers 6`: networks of the shapes that are swept, before the first step.
fn before_the_first_step(setting: &Setting, scale: Scale) -> Vec<Method> {
    let [_, dimensions, depths, _, _] = families(setting, scale);
    let untrained = |(arm, params): (Arm, EbmParams)| {
        Method::untrained_with(params, Protocol::Released).called(Arm { base: Arm::UNTRAINED.base, ..arm })
    };
    dimensions.into_iter().chain(depths).map(untrained).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_printed_value_of_each_hyperparameter_is_in_its_grid() {
        let setting = &Setting::of(&[Block::Twins])[2];
        for scale in [Scale::Quick, Scale::Full] {
            let variants = families(setting, scale).into_iter().flatten();
            let names: Vec<String> = variants.map(|(arm, _)| arm.to_string()).collect();
            for printed in ["b 5", "k 16", "layers 6", "q 0.55"] {
                assert!(names.iter().any(|name| name == printed), "{printed}");
            }
        }
    }
}

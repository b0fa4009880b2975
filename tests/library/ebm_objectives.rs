//! What must hold of the objectives, whatever the energies.

use ebmbook::ebm::Objective;
use ebmbook::prelude::IntoEnumIterator;
use proptest::prelude::*;

/// A group: energies and log-weights of an original and 1 to 5 copies.
fn group() -> impl Strategy<Value = (Vec<f64>, Vec<f64>)> {
    (2usize..7).prop_flat_map(|size| {
        (prop::collection::vec(-30.0..30.0, size), prop::collection::vec(-30.0..30.0, size))
    })
}

fn weights(objective: Objective, weights: &[f64]) -> Vec<f64> {
    if objective.is_weighted() { weights.to_vec() } else { vec![] }
}

proptest! {
    #[test]
    fn ranking_equals_pairwise_at_one_copy(e in prop::array::uniform2(-50.0..50.0), w in -50.0..50.0) {
        // The kernel is symmetric: both candidates of a pair have the same weight.
        let ranking = Objective::Ranking.loss(&e, &[w, w]);
        let pairwise = Objective::Pairwise.loss(&e, &[]);
        // The weight is added and subtracted again: rounding of numbers up to 100.
        prop_assert!((ranking - pairwise).abs() < 1e-12, "{ranking} {pairwise}");
    }

    #[test]
    fn a_constant_added_to_every_energy_changes_nothing((e, w) in group(), c in -100.0..100.0) {
        let moved: Vec<f64> = e.iter().map(|e| e + c).collect();
        for objective in Objective::iter() {
            let w = weights(objective, &w);
            let (before, after) = (objective.loss(&e, &w), objective.loss(&moved, &w));
            // Energies up to 130 carry rounding of 130·2⁻⁵², a few of them are added.
            prop_assert!((before - after).abs() < 1e-12, "{objective:?}: {before} {after}");
        }
    }

    #[test]
    fn a_constant_added_to_one_direction_matters_when_candidates_use_different_ones((e, w) in group()) {
        // The released program scores the copies with the β of their own cluster: a partition
        // function that belongs to some candidates and not to others does not cancel.
        let mut moved = e.clone();
        moved[1..].iter_mut().for_each(|e| *e += 1.0);
        let w = weights(Objective::ReleasedProgram, &w);
        let change = Objective::ReleasedProgram.loss(&moved, &w) - Objective::ReleasedProgram.loss(&e, &w);
        // d loss = posterior of the copies, between 0 and 1, and not 0.
        prop_assert!(change > 0.0 && change <= 1.0 + 1e-12, "{change}");
    }

    #[test]
    fn losses_and_gradients_stay_finite(
        signs in prop::collection::vec(prop::sample::select(vec![-1e4, 0.0, 1e4]), 2..7),
    ) {
        let zero = vec![0.0; signs.len()];
        for objective in Objective::iter() {
            let mut gradient = vec![f64::NAN; signs.len()];
            let loss = objective.loss_and_gradient(&signs, &weights(objective, &zero), &mut gradient);
            prop_assert!(loss.is_finite() && loss >= 0.0, "{objective:?}: {loss}");
            prop_assert!(gradient.iter().all(|g| g.is_finite()), "{objective:?}: {gradient:?}");
            // Nothing is learned from a constant: the gradient sums to zero.
            prop_assert!(gradient.iter().sum::<f64>().abs() < 1e-12);
        }
    }

    #[test]
    fn gradients_are_those_of_central_differences((e, w) in group()) {
        for objective in Objective::iter() {
            let (w, h) = (weights(objective, &w), 1e-5);
            let mut gradient = vec![0.0; e.len()];
            objective.loss_and_gradient(&e, &w, &mut gradient);
            for a in 0..e.len() {
                let at = |step: f64| {
                    let mut moved = e.clone();
                    moved[a] += step;
                    objective.loss(&moved, &w)
                };
                let difference = (at(h) - at(-h)) / (2.0 * h);
                // ε·loss/h = 2e-16·100/1e-5 of rounding, h²/6 of truncation.
                prop_assert!((difference - gradient[a]).abs() < 1e-8, "{objective:?} {a}");
            }
        }
    }
}

#[test]
fn impossible_candidates_have_no_share() {
    let mut gradient = [0.0; 3];
    let w = [0.0, f64::NEG_INFINITY, 0.0];
    let loss = Objective::RankingExact.loss_and_gradient(&[0.0, -5.0, 0.0], &w, &mut gradient);
    assert_eq!(loss, 2.0_f64.ln());
    assert_eq!(gradient, [0.5, 0.0, -0.5]);
}

#[test]
fn a_loss_far_below_the_rounding_of_one_is_not_lost() {
    // 1 − posterior = e^{−100}: the difference of two logarithms near 0 would say 0.
    let loss = Objective::Ranking.loss(&[0.0, 0.0], &[0.0, -100.0]);
    assert!((loss / (-100.0_f64).exp() - 1.0).abs() < 1e-12, "{loss:e}");
}

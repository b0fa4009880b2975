//! The findings about the objective and the limit, at a size that runs in seconds; the program
//! (`ebmbook show`) runs them at full size.

use ebmbook::ebm::{Objective, Trainer};
use ebmbook::prelude::*;
use ebmbook::theory::{gaussian, mixture, saturation};
use rstest::rstest;

#[rstest]
#[case(2, 0.5, 0.83)]
#[case(2, 0.8, 0.93)]
#[case(5, 0.8, 0.92)]
fn ranking_is_not_consistent_for_two_or_more_copies(#[case] b: usize, #[case] q: f64, #[case] known: f64) {
    let found = gaussian::Scores::default().optimum(Objective::Ranking, b, q, 100_000, Seed::new(3)).unwrap();
    assert!(found.s + 4.0 * found.standard_error < 1.0, "{found:?}");
    // The known value has two digits and comes from 10⁶ draws (standard error at most .004).
    assert!((found.s - known).abs() < 4.0 * found.standard_error + 0.005 + 4.0 * 0.004, "{found:?}");
    let exact =
        gaussian::Scores::default().optimum(Objective::RankingExact, b, q, 100_000, Seed::new(3)).unwrap();
    assert!((exact.s - 1.0).abs() < 4.0 * exact.standard_error, "{exact:?}");
}

#[rstest]
#[case(Objective::Ranking, 1, 0.5)]
#[case(Objective::Ranking, 2, 1.0)]
#[case(Objective::Ranking, 5, 1.0)]
#[case(Objective::Pairwise, 5, 0.5)]
fn it_is_consistent_at_one_copy_and_without_an_atom(
    #[case] objective: Objective,
    #[case] b: usize,
    #[case] q: f64,
) {
    let found = gaussian::Scores::default().optimum(objective, b, q, 100_000, Seed::new(4)).unwrap();
    assert!((found.s - 1.0).abs() < 4.0 * found.standard_error, "{found:?}");
    assert!(found.standard_error < 0.02, "tight enough to see a bias of .08: {found:?}");
}

#[test]
fn energies_without_kernel_terms_are_not_consistent() {
    let found =
        gaussian::Scores::default().optimum(Objective::EnergyOnly, 5, 1.0, 100_000, Seed::new(5)).unwrap();
    assert!((found.s - 1.0).abs() > 10.0 * found.standard_error, "{found:?}");
}

#[rstest]
#[case(10, 3, 0.5, -2.2)]
#[case(48, 3, 0.5, -16.0)]
#[case(100, 2, 0.5, -19.0)]
#[case(250, 3, 0.5, -95.0)]
fn ranking_saturates(#[case] d: usize, #[case] b: usize, #[case] q: f64, #[case] median: f64) {
    let found = saturation::saturation(d, b, q, 1_000, Seed::new(1)).unwrap();
    // 1000 draws: the median moves by 1.25·sd/√1000, and the spread is about 0.35·|median| + 0.5.
    let tolerance = 4.0 * 1.25 * (0.35 * median.abs() + 0.5) / 1000.0_f64.sqrt() + 0.5;
    assert!((found.median - median).abs() < tolerance, "{found:?}");
    assert!(found.mean > found.median, "the mean is carried by the tail");
}

#[test]
fn a_saturated_objective_leaves_the_network_where_it_was() {
    let data = synthetic::Released::new(100, 250).unwrap().generate().train;
    let loss = |objective| {
        let params = Ebm::params(5).copies(3).objective(objective).epochs(1);
        Trainer::new(&params, data.covariates(), Seed::new(1)).unwrap().epoch().unwrap().unwrap().train
    };
    assert!(loss(Objective::Ranking) < 1e-6, "nothing to learn from the first step on");
    assert!(loss(Objective::Pairwise) > 0.5);
}

#[test]
fn agreement_rises_and_rank_falls_with_the_sample() {
    let rows = mixture::experiment(&[250, 2_000], 4, &Folds::Random, Seed::new(1)).unwrap();
    let (small, large) = (&rows[0], &rows[1]);
    assert!(large.mcc > small.mcc + 0.05 && large.mcc > 0.8, "{rows:?}");
    assert!(large.effective_rank.estimate < small.effective_rank.estimate, "{rows:?}");
    // The coordinate with the largest |(B1)_i| is the log-density first.
    assert!(large.with_log_density[4] > 0.95, "{rows:?}");
}

#[test]
fn folds_that_differ_keep_more_than_one_dimension() {
    let rank = |folds| {
        let rows = mixture::experiment(&[2_000], 4, &folds, Seed::new(1)).unwrap();
        rows[0].effective_rank
    };
    let (random, soft) = (rank(Folds::Random), rank(Folds::Soft { temperature: 1.0 }));
    assert!(soft.low > random.high, "random {random}, soft {soft}");
}

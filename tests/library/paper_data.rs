//! The generating process of the text: its laws hold, and every open choice does what it says.

use ebmbook::data::synthetic::{Index, Paper};
use ebmbook::metrics::correlation;
use ndarray::Axis;

const ROWS: f64 = 20_000.0;

#[test]
fn observed_outcomes_belong_to_the_arm_that_was_assigned() {
    let data = Paper::new(10, 500).unwrap().generate().unwrap();
    let (y0, y1) = data.train.potential_outcomes().unwrap();
    let (a, y) = (data.train.treatment().unwrap(), data.train.outcome().unwrap());
    assert!((0..500).all(|i| y[i] == if a[i] { y1[i] } else { y0[i] }));
    // The printed line, to the letter, gives each row the outcome of the other arm.
    let swapped = Paper::new(10, 500).unwrap().with_swapped_arms(true).generate().unwrap();
    let y = swapped.train.outcome().unwrap();
    assert!((0..500).all(|i| y[i] == if a[i] { y0[i] } else { y1[i] }));
}

#[test]
fn covariates_are_signal_of_the_stated_size_plus_unit_noise() {
    let data = Paper::new(20, 100).unwrap().with_signal_sd(2.0).generate().unwrap();
    for column in data.test.x().columns() {
        // Var = 2² + 1 = 5. For a Gaussian the variance has standard error 5·√(2/20 000) = .05; the
        // signal has heavier tails, and it was scaled on 10 000 other rows: allow ten of them.
        assert!((column.var(1.0) - 5.0).abs() < 0.5, "{}", column.var(1.0));
    }
}

#[test]
fn noisy_outcomes_scatter_around_the_noiseless_ones_with_unit_variance() {
    let data = Paper::new(5, 100).unwrap().generate().unwrap();
    let difference = data.test.noisy_effect().unwrap() - data.test.effect().unwrap();
    // Var(noise1 − noise0) = 2, standard error 2·√(2/n) = .02; five of them.
    assert!((difference.var(1.0) - 2.0).abs() < 5.0 * 2.0 * (2.0 / ROWS).sqrt());
}

#[test]
fn the_default_outcome_scale_gives_effects_comparable_to_the_noise() {
    let data = Paper::new(5, 100).unwrap().generate().unwrap();
    let sd = data.test.effect().unwrap().std(1.0);
    // Two log-normals of sd 1, correlated by chance: their difference has sd between 0 and 2.
    assert!((0.3..2.0).contains(&sd), "{sd}");
}

#[test]
fn treatment_follows_the_latent_unless_the_scale_is_zero() {
    let strongest = |scale: f64| {
        let data = Paper::new(5, 2).unwrap().with_propensity_scale(scale).generate().unwrap();
        let a = data.test.treatment().unwrap().mapv(|a| f64::from(u8::from(a)));
        let u = data.test.latent().unwrap();
        u.axis_iter(Axis(1)).map(|u| correlation(u, a.view()).abs()).fold(0.0, f64::max)
    };
    // Under no dependence each correlation has standard error 1/√n = .007; four of them.
    assert!(strongest(0.0) < 4.0 / ROWS.sqrt());
    assert!(strongest(1.0) > 20.0 / ROWS.sqrt());
}

#[test]
fn a_negative_intercept_makes_treated_rows_rare() {
    let data = Paper::new(5, 2).unwrap().with_propensity_intercept(-3.0).generate().unwrap();
    let share = data.test.treated().unwrap() as f64 / ROWS;
    // E σ(−3 + Z) ≈ .0717 for Z ~ N(0, 1) by quadrature.
    assert!((share - 0.0717).abs() < 0.01, "{share}");
}

#[test]
fn seeds_and_readings_change_the_data_and_nothing_else_does() {
    let base = || Paper::new(8, 50).unwrap();
    let one = base().generate().unwrap().train;
    assert_eq!(one, base().generate().unwrap().train);
    assert_ne!(one, base().with_seed(1).generate().unwrap().train);
    assert_ne!(one, base().with_index(Index::Hidden(16)).generate().unwrap().train);
    // The number of test rows leaves the training rows alone.
    assert_eq!(one, base().with_test_rows(10).generate().unwrap().train);
}

#[test]
fn parameters_outside_their_range_are_refused() {
    assert!(
        Paper::new(0, 10).is_err() && Paper::new(10, 1).is_err() && Paper::new(1_000_000, 1_000_000).is_err()
    );
    let error = Paper::new(5, 10).unwrap().with_outcome_scale(9.0).generate().unwrap_err();
    assert_eq!(error.to_string(), "outcome scale must lie in [0, 3], got 9");
    assert!(Paper::new(5, 10).unwrap().with_hidden(&[0]).generate().is_err());
    assert!(Paper::new(5, 10).unwrap().with_test_rows(0).generate().is_err());
    assert!(Paper::new(5, 10).unwrap().with_propensity_intercept(f64::NAN).generate().is_err());
}

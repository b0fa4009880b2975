use super::*;
use crate::ebm::{DirectionLaw, Directions};
use crate::seed::Seed;
use ndarray::Array1;

const VALUES: [f64; 3] = [0.0, 1.0, 3.0];

fn limit(world: &World, law: FoldLaw, seed: Seed) -> Limit {
    let k = law.probabilities(world).ncols();
    let b = Directions::new(DirectionLaw::Haar, k, seed).unwrap();
    Limit::new(world, law, &b, Array1::linspace(-1.0, 2.0, k).view(), f64::INFINITY)
}

#[test]
fn a_hidden_confounder_changes_nothing_that_can_be_seen_and_biases_effects() {
    for i in 0..20 {
        let (seen, hidden) = (pairs(&VALUES, Seed::new(i)), confounded(&VALUES, Seed::new(i)));
        assert!((seen.joint() - hidden.joint()).iter().all(|d| d.abs() < 1e-12));
        let strata = Strata::of(hidden.joint().view(), &hidden);
        assert!(strata.imbalance() < 1e-12 && strata.not_ignorable() > 1e-3);
        assert!(strata.errors()[0] > 1e-3);
    }
}

#[test]
fn each_fold_law_keeps_what_its_name_says() {
    let world = pairs(&VALUES, Seed::new(3));
    let strata = |law| Strata::of(limit(&world, law, Seed::new(4)).modulo_b1.view(), &world);
    let bins = [0, 1, 2];
    assert_eq!(strata(FoldLaw::Random(6)).len(), 1);
    // Fives of points: four with one propensity, three with one law of the outcome.
    assert_eq!(strata(FoldLaw::Arm).len(), 6);
    assert_eq!(strata(FoldLaw::Outcome(&bins)).len(), 9);
    assert_eq!(strata(FoldLaw::ArmOutcome(&bins)).len(), 12);
    // Two values in a bin.
    assert_eq!(strata(FoldLaw::ArmOutcome(&[0, 0, 1])).len(), 9);
    // Arms mend the confounding and lose what the effects differ in.
    let [_, bias, lost] = strata(FoldLaw::Arm).errors();
    assert!(bias < 1e-12 && lost > 0.01, "{bias} {lost}");
    assert!(strata(FoldLaw::Outcome(&bins)).errors()[1] > 0.01);
    assert!(strata(FoldLaw::ArmOutcome(&bins)).errors()[0] < 1e-12);
}

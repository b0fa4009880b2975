// exercise 1
fn solved_loss(energies: &[f64], log_weights: &[f64]) -> f64 {
    let joint: Vec<f64> = energies.iter().zip(log_weights).map(|(e, w)| (w - e).exp()).collect();
    -(joint[0] / joint.iter().sum::<f64>()).ln()
}
let truth = Objective::Ranking.loss(&three, &weights);
Answer::close(solved_loss(&three, &weights), truth, 1e-6, "")
// Candidate a has the weight exp(-energy) times its kernel terms; the posterior of the row is its share.

// exercise 2
let (strong, weak) = (best_theta(100_000, 1.0, |copy| copy, Seed::new(9)), best_theta(100_000, 0.1, |copy| copy, Seed::new(9)));
let outcome = if weak.abs() < 1.0 { "truth" } else if weak < 1.2 * strong { "away" } else { "larger" };
Answer::word("away", outcome, "")
// Push and pull both weaken with the square of the noise.

// exercise 3
let (end, middle) = (interval::acceptance(0.0), interval::acceptance(0.5));
let my_factor = middle / end;
let learned = interval::optimum(Contrast::ResampledWithoutTerms, 1).spread() + 1.0;
Answer::close(my_factor, learned, 1e-3, "")
// p is divided by the probability of acceptance, which is smallest at the ends.

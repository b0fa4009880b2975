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
let my_factor = 2.0;
fn inside(x: f64, sd: f64) -> f64 {
    let points = Array2::from_elem((100_000, 1), x);
    let unit = Covariates::continuous(array![[0.0], [1.0]]).unwrap();
    let kernel = NoiseKernel::new(&unit, 1.0).unwrap().with_sd(sd).unwrap();
    let copies = kernel.corrupt(points.view(), 1, Seed::new(8)).unwrap();
    copies.iter().filter(|copy| (0.0..=1.0).contains(*copy)).count() as f64 / 100_000.0
}
Answer::close(my_factor, inside(0.5, 0.05) / inside(0.0, 0.05), 0.03, "")
// Weak noise never leaves from the middle; from the end it leaves half of the time. p is divided by 1 and by a half.

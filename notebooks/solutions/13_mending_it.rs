// exercise 1
fn solved(e: ArrayView1<f64>, shares: ArrayView1<f64>) -> f64 {
    let mass = Array1::from_shape_fn(4, |j| shares[j] * (-e[j]).exp());
    (mass[2] + mass[3]) / mass.sum()
}
let shares = p_x.dot(&p_j);
let densities = &p_j * &p_x.view().insert_axis(Axis(1)) / &shares;
let e = centred(&-densities.mapv(f64::ln));
Answer::close(solved(e.row(2), shares.view()), pi[2], 1e-9, "")
// An energy holds the density of a fold, p(x | j); times the share of the fold it is p(x) P(j | x).

// exercise 2
let my_difference = -confounding;
fn odds(confounding: f64, x1: f64) -> f64 { (confounding * x1).exp() }
fn chances(odds: f64) -> [f64; 2] { [1.0 / (1.0 + odds), odds / (1.0 + odds)] }
let chance: Array2<f64> = array![chances(odds(confounding, 0.0)), chances(odds(confounding, 1.0))];
let e = centred(&-chance.mapv(f64::ln));
let step = (e[[1, 1]] - e[[1, 0]]) - (e[[0, 1]] - e[[0, 0]]);
Answer::close(my_difference, step, 1e-6, "")
// e_1 − e_0 is minus the log-odds of treatment plus a constant, and the log-odds are confounding · x1.

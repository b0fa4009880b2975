// exercise 1
fn solved_weight(v: &[f64], a: usize, q: f64) -> f64 {
    let others: Vec<f64> = (0..v.len()).filter(|i| *i != a).map(|i| v[i]).collect();
    // A value that two others share is the original's.
    let shared = (0..others.len()).any(|i| (0..i).any(|j| others[i] == others[j]));
    if shared && others.iter().all(|o| *o != v[a]) {
        return f64::NEG_INFINITY;
    }
    let normal = |z: f64| -0.5 * z * z - 0.5 * std::f64::consts::TAU.ln();
    others.iter().map(|o| if *o == v[a] { (1.0 - q).ln() } else { q.ln() + normal(o - v[a]) }).sum()
}
let log_p = v.mapv(|x| -0.5 * x * x);
let mine = posterior(log_p.view(), Array1::from_shape_fn(3, |a| solved_weight(&v.to_vec(), a, q)).view())[0];
let right = posterior(log_p.view(), exact_weights(&kernel, &group).row(0))[0];
Answer::close(mine, right, 1e-6, "")
// The candidate without the shared value cannot be the original.

// exercise 2
let all_moved = NoiseKernel::new(&hundred, 1.0).unwrap();
let change = left(&all_moved.clone().with_sd(0.1).unwrap(), &hundred) - left(&all_moved, &hundred);
let outcome = if change.abs() < 0.01 { "same" } else if change > 0.0 { "up" } else { "down" };
Answer::word("same", outcome, "")
// Measured in standard deviations nothing has changed.

// exercise 3
let my_dimension = (1..200).find(|d| contrast::contrast(*d, 1.0).accuracy > 0.999).unwrap() as f64;
let smallest = (1..200).find(|d| contrast::contrast(*d, 1.0).accuracy > 0.999).unwrap();
Answer::close(my_dimension, smallest as f64, 0.1, "")
// The length of a row plus noise concentrates quickly.

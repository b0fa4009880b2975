// exercise 1
let my_share = 0.7_f64.powi(6);
let six = Covariates::continuous(Array2::from_shape_fn((2, 6), |(i, _)| i as f64)).unwrap();
let six_copies = NoiseKernel::new(&six, 0.3).unwrap().corrupt(six.x().slice(s![..1, ..]), 200_000, Seed::new(6)).unwrap();
let equal = six_copies.slice(s![0, .., ..]).rows().into_iter().filter(|c| c.iter().all(|v| *v == 0.0)).count();
Answer::close(my_share, equal as f64 / 200_000.0, 0.004, "Each feature stays with probability 1 - q, and they are independent.")
    .mistake(0.3_f64.powi(6), "That is the share in which every feature moved.")
    .mistake(0.7, "That is one feature; there are six.")
    .mistake(1.0 - 0.3_f64.powi(6), "That is the share in which at least one feature stayed.")
// Six independent features, each left alone with probability 1 - q = 0.7.

// exercise 2
fn by_value_kernel(x_tilde: f64, x: f64, m: f64, q: f64) -> f64 { if x_tilde == x { 1.0 - q } else { q / m } }
let six_rows = array![[0.0, 0.0], [0.0, 1.0], [0.0, 2.0], [1.0, 0.0], [1.0, 1.0], [1.0, 2.0]];
let mine: f64 = six_rows.rows().into_iter().map(|v| by_value_kernel(v[0], 0.0, 2.0, 0.4) * by_value_kernel(v[1], 0.0, 3.0, 0.4)).sum();
let truth = literal_categorical(six_rows.view(), 0.4).column(0).mapv(f64::exp).sum();
Answer::close(mine, truth, 1e-9, "Two cases: equal values, values that differ. Equal means: not hit.")
    .mistake(1.0, "It sums to one: you have summed the indicator out. Here the indicator is read off the values.")
    .mistake((0.6 + 0.4) * (0.6 + 2.0 * 0.4), "A value that differs was hit (q) and drawn from m values.")
    .mistake((0.6 + 0.2) * (0.6 + 0.4 / 3.0), "There are two other values when m is three. Does your function depend on x_tilde as it should?")
// Each feature misses the q/m of "hit and drawn as itself", so the sum is (1 - q/2)(1 - q/3).

// exercise 3
let my_word: &'static str = "down";
fn ruled_out(q: f64) -> f64 {
    let rows = Covariates::continuous(Array2::from_shape_fn((2_000, 2), |(i, s)| (i * 2 + s) as f64)).unwrap();
    let kernel = NoiseKernel::new(&rows, q).unwrap();
    let copies = kernel.corrupt(rows.x(), 2, Seed::new(7)).unwrap();
    let groups = Array3::from_shape_fn((2_000, 3, 2), |(i, a, s)| if a == 0 { rows.x()[[i, s]] } else { copies[[i, a - 1, s]] });
    kernel.possible_originals(groups.view()).unwrap().iter().filter(|p| !**p).count() as f64 / 6_000.0
}
let (half, nearly, always) = (ruled_out(0.5), ruled_out(0.9), ruled_out(1.0));
let direction = if half > nearly && nearly > always { "down" } else { "up" };
Answer::word(my_word, direction, "What does a group look like when every feature of every copy moves?")
    .mistaken_word("up", "More noise means fewer shared values, and only shared values rule anybody out.")
    .mistaken_word("stay", "The share of coordinates that are kept is 1 - q. Does it stay?")
// Only a shared value rules a candidate out, and at q = 1 no value is shared.

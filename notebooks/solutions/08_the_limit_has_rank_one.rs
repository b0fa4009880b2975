// exercise 1
let my_rank = 25.0 / 11.0;
let eigenvalues = [3.0, 1.0, 1.0, 0.0, 0.0_f64];
let (sum, squares) = (eigenvalues.iter().sum::<f64>(), eigenvalues.iter().map(|l| l * l).sum::<f64>());
Answer::close(my_rank, sum * sum / squares, 0.01, "")
// (3 + 1 + 1)² / (9 + 1 + 1).

// exercise 2
let my_sum = 7.0;
let seven = Directions::new(DirectionLaw::Haar, 7, Seed::new(4)).unwrap();
let truth = seven.limit_scale().mapv(|s| s * s).sum();
Answer::close(my_sum, truth, 1e-6, "")
// B keeps lengths, and the vector of ones has length √k.

// exercise 3
let my_direction = "down";
let [before, after] = [500, 1_000].map(|n| effective_rank(&trained(n, Folds::Random, 11).embed(test.view()).unwrap()));
Answer::word(my_direction, if after < before { "down" } else { "up" }, "")
// The limit is one, and it is approached from above.

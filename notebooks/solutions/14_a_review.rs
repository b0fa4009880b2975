// exercise 1
let my_limit = 1.0;
let scale = b_of(8).sum_axis(Axis(1));
let limit_f = Array2::from_shape_fn((log_p.len(), 8), |(i, j)| -log_p[i] * scale[j]);
let smallest = (0..8).map(|j| correlation(limit_f.column(j), log_p.view()).abs()).fold(1.0, f64::min);
Answer::close(my_limit, smallest, 1e-6, "")
// Every coordinate is (B1)_i times the log density: more coordinates are more copies of one function.

// exercise 2
let my_column = "zero";
let best = baselines.iter().filter(|(name, _)| *name != "oracle").min_by(|a, b| a.1.total_cmp(&b.1)).unwrap().0.to_string();
Answer::word(my_column, &best, "")
// Predicting no effect needs no data, and at this setting it beats every learner of the row.

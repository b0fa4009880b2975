// exercise 1
let my_prediction = 20.0 / 21.0;
let twenty = Array2::from_shape_fn((20, 2), |(i, j)| if j == 0 { i as f64 - 9.5 } else { 1.0 });
let truth = predictions(RegressorKind::KernelRidge, &twenty, &Array1::ones(20))[0];
Answer::close(my_prediction, truth, 5e-4, "")
// The centred feature has no say; the column of ones has Σ x² = 20 and the penalty adds one.

// exercise 2
let my_word = "less than twice";
let two = synthetic::Released::new(d, n).unwrap().generate().shift_treated(2.0);
let ratio = cost_of_zero(&two) / cost_of_zero(&shifted);
Answer::word(my_word, if ratio > 2.0 { "more than twice" } else if ratio < 2.0 { "less than twice" } else { "twice" }, "")
// The squared mean grows fourfold, and the variance of the effect stays.

// exercise 1
let my_mcc = 0.6;
let signs = array![1.0, 1.0, -1.0, 1.0, 1.0];
Answer::close(my_mcc, mcc(&[two[0].clone(), &two[0] * &signs]), 1e-6, "")
// (4 − 1) / 5.

// exercise 2
let my_word = "small";
let estimates: Vec<f64> = (0..5).map(|_| train.difference_in_means().unwrap()).collect();
let spread = Array1::from(estimates).std(0.0);
Answer::word(my_word, if spread < 1e-9 { "small" } else { "large" }, "")
// On a constant every run estimates the difference in means, which has no seed.

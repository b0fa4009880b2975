// exercise 1
let my_count: u32 = 9;
let five = representation(&x, arm_outcome(&a, &y, 5).folds(), 10, 1);
let truth = five.modulo_b1(x.view()).unwrap().ncols() as u32;
Answer::close(my_count, truth, 0.1, "")
// Two arms times five bins are ten energies; one direction, that of their mean, is dropped.

// exercise 2
let my_word = "nothing";
let odds = array![0.5, 0.5, 0.5].mapv(|p: f64| (p / (1.0 - p)).ln());
Answer::word(my_word, if odds.std(0.0) > 0.0 { "something" } else { "nothing" }, "")
// What is left are the log-odds of the arm, and a coin has the same at every x.

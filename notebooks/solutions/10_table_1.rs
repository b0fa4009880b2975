// exercise 1
let my_n: u32 = 1_500;
let first_n = [100, 250, 500, 1_000, 1_500].into_iter().find(|n| beats_zero(*n)).unwrap();
Answer::close(my_n, first_n as u32, 0.5, "")
// A hundred covariates need many rows before the regression is better than no answer at all.

// exercise 2
let my_word = "down";
Answer::word(my_word, if gain(&t1, 1_500) < gain(&t1, 100) { "down" } else { "up" }, "")
// The regression on all covariates improves with n; the EBM has little left to gain.

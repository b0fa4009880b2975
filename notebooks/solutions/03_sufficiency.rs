// exercise 1
let my_share = 1.0 / (2.0 + 2.0 * (-3.0_f64).exp());
let truth = share_of_first(&f, &[0, 1, 2, 3], array![3.0, 0.0].view());
Answer::close(my_share, truth, 5e-4, "")
// The first two points have weight 1, the last two e^−3.

// exercise 2
let my_delta = array![-2.8, -0.4];
let two = array![[0.6, 0.8], [0.8, -0.6]];
let spread = sufficiency::log_ratio_spread(my_delta.view(), two.view());
Answer::new(spread < 1e-9 && my_delta.dot(&my_delta) > 0.0, format!("{my_delta}"), "")
// Any multiple of the sum of the two columns, B1 = (1.4, 0.2).

// exercise 3
let my_word = "yes";
let sums = Array2::from_shape_fn(f.dim(), |(i, j)| if j == 0 { f[[i, 0]] } else { f[[i, 0]] + f[[i, 1]] });
let gap = sufficiency::conditional_gap(f.view(), sums.view(), betas.t());
Answer::word(my_word, if gap < 1e-12 { "yes" } else { "no" }, "")
// f can be computed from it by a subtraction.

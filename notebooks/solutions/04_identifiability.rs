// exercise 1
let my_answer = 4.0;
let truth = b.dot(&array![5.0, 0.0]);
Answer::close(my_answer, truth[1], 0.01, "you want B'C = (5, 0); multiply both sides by B")
    .mistake(b.t().dot(&array![5.0, 0.0])[1], "the directions are the columns of B, you used its rows")
    .mistake(0.0, "C = (5, 0) moves both energies, because both directions see the first coordinate")
    .mistake(truth[0], "that is the first coordinate of C")
// B'C = (5, 0) gives C = B(5, 0) = 5 times the first direction = (3, 4).

// exercise 2
fn my_gap(f: &Array2<f64>, g: &Array2<f64>) -> f64 {
    let d = f - g;
    (&d - &d.mean_axis(Axis(0)).unwrap()).iter().fold(0.0, |m: f64, v| m.max(v.abs()))
}
let left = array![[0.0, 1.0], [1.0, 5.0], [5.0, 0.0]];
let right = array![[4.0, -2.0], [1.0, 0.0], [2.0, 3.0]];
let d = &left - &right;
Answer::close(my_gap(&left, &right), constant_gap(left.view(), right.view()), 1e-9,
    "subtract, take the mean of each column off, then the largest absolute value")
    .mistake(d.iter().fold(0.0_f64, |m, v| m.max(v.abs())), "you kept the constant: f and f + C must have distance 0")
    .mistake((&d - d.mean().unwrap()).iter().fold(0.0_f64, |m, v| m.max(v.abs())), "C is a vector: each column has a mean of its own")
    .mistake((&d - &d.mean_axis(Axis(0)).unwrap()).iter().fold(0.0_f64, |m, v| m.max(*v)),
        "a large negative entry counts, too: take absolute values")
// The mean of each column of f - g is the constant vector C; what is left is what the densities can see.

// exercise 3
let my_answer = 2.0;
let five = Directions::new(DirectionLaw::Haar, 5, Seed::new(8)).unwrap();
let singular = ebmbook::linalg::thin_svd(five.matrix().slice(s![.., ..3])).1;
let known = singular.iter().filter(|v| **v > 1e-9).count() as f64;
Answer::close(my_answer, 5.0 - known, 0.1, "count equations and unknowns at one x")
    .mistake(known, "that many are known; the question is what stays open")
    .mistake(0.0, "no: k densities are needed for k coordinates, see the row 'one density unknown'")
    .mistake(5.0, "each density gives one equation, so something is known")
// Three densities are three equations for five unknowns: the components along the two missing directions stay open.

// exercise 1
let my_answer = -1.0;
let point = &b_one * -3.0 + &b.column(0) * 2.0;
let truth = b.column(0).dot(&point);
Answer::close(my_answer, truth, 1e-6, "multiply f by the first column of B; the columns are orthonormal")
    .mistake(-3.0, "that is what the other directions see: the first one sees the extra term as well")
    .mistake(-5.0, "check the sign of the extra term")
    .mistake(1.0, "the energy is +β'f; the first term of f has a minus of its own")
// The first column of B sees B1 as 1 and itself as 1: -3 + 2.

// exercise 2
let my_answer = 0.28;
fn off(middle: f64, factor: f64) -> f64 {
    let tilt = [middle / factor, middle, middle * factor];
    tilt.iter().zip([1.0, 0.2, 0.6]).fold(0.0, |m: f64, (t, p)| m.max((t - p).abs()))
}
let truth = (1..500).flat_map(|m| (1..300).map(move |f| off(m as f64 / 500.0, f as f64 / 300.0)))
    .fold(1.0, f64::min);
Answer::close(my_answer, truth, 0.006, "")
// A tilt within e is at least 1 - e and 0.6 - e at the ends, and its middle, at most 0.2 + e, is their geometric mean:
// (0.2 + e)^2 = (1 - e)(0.6 - e) gives 0.04 + 0.4 e = 0.6 - 1.6 e, so e = 0.28.

// exercise 3
let my_answer = 4.0;
let fine = Grid::quadrature(1, -1.0, 1.0, 160); // so fine that the grid plays no part
let tall = fine.points.column(0).mapv(raw_target);
let dense = &tall / fine.integrate(tall.view());
let truth = network_error(&fine, &dense, &b, &even(64)) / network_error(&fine, &dense, &b, &even(128));
Answer::close(my_answer, truth, 0.5,
    "between two kinks g is straight; how far is a curve from its chord when the chord is half as long?")
    .mistake(2.0, "the distance of a curve from a chord falls with the square of the length")
    .mistake(8.0, "one power too many: the curvature is bounded, but it does not vanish")
    .mistake(1.0, "look at the slope of the line 'kinks evenly spread' in the figure")
// A smooth curve is off its chord by the square of the chord's length: half the length, a quarter of the error.

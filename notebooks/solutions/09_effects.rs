// exercise 1
fn my_score(y: f64, treated: bool, m0: f64, m1: f64, e: f64) -> f64 {
    m1 - m0 + if treated { (y - m1) / e } else { -(y - m0) / (1.0 - e) }
}
let chance: f64 = 0.2; // of treatment
let mu = [1.0, 3.0];   // E[Y | A = 0] and E[Y | A = 1]
let mine = chance * my_score(mu[1], true, 0.0, 0.0, chance) + (1.0 - chance) * my_score(mu[0], false, 0.0, 0.0, chance);
Answer::close(mine, mu[1] - mu[0], 1e-9,
    "the formula stands above dr_learner; what does it say for a treated and for a control patient?")
    .mistake(0.0, "this is the plug-in m1 - m0 alone; the residuals are missing")
    .mistake(mu[1] + mu[0], "the correction of a control patient lowers the score: mind its sign")
    .mistake(chance * mu[1] - (1.0 - chance) * mu[0], "divide each residual by the probability of the arm that was seen")
// Each residual is divided by the probability of the arm that was seen, and that of a control counts negatively.

// exercise 2
let my_answer = 2.0;
let mixed = Design { propensity: |_, _| 0.5, control_mean: |x, _| x, effect: |x, y| 2.0 + x * y };
Answer::close(my_answer, on_circle(&mixed, 1.0), 1e-6, "average the effect over the circle")
    .mistake(3.0, "that is the effect at the point (1, 1); the learner sees the whole circle")
    .mistake(2.5, "that is the largest effect on the circle")
    .mistake(0.0, "x1 x2 averages out, but the 2 stays")
// Treatment is randomised, so the learner reports the mean effect on the circle, and x1 x2 averages to zero there.

// exercise 3
let my_answer = "below";
let turned = Design { propensity: |x, _| propensity(-x, 0.0), ..Design::POSITIVE_CONSTANT };
let seen = on_circle(&turned, 1.5);
let side = if seen > 1.0 + 1e-9 { "above" } else if seen < 1.0 - 1e-9 { "below" } else { "equal" };
Answer::word(my_answer, side, "who is treated on a circle, and how would they do without treatment?")
    .mistaken_word("above", "that was the old clinic, where those who do well anyway were treated")
    .mistaken_word("equal", "the disc is symmetric, but treated and controls are not the same people")
    .mistaken_word("higher", "answer above, below or equal")
// The treated now have small x1, which lowers their outcome; the learner takes that for a smaller effect.

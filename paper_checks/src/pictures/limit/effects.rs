//! What the limit does to effects: a learner that sees log p_X and nothing else.

use ebmbook::show::{Answer, Figure, Table, table};
use ebmbook::theory::limit::{Design, estimates_by_bin, limit_error};

fn design(name: &str) -> Design {
    match name {
        "randomised, radial" => Design::RANDOMISED_RADIAL,
        "randomised, linear" => Design::RANDOMISED_LINEAR,
        "confounded" => Design::CONFOUNDED_CONSTANT,
        _ => panic!("no design is called `{name}`"),
    }
}

/// The limit of PEHE for a learner that sees only log p_X, split into bias and loss.
pub fn designs() -> Table {
    let header = ["design", "limit of PEHE", "bias by confounding", "lost by the representation"];
    ["randomised, radial", "randomised, linear", "confounded"].iter().fold(
        table("Effects estimated from log p_X alone", &header),
        |t, name| {
            let e = limit_error(&design(name));
            // Quadrature is good to about ten digits; less is nothing.
            let tidy = |v: f64| if v < 1e-6 { 0.0 } else { v };
            t.numbers(*name, &[tidy(e.pehe), tidy(e.bias), tidy(e.lost)])
        },
    )
}

/// Estimates of an effect of 1 in the confounded design, in equally likely bins of p_X from the mode
/// outwards.
pub fn estimates(count: usize) -> Vec<f64> {
    estimates_by_bin(&Design::CONFOUNDED_CONSTANT, count).to_vec()
}

/// [`estimates`] as bars.
pub fn bins(count: usize) -> Figure {
    let estimates = estimates(count);
    let names: Vec<String> = (1..=count).map(|i| i.to_string()).collect();
    let bars: Vec<(f64, f64, f64, f64)> =
        estimates.iter().enumerate().map(|(i, e)| (i as f64, *e, *e, *e)).collect();
    Figure::new("An effect of 1 for everybody, as estimated from log p_X")
        .x("part of the population, from the mode outwards")
        .y("estimated effect")
        .x_categories(&names)
        .bars("confounded design, exact limit", &bars)
        .level("true effect", 1.0)
}

/// Exercise 3: what a learner on log p_X reports for τ = 2 + x₁ x₂ with X ~ N(0, I₂), randomised.
pub fn exercise_product(effect: f64) -> Answer {
    Answer::close(effect, 2.0, 1e-9, "What is the mean of x₁ x₂ on a circle around the mode?")
}

/// Exercise 4: the estimate in the outermost of twelve bins.
pub fn exercise_outermost(estimate: f64) -> Answer {
    let truth = estimates(12)[11];
    Answer::close(
        estimate,
        truth,
        1e-2,
        "`lesson::estimates` returns a list; ask for twelve and take the last.",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_exercise_can_be_right_and_wrong() {
        assert!(exercise_product(2.0).is_right() && !exercise_product(0.0).is_right());
        assert!(!exercise_outermost(1.0).is_right());
    }
}

//! Pictures of the limit: what the representation becomes with endless data, and what that does to effects.

use crate::context::Context;
use ebmbook::data::Covariates;
use ebmbook::ebm::{DirectionLaw, Directions, Ebm, Folds};
use ebmbook::seed::Seed;
use ebmbook::show::Figure;
use ebmbook::theory::limit::{Design, estimates_by_bin};
use ebmbook::theory::mixture;
use ndarray::{Array1, Array2};

/// A network trained on n rows of the mixture, with its values at test points.
#[derive(Clone, Debug)]
pub struct Trained {
    n: usize,
    f: Array2<f64>,
    log_p: Array1<f64>,
}

/// Trains on n rows and looks at 2000 others.
///
/// # Panics
/// If training fails, which is a fault of the library.
pub fn train(n: usize, folds: &str, context: &Context) -> Trained {
    let folds: Folds = folds.parse().expect("random, all, k-means or soft");
    let seed = context.seed.child("limit").index(n);
    let train = Covariates::continuous(mixture::sample(n, seed.child("sample"))).expect("finite rows");
    let test = mixture::sample(2_000, context.seed.child("limit test"));
    let ebm = Ebm::fit(&mixture::params(n).folds(folds), &train, seed.child("run")).expect("training works");
    let f = ebm.embed(test.view()).expect("two covariates");
    Trained { n, f, log_p: mixture::log_density(test.view()) }
}

impl Trained {
    /// Two coordinates of f against the log density.
    pub fn against_log_density(&self) -> Figure {
        let points = |i: usize| -> Vec<(f64, f64)> {
            (0..self.f.nrows()).step_by(8).map(|r| (self.log_p[r], self.f[[r, i]])).collect()
        };
        Figure::new(format!("Two coordinates of f against log p_X, n = {}", self.n))
            .x("log p_X(x), nats")
            .y("coordinate of f, standardised")
            .scatter("first coordinate", &points(0))
            .scatter("fifth coordinate", &points(4))
    }
}

/// The scale (B1)_i of each coordinate in the limit, for the authors' own directions.
///
/// # Panics
/// If the authors' directions for this k are not known.
pub fn scales(k: usize) -> Figure {
    let b = Directions::new(DirectionLaw::Authors, k, Seed::new(1)).expect("a k that the authors used");
    let scale = b.limit_scale().mapv(f64::abs);
    let names: Vec<String> = (1..=k).map(|i| i.to_string()).collect();
    let bars: Vec<(f64, f64, f64, f64)> =
        scale.iter().enumerate().map(|(i, s)| (i as f64, *s, *s, *s)).collect();
    Figure::new(format!("How much of the limit each coordinate carries, k = {k}"))
        .x("coordinate")
        .y("|(B1)_i|")
        .x_categories(&names)
        .bars("authors' directions", &bars)
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

//! What is searched, and where to look next.

use ebmbook::seed::Seed;
use optimizer::distribution::{Distribution, FloatDistribution, IntDistribution};
use optimizer::param::ParamValue;
use optimizer::parameter::ParamId;
use optimizer::sampler::{CompletedTrial, GpSampler, Sampler};
use rand::Rng;
use serde::Serialize;
use std::collections::HashMap;

/// Points drawn without a look at any score, before the Gaussian process has enough to go by.
pub const STARTUP: usize = 10;
/// Variance of the noise in a score, in units of its variance over the points: a run with another seed scores otherwise.
const NOISE: f64 = 0.1;

/// A choice of hyper-parameters, in the ranges of Table A.7.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Point {
    /// Corrupted copies, 1 to 10.
    pub b: usize,
    /// Coordinates, 3 to 25.
    pub k: usize,
    /// Hidden layers, 2 to 6.
    pub layers: usize,
    /// Corruption probability, 0.20 to 0.80 in steps of 0.05, as the chosen ones are printed.
    pub q: f64,
}

impl Point {
    /// The point that is expected to improve most on those that were tried, by scores of which less is better: a Gaussian
    /// process with a Matérn kernel, and the best of a thousand random candidates. The first ten are uniform.
    ///
    /// ```
    /// use ebmbook::seed::Seed;
    /// use paper_checks::study::sweep::Point;
    /// let first = Point::propose(Seed::new(1), &[]);
    /// assert_eq!(first, Point::propose(Seed::new(1), &[]), "it depends on its arguments alone");
    /// assert_ne!(first, Point::propose(Seed::new(2), &[]));
    /// // A score that falls with b is followed to the end of its range.
    /// let mut tried = Vec::new();
    /// for trial in 0..40 {
    ///     let point = Point::propose(Seed::new(1).index(trial), &tried);
    ///     tried.push((point, -(point.b as f64)));
    /// }
    /// assert!(tried[30..].iter().all(|(point, _)| point.b > 5));
    /// ```
    pub fn propose(seed: Seed, tried: &[(Self, f64)]) -> Self {
        let optimiser = GpSampler::builder()
            .n_startup_trials(STARTUP)
            .noise_variance(NOISE)
            .seed(seed.rng().random())
            .build();
        let (space, ids) = (space(), [(); 4].map(|()| ParamId::new()));
        let next = |trial, history: &[CompletedTrial]| {
            space.each_ref().map(|dimension| optimiser.sample(dimension, trial, history))
        };
        // A fresh optimiser learns the space from one trial, and the next is uniform whatever its history.
        next(0, &[]);
        let uniform = next(1, &[]);
        if tried.len() < STARTUP {
            return Self::of(&uniform);
        }
        let completed = |(point, score): &(Self, f64)| {
            let params = HashMap::from_iter(ids.into_iter().zip(point.values()));
            let space = HashMap::from_iter(ids.into_iter().zip(space.clone()));
            CompletedTrial::new(0, params, space, HashMap::new(), *score)
        };
        Self::of(&next(2, &tried.iter().map(completed).collect::<Vec<_>>()))
    }

    fn values(&self) -> [ParamValue; 4] {
        let whole = |value: usize| ParamValue::Int(value as i64);
        [whole(self.b), whole(self.k), whole(self.layers), ParamValue::Float(self.q)]
    }

    fn of(values: &[ParamValue; 4]) -> Self {
        let number = |at: usize| match values[at] {
            ParamValue::Float(value) => value,
            ParamValue::Int(value) => value as f64,
            ParamValue::Categorical(_) => unreachable!("the space has none"),
        };
        let [b, k, layers] = [0, 1, 2].map(|at| number(at) as usize);
        // 0.2 + 3 · 0.05 is not the nearest number to 0.35.
        Self { b, k, layers, q: (100.0 * number(3)).round() / 100.0 }
    }
}

/// b, k, hidden layers, q.
fn space() -> [Distribution; 4] {
    let whole = |low, high| Distribution::Int(IntDistribution { low, high, log_scale: false, step: None });
    let q = FloatDistribution { low: 0.2, high: 0.8, log_scale: false, step: Some(0.05) };
    [whole(1, 10), whole(3, 25), whole(2, 6), Distribution::Float(q)]
}

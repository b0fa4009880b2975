//! Curves over n: groups of runs at each n.

use super::compare::{SHARE_ALPHA, ends, mean, slope};
use crate::registry::{Key, Value};
use crate::study::{Arm, Quantity, Results, Summary, plans::SEED};
use ebmbook::metrics::bootstrap_interval;
use ebmbook::seed::Seed;

/// A value of an arm at each n.
pub(super) struct Curve {
    pub n: Vec<f64>,
    pub at: Vec<Summary>,
    groups: Vec<Vec<f64>>,
}

impl Curve {
    /// The value, through `scale` (e.g. the logarithm), at each n.
    pub fn new(results: &Results, arm: Arm, value: Quantity, scale: fn(f64) -> f64) -> Self {
        let here = results.only(|c| c.arm == arm);
        let (mut n, mut groups) = (Vec::new(), Vec::new());
        for (_, _, size) in here.settings() {
            n.push(size as f64);
            groups
                .push(here.only(|c| c.n == size).values(value).into_iter().map(scale).collect::<Vec<f64>>());
        }
        Self { n, at: groups.iter().filter_map(|g| Summary::of(g)).collect(), groups }
    }

    /// Slope per doubling of n. A group has the same initialisations, and nested samples, at every n:
    /// each group gives one slope, and the groups are the replicates.
    pub fn slope(&self, key: impl Into<Key>) -> Value {
        Value::mean(key, &self.slopes())
    }

    /// Both ends of its 95 % bootstrap over groups; `stream` names the random numbers.
    pub fn slope_ends(&self, key: &Key, stream: &str) -> [Value; 2] {
        let seed = Seed::new(SEED).child("bootstrap").child(stream);
        let interval = bootstrap_interval(&self.slopes(), mean, 0.95, 2000, seed).expect("several groups");
        ends(key, &interval)
    }

    fn slopes(&self) -> Vec<f64> {
        let x: Vec<f64> = self.n.iter().map(|n| n.log2()).collect();
        let groups = self.groups.iter().map(Vec::len).min().unwrap_or(0);
        (0..groups)
            .map(|g| {
                let y: Vec<Summary> = self.groups.iter().filter_map(|at| Summary::of(&at[g..=g])).collect();
                slope("slope", &x, &y).estimate
            })
            .collect()
    }

    /// The value at the largest n.
    pub fn last(&self, key: impl Into<Key>) -> Value {
        let last = self.at.last().expect("a curve has points");
        Value::estimated(key, last.mean, last.se()).with_freedom(last.runs - 1)
    }

    /// Share of n at which this curve lies below another; group by group, because groups of both train
    /// on the same rows.
    pub fn share_below(&self, other: &Self, key: impl Into<Key>) -> Value {
        let gaps = |(own, other): (&Vec<f64>, &Vec<f64>)| own.iter().zip(other).map(|(a, b)| b - a).collect();
        let at_each_n: Vec<Vec<f64>> = self.groups.iter().zip(&other.groups).map(gaps).collect();
        Value::share(key, &at_each_n, SHARE_ALPHA)
    }
}

//! Sweeps without an optimiser: the same uniform points in every printed setting, each trained twice, so that what one run
//! chooses is judged on the other. The printed choice and the library's own stand beside them, and a grid of k.

use super::{SEED, Setting};
use crate::printed::{Block, TablePlace};
use crate::study::sweep::{Point, trial};
use crate::study::{Arm, Base, Cell, Hyperparameter, Results, Scale};
use ebmbook::ebm::Objective;
use ebmbook::seed::Seed;
use itertools::Itertools;

/// Number of the trial that is the printed choice.
pub const PRINTED: usize = 0;
/// Number of the trial that is the library's default, with the k of the paper's Figure 3.
pub const DEFAULT: usize = 1;
/// The first trial that is drawn.
pub const DRAWN: usize = 2;
/// Runs of a drawn point.
const RUNS: usize = 2;

pub(super) fn plan(scale: Scale) -> Vec<Cell> {
    let (drawn, fixed, settings) = match scale {
        Scale::Full => (16, 4, Setting::all()),
        Scale::Quick => (12, 2, few()),
    };
    let mut cells = Vec::new();
    for setting in &settings {
        let printed = setting.printed();
        let default = Point { b: 1, k: 5, layers: 2, q: 0.5 };
        for objective in [Objective::Pairwise, Objective::Ranking] {
            let mut add = |point, called: (Hyperparameter, usize), runs: usize| {
                let called = (called.0, called.1 as f64);
                cells.extend((0..runs).map(|run| trial("sweep", setting, objective, point, called, run)));
            };
            add(printed, (Hyperparameter::Trial, PRINTED), fixed);
            add(default, (Hyperparameter::Trial, DEFAULT), fixed);
            for at in 0..drawn {
                add(point(at), (Hyperparameter::Trial, DRAWN + at), RUNS);
            }
            if objective == Objective::Pairwise {
                // The objective of the tables; for k, outcomes decide.
                for k in grid(printed.k, scale) {
                    add(Point { k, ..printed }, (Hyperparameter::K, k), fixed);
                }
            }
        }
    }
    cells
}

/// The points of every setting: those that the default sweep begins with.
fn point(at: usize) -> Point {
    Point::propose(Seed::new(SEED).child("sweep").index(at), &[])
}

/// The number of each drawn trial that is in the results, and its point.
pub fn drawn(results: &Results) -> impl Iterator<Item = (usize, Point)> {
    let numbers = results.arms().into_iter().filter_map(|arm| match arm.swept {
        Some((Hyperparameter::Trial, hundredths)) => Some(hundredths as usize / 100),
        _ => None,
    });
    numbers.unique().filter(|number| *number >= DRAWN).map(|number| (number, point(number - DRAWN)))
}

/// The runs of a trial in a setting.
pub fn trials(results: &Results, setting: TablePlace, base: Base, number: usize) -> Results {
    results.at(setting, Arm::of(base).with(Hyperparameter::Trial, number as f64))
}

/// Values of k over the range that was searched, the printed one among them.
fn grid(printed: usize, scale: Scale) -> Vec<usize> {
    let spread: &[usize] = if scale == Scale::Full { &[3, 8, 15, 25] } else { &[3, 25] };
    let mut grid = [spread, &[printed]].concat();
    grid.sort_unstable();
    grid.dedup();
    grid
}

/// Two settings that take little time.
fn few() -> Vec<Setting> {
    let few = [(Block::SyntheticD100, 250), (Block::Twins, 500)];
    Setting::all().into_iter().filter(|s| few.contains(&(s.block, s.n))).collect()
}

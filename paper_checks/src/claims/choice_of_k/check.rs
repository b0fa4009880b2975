//! The second footnote: k is tuned by cross-validation on the observed outcomes. Is the printed k what that gives?

use crate::claims::compare::mean;
use crate::claims::{Check, Context, Findings};
use crate::printed::TablePlace;
use crate::registry::{Key, Value};
use crate::study::plans::Setting;
use crate::study::sweep::{Score, rank};
use crate::study::{Arm, Hyperparameter, Results, StudyError, Summary};
use itertools::Itertools;
use strum::IntoEnumIterator;

pub const CHECK: Check = Check::new(measure);

/// What is left of a planted error: k and another run move it by a few per cent.
const PLANTED: f64 = 0.5;

fn measure(context: &Context) -> Result<Findings, StudyError> {
    let results = context.results("sweep")?;
    let stated = Score::OutcomeCv;
    let grids = Grid::all(&results, stated);
    let by_printed = |grid: &Grid| grid.rank(grid.printed, mean);
    let mut baselines = Vec::new();
    for score in Score::iter().filter(|score| *score != stated) {
        baselines.push(of_settings(Key::new("rank-by").of(score), &Grid::all(&results, score), by_printed));
    }
    baselines.extend([
        of_settings("tuned", &grids, Grid::rank_of_tuned),
        of_settings("range", &grids, Grid::range),
        of_settings("noise", &grids, Grid::noise),
    ]);
    let planted = results.planted(|cell, value| match is_printed(cell.place(), cell.arm) {
        true => PLANTED * value,
        false => value,
    });
    let planted = Grid::all(&planted, stated);
    let worst = |grid: &Grid| grid.rank(grid.best(|runs| -mean(runs)), mean);
    Ok(Findings {
        values: vec![of_settings("rank", &grids, by_printed)],
        baselines,
        controls: [
            ("planted".to_owned(), vec![of_settings("rank", &planted, by_printed)]),
            ("largest-error".to_owned(), vec![of_settings("rank", &grids, worst)]),
        ]
        .into(),
        setting: format!("{} settings, released data, kernel ridge in each arm, five folds", grids.len()),
        ..Findings::default()
    })
}

fn is_printed(place: TablePlace, arm: Arm) -> bool {
    let printed = Setting::all().into_iter().find(|s| (s.block, s.d, s.n) == place);
    printed.is_some_and(|s| arm == Arm::EBM.with(Hyperparameter::K, s.k() as f64))
}

/// The mean over settings. Each setting was tuned for itself, so that the spread between them is the error.
fn of_settings(key: impl Into<Key>, grids: &[Grid], of: impl Fn(&Grid) -> f64) -> Value {
    let found = Summary::of(&grids.iter().map(of).collect::<Vec<_>>());
    let [mean, se] = found.map_or([f64::NAN; 2], |s| [s.mean, s.se()]);
    Value::estimated(key, mean, se).with_freedom(grids.len().saturating_sub(1).max(1))
}

/// A score of each k in one setting, run by run.
struct Grid {
    of_k: Vec<Vec<f64>>,
    /// Which is that of the printed k.
    printed: usize,
}

impl Grid {
    /// Each setting once: two blocks share a row.
    fn all(results: &Results, score: Score) -> Vec<Self> {
        let of_setting = |place| {
            let varies_k = |arm: &Arm| matches!(arm.swept, Some((Hyperparameter::K, _)));
            let arms: Vec<Arm> = results.only(|c| c.place() == place && varies_k(&c.arm)).arms();
            let printed = arms.iter().position(|arm| is_printed(place, *arm)).expect("the plan has it");
            let runs = |arm: &Arm| results.at(place, *arm).values(score.quantity());
            Self { of_k: arms.iter().map(runs).collect(), printed }
        };
        results
            .settings()
            .into_iter()
            .unique_by(|(block, d, n)| (block.data(), *d, *n))
            .map(of_setting)
            .collect()
    }

    /// The rank of one k among the others, by a summary of runs.
    fn rank(&self, of: usize, by: impl Fn(&[f64]) -> f64) -> f64 {
        let others = self.of_k.iter().enumerate().filter(|(k, _)| *k != of);
        rank(by(&self.of_k[of]), &others.map(|(_, runs)| by(runs)).collect::<Vec<_>>())
    }

    /// The k with the smallest summary of runs.
    fn best(&self, by: impl Fn(&[f64]) -> f64) -> usize {
        (0..self.of_k.len()).min_by(|a, b| by(&self.of_k[*a]).total_cmp(&by(&self.of_k[*b]))).unwrap_or(0)
    }

    /// What tuning gives: chosen by one half of the runs, its rank in the other half.
    fn rank_of_tuned(&self) -> f64 {
        let half = |of: usize| {
            move |runs: &[f64]| mean(&runs.iter().copied().skip(of).step_by(2).collect::<Vec<_>>())
        };
        mean(&[0, 1].map(|of| self.rank(self.best(half(of)), half(1 - of))))
    }

    /// Largest minus smallest score, as a share of that of the printed k.
    fn range(&self) -> f64 {
        let all: Vec<f64> = self.of_k.iter().map(|runs| mean(runs)).collect();
        let [low, high] = [f64::min, f64::max].map(|of| all.iter().copied().fold(all[0], of));
        (high - low) / all[self.printed]
    }

    /// Standard deviation between runs of one k, as a share of the score of the printed k.
    fn noise(&self) -> f64 {
        let sd = |runs: &Vec<f64>| Summary::of(runs).map_or(f64::NAN, |s| s.sd);
        mean(&self.of_k.iter().map(sd).collect::<Vec<_>>()) / mean(&self.of_k[self.printed])
    }
}

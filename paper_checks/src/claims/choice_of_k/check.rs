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

/// A planted error is this much smaller: ten times what k moves it by.
const PLANTED: f64 = 0.9;

fn measure(context: &Context) -> Result<Findings, StudyError> {
    let results = context.results("sweep")?;
    let stated = Score::OutcomeCv;
    let grids = Grid::all(&results, stated);
    let mut baselines = Vec::new();
    for score in Score::iter().filter(|score| *score != stated) {
        baselines.push(of_settings(
            Key::new("rank-by").of(score),
            &Grid::all(&results, score),
            Grid::printed_rank,
        ));
    }
    baselines.push(of_settings("range", &grids, Grid::range));
    baselines.push(of_settings("noise", &grids, Grid::noise));
    let planted = results
        .planted(|cell, value| if is_printed(cell.place(), cell.arm) { PLANTED * value } else { value });
    let planted = Grid::all(&planted, stated);
    Ok(Findings {
        values: vec![of_settings("rank", &grids, Grid::printed_rank)],
        baselines,
        controls: [
            ("planted".to_owned(), vec![of_settings("rank", &planted, Grid::printed_rank)]),
            ("largest-error".to_owned(), vec![of_settings("rank", &grids, Grid::rank_of_worst)]),
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

/// A score of each k in one setting, run by run; the printed k apart.
struct Grid {
    printed: Vec<f64>,
    others: Vec<Vec<f64>>,
}

impl Grid {
    /// Each setting once: two blocks share a row.
    fn all(results: &Results, score: Score) -> Vec<Self> {
        let of_setting = |place| {
            let here =
                results.only(|c| c.place() == place && matches!(c.arm.swept, Some((Hyperparameter::K, _))));
            let (printed, others): (Vec<Arm>, _) =
                here.arms().into_iter().partition(|arm| is_printed(place, *arm));
            let runs = |arm: &Arm| here.at(place, *arm).values(score.quantity());
            Self {
                printed: printed.iter().flat_map(runs).collect(),
                others: others.iter().map(runs).collect(),
            }
        };
        results
            .settings()
            .into_iter()
            .unique_by(|(block, d, n)| (block.data(), *d, *n))
            .map(of_setting)
            .collect()
    }

    fn others(&self) -> Vec<f64> {
        self.others.iter().map(|runs| mean(runs)).collect()
    }

    fn printed_rank(&self) -> f64 {
        rank(mean(&self.printed), &self.others())
    }

    fn rank_of_worst(&self) -> f64 {
        let worst = self.others().into_iter().fold(mean(&self.printed), f64::max);
        rank(worst, &self.others())
    }

    /// Largest minus smallest score, as a share of the printed k's.
    fn range(&self) -> f64 {
        let all = [self.others(), vec![mean(&self.printed)]].concat();
        let [low, high] = [f64::min, f64::max].map(|of| all.iter().copied().fold(all[0], of));
        (high - low) / mean(&self.printed)
    }

    /// Standard deviation between runs of one k, as a share of the printed k's score.
    fn noise(&self) -> f64 {
        let sd = |runs: &Vec<f64>| Summary::of(runs).map_or(f64::NAN, |s| s.sd);
        mean(&self.others.iter().map(sd).collect::<Vec<_>>()) / mean(&self.printed)
    }
}

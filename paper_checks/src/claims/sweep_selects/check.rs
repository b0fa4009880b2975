//! What a sweep selects: points are chosen by a score on one run, and judged by PEHE on another run of the same points.

use crate::claims::compare::{bootstrapped, mean};
use crate::claims::{Check, Context, Findings};
use crate::registry::{Key, Value};
use crate::study::plans::sweep::{DEFAULT, PRINTED, drawn, trials};
use crate::study::sweep::{Score, rank};
use crate::study::{Base, Results, StudyError, Summary};
use strum::IntoEnumIterator;

pub const CHECK: Check = Check::new(measure);

/// The objective that the paper maximised on held-out rows, and the one that its tables can be reproduced with.
const OBJECTIVES: [(Base, &str); 2] =
    [(Base::EbmRanking, "printed objective"), (Base::EbmPairwise, "pairwise objective")];
/// A planted trial has so much of its error and of its score, which is moved below zero.
const PLANTED: [f64; 2] = [0.001, 1e-6];

fn measure(context: &Context) -> Result<Findings, StudyError> {
    let results = context.results("sweep")?;
    let sweep = |results: &Results, (base, _), score| Sweep::new(results, base, score);
    let gain = |sweep: &Sweep, score: Score, (_, objective): (Base, &str), turned| {
        sweep.value(Key::new("gain").of(format!("{score}, {objective}")), |picked| {
            sweep.gain(picked, turned, |setting, judge| mean(&setting.errors(picked, judge)))
        })
    };
    let printed = OBJECTIVES[0];
    let stated = Score::Validation;
    let mut findings = Findings {
        values: vec![gain(&sweep(&results, printed, stated), stated, printed, 1.0)],
        setting: format!(
            "{} settings, released data, R-learner; {} points, two runs of each",
            results.settings().len(),
            drawn(&results).count()
        ),
        ..Findings::default()
    };
    for objective in OBJECTIVES {
        for score in Score::iter() {
            let found = sweep(&results, objective, score);
            let key = |name: &str| Key::new(name).of(format!("{score}, {}", objective.1));
            if (score, objective) != (stated, printed) {
                findings.baselines.push(gain(&found, score, objective, 1.0));
            }
            findings.baselines.extend([
                found.value(key("against-default"), |picked| found.gain(picked, 1.0, |s, _| s.default)),
                found.value(key("against-printed"), |picked| found.gain(picked, 1.0, |s, _| s.printed)),
                found.value(key("printed-rank"), |picked| {
                    found.average(|s| {
                        rank(s.printed_score, &picked.iter().map(|p| mean(&s.scores[*p])).collect::<Vec<_>>())
                    })
                }),
            ]);
        }
        let key = |name: &str| Key::new(name).of(objective.1);
        let tied = sweep(&results, objective, stated).average(Setting::tied);
        findings.baselines.push(Value::exact(key("tied"), tied));
        let found = sweep(&results, objective, Score::PeheTest);
        findings.baselines.extend([
            found.value(key("optimism"), |picked| found.average(|s| s.optimism(picked))),
            found.value(key("spread"), |picked| found.average(|s| s.spread(picked))),
        ]);
    }
    let stated_sweep = sweep(&results, printed, stated);
    // The caption, read to the letter: the loss is maximised.
    findings.baselines.push(
        stated_sweep.value(Key::new("gain").of("largest loss, printed objective"), |picked| {
            stated_sweep.gain(picked, -1.0, |setting, judge| mean(&setting.errors(picked, judge)))
        }),
    );
    let scoreless = gain(&stated_sweep, stated, printed, 0.0);
    let numbers: Vec<usize> = drawn(&results).map(|(number, _)| number).collect();
    let planted = results.planted(|cell, value| {
        let is = |number: &usize| trials(&results, cell.place(), cell.arm.base, *number).arms() == [cell.arm];
        if numbers.iter().step_by(2).any(is) { PLANTED[0] * value - PLANTED[1] } else { value }
    });
    let planted = gain(&sweep(&planted, printed, stated), stated, printed, 1.0);
    findings.controls =
        [("scoreless".to_owned(), vec![scoreless]), ("planted".to_owned(), vec![planted])].into();
    Ok(findings)
}

/// The drawn points of all settings under one objective, with a score.
struct Sweep(Vec<Setting>);

/// Of one setting: scores and errors by point and run, and the mean errors beside them.
struct Setting {
    scores: Vec<Vec<f64>>,
    errors: Vec<Vec<f64>>,
    printed_score: f64,
    printed: f64,
    default: f64,
}

impl Sweep {
    fn new(results: &Results, base: Base, score: Score) -> Self {
        let numbers: Vec<usize> = drawn(results).map(|(number, _)| number).collect();
        let of = |setting| {
            let runs = |of: Score, number| trials(results, setting, base, number).values(of.quantity());
            let all = |of: Score| numbers.iter().map(|number| runs(of, *number)).collect();
            Setting {
                scores: all(score),
                errors: all(Score::PeheTest),
                printed_score: mean(&runs(score, PRINTED)),
                printed: mean(&runs(Score::PeheTest, PRINTED)),
                default: mean(&runs(Score::PeheTest, DEFAULT)),
            }
        };
        Self(results.settings().into_iter().map(of).collect())
    }

    /// The mean over settings.
    fn average(&self, of: impl Fn(&Setting) -> f64) -> f64 {
        mean(&self.0.iter().map(of).collect::<Vec<_>>())
    }

    /// log₂ of the error that the choice is held against over the error of the choice: the mean over settings, and over which
    /// run chooses and which one judges.
    fn gain(&self, picked: &[usize], turned: f64, against: impl Fn(&Setting, usize) -> f64) -> f64 {
        let of = |s: &Setting| {
            mean(&[0, 1].map(|run| (against(s, 1 - run) / s.chosen(picked, run, 1 - run, turned)).log2()))
        };
        self.average(of)
    }

    /// A statistic of the points, with its error over draws of the points.
    fn value(&self, key: Key, statistic: impl Fn(&[usize]) -> f64) -> Value {
        let points = self.0.first().map_or(0, |s| s.scores.len());
        let stream = key.to_string();
        bootstrapped(key, &stream, points, statistic)
    }
}

impl Setting {
    /// PEHE of these points in a run.
    fn errors(&self, picked: &[usize], run: usize) -> Vec<f64> {
        picked.iter().map(|point| self.errors[*point][run]).collect()
    }

    /// PEHE in one run of the point that has the smallest score in another; the mean where several have it.
    fn chosen(&self, picked: &[usize], by: usize, judge: usize, turned: f64) -> f64 {
        let score = |point: &usize| turned * self.scores[*point][by];
        let best = picked.iter().map(score).fold(f64::INFINITY, f64::min);
        let tied: Vec<usize> = picked.iter().copied().filter(|point| score(point) == best).collect();
        mean(&self.errors(&tied, judge))
    }

    /// Share of the points whose score is the best one to six decimals.
    fn tied(&self) -> f64 {
        let scores: Vec<f64> = self.scores.iter().map(|runs| mean(runs)).collect();
        let best = scores.iter().copied().fold(f64::INFINITY, f64::min);
        scores.iter().filter(|score| **score < best + 1e-6).count() as f64 / scores.len() as f64
    }

    /// log₂ of the error of the choice in another run over its error in the run that chose it.
    fn optimism(&self, picked: &[usize]) -> f64 {
        let of = |run| (self.chosen(picked, run, 1 - run, 1.0) / self.chosen(picked, run, run, 1.0)).log2();
        mean(&[0, 1].map(of))
    }

    /// Standard deviation of log₂ PEHE between points. The noise of two runs is independent, so that their covariance has
    /// none of it.
    fn spread(&self, picked: &[usize]) -> f64 {
        let logs = [0, 1].map(|run| self.errors(picked, run).iter().map(|e| e.log2()).collect::<Vec<_>>());
        let means = [0, 1].map(|run: usize| Summary::of(&logs[run]).map_or(f64::NAN, |s| s.mean));
        let products = logs[0].iter().zip(&logs[1]).map(|(one, other)| (one - means[0]) * (other - means[1]));
        (products.sum::<f64>() / (picked.len() - 1) as f64).max(0.0).sqrt()
    }
}

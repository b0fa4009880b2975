//! Proposition 4.1 for the continuous kernel: is the population optimum the truth for any b?

use crate::claims::{Check, Context, Findings, Pictures, Report, data_hash};
use crate::context::wrong_sign;
use crate::pictures::consistency;
use crate::registry::{Key, Value};
use crate::study::StudyError;
use ebmbook::ebm::Objective;
use ebmbook::seed::Seed;
use ebmbook::show::Figure;
use ebmbook::theory::gaussian::{Scores, first_rows};

pub const CHECK: Check = Check {
    calibration: Some(include_str!("../../../results/calibration/population-optimum-continuous.toml")),
    pictures: Pictures::Illustrate(pictures),
    ..Check::new(measure)
};

const COPIES: [usize; 3] = [1, 2, 5];
const CORRUPTION: [f64; 4] = [0.2, 0.5, 0.8, 1.0];
/// The cells that decide: two copies, one, and five with every feature corrupted.
const DECIDING: [(usize, f64); 3] = [(2, 0.5), (1, 0.5), (5, 1.0)];

fn seed(context: &Context, b: usize, q: f64) -> Seed {
    context.seed.index(b).child(&format!("{q}"))
}

/// The best s, with its Monte Carlo error.
fn best(
    key: Key,
    context: &Context,
    objective: Objective,
    (b, q): (usize, f64),
    draws: usize,
    scores: Scores,
) -> ebmbook::Result<Value> {
    let found = scores.optimum(objective, b, q, draws, seed(context, b, q))?;
    Ok(Value::estimated(key.of(b).of(q), found.s, found.standard_error))
}

fn deciding(
    name: &str,
    context: &Context,
    objective: Objective,
    scores: Scores,
) -> ebmbook::Result<Vec<Value>> {
    // The mended objective throws candidates away, so its optimum is less sharp.
    let quick = if objective == Objective::RankingExact { 400_000 } else { 150_000 };
    let draws = context.size(5_000, quick, 2_000_000);
    DECIDING.iter().map(|cell| best(name.into(), context, objective, *cell, draws, scores)).collect()
}

fn measure(context: &Context) -> Result<Findings, StudyError> {
    let (draws, few) = context.size((5_000, 0), (150_000, 20_000), (2_000_000, 1_000_000));
    let scores = context.gaussian_scores();
    let mut baselines = Vec::new();
    // A calibration looks at the cells that decide, and has too few draws for an optimum in all others.
    let copies = if context.reduced { &[][..] } else { &COPIES };
    for objective in [Objective::Ranking, Objective::RankingExact] {
        for &b in copies {
            for q in CORRUPTION {
                let repeats = objective == Objective::Ranking && DECIDING.contains(&(b, q));
                // One copy is the same question under both objectives.
                if repeats || (objective == Objective::RankingExact && b == 1) {
                    continue;
                }
                let key = Key::new("beside").of(format!("{objective:?}"));
                baselines.push(best(key, context, objective, (b, q), few, scores)?);
            }
        }
    }
    let first = DECIDING.map(|(b, q)| first_rows(100, seed(context, b, q)));
    // As printed, and mended: candidates that the atom rules out get weight 0.
    let both = |as_printed, mended, scores| -> ebmbook::Result<Vec<Value>> {
        let printed = deciding("best", context, as_printed, scores)?;
        Ok([printed, deciding("mended", context, mended, scores)?].concat())
    };
    Ok(Findings {
        values: both(Objective::Ranking, Objective::RankingExact, scores)?,
        baselines,
        controls: [
            ("no-kernel-terms".to_owned(), both(Objective::EnergyOnly, Objective::EnergyOnly, scores)?),
            // One copy needs no kernel terms: there it takes another bug, the wrong sign of the energy.
            (
                "wrong-sign-of-the-energy".to_owned(),
                both(Objective::Ranking, Objective::RankingExact, wrong_sign(Scores::default()))?,
            ),
            (
                "impossible-candidates-excluded".to_owned(),
                both(Objective::RankingExact, Objective::RankingExact, scores)?,
            ),
        ]
        .into(),
        setting: format!(
            "X ~ N(0, 1), energy s x^2 / 2, truth s = 1, {draws} draws where it decides, {few} beside it"
        ),
        n: vec![draws, few],
        data: data_hash(first.iter().map(|rows| rows.view())),
    })
}

fn pictures(_: &Report, context: &Context) -> Vec<Figure> {
    vec![consistency::gaussian_figure(context)]
}

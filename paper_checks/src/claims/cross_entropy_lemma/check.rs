//! Lemma B.2: Σ w log w̃ is largest over the simplex at w̃ = w.

use crate::claims::{Check, Context, Findings, Pictures, Report, data_hash};
use crate::pictures::consistency;
use crate::registry::Value;
use crate::study::StudyError;
use ebmbook::show::Figure;
use ebmbook::theory::lemma::{mean_advantage, smallest_advantage, uniform_simplex};

pub const CHECK: Check = Check { pictures: Pictures::Illustrate(pictures), ..Check::new(measure) };

fn measure(context: &Context) -> Result<Findings, StudyError> {
    let draws = context.pick(20_000, 1_000_000);
    let value = |normalised| {
        vec![Value::exact("smallest-advantage", smallest_advantage(draws, normalised, context.seed))]
    };
    Ok(Findings {
        values: value(true),
        baselines: vec![Value::exact("mean-advantage", mean_advantage(draws, context.seed))],
        controls: [("off-the-simplex".to_owned(), value(false))].into(),
        setting: format!("{draws} pairs of uniform points, 2 … 12 classes"),
        n: vec![draws],
        data: data_hash([uniform_simplex(12, context.seed).view()]),
    })
}

fn pictures(_: &Report, _: &Context) -> Vec<Figure> {
    vec![consistency::lemma_figure(0.3)]
}

//! Lemma B.2: Σ w log w̃ is largest over the simplex at w̃ = w.

use super::{Context, Findings, data_hash};
use crate::verdict::Value;
use ebmbook::theory::lemma::{mean_advantage, smallest_advantage, uniform_simplex};

pub(super) fn check(context: &Context) -> ebmbook::Result<Findings> {
    let draws = context.pick(20_000, 1_000_000);
    let name = "smallest advantage of the truth";
    let value = |normalised| vec![Value::exact(name, smallest_advantage(draws, normalised, context.seed))];
    Ok(Findings {
        values: value(true),
        baselines: vec![Value::exact("mean advantage of the truth", mean_advantage(draws, context.seed))],
        controls: [("off-the-simplex".to_owned(), value(false))].into(),
        setting: format!("{draws} pairs of uniform points, 2 … 12 classes"),
        n: vec![draws],
        data: data_hash([uniform_simplex(12, context.seed).view()]),
    })
}

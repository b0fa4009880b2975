//! Corollary of Proposition 4.1: every density converges to p_X, so f converges to a function of
//! one scalar, −log p_X·B1 + c.

use super::{Context, Findings};
use crate::verdict::Value;
use ebmbook::ebm::Folds;
use ebmbook::theory::mixture::{MixtureRow, experiment};

pub(super) fn check(context: &Context) -> ebmbook::Result<Findings> {
    let sizes = context.pick(vec![250, 5000], vec![250, 1000, 5000, 20_000]);
    let runs = context.pick(4, 10);
    let rows = experiment(&sizes, runs, &Folds::Random, context.seed.child("random folds"))?;
    let soft =
        experiment(&sizes[1..], runs, &Folds::Soft { temperature: 1.0 }, context.seed.child("soft folds"))?;
    let (first, last, soft) = (&rows[0], &rows[rows.len() - 1], &soft[soft.len() - 1]);
    Ok(Findings {
        values: values(last),
        baselines: vec![
            Value::exact("effective rank at the smallest n", first.effective_rank.estimate),
            Value::exact(
                "mean |corr| between different coordinates at the largest n",
                last.off_diagonal.estimate,
            ),
            Value::exact("effective rank with soft folds at the largest n", soft.effective_rank.estimate),
        ],
        controls: [("soft-folds".to_owned(), values(soft))].into(),
        setting: format!(
            "mixture of three Gaussians, d = 2, k = 5, n in {sizes:?}, {runs} runs on fresh samples"
        ),
    })
}

fn values(row: &MixtureRow) -> Vec<Value> {
    let least = row.with_log_density.iter().copied().fold(f64::INFINITY, f64::min);
    vec![
        Value::exact("effective rank at the largest n, mean over runs", row.effective_rank.estimate),
        Value::exact("smallest |corr| of a coordinate with log p_X at the largest n", least),
    ]
}

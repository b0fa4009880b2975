//! Proposition 4.1 for the continuous kernel: is the population optimum the truth for any b?

use super::{Context, Findings};
use crate::verdict::Value;
use ebmbook::ebm::Objective;
use ebmbook::theory::gaussian::{GaussianOptimum, optimum};

const NAME: &str = "|s - 1| at b = 2, q = .5";

pub(super) fn check(context: &Context) -> ebmbook::Result<Findings> {
    let (draws, few) = context.pick((400_000, 50_000), (4_000_000, 1_000_000));
    let at = |objective, b, q: f64, draws| -> ebmbook::Result<GaussianOptimum> {
        Ok(optimum(objective, b, q, draws, context.seed.index(b).child(&format!("{q}")))?)
    };
    let distance = |objective| -> ebmbook::Result<Vec<Value>> {
        let o = at(objective, 2, 0.5, draws)?;
        Ok(vec![Value::estimated(NAME, (o.s - 1.0).abs(), o.standard_error)])
    };
    let mut baselines = Vec::new();
    for (b, q) in [(1, 0.5), (2, 0.2), (2, 0.5), (2, 0.8), (5, 0.2), (5, 0.5), (5, 0.8), (5, 1.0)] {
        let o = at(Objective::Ranking, b, q, few)?;
        baselines.push(Value::estimated(&format!("best s, b = {b}, q = {q}"), o.s, o.standard_error));
    }
    Ok(Findings {
        values: distance(Objective::Ranking)?,
        baselines,
        controls: [
            ("no-kernel-terms".to_owned(), distance(Objective::EnergyOnly)?),
            ("impossible-candidates-excluded".to_owned(), distance(Objective::RankingExact)?),
        ]
        .into(),
        setting: format!("X ~ N(0, 1), energy s x^2 / 2, truth s = 1, {draws} draws a setting"),
    })
}

//! Does the printed objective leave anything to learn from at the paper's d, b and q?

use super::{Context, Findings};
use crate::printed::{Hyperparameters, Printed};
use crate::verdict::Value;
use ebmbook::data::ihdp::Ihdp;
use ebmbook::data::twins::{Assignment, Missing, Twins};
use ebmbook::data::{Covariates, synthetic::Released};
use ebmbook::noise::NoiseKernel;
use ebmbook::theory::saturation::of_kernel;

/// A share of the answer below this trains nothing.
const THRESHOLD: f64 = -6.0;
const NAME: &str = "settings of 18 in which more than 1e-6 is left to learn";

pub(super) fn check(context: &Context) -> ebmbook::Result<Findings> {
    let draws = context.pick(400, 4000);
    let settings = Printed::load().hyperparameters;
    let rows = |h: &Hyperparameters| -> ebmbook::Result<Covariates> {
        Ok(match h.dataset.as_str() {
            "twins" => Twins::load()?
                .dataset(Missing::CompleteCase, Assignment::FairCoin, context.seed)?
                .covariates()
                .rows(&(0..h.n).collect::<Vec<_>>()),
            "ihdp" => Ihdp::load()?.surface_b(context.seed).covariates().clone(),
            _ => Released::new(h.d, h.n)?.generate().train.covariates().clone(),
        })
    };
    let mut baselines = Vec::new();
    let (mut printed, mut one_copy, mut many) = (0, 0, 0);
    for (i, h) in settings.iter().enumerate() {
        let rows = rows(h)?;
        let kernel = NoiseKernel::new(&rows, h.corruption_probability)?;
        let left = |b| of_kernel(&kernel, rows.x(), b, draws, context.seed.index(i)).map(|s| s.median);
        let median = left(h.b)?;
        printed += usize::from(median > THRESHOLD);
        one_copy += usize::from(left(1)? > THRESHOLD);
        many += usize::from(left(10)? > THRESHOLD);
        if i % 3 == 0 {
            let name =
                format!("{} d = {}, n = {}, b = {}: log10 of the median left", h.dataset, h.d, h.n, h.b);
            baselines.push(Value::exact(&name, median));
        }
    }
    let value = |count: usize| vec![Value::exact(NAME, count as f64)];
    Ok(Findings {
        values: value(printed),
        baselines,
        controls: [("ten-copies".to_owned(), value(many)), ("one-copy".to_owned(), value(one_copy))].into(),
        setting: format!(
            "the paper's 18 settings, flat energy, median of 1 - posterior over {draws} draws each"
        ),
    })
}

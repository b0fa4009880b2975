//! Does the printed objective leave anything to learn from at the paper's d, b and q?

use super::{Context, Findings, data_hash};
use crate::printed::{Hyperparameters, Printed};
use crate::verdict::Value;
use ebmbook::data::ihdp::Ihdp;
use ebmbook::data::twins::{Assignment, Missing, Twins};
use ebmbook::data::{Covariates, synthetic::Released};
use ebmbook::ebm::{Ebm, EbmParams, Objective};
use ebmbook::noise::NoiseKernel;
use ebmbook::theory::gradient::{at_initialisation, gaussian_rows};
use ebmbook::theory::saturation::of_kernel;

/// A norm below this is nothing to train on: spread over some hundreds of weights it leaves each of them
/// within an order of magnitude or so of Adam's ε = 1e-8, where steps begin to shrink, and most settings
/// lie tens of orders below.
const THRESHOLD: f64 = 1e-6;
const GRADIENT: &str = "settings of 18 with a gradient above 1e-6 at initialisation";
const LEFT: &str = "settings of 18 in which more than 1e-6 is left to learn";

/// The printed setting as parameters, with b copies.
fn params(h: &Hyperparameters, b: usize) -> EbmParams {
    let hidden: Vec<usize> = h.hidden_layers.split('-').filter_map(|w| w.parse().ok()).collect();
    Ebm::params(h.k).hidden(&hidden).corruption(h.corruption_probability).copies(b)
}

/// The two measures of one setting with b copies.
#[derive(Clone, Copy)]
struct Signal {
    /// ‖∇_θ loss‖ of `Ranking`.
    gradient: f64,
    /// log₁₀ of the median, and of the mean, of 1 − posterior under a flat energy.
    median: f64,
    mean: f64,
}

pub(super) fn check(context: &Context) -> ebmbook::Result<Findings> {
    let draws = context.pick(400, 4000);
    let batch = context.pick(256, 1024);
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
    let mut hashes = Vec::new();
    let (mut printed, mut one_copy, mut many) = (Vec::new(), Vec::new(), Vec::new());
    for (i, h) in settings.iter().enumerate() {
        let rows = rows(h)?;
        let kernel = NoiseKernel::new(&rows, h.corruption_probability)?;
        let seed = context.seed.index(i);
        let signal = |b| -> ebmbook::Result<Signal> {
            let left = of_kernel(&kernel, rows.x(), b, draws, seed)?;
            let gradient = at_initialisation(&params(h, b), Objective::Ranking, &rows, batch, seed)?;
            Ok(Signal { gradient, median: left.median, mean: left.mean })
        };
        let found = signal(h.b)?;
        printed.push(found);
        one_copy.push(signal(1)?);
        many.push(signal(10)?);
        hashes.push(rows.x().row(0).to_owned());
        let name = format!("{} d = {}, n = {}, b = {}", h.dataset, h.d, h.n, h.b);
        baselines.push(Value::exact(&format!("{name}: log10 gradient norm"), found.gradient.log10()));
        if i % 5 == 0 {
            baselines.push(Value::exact(&format!("{name}: log10 E[1 - posterior]"), found.mean));
        }
    }
    for (d, b) in [(2, 3), (10, 3), (48, 3), (100, 3), (100, 1)] {
        let rows = gaussian_rows(d, batch, context.seed.child("rows").index(d));
        let ranking = Ebm::params(5).copies(b);
        let norm = at_initialisation(&ranking, Objective::Ranking, &rows, batch, context.seed.index(d))?;
        let name = format!("Gaussian rows, d = {d}, b = {b}, q = 0.5: log10 gradient norm");
        baselines.push(Value::exact(&name, norm.log10()));
    }
    let values = |signals: &[Signal]| {
        let count = |above: &dyn Fn(&Signal) -> bool| signals.iter().filter(|s| above(s)).count() as f64;
        vec![
            Value::exact(GRADIENT, count(&|s| s.gradient > THRESHOLD)),
            Value::exact(LEFT, count(&|s| s.median > THRESHOLD.log10())),
        ]
    };
    Ok(Findings {
        values: values(&printed),
        baselines,
        controls: [("ten-copies".to_owned(), values(&many)), ("one-copy".to_owned(), values(&one_copy))]
            .into(),
        setting: format!(
            "the paper's 18 settings: gradient over {batch} rows at initialisation; median over {draws} draws, flat energy"
        ),
        n: vec![batch, draws],
        data: data_hash(hashes.iter().map(|row| row.view())),
    })
}

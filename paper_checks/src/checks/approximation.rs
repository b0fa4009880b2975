//! Proposition 3.4: the class comes close to a continuous density, for all j at once.

use super::{Context, Findings, data_hash};
use crate::verdict::Value;
use ebmbook::theory::approximation::{Target, network_error, network_errors};
use ebmbook::theory::density::Grid;
use rayon::prelude::*;

const K: usize = 3;
const ERROR: &str = "relative sup error at the largest width, worst target";
/// Error rate of each of the two medians.
const ALPHA: f64 = 1e-5;
const FALL: &str = "error at the largest width over error at the smallest, worst target";

pub(super) fn check(context: &Context) -> ebmbook::Result<Findings> {
    let b = context.directions(K)?;
    let panels = context.pick(5, 6);
    let widths = [32, 128, 512];
    // Thirty leave room for three wild layers on either side at this error rate.
    let draws = context.pick(30, 100);
    // Errors by draw of the hidden layer, width and target. Now and then a layer has a unit that hardly any
    // point of the fit sees, and the error explodes between the points: no mean is worth stating, and what
    // is judged is the median over draws, which are independent.
    let errors: Vec<[Vec<f64>; 3]> = (0..draws)
        .into_par_iter()
        .map(|i| {
            let seed = context.seed.child("layer").index(i);
            widths.map(|width| network_errors(&Target::ALL, width, b.view(), panels, seed.index(width)))
        })
        .collect();
    let over_draws = |name: &str, of: &dyn Fn(&[Vec<f64>; 3]) -> f64| {
        Value::median(name, &errors.iter().map(of).collect::<Vec<_>>(), ALPHA)
    };
    let worst = |each: &mut dyn Iterator<Item = f64>| each.fold(0.0, f64::max);
    let values = vec![
        over_draws(ERROR, &|[_, _, wide]| worst(&mut wide.iter().copied())),
        over_draws(FALL, &|[narrow, _, wide]| worst(&mut wide.iter().zip(narrow).map(|(w, n)| w / n))),
    ];
    let mut baselines = Vec::new();
    for (t, target) in Target::ALL.iter().enumerate() {
        for (w, width) in widths.iter().enumerate() {
            let name = format!("{target:?}, width {width}: relative sup error");
            baselines.push(over_draws(&name, &|errors| errors[w][t]));
        }
    }
    // The class without hidden units (a constant f, the uniform density) does not improve, whatever is
    // drawn for the layer it does not have.
    let without = |target: Target, i: usize| {
        network_error(target, 0, b.view(), panels, context.seed.child("no layer").index(i))
    };
    let flat = worst(&mut Target::ALL.into_iter().map(|t| without(t, 0)));
    let no_better = worst(&mut Target::ALL.into_iter().map(|t| without(t, 1) / without(t, 0)));
    let grid = Grid::quadrature(2, -1.0, 1.0, panels);
    Ok(Findings {
        values,
        baselines,
        controls: [(
            "no-hidden-units".to_owned(),
            vec![Value::exact(ERROR, flat), Value::exact(FALL, no_better)],
        )]
        .into(),
        n: vec![grid.weights.len()],
        data: data_hash(Target::ALL.map(|t| t.density(&grid)).iter().map(|p| p.view())),
        setting: format!("[-1, 1]^2, widths {widths:?}, {draws} draws of the hidden layer, k = {K}"),
    })
}

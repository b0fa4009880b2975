//! Proposition 3.4: the class comes close to a continuous density, for all j at once.

use super::{Context, Findings, data_hash};
use crate::verdict::Value;
use ebmbook::metrics::t_interval;
use ebmbook::theory::approximation::{Target, network_error};
use ebmbook::theory::density::Grid;

const K: usize = 3;

pub(super) fn check(context: &Context) -> ebmbook::Result<Findings> {
    let b = context.directions(K)?;
    let panels = context.pick(4, 6);
    let widths = context.pick([16, 64, 256], [32, 128, 512]);
    let draws = context.pick(3, 10);
    let errors = |target: Target, width: usize| -> ebmbook::Result<f64> {
        let each: Vec<f64> = (0..draws)
            .map(|i| {
                network_error(
                    target,
                    width,
                    b.view(),
                    panels,
                    context.seed.child("layer").index(i).index(width),
                )
            })
            .collect();
        Ok(t_interval(&each, 0.95)?.estimate)
    };
    let mut widest = 0.0_f64;
    let mut slowest = 0.0_f64;
    let mut baselines = Vec::new();
    for target in Target::ALL {
        let [narrow, middle, wide] =
            [errors(target, widths[0])?, errors(target, widths[1])?, errors(target, widths[2])?];
        widest = widest.max(wide);
        slowest = slowest.max(wide / narrow);
        for (width, error) in widths.iter().zip([narrow, middle, wide]) {
            baselines.push(Value::exact(&format!("{target:?}, width {width}: relative sup error"), error));
        }
    }
    let values = |widest, slowest| {
        vec![
            Value::exact("relative sup error at the largest width, worst target", widest),
            Value::exact("error at the largest width over error at the smallest, worst target", slowest),
        ]
    };
    // The class without hidden units (a constant f, the uniform density) does not improve, whatever is
    // drawn for the layer it does not have.
    let without = |target: Target, i: usize| {
        network_error(target, 0, b.view(), panels, context.seed.child("no layer").index(i))
    };
    let flat = Target::ALL.map(|t| without(t, 0)).into_iter().fold(0.0, f64::max);
    let no_better = Target::ALL.map(|t| without(t, 1) / without(t, 0)).into_iter().fold(0.0, f64::max);
    let grid = Grid::quadrature(2, -1.0, 1.0, panels);
    Ok(Findings {
        values: values(widest, slowest),
        baselines,
        controls: [("no-hidden-units".to_owned(), values(flat, no_better))].into(),
        n: vec![grid.weights.len()],
        data: data_hash(Target::ALL.map(|t| t.density(&grid)).iter().map(|p| p.view())),
        setting: format!("[-1, 1]^2, widths {widths:?}, {draws} draws of the hidden layer, k = {K}"),
    })
}

//! Section 2: the nonparametric error n^{−2α/(2α+d)}: the log–log slope, and the order over d.

use super::{Context, Findings};
use crate::verdict::Value;
use ebmbook::theory::rates::{mean_squared_errors, slope};

/// Lipschitz smoothness of the target.
const ALPHA: f64 = 1.0;

pub(super) fn check(context: &Context) -> ebmbook::Result<Findings> {
    let sizes: Vec<usize> =
        context.pick(vec![250, 500, 1000, 2000, 4000], vec![250, 500, 1000, 2000, 4000, 8000, 16_000]);
    let replicates = context.pick(40, 200);
    let mut values = Vec::new();
    let mut baselines = Vec::new();
    let mut at_largest = Vec::new();
    for d in [1, 2, 4, 8] {
        let errors = mean_squared_errors(d, &sizes, replicates, context.seed.index(d));
        let fit = slope(&sizes, &errors);
        // Rate of the theory: −2α/(2α + d)
        let theory = -2.0 * ALPHA / (2.0 * ALPHA + d as f64);
        if d <= 2 {
            values.push(Value::estimated(
                &format!("|slope - theory|, d = {d}"),
                (fit.estimate - theory).abs(),
                fit.se,
            ));
        }
        baselines.push(Value::estimated(
            &format!("slope, d = {d} (theory {theory:.3})"),
            fit.estimate,
            fit.se,
        ));
        at_largest.push(errors.last().map_or(f64::NAN, |e| e.iter().sum::<f64>() / e.len() as f64));
    }
    let ordered = at_largest.windows(2).filter(|w| w[0] < w[1]).count() as f64;
    values.push(Value::exact("neighbouring dimensions in the right order", ordered));
    // Forgetting d: the parametric rate −1 for every dimension.
    let mut control = vec![Value::exact("neighbouring dimensions in the right order", ordered)];
    for (i, d) in [1, 2].iter().enumerate() {
        let off = (baselines[i].estimate + 1.0).abs();
        control.push(Value::estimated(
            &format!("|slope - theory|, d = {d}"),
            off,
            baselines[i].se.unwrap_or(0.0),
        ));
    }
    Ok(Findings {
        values,
        baselines,
        controls: [("parametric-rate".to_owned(), control)].into(),
        setting: format!("regressogram, Lipschitz target, n in {sizes:?}, {replicates} replicates"),
    })
}

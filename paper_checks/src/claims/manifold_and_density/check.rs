//! Section 4's manifold beside Proposition 4.1's density: rows that scatter by ε around a curve.

use crate::claims::{Check, Context, Findings, Pictures, Report, data_hash};
use crate::registry::{Key, Value};
use crate::study::StudyError;
use ebmbook::show::Figure;
use ebmbook::theory::manifold::near;
use ndarray::Array1;

pub const CHECK: Check = Check { pictures: Pictures::Illustrate(pictures), ..Check::new(measure) };

const SCATTER: [f64; 4] = [1.0, 0.1, 0.01, 0.001];

/// What is left at ε of what there is to learn along the manifold, and the part of f that is about it.
fn values(epsilon: f64) -> Vec<Value> {
    let (whole, here) = (near(1.0), near(epsilon));
    vec![
        Value::exact("information", here.information / whole.information),
        Value::exact("density", here.mean_log_density - whole.mean_log_density),
    ]
}

fn measure(_: &Context) -> Result<Findings, StudyError> {
    let baselines = SCATTER.iter().flat_map(|epsilon| {
        let found = near(*epsilon);
        let named = [("log-density", found.mean_log_density), ("loss", found.loss), ("off", found.share_off)];
        named.map(|(name, v)| Value::exact(Key::new(name).of(epsilon), v))
    });
    Ok(Findings {
        values: values(SCATTER[3]),
        baselines: baselines.collect(),
        controls: [
            ("still-near".to_owned(), values(SCATTER[2])),
            ("no-manifold".to_owned(), values(0.8)),
        ]
        .into(),
        setting: "X_1 ~ N(0, 1) along the manifold, X_2 ~ N(0, eps^2) off it; one copy, white noise, the true model".into(),
        n: vec![],
        data: data_hash([Array1::from(SCATTER.to_vec()).view()]),
    })
}

fn pictures(_: &Report, _: &Context) -> Vec<Figure> {
    let whole = near(1.0);
    let scatter: Vec<f64> = (0..=12).map(|i| 10_f64.powf(-f64::from(i) / 4.0)).collect();
    let line = |of: &dyn Fn(f64) -> f64| scatter.iter().map(|e| (*e, of(*e))).collect::<Vec<_>>();
    vec![
        Figure::new("Rows that come closer to a manifold")
            .x("scatter ε off the manifold")
            .y("relative to ε = 1")
            .log_x()
            .log_y()
            .line("information about the law along it", &line(&|e| near(e).information / whole.information))
            .line("share of f that is about the scatter", &line(&|e| near(e).share_off)),
    ]
}

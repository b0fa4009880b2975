//! Section 4: "the representation is also predictive of the outcome and treatment".

use crate::claims::{Check, Context, Findings, Pictures, Report, data_hash};
use crate::registry::{Key, Value};
use crate::study::StudyError;
use ebmbook::show::Figure;
use ebmbook::theory::limit::Design;
use ebmbook::theory::limit::compact::predicted_share;
use ndarray::Array1;

pub const CHECK: Check = Check { pictures: Pictures::Illustrate(pictures), ..Check::new(measure) };

/// X ~ N(0, I₂) on the disc of this radius.
const RADIUS: f64 = 2.0;
const DESIGN: Design = Design::POSITIVE_CONSTANT;

type Function = fn(f64, f64) -> f64;

fn shares(outcome: Function, treatment: Function) -> Vec<Value> {
    [("outcome", outcome), ("treatment", treatment)]
        .map(|(of, g)| Value::exact(Key::new("share").of(of), predicted_share(g, RADIUS)))
        .to_vec()
}

fn measure(_: &Context) -> Result<Findings, StudyError> {
    let sample: Vec<f64> = (0..8).map(|i| (DESIGN.propensity)(f64::from(i) / 4.0, 0.0)).collect();
    Ok(Findings {
        values: shares(DESIGN.control_mean, DESIGN.propensity),
        baselines: vec![
            Value::exact("mixed", predicted_share(|x, y| x + (x * x + y * y), RADIUS)),
            Value::exact("curved", predicted_share(|x, _| x * x, RADIUS)),
        ],
        controls: [
            ("rotated".to_owned(), shares(|x, y| 0.6 * x - 0.8 * y, |x, y| (DESIGN.propensity)(y, x))),
            (
                "generated-by-the-density".to_owned(),
                shares(|x, y| x * x + y * y, |x, y| 1.0 / (1.0 + (x * x + y * y).exp())),
            ),
        ]
        .into(),
        setting: format!(
            "X ~ N(0, I_2) on the disc of radius {RADIUS}, p_theta = p_X, mu_0 = x_1, pi = sigma(2 x_1) held in [.1, .9]"
        ),
        n: vec![],
        data: data_hash([Array1::from(sample).view()]),
    })
}

/// E[Y given A = 0] along x₁, and what is left of it given f.
fn pictures(_: &Report, _: &Context) -> Vec<Figure> {
    let angles: Vec<f64> = (0..=48).map(|i| std::f64::consts::TAU * f64::from(i) / 48.0).collect();
    let mean = |r: f64| {
        angles.iter().skip(1).map(|a| (DESIGN.control_mean)(r * a.cos(), r * a.sin())).sum::<f64>() / 48.0
    };
    let cloud: Vec<(f64, f64)> = (1..=16)
        .flat_map(|i| {
            let r = RADIUS * f64::from(i) / 16.0;
            angles
                .iter()
                .step_by(4)
                .map(move |a| (0.5 * r * r, (DESIGN.control_mean)(r * a.cos(), r * a.sin())))
        })
        .collect();
    let line: Vec<(f64, f64)> =
        (0..=16).map(|i| RADIUS * f64::from(i) / 16.0).map(|r| (0.5 * r * r, mean(r))).collect();
    vec![
        Figure::new("An outcome that the covariates generate and f does not predict")
            .x("f(x) = -log p_X(x) + c")
            .y("E[Y given A = 0]")
            .scatter("given x", &cloud)
            .line("given f(x)", &line),
    ]
}

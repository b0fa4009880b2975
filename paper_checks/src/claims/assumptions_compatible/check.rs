//! Assumptions 2.1 and 2.3: does a perfect regression on noisy covariates recover the effect?

use crate::claims::{Check, Context, Findings, Pictures, Report, data_hash};
use crate::registry::{Key, Value};
use crate::study::StudyError;
use ebmbook::show::Figure;
use ebmbook::theory::assumptions::estimate;
use ndarray::Array1;

pub const CHECK: Check = Check { pictures: Pictures::Illustrate(pictures), ..Check::new(measure) };

/// Numbers of covariates; the smallest decides as stated, the largest the weaker form.
const COVARIATES: [usize; 5] = [1, 3, 10, 30, 100];
/// π = σ(2U).
const CONFOUNDING: f64 = 2.0;

fn values(few: f64, many: f64) -> Vec<Value> {
    vec![Value::exact("few", few), Value::exact("many", many)]
}

fn measure(_: &Context) -> Result<Findings, StudyError> {
    let mean = |d: usize, confounding: f64| estimate(d, confounding).mean;
    let (few, many) = (COVARIATES[0], COVARIATES[COVARIATES.len() - 1]);
    let mut baselines: Vec<Value> = COVARIATES
        .iter()
        .map(|d| Value::exact(Key::new("pehe").of(d), estimate(*d, CONFOUNDING).pehe))
        .collect();
    baselines.push(Value::exact("quadrature", estimate(few, CONFOUNDING).quadrature_error));
    Ok(Findings {
        values: values(mean(few, CONFOUNDING), mean(many, CONFOUNDING)),
        baselines,
        controls: [
            ("few-for-many".to_owned(), values(mean(few, CONFOUNDING), mean(10, CONFOUNDING))),
            ("randomised".to_owned(), values(mean(few, 0.0), mean(many, 0.0))),
        ]
        .into(),
        setting: "U ~ N(0, 1), X = U 1 + N(0, I_d), pi = sigma(2U), mu_0 = U, effect 1 for everybody; E[Y given A, X] exact".into(),
        n: COVARIATES.to_vec(),
        data: data_hash([Array1::from(vec![CONFOUNDING]).view()]),
    })
}

fn pictures(_: &Report, _: &Context) -> Vec<Figure> {
    let dimensions: Vec<usize> = (0..=16).map(|i| 10_f64.powf(f64::from(i) / 8.0).round() as usize).collect();
    let line: Vec<(f64, f64)> =
        dimensions.iter().map(|d| (*d as f64, estimate(*d, CONFOUNDING).mean)).collect();
    vec![
        Figure::new("What a perfect regression on X takes for an effect of 1")
            .x("number of noisy covariates d")
            .y("mean estimate")
            .log_x()
            .line("U causes treatment and outcome", &line)
            .level("true effect", 1.0),
    ]
}

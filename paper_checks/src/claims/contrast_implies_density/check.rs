//! Section 4: a posterior that tells rows from their copies has learned the density.

use crate::claims::{Check, Context, Findings, Pictures, Report, data_hash};
use crate::registry::{Key, Value};
use crate::study::StudyError;
use ebmbook::show::Figure;
use ebmbook::theory::contrast::contrast;
use ndarray::Array1;

pub const CHECK: Check = Check { pictures: Pictures::Illustrate(pictures), ..Check::new(measure) };

/// A model that loses less than this on average says "the original" with a posterior of .99.
const PREDICTIVE: f64 = 0.01;
const DIMENSIONS: [usize; 4] = [1, 10, 100, 200];

/// Scales s of the energy s‖x‖²/2; the truth is 1.
fn scales() -> Vec<f64> {
    (-16..=16).map(|i| 2.0_f64.powf(f64::from(i) / 4.0)).collect()
}

/// The largest KL(p_X ‖ p_θ) per dimension over the models that a rule calls predictive.
fn worst(d: usize, is_predictive: impl Fn(f64) -> bool) -> f64 {
    let of = |s: f64| contrast(d, s).divergence / d as f64;
    scales().into_iter().filter(|s| is_predictive(*s)).map(of).fold(0.0, f64::max)
}

fn measure(_: &Context) -> Result<Findings, StudyError> {
    let d = 100;
    let truth = contrast(d, 1.0);
    let value = |estimate| vec![Value::exact("divergence", estimate)];
    let mut baselines = Vec::new();
    for d in DIMENSIONS {
        baselines.push(Value::exact(Key::new("accuracy").of(d), contrast(d, 1.0).accuracy));
        baselines.push(Value::exact(Key::new("loss-truth").of(d), contrast(d, 1.0).loss));
        baselines.push(Value::exact(Key::new("loss-wrong").of(d), contrast(d, 0.25).loss));
        baselines.push(Value::exact(Key::new("nats").of(d), contrast(d, 0.25).divergence));
    }
    let best = scales().into_iter().map(|s| contrast(d, s).loss).fold(f64::INFINITY, f64::min);
    Ok(Findings {
        values: value(worst(d, |s| contrast(d, s).loss <= PREDICTIVE)),
        baselines,
        controls: [
            // Scale changes no order: every s > 0 is right as often as the truth.
            ("by-accuracy".to_owned(), value(worst(d, |s| contrast(d, s).accuracy >= truth.accuracy))),
            (
                "half-the-dimension".to_owned(),
                value(worst(d / 2, |s| contrast(d / 2, s).loss <= 5.0 * PREDICTIVE)),
            ),
            ("as-predictive-as-can-be".to_owned(), value(worst(d, |s| contrast(d, s).loss <= best))),
        ]
        .into(),
        setting: format!(
            "X ~ N(0, I_d), energy s ||x||^2 / 2, truth s = 1, white noise, one copy, q = 1; d = {d}, s from 1/16 to 16; predictive: loss below {PREDICTIVE}"
        ),
        n: DIMENSIONS.to_vec(),
        data: data_hash([Array1::from(scales()).view()]),
    })
}

fn pictures(_: &Report, _: &Context) -> Vec<Figure> {
    let dimensions: Vec<usize> = (0..=18).map(|i| 10_f64.powf(f64::from(i) / 8.0).round() as usize).collect();
    let line = |s: f64| dimensions.iter().map(|d| (*d as f64, contrast(*d, s).loss)).collect::<Vec<_>>();
    vec![
        Figure::new("The contrast gets easy for every scale s, right or wrong")
            .x("d")
            .y("loss, nats")
            .log_x()
            .log_y()
            .line("s = 1/4", &line(0.25))
            .line("s = 1, the truth", &line(1.0))
            .line("s = 4", &line(4.0))
            .level("called predictive", PREDICTIVE),
    ]
}

//! What the claim says, in the paper's words and with its number. Replace this line.

use crate::claims::{Check, Context, Findings, data_hash};
use crate::registry::Value;
use crate::study::StudyError;
use ndarray::Array1;
use ndarray_rand::RandomExt;
use rand_distr::StandardNormal;

pub const CHECK: Check = Check::new(measure);

/// Measures the claim, and each broken variant by the same code.
fn measure(context: &Context) -> Result<Findings, StudyError> {
    let n = context.pick(100, 10_000);
    let draw = |sample: usize| {
        Array1::<f64>::random_using(n, StandardNormal, &mut context.seed.child("sample").index(sample).rng())
    };
    let largest = |shift: f64| {
        let means = (0..100).map(|sample| (draw(sample).mean().unwrap_or(f64::NAN) + shift).abs());
        vec![Value::exact("scaled-mean", means.fold(0.0, f64::max) * (n as f64).sqrt())]
    };
    Ok(Findings {
        values: largest(0.0),
        controls: [("shifted".to_owned(), largest(1.0))].into(),
        setting: format!("100 samples of {n} numbers"),
        n: vec![n],
        data: data_hash([draw(0).view()]),
        ..Findings::default()
    })
}

//! Mends of Proposition 4.1 on a compact X: p_X is the optimum once the noise and the density agree about the outside.

use crate::claims::{Check, Context, Findings, Pictures, Report, data_hash};
use crate::registry::{Key, Value};
use crate::study::StudyError;
use ebmbook::show::Figure;
use ebmbook::theory::compact::interval::{Contrast, Optimum, acceptance, optimum};
use ebmbook::theory::compact::square::{self, Outside};
use ebmbook::theory::compact::tails::best_scale;
use ndarray::Array1;

pub const CHECK: Check = Check { pictures: Pictures::Illustrate(pictures), ..Check::new(measure) };

/// Bounds on the energies of a rich class.
const BOUNDS: [f64; 4] = [1.5, 3.0, 5.0, 8.0];
/// Beyond nine standard deviations N(0, 1) has 1e-18 of its mass.
const WHOLE_LINE: f64 = 9.0;

/// Errors of the optimum under what is done about each of four things.
fn errors(interval: [Contrast; 3], cut: f64, outside: Outside, panels: usize) -> Vec<Value> {
    let names = ["reflected", "resampled", "zero-outside"];
    let mut values: Vec<Value> = names
        .iter()
        .zip(interval)
        .map(|(name, contrast)| {
            Value::exact(Key::new("error").of(name), optimum(contrast, panels).relative_error())
        })
        .collect();
    values.push(Value::exact(Key::new("error").of("positive everywhere"), (best_scale(cut) - 1.0).abs()));
    values.push(Value::exact("square", square::optimum(outside).sup_error));
    values
}

fn measure(context: &Context) -> Result<Findings, StudyError> {
    let panels = context.pick(1, 2);
    let mended = [Contrast::Reflected, Contrast::Resampled, Contrast::ZeroOutside];
    let without = optimum(Contrast::ResampledWithoutTerms, panels);
    let mut baselines: Vec<Value> = BOUNDS
        .iter()
        .map(|m| {
            Value::exact(Key::new("bounded").of(m), optimum(Contrast::Bounded(*m), panels).relative_error())
        })
        .collect();
    baselines.push(Value::exact("ratio-of-acceptance", acceptance(0.5) / acceptance(0.0) - 1.0));
    Ok(Findings {
        values: errors(mended, WHOLE_LINE, Outside::Reflected, panels),
        baselines,
        controls: [
            // As the model is trained: noise that leaves X, finite energies outside.
            (
                "noise-leaves-x".to_owned(),
                errors([Contrast::Bounded(8.0); 3], 4.0, Outside::EnergyGoesOn, panels),
            ),
            (
                "resampled-without-its-terms".to_owned(),
                vec![Value::exact(Key::new("error").of("resampled"), without.relative_error())],
            ),
        ]
        .into(),
        setting: "p_X ~ exp(-2x) on [0, 1], any energy; N(0, 1) with energy s x^2 / 2; U[0, 1]^2 with energy theta (x_1 - 1/2)^2; one copy, q = 1".into(),
        n: vec![12 * 8 * panels],
        data: data_hash([Array1::from(BOUNDS.to_vec()).view()]),
    })
}

/// p_θ/p_X over [0, 1]: as trained, resampled without kernel terms, and mended.
fn pictures(_: &Report, _: &Context) -> Vec<Figure> {
    let line = |contrast| {
        let Optimum { x, ratio } = optimum(contrast, 1);
        x.into_iter().zip(ratio).collect::<Vec<_>>()
    };
    vec![
        Figure::new("The best density of a rich class, divided by p_X")
            .x("x")
            .y("p_θ(x) / p_X(x)")
            .line("noise leaves X, |energy| ≤ 3", &line(Contrast::Bounded(3.0)))
            .line("noise leaves X, |energy| ≤ 5", &line(Contrast::Bounded(5.0)))
            .line("drawn again, kernel terms left out", &line(Contrast::ResampledWithoutTerms))
            .line("reflected", &line(Contrast::Reflected)),
    ]
}

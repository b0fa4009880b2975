//! Appendix B.2: is the orthogonality of B the key to universal approximation?

use crate::claims::{Check, Context, Findings, Pictures, Report, data_hash};
use crate::registry::{Key, Value};
use crate::study::StudyError;
use ebmbook::show::Figure;
use ebmbook::theory::approximation::{Target, network_error};
use ebmbook::theory::full_rank::recovery_gain;
use ndarray::{Array2, array};

pub const CHECK: Check = Check { pictures: Pictures::Illustrate(pictures), ..Check::new(measure) };

/// Directions of two densities.
fn orthogonal() -> Array2<f64> {
    array![[0.6, 0.8], [0.8, -0.6]]
}
fn invertible() -> Array2<f64> {
    array![[1.0, 0.9], [0.0, 0.4]]
}
fn coinciding() -> Array2<f64> {
    array![[0.6, 0.6], [0.8, 0.8]]
}
fn opposite() -> Array2<f64> {
    array![[0.6, -0.6], [0.8, -0.8]]
}

fn error(context: &Context, b: &Array2<f64>) -> f64 {
    let width = context.pick(256, 512);
    network_error(Target::Bimodal, width, b.view(), 4, context.seed.child("layer"))
}

fn measure(context: &Context) -> Result<Findings, StudyError> {
    let base = error(context, &orthogonal());
    // By how much the error grows without orthogonality, and without a common direction.
    let values = |without: &Array2<f64>, no_common: &Array2<f64>| {
        vec![
            Value::exact("without-orthogonality", error(context, without) / base - 1.0),
            Value::exact("without-common-direction", error(context, no_common) / base - 1.0),
        ]
    };
    let named = [
        ("orthogonal", orthogonal()),
        ("invertible", invertible()),
        ("coinciding", coinciding()),
        ("opposite", opposite()),
    ];
    Ok(Findings {
        values: values(&invertible(), &opposite()),
        baselines: named
            .iter()
            .flat_map(|(name, b)| {
                let gain = recovery_gain(b.view());
                let recovery = gain.is_finite().then(|| Value::exact(Key::new("gain").of(name), gain));
                [Some(Value::exact(Key::new("error").of(name), error(context, b))), recovery]
                    .into_iter()
                    .flatten()
            })
            .collect(),
        controls: [
            // Two equal directions: not of full rank, so that f is not identified, and still no harm to approximation.
            ("rank-instead-of-direction".to_owned(), values(&invertible(), &coinciding())),
            (
                "another-orthogonal-b".to_owned(),
                values(&array![[1.0, 0.0], [0.0, 1.0]], &array![[0.8, 0.6], [-0.6, 0.8]]),
            ),
        ]
        .into(),
        setting: format!(
            "two bumps on a square, one hidden layer of {} units, k = 2",
            context.pick(256, 512)
        ),
        n: vec![],
        data: data_hash(named.iter().map(|(_, b)| b.view())),
    })
}

fn pictures(_: &Report, context: &Context) -> Vec<Figure> {
    let named = [
        ("orthogonal", orthogonal()),
        ("invertible", invertible()),
        ("two equal", coinciding()),
        ("two opposite", opposite()),
    ];
    let bars: Vec<(f64, f64, f64, f64)> = named
        .iter()
        .enumerate()
        .map(|(i, (_, b))| {
            let e = error(context, b);
            (i as f64, e, e, e)
        })
        .collect();
    vec![
        Figure::new("What approximation needs of B")
            .x("directions")
            .y("sup |p_θ - p_X| / sup p_X, the worst j")
            .x_categories(&named.map(|(name, _)| name))
            .bars("network of 256 units", &bars),
    ]
}

//! Section 3, step 2: the eigenvectors of a Gaussian matrix B₀ as an orthogonal B.

use crate::claims::{Check, Context, Findings, Pictures, Report, data_hash};
use crate::pictures::limit;
use crate::registry::Value;
use crate::study::StudyError;
use ebmbook::ebm::{DirectionLaw, Directions, literal_reading};
use ebmbook::show::Figure;
use ndarray::Array2;

pub const CHECK: Check = Check { pictures: Pictures::Illustrate(pictures), ..Check::new(measure) };

const SIZES: [usize; 9] = [3, 4, 5, 10, 12, 14, 15, 16, 20];

fn measure(context: &Context) -> Result<Findings, StudyError> {
    let draws = context.pick(20, 200);
    let mut literal = 0.0_f64;
    let mut complex = 0;
    let mut symmetric = 0.0_f64;
    let mut haar = 0.0_f64;
    for k in SIZES {
        for i in 0..draws {
            let seed = context.seed.index(k).index(i);
            let found = literal_reading(k, seed);
            literal = literal.max(found.orthogonality_error);
            complex += usize::from(found.complex > 0);
            symmetric =
                symmetric.max(Directions::new(DirectionLaw::SymmetricEigen, k, seed)?.orthogonality_error());
            haar = haar.max(departure(&Context { seed, ..context.clone() }.directions(k)?));
        }
    }
    let values = |literal, symmetric, haar| {
        vec![
            Value::exact("literal", literal),
            Value::exact("one-triangle", symmetric),
            Value::exact("qr", haar),
        ]
    };
    Ok(Findings {
        values: values(literal, symmetric, haar),
        baselines: vec![Value::exact(
            "complex-share",
            f64::from(complex as u32) / (SIZES.len() * draws) as f64,
        )],
        // Calling the literal reading a repair must not pass either.
        controls: [("literal-as-repair".to_owned(), values(literal, literal, literal))].into(),
        n: vec![SIZES.len() * draws],
        data: data_hash([context.directions(5)?.view()]),
        setting: format!("k = 3 … 20 (the paper's nine sizes), {draws} draws of each"),
    })
}

/// max |BᵀB − I| of the directions that every other check uses.
fn departure(b: &Array2<f64>) -> f64 {
    let gram = b.t().dot(b) - Array2::<f64>::eye(b.ncols());
    gram.iter().fold(0.0_f64, |m, g| m.max(g.abs()))
}

fn pictures(_: &Report, _: &Context) -> Vec<Figure> {
    vec![limit::scales(10)]
}

//! Table A.7: the validation objective is maximised while b is free. What does it say of an energy that knows nothing?
//!
//! ```text
//! printed:    −log softmax_a(w_a)[0],    w_a the kernel terms         energies alone: log(b + 1)         pairwise: log 2
//! ```
//!
//! One number per draw: the mean over the printed settings, ten copies minus one.

use crate::claims::printed_rows::printed_rows;
use crate::claims::{Check, Context, Findings, Replicates, data_hash};
use crate::printed::Printed;
use crate::registry::{Key, Value};
use crate::study::StudyError;
use ebmbook::ebm::Objective;
use ebmbook::noise::NoiseKernel;
use ebmbook::theory::saturation::{draws_of_kernel, flat_loss, least_pairwise_loss, median};

pub const CHECK: Check = Check {
    replicates: Some(replicates),
    calibration: Some(include_str!("../../../results/calibration/sweep-score-comparable.toml")),
    ..Check::new(measure)
};

/// Error rate of the limits of the median.
const ALPHA: f64 = 1e-5;
/// The range of b that was searched.
const FEW: usize = 1;
const MANY: usize = 10;

/// Loss of a flat energy with b copies: one number per draw, the mean over the printed settings.
fn flat(context: &Context, b: usize) -> ebmbook::Result<Vec<f64>> {
    let draws = context.size(60, 400, 4000);
    let settings = Printed::load().hyperparameters;
    let mut mean = vec![0.0; draws];
    for (i, (h, rows)) in settings.iter().zip(printed_rows()?).enumerate() {
        let kernel = NoiseKernel::new(rows, h.corruption_probability)?;
        let seed = context.seed.index(i).index(b);
        let drawn = draws_of_kernel(&kernel, rows.x(), b, draws, seed)?;
        mean.iter_mut().zip(drawn).for_each(|(mean, rest)| *mean += flat_loss(rest) / settings.len() as f64);
    }
    Ok(mean)
}

/// What ten copies add to the loss, draw by draw. With one copy every draw is a guess between two.
fn moved(context: &Context) -> ebmbook::Result<Vec<f64>> {
    let (many, few) = (flat(context, MANY)?, flat(context, FEW)?);
    Ok(many.iter().zip(few).map(|(many, few)| many - few).collect())
}

fn replicates(context: &Context) -> Result<Vec<Replicates>, StudyError> {
    Ok(vec![Replicates { name: "moved".into(), numbers: moved(context)? }])
}

fn measure(context: &Context) -> Result<Findings, StudyError> {
    let found = moved(context)?;
    let of = |numbers: &[f64]| vec![Value::median("moved", numbers, ALPHA)];
    // An energy that knows nothing, without kernel terms.
    let loss = |objective: Objective, b: usize| objective.loss(&vec![0.0; b + 1], &[]);
    let exact = |objective: Objective| loss(objective, MANY) - loss(objective, FEW);
    let guess = |b: usize| (b as f64 + 1.0).ln();
    let corrected: Vec<f64> = found.iter().map(|moved| moved - (guess(MANY) - guess(FEW))).collect();
    let mut baselines = Vec::new();
    for b in [FEW, 2, 3, 5, MANY] {
        baselines.push(Value::exact(Key::new("flat").of(b), median(&flat(context, b)?)));
    }
    let draws = context.size(200, 2_000, 20_000);
    for d in [25, 48, 100] {
        for q in [0.2, 0.5, 0.8] {
            let least = least_pairwise_loss(d, q, draws, context.seed.child("least").index(d))?;
            baselines.push(Value::exact(Key::new("least").of(d).of(q), least));
        }
    }
    Ok(Findings {
        values: of(&found),
        baselines,
        controls: [
            ("pairwise".to_owned(), of(&vec![exact(Objective::Pairwise); found.len()])),
            ("energies-alone".to_owned(), of(&vec![exact(Objective::EnergyOnly); found.len()])),
            ("guess-subtracted".to_owned(), of(&corrected)),
        ]
        .into(),
        setting: format!("the paper's 18 settings, each with one copy and with ten; {} draws", found.len()),
        n: vec![found.len()],
        data: data_hash(printed_rows()?.iter().map(|rows| rows.x())),
    })
}

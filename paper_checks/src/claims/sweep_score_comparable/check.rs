//! Table A.7: the validation objective is maximised while b is free. What does it say of an energy that knows nothing?
//!
//! ```text
//! printed:    −log softmax_a(w_a)[0],    w_a the kernel terms         energies alone: log(b + 1)         pairwise: log 2
//! ```

use crate::claims::compare::mean;
use crate::claims::printed_rows::printed_rows;
use crate::claims::{Check, Context, Findings, data_hash};
use crate::printed::Printed;
use crate::registry::{Key, Value};
use crate::study::StudyError;
use ebmbook::ebm::Objective;
use ebmbook::noise::NoiseKernel;
use ebmbook::theory::saturation::{draws_of_kernel, flat_loss, least_pairwise_loss};

pub const CHECK: Check = Check::new(measure);

/// The range of b that was searched.
const FEW: usize = 1;
const MANY: usize = 10;

/// Draws of a row and its copies in each setting.
fn draws(context: &Context) -> usize {
    context.pick(400, 4000)
}

/// Loss of a flat energy with b copies under the printed objective: mean over the printed settings and over draws.
fn flat(context: &Context, b: usize) -> ebmbook::Result<f64> {
    let settings = Printed::load().hyperparameters;
    let mut losses = Vec::new();
    for (i, (h, rows)) in settings.iter().zip(printed_rows()?).enumerate() {
        let kernel = NoiseKernel::new(rows, h.corruption_probability)?;
        let drawn = draws_of_kernel(&kernel, rows.x(), b, draws(context), context.seed.index(i).index(b))?;
        losses.extend(drawn.into_iter().map(flat_loss));
    }
    Ok(mean(&losses))
}

fn measure(context: &Context) -> Result<Findings, StudyError> {
    let value = |moved: f64| vec![Value::exact("moved", moved)];
    let moved = flat(context, MANY)? - flat(context, FEW)?;
    // An energy that knows nothing, without kernel terms.
    let loss = |objective: Objective, b: usize| objective.loss(&vec![0.0; b + 1], &[]);
    let exact = |objective: Objective| loss(objective, MANY) - loss(objective, FEW);
    let energies_alone = exact(Objective::EnergyOnly);
    let mut baselines = Vec::new();
    for b in [FEW, 2, 3, 5, MANY] {
        baselines.push(Value::exact(Key::new("flat").of(b), flat(context, b)?));
    }
    for d in [25, 48, 100] {
        for q in [0.2, 0.5, 0.8] {
            let seed = context.seed.child("least").index(d);
            let least = least_pairwise_loss(d, q, context.pick(2_000, 20_000), seed)?;
            baselines.push(Value::exact(Key::new("least").of(d).of(q), least));
        }
    }
    Ok(Findings {
        values: value(moved),
        baselines,
        controls: [
            ("pairwise".to_owned(), value(exact(Objective::Pairwise))),
            ("energies-alone".to_owned(), value(energies_alone)),
            ("guess-subtracted".to_owned(), value(moved - energies_alone)),
        ]
        .into(),
        setting: format!("the paper's 18 settings, {} draws of a row and its copies in each", draws(context)),
        n: vec![draws(context)],
        data: data_hash(printed_rows()?.iter().map(|rows| rows.x())),
    })
}

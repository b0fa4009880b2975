//! Proposition 4.1 says "with probability 1"; what does its proof give?

use crate::claims::{Check, Context, Findings, Pictures, Report, data_hash};
use crate::registry::{Key, Value};
use crate::study::StudyError;
use ebmbook::show::Figure;
use ebmbook::theory::probability_one::{fails_between, outside_at, outside_ever};
use ndarray::Array1;

pub const CHECK: Check = Check { pictures: Pictures::Illustrate(pictures), ..Check::new(measure) };

/// P(X = 1), and how near to the truth is near.
const P: f64 = 0.3;
const ETA: f64 = 0.5;
const SIZES: [u64; 4] = [100, 200, 400, 800];

fn values(printed: f64, mended: f64) -> Vec<Value> {
    vec![Value::exact("printed", printed), Value::exact("mended", mended)]
}

fn measure(_: &Context) -> Result<Findings, StudyError> {
    let last = SIZES[SIZES.len() - 1];
    // What P(near at n) → 1 alone allows: a failure at n with probability 1/n, some time between n and n².
    let again = fails_between(last, last * last);
    let ever = outside_ever(last, P, ETA);
    let baselines = SIZES.iter().flat_map(|n| {
        let at = Value::exact(Key::new("at").of(n), outside_at(*n, P, ETA));
        [at, Value::exact(Key::new("ever").of(n), outside_ever(*n, P, ETA).min(1.0))]
    });
    Ok(Findings {
        values: values(again, ever),
        baselines: baselines.collect(),
        controls: [
            // The estimator itself fails now and then: consistent in probability, and never for good.
            ("fails-now-and-then".to_owned(), values(again, (ever + again).min(1.0))),
            ("no-growth".to_owned(), values(again, outside_ever(SIZES[0], P, ETA).min(1.0))),
        ]
        .into(),
        setting: format!(
            "X in {{0, 1}}, P(X = 1) = {P}, one copy, estimate log(N / (n - N)), within {ETA} of the truth"
        ),
        n: SIZES.iter().map(|n| *n as usize).collect(),
        data: data_hash([Array1::from(vec![P, ETA]).view()]),
    })
}

fn pictures(_: &Report, _: &Context) -> Vec<Figure> {
    let sizes: Vec<u64> =
        (0..=16).map(|i| (50.0 * 2.0_f64.powf(f64::from(i) / 4.0)).round() as u64).collect();
    let line = |of: &dyn Fn(u64) -> f64| sizes.iter().map(|n| (*n as f64, of(*n))).collect::<Vec<_>>();
    vec![
        Figure::new("Far from the truth at n, and at some later time")
            .x("n")
            .y("probability")
            .log_x()
            .log_y()
            .line("at n: the printed proof", &line(&|n| outside_at(n, P, ETA)))
            .line("at some m ≥ n: a bound, by the sum over m", &line(&|n| outside_ever(n, P, ETA).min(1.0)))
            .line("a failure at n with probability 1/n", &line(&|n| 1.0 / n as f64))
            .line("such a failure between n and n²", &line(&|n| fails_between(n, n * n))),
    ]
}

//! Section 3: regressions are indifferent to adding a constant to the representation.

use crate::claims::{Check, Context, Findings, Pictures, Report, data_hash};
use crate::pictures::intercept;
use crate::registry::{Key, Value};
use crate::study::StudyError;
use ebmbook::data::synthetic::Released;
use ebmbook::regress::RegressorKind;
use ebmbook::show::Figure;
use ebmbook::theory::shift::{largest_change, largest_change_standardised};
use ndarray::s;

pub const CHECK: Check = Check { pictures: Pictures::Illustrate(pictures), ..Check::new(measure) };

const SHIFT: f64 = 3.0;
/// The paper's four regressions, and what each is.
const PAPERS: [(RegressorKind, &str); 4] = [
    (RegressorKind::KernelRidge, "linear kernel ridge"),
    (RegressorKind::Polynomial, "polynomial ridge"),
    (RegressorKind::Power, "power transform and ridge"),
    (RegressorKind::Ridge, "ridge with intercept"),
];

fn measure(context: &Context) -> Result<Findings, StudyError> {
    let data = Released::new(5, context.pick(200, 1000))?.generate();
    let test = data.test.x().slice_move(s![..100, ..]);
    let (x, y) = (data.train.x(), data.train.outcome()?);
    let change = |kind: RegressorKind| -> ebmbook::Result<f64> {
        Ok(largest_change(kind.build(1.0)?.as_ref(), x, y, test, SHIFT)?)
    };
    let standardised = |kind: RegressorKind| -> ebmbook::Result<f64> {
        Ok(largest_change_standardised(kind.build(1.0)?.as_ref(), x, y, test, SHIFT)?)
    };
    let value = |what: &str, estimate: f64| Value::exact(Key::new("change").of(what), estimate);
    let scaled = |what: &str, estimate: f64| Value::exact(Key::new("standardised").of(what), estimate);
    let every =
        |estimate: f64| PAPERS.iter().flat_map(|(_, w)| [value(w, estimate), scaled(w, estimate)]).collect();
    let mut values = Vec::new();
    for (kind, what) in PAPERS {
        values.push(value(what, change(kind)?));
    }
    for (kind, what) in PAPERS {
        values.push(scaled(what, standardised(kind)?));
    }
    Ok(Findings {
        baselines: vec![value("RBF kernel ridge", change(RegressorKind::Rbf)?)],
        controls: [
            ("no-intercept".to_owned(), every(change(RegressorKind::KernelRidge)?)),
            ("intercept".to_owned(), every(change(RegressorKind::Ridge)?)),
        ]
        .into(),
        n: vec![data.train.n()],
        data: data_hash([data.train.x()]),
        setting: format!("released data, d = 5, n = {}, every feature moved by {SHIFT}", data.train.n()),
        values,
    })
}

fn pictures(_: &Report, context: &Context) -> Vec<Figure> {
    vec![intercept::shift_figure(context)]
}

//! Section 3: regressions are indifferent to adding a constant to the representation.

use super::{Context, Findings, data_hash};
use crate::verdict::Value;
use ebmbook::data::synthetic::Released;
use ebmbook::regress;
use ebmbook::theory::shift::largest_change;
use ndarray::s;

const SHIFT: f64 = 3.0;
/// The paper's four regressions, and the name of each value.
const PAPERS: [(&str, &str); 4] = [
    ("kernel-ridge", "change of linear kernel ridge"),
    ("polynomial", "change of polynomial ridge"),
    ("power", "change of power transform and ridge"),
    ("ridge", "change of ridge with intercept"),
];

pub(super) fn check(context: &Context) -> ebmbook::Result<Findings> {
    let data = Released::new(5, context.pick(200, 1000))?.generate();
    let test = data.test.x().slice_move(s![..100, ..]);
    let change = |name: &str| -> ebmbook::Result<f64> {
        let regressor = regress::by_name(name, 1.0)?;
        Ok(largest_change(regressor.as_ref(), data.train.x(), data.train.outcome()?, test, SHIFT)?)
    };
    let every = |estimate: f64| PAPERS.map(|(_, value)| Value::exact(value, estimate)).to_vec();
    let mut values = Vec::new();
    for (name, value) in PAPERS {
        values.push(Value::exact(value, change(name)?));
    }
    Ok(Findings {
        baselines: vec![Value::exact("change of RBF kernel ridge", change("rbf")?)],
        controls: [
            ("no-intercept".to_owned(), every(change("kernel-ridge")?)),
            ("intercept".to_owned(), every(change("ridge")?)),
        ]
        .into(),
        n: vec![data.train.n()],
        data: data_hash([data.train.x()]),
        setting: format!("released data, d = 5, n = {}, every feature moved by {SHIFT}", data.train.n()),
        values,
    })
}

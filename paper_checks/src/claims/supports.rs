//! What a root of the argument rests on, counted by the verdicts on record.
//!
//! Section 6 makes two claims. What they rest on is measured by entries of their own, and a check is red where one of those
//! differs from the record. So a root is judged on the record at
//! full scale: the share of what it requires that plainly holds, and the
//! share that holds at least in its weaker form. An entry that is not decided may count either way.

use super::find;
use crate::registry::{Limits, Scale, Value, Verdict};

/// The two shares over what a claim requires. A control changes the verdict of the i-th of them.
pub(super) fn shares(id: &str, change: impl Fn(usize, Verdict) -> Verdict) -> Vec<Value> {
    let root = find(id).expect("a root is in the registry");
    let record =
        |id: &String| find(id).expect("what it requires is in the registry").recorded_at(Scale::Full);
    let verdicts: Vec<Verdict> =
        root.requires.iter().map(record).enumerate().map(|(i, verdict)| change(i, verdict)).collect();
    let share = |key: &str, stands: fn(Verdict) -> bool| {
        let part = |is: &dyn Fn(Verdict) -> bool| {
            verdicts.iter().filter(|v| is(**v)).count() as f64 / verdicts.len() as f64
        };
        let (sure, open) = (part(&stands), part(&Verdict::is_open));
        Value { limits: Some(Limits { low: sure, high: sure + open, alpha: 0.0 }), ..Value::exact(key, sure) }
    };
    vec![share("holding", Verdict::is_met), share("standing", |v| v.is_met() || v.is_weaker())]
}

//! What a root of the argument rests on, counted by the verdicts on record.
//!
//! Section 6 makes two claims. What they rest on is measured by entries of their own, and a check is red where one of those
//! differs from the record. So a root is judged on the record at full scale, by two shares: what it requires that plainly
//! holds, where an entry that is not decided may count either way; and what stands, caveats included, of what is decided.

use super::find;
use crate::registry::{Limits, Scale, Value, Verdict};

/// The two shares over what a claim requires, and how many entries are open. A control changes the verdict of the i-th of them.
pub(super) fn shares(id: &str, change: impl Fn(usize, Verdict) -> Verdict) -> Vec<Value> {
    let root = find(id).expect("a root is in the registry");
    let record =
        |id: &String| find(id).expect("what it requires is in the registry").recorded_at(Scale::Full);
    let verdicts: Vec<Verdict> =
        root.requires.iter().map(record).enumerate().map(|(i, verdict)| change(i, verdict)).collect();
    let count = |is: fn(Verdict) -> bool| verdicts.iter().filter(|v| is(**v)).count() as f64;
    let [met, weaker, broken, open] =
        [Verdict::is_met, Verdict::is_weaker, Verdict::is_broken, Verdict::is_open].map(count);
    let all = met + weaker + broken + open;
    let limits = Limits { low: met / all, high: (met + open) / all, alpha: 0.0 };
    vec![
        Value { limits: Some(limits), ..Value::exact("holding", met / all) },
        Value::exact("standing", (met + weaker) / (met + weaker + broken)),
        Value::exact("open", open),
        Value::exact("all", all),
    ]
}

//! What the workbook says about the paper, as data: claims, the demands they make of measured values, and verdicts.
//!
//! In: a claim's criteria and measured values. Out: a verdict. Nothing here knows how a value is measured.
//!
//! ```text
//! Claim ── Criterion ──▶ Key ◀── Value            verdict(values, criteria) ──▶ Verdict
//! ```
//!
//! A [`Key`] is what code and criteria share. A label is what people read; the claim's file says which key has
//! which label.

mod claim;
mod deviation;
mod finding;
mod key;
mod kind;
mod map;
mod open;
mod scale;
mod value;
mod verdict;

pub use claim::{Baseline, Change, Claim, Control, FirstScreen, Part};
pub use deviation::{Deviation, ledger};
pub use finding::{Template, TemplateError};
pub use key::{Key, KeyError};
pub use kind::{Kind, Verdict};
pub use map::{Argument, Map, Node};
pub use open::{Open, open};
pub use scale::Scale;
pub use value::{Limits, Value};
pub use verdict::{Criterion, Rule, Scope, false_alarm_rate, power, verdict};

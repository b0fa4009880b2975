//! `ebmbook engines`: what can compute a study, and what is missing where it cannot.

use super::output::Output;
use super::{Outcome, Problem};
use crate::study::engines;
use serde_json::Value;

pub(super) fn run(output: &Output) -> Result<Outcome, Problem> {
    let rows: Vec<Vec<Value>> = engines()
        .into_iter()
        .map(|found| vec![found.engine.to_string().into(), found.description.into(), found.usable.into()])
        .collect();
    output.table(&["engine", "what", "usable"], &rows);
    Ok(Outcome::Fine)
}

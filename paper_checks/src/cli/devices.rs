//! `ebmbook devices`: where training can run, and what is missing where it cannot.

use super::output::Output;
use super::{Outcome, Problem};
use ebmbook::network::devices;
use serde_json::Value;

pub(super) fn run(output: &Output) -> Result<Outcome, Problem> {
    let rows: Vec<Vec<Value>> = devices()
        .into_iter()
        .map(|found| vec![found.name.into(), found.description.into(), found.usable.into()])
        .collect();
    output.table(&["device", "what", "usable"], &rows);
    Ok(Outcome::Fine)
}

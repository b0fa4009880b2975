//! Printed beside reproduced, for the page's table that can be sorted and filtered.

use crate::checks::Context;
use crate::study::{Study, table};
use serde::Serialize;

/// Studies whose numbers the paper prints.
const PRINTED: [&str; 8] =
    ["table1", "table2", "table-a1", "table-power", "table-polynomial", "table-ridge", "ihdp", "ihdp-npci"];

/// One row of the page's table.
#[derive(Serialize)]
pub(super) struct PageRow {
    study: &'static str,
    protocol: String,
    block: String,
    d: usize,
    n: usize,
    arm: String,
    learner: String,
    regressor: String,
    printed: Option<String>,
    ours: String,
    z: Option<String>,
    verdict: &'static str,
    zero: Option<String>,
    skill: Option<String>,
}

/// Rows of every study at hand, and the studies that are not.
pub(super) fn printed_beside_ours(context: &Context) -> (Vec<PageRow>, Vec<[String; 2]>) {
    let (mut rows, mut studies) = (Vec::new(), Vec::new());
    for study in Study::known() {
        let state = match context.results(study.name) {
            Ok(results) => {
                if let Some(name) = PRINTED.iter().find(|name| **name == study.name) {
                    rows.extend(table::rows(name, &results).into_iter().filter_map(|r| page_row(name, r)));
                }
                format!("{} cells", results.len())
            }
            Err(error) => format!("not here: {error}"),
        };
        studies.push([format!("{}: {}", study.name, study.about), state]);
    }
    (rows, studies)
}

/// Noisy PEHE only: that is what the paper prints.
fn page_row(study: &'static str, r: table::Row) -> Option<PageRow> {
    if r.value.ends_with(", noiseless") || r.zero.is_none() {
        return None;
    }
    let (learner, regressor) = r.value.split_once(' ')?;
    let three = |v: f64| format!("{v:.3}");
    Some(PageRow {
        study,
        protocol: r.protocol.to_string(),
        learner: learner.to_uppercase(),
        regressor: regressor.to_owned(),
        printed: r.printed.map(|m| format!("{m:.3} ({:.2})", r.printed_sd.unwrap_or(0.0))),
        ours: format!("{:.3} ({:.2})", r.ours, r.sd),
        z: r.z.map(|z| format!("{z:.1}")),
        verdict: if r.printed.is_some() { r.verdict } else { "" },
        zero: r.zero.map(three),
        skill: r.skill.map(three),
        block: r.block,
        d: r.d,
        n: r.n,
        arm: r.arm,
    })
}

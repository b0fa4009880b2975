//! Printed beside reproduced, for the page's table that can be sorted and filtered.

use crate::claims::Context;
use crate::printed::Block;
use crate::study::{Arm, Predictor, Quantity, Study, table};
use serde::Serialize;

/// Studies whose numbers the paper prints, and where: names that leave room for the numbers.
const PRINTED: [(&str, &str); 8] = [
    ("table1", "Table 1"),
    ("table2", "Table 2"),
    ("table-a1", "A.1"),
    ("table-power", "A.2"),
    ("table-polynomial", "A.3"),
    ("table-ridge", "A.4"),
    ("ihdp", "IHDP"),
    ("ihdp-npci", "IHDP, NPCI"),
];

/// The block of a table in a few letters; the glossary says what they stand for.
fn short(block: Block) -> String {
    match block {
        Block::SyntheticGrowingD => "synth. d grows".into(),
        Block::SyntheticD100 => "synth. d = 100".into(),
        other => other.to_string(),
    }
}

/// One row of the page's table.
#[derive(Serialize)]
pub(super) struct PageRow {
    table: &'static str,
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
    verdict: String,
    zero: Option<String>,
    skill: Option<String>,
}

/// Rows of every study at hand, and the studies that are not.
pub(super) fn printed_beside_ours(context: &Context) -> (Vec<PageRow>, Vec<[String; 2]>) {
    let (mut rows, mut studies) = (Vec::new(), Vec::new());
    for study in Study::known() {
        let state = match context.results(study.name) {
            Ok(results) => {
                if let Some((name, place)) = PRINTED.into_iter().find(|(name, _)| *name == study.name) {
                    let shown = table::rows(name, &results).into_iter().filter(|r| is_shown(place, r));
                    rows.extend(shown.filter_map(|r| page_row(place, r)));
                }
                format!("{} cells", results.len())
            }
            Err(error) => format!("not here: {error}"),
        };
        studies.push([format!("{}: {}", study.name, study.about), state]);
    }
    (rows, studies)
}

/// Whether a row is on the page: those with a printed number and, of the tables in the paper's body, the EBM, the covariates and
/// the untrained network. All rows stand in the `table.csv` of their study.
fn is_shown(place: &str, row: &table::Row) -> bool {
    row.printed.is_some()
        || (place.starts_with("Table") && [Arm::RAW, Arm::EBM, Arm::UNTRAINED].contains(&row.arm))
}

/// Noisy PEHE only: that is what the paper prints.
fn page_row(table: &'static str, r: table::Row) -> Option<PageRow> {
    let fit = match r.value {
        Quantity::Pehe(Predictor::Fit(fit)) if r.zero.is_some() => fit,
        _ => return None,
    };
    // A run that diverged would make the column as wide as its digits.
    let wild = |v: f64| v.abs() >= 1000.0;
    let number = |v: f64, digits: usize| if wild(v) { format!("{v:.1e}") } else { format!("{v:.digits$}") };
    let three = |v: f64| number(v, 3);
    Some(PageRow {
        table,
        protocol: r.protocol.to_string(),
        learner: fit.learner.to_string().to_uppercase(),
        regressor: fit.regressor.to_string(),
        printed: r.printed.map(|m| format!("{m:.3} ({:.2})", r.printed_sd.unwrap_or(0.0))),
        ours: format!("{} ({})", three(r.ours), number(r.sd, 2)),
        // Of a large one nobody reads the decimals.
        z: r.z.map(|z| if z.abs() < 100.0 { format!("{z:.1}") } else { format!("{z:.0}") }),
        // A star where a reader must know more; words would push numbers off the page.
        verdict: r.rows.map_or(String::new(), |rows| {
            format!("{}{}", r.verdict, if rows == table::Whose::Same { "" } else { "*" })
        }),
        zero: r.zero.map(three),
        skill: r.skill.map(three),
        block: short(r.block),
        d: r.d,
        n: r.n,
        arm: r.arm.to_string(),
    })
}

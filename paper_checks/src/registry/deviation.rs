//! The deviations ledger: every place where the workbook had to choose, because the text is
//! silent, contradicts itself or cannot work as written.

use serde::{Deserialize, Serialize};

/// One choice, with its reason.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Deviation {
    /// Identifier, used wherever a result depends on the choice.
    pub id: String,
    /// Where in the paper the question arises.
    pub place: String,
    /// What the paper says, or that it says nothing.
    pub paper: String,
    /// What the workbook does.
    pub choice: String,
    /// Why.
    pub reason: String,
    /// The parameter that changes it, where there is one.
    pub parameter: Option<String>,
}

/// All deviations, in the order of the file.
///
/// ```
/// let ledger = paper_checks::registry::ledger();
/// assert!(ledger.iter().any(|d| d.id == "synthetic-arms"));
/// ```
pub fn ledger() -> Vec<Deviation> {
    #[derive(Deserialize)]
    struct File {
        deviation: Vec<Deviation>,
    }
    let file: File = toml::from_str(include_str!("../../deviations.toml"))
        .expect("the ledger is part of the program, and a test reads it");
    file.deviation
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_distinct_and_no_field_is_empty() {
        let ledger = ledger();
        for (i, d) in ledger.iter().enumerate() {
            assert!(ledger[..i].iter().all(|other| other.id != d.id), "{} twice", d.id);
            for field in [&d.id, &d.place, &d.paper, &d.choice, &d.reason] {
                assert!(!field.trim().is_empty(), "{}", d.id);
            }
        }
    }
}

//! Section 6, the second of the two claims: identifiable, so that representations and effects are consistent.

use crate::claims::supports::shares;
use crate::claims::{Check, Context, Findings};
use crate::registry::Verdict;
use crate::study::StudyError;

pub const CHECK: Check = Check::new(measure);

fn measure(_: &Context) -> Result<Findings, StudyError> {
    // The first of what it rests on is Proposition 3.3.
    let without = |i, verdict| if i == 0 { Verdict::Fails } else { verdict };
    Ok(Findings {
        values: shares("claim-2", |_, verdict| verdict),
        controls: [
            ("not-identifiable".to_owned(), shares("claim-2", without)),
            ("all-hold".to_owned(), shares("claim-2", |_, _| Verdict::Holds)),
        ]
        .into(),
        setting: "verdicts on record at full scale of what it rests on".into(),
        ..Findings::default()
    })
}

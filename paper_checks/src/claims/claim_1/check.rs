//! Section 6, the first of the two claims: the EBM as a preprocessing step improves CATE learners.

use crate::claims::supports::shares;
use crate::claims::{Check, Context, Findings};
use crate::registry::Verdict;
use crate::study::StudyError;

pub const CHECK: Check = Check::new(measure);

fn measure(_: &Context) -> Result<Findings, StudyError> {
    let strict = |_, verdict: Verdict| if verdict.is_met() { verdict } else { Verdict::Fails };
    Ok(Findings {
        values: shares("claim-1", |_, verdict| verdict),
        controls: [
            ("caveats-are-failures".to_owned(), shares("claim-1", strict)),
            ("caveats-forgotten".to_owned(), shares("claim-1", |_, _| Verdict::Holds)),
        ]
        .into(),
        setting: "verdicts on record at full scale of what it rests on".into(),
        ..Findings::default()
    })
}

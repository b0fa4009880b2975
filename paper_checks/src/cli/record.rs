//! `ebmbook check --to FOLDER`: keep the reports of a run as text, with its verdicts.

use super::Problem;
use crate::checks::{Context, Report, Scale};
use crate::verdict::Verdict;
use ebmbook::files::write_atomically;
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::Path;

/// What `verdicts.toml` holds.
#[derive(Serialize)]
struct Record<'a> {
    program: String,
    command: String,
    scale: Scale,
    master_seed: u64,
    claim: BTreeMap<&'a str, Entry>,
}

#[derive(Serialize)]
struct Entry {
    verdict: Verdict,
    /// Wall-clock time, beside the other claims of the run.
    seconds: f64,
}

/// Writes `verdicts.toml` and one text a claim.
pub(super) fn write(
    folder: &Path,
    reports: &[(Report, f64)],
    context: &Context,
    master_seed: u64,
) -> Result<(), Problem> {
    std::fs::create_dir_all(folder)
        .map_err(|e| Problem::new(format!("folder `{}` must be writable: {e}", folder.display())))?;
    let scale = if context.scale == Scale::Full { "full" } else { "quick" };
    let record = Record {
        program: format!("ebmbook {}", env!("CARGO_PKG_VERSION")),
        command: format!("ebmbook check --part theory --scale {scale} --seed {master_seed} --to FOLDER"),
        scale: context.scale,
        master_seed,
        claim: reports
            .iter()
            .map(|(r, seconds)| {
                (r.claim.as_str(), Entry { verdict: r.verdict, seconds: (seconds * 10.0).round() / 10.0 })
            })
            .collect(),
    };
    let text = toml::to_string(&record).expect("a record is plain data");
    write_atomically(&folder.join("verdicts.toml"), |w| w.write_all(text.as_bytes()))?;
    for (report, _) in reports {
        let text = report.text() + "\n";
        write_atomically(&folder.join(format!("{}.txt", report.claim)), |w| w.write_all(text.as_bytes()))?;
    }
    Ok(())
}

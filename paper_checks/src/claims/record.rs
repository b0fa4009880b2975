//! Findings of one claim about the theory, kept in a folder: in JSON, so that they can be judged again, and as
//! text, so that they can be read.

use super::report::judge;
use super::{Context, Findings, Report, Scale};
use crate::registry::Claim;
use crate::study::{Provenance, StudyError};
use ebmbook::files::write_atomically;
use ebmbook::seed::Seed;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// What a check found, and how it was run. The verdict is not kept: it follows from the findings.
///
/// ```
/// use paper_checks::{claims::{self, Context, Record}};
/// let claim = claims::find("population-optimum").unwrap();
/// let report = claims::run(claim, &Context::default())?;
/// let folder = std::env::temp_dir().join(format!("ebmbook-record-{}", std::process::id()));
/// Record::new(&report, &Context::default(), 2022, 0.1).write(&folder, &report)?;
/// let again = Record::read(&folder, claim)?.unwrap().report(claim);
/// assert_eq!((again.text(), again.verdict), (report.text(), report.verdict));
/// # std::fs::remove_dir_all(folder).unwrap();
/// # Ok::<(), paper_checks::study::StudyError>(())
/// ```
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// Which claim.
    pub claim: String,
    /// How to have it again.
    pub command: String,
    /// How large the check was.
    pub scale: Scale,
    /// Seed of everything random.
    pub master_seed: u64,
    /// Git revision the program was built from, with `+` if its sources were changed.
    pub revision: String,
    /// The compiler it was built with.
    pub rustc: String,
    /// The processor.
    pub cpu: String,
    /// Wall-clock time, beside the other claims of the run.
    pub seconds: f64,
    /// What was measured.
    pub findings: Findings,
}

impl Record {
    /// The folder of records beside the studies of committed results.
    pub const FOLDER: &str = "theory";

    /// The record of a report that took so long, here and now.
    pub fn new(report: &Report, context: &Context, master_seed: u64, seconds: f64) -> Self {
        let here = Provenance::here();
        let (claim, scale) = (report.claim.clone(), context.scale);
        Self {
            command: format!("ebmbook check {claim} --scale {scale} --seed {master_seed}"),
            claim,
            scale,
            master_seed,
            revision: here.revision,
            rustc: here.rustc,
            cpu: here.cpu,
            seconds: (seconds * 10.0).round() / 10.0,
            findings: report.findings.clone(),
        }
    }

    /// Writes `CLAIM.json`, and the report it gives as `CLAIM.txt`.
    pub fn write(&self, folder: &Path, report: &Report) -> Result<(), StudyError> {
        let json = serde_json::to_string_pretty(self).expect("a record is plain data") + "\n";
        write_atomically(&folder.join(format!("{}.json", self.claim)), |w| w.write_all(json.as_bytes()))?;
        let text = report.text() + "\n";
        write_atomically(&folder.join(format!("{}.txt", self.claim)), |w| w.write_all(text.as_bytes()))?;
        Ok(())
    }

    /// The record of a claim in a folder; none if there is no file.
    pub fn read(folder: &Path, claim: &Claim) -> Result<Option<Self>, StudyError> {
        let path = folder.join(format!("{}.json", claim.id));
        let Ok(text) = std::fs::read_to_string(&path) else { return Ok(None) };
        let malformed =
            |e: serde_json::Error| StudyError::Malformed { path, line: e.line(), reason: e.to_string() };
        serde_json::from_str(&text).map(Some).map_err(malformed)
    }

    /// The claim judged on these findings, by the criteria as they are now.
    pub fn report(self, claim: &Claim) -> Report {
        let seed = Seed::new(self.master_seed).child(&claim.id);
        judge(claim, self.findings, &Context { scale: self.scale, seed, ..Context::default() })
    }
}

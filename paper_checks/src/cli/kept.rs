//! Judged claims about the theory, kept between runs: the main job and the page of committed results
//! share them.

use super::progress::{Bar, note};
use crate::claims::{self, Context, Findings, Report};
use crate::registry::{Claim, Part};
use crate::registry::{Open, Verdict};
use crate::study::{Store, StudyError};
use ebmbook::files::write_atomically;
use rayon::prelude::*;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

/// The folder of everything the program keeps: `$EBMBOOK_HOME`, else `target/ebmbook` of the project.
pub(super) fn home() -> PathBuf {
    Store::default_folder().parent().map(Path::to_owned).unwrap_or_default()
}

/// Claims about the theory, judged now or before by this very program.
pub(super) struct ReportCache<'a> {
    context: &'a Context,
    folder: PathBuf,
    deadline: Option<Instant>,
    reused: AtomicUsize,
}

impl<'a> ReportCache<'a> {
    pub fn new(context: &'a Context, deadline: Option<Instant>) -> Self {
        Self { context, folder: home().join("reports"), deadline, reused: AtomicUsize::new(0) }
    }

    /// How many had been judged before.
    pub fn reused(&self) -> usize {
        self.reused.load(Ordering::Relaxed)
    }

    /// The claims about the theory among these, side by side.
    pub fn judge(&self, claims: &[&'static Claim]) -> Result<Vec<Report>, StudyError> {
        let theory: Vec<&Claim> = claims.iter().copied().filter(|c| c.part == Part::Theory).collect();
        let bar = Bar::of("claims about the theory");
        bar.begin(theory.len(), String::new());
        theory
            .par_iter()
            .map(|claim| {
                let report = self.one(claim)?;
                bar.step(claim.id.clone());
                Ok(report)
            })
            .collect()
    }

    fn one(&self, claim: &Claim) -> Result<Report, StudyError> {
        let path = self.key(claim).map(|key| self.folder.join(format!("{}-{key}.json", claim.id)));
        let before = path.as_ref().and_then(|path| std::fs::read(path).ok());
        if let Some(report) = before.and_then(|b| serde_json::from_slice::<Report>(&b).ok()) {
            self.reused.fetch_add(1, Ordering::Relaxed);
            return Ok(report);
        }
        if self.deadline.is_some_and(|end| Instant::now() >= end) {
            return Ok(unfinished(claim, self.context, NO_TIME, true));
        }
        let report = match claims::run(claim, self.context) {
            Ok(report) => report,
            // One check that cannot be made, say because a data file is damaged, leaves the others.
            Err(error) => return Ok(unfinished(claim, self.context, &error.to_string(), false)),
        };
        if let Some(path) = path {
            write_atomically(&path, |w| Ok(serde_json::to_writer(w, &report)?))?;
        }
        Ok(report)
    }

    /// Everything a report depends on: the program itself, the scale and the seed. None if the program
    /// cannot be read: what it judged could then not be told from what another one did.
    fn key(&self, claim: &Claim) -> Option<String> {
        static PROGRAM: LazyLock<Option<String>> = LazyLock::new(|| {
            let program = std::env::current_exe().and_then(std::fs::read);
            let hash = program.as_deref().map(|bytes| blake3::hash(bytes).to_hex().to_string());
            hash.inspect_err(|why| note(format_args!("nothing is kept: the program cannot be read: {why}")))
                .ok()
        });
        let program = PROGRAM.as_ref()?;
        let all = format!("{program} {:?} {} {}", self.context.scale, self.context.seed.to_hex(), claim.id);
        Some(blake3::hash(all.as_bytes()).to_hex()[..16].to_owned())
    }
}

/// Why a claim was left when time was up.
pub(super) const NO_TIME: &str = "did not fit into the budget";

/// A claim that was not measured: inconclusive, and it says why.
pub(super) fn unfinished(claim: &Claim, context: &Context, why: &str, out_of_time: bool) -> Report {
    let open = Verdict::Inconclusive.of(claim.kind);
    Report {
        claim: claim.id.clone(),
        verdict: open,
        open: vec![Open::not_measured(claim, why, out_of_time)],
        recorded: claim.recorded_at(context.scale),
        by_protocol: Default::default(),
        at_half_and_double: [open; 2],
        false_alarm_rate: 0.0,
        controls: Default::default(),
        power: Default::default(),
        counted: Default::default(),
        faulty_controls: Vec::new(),
        seed: context.seed.to_hex()[..16].to_owned(),
        findings: Findings { setting: format!("not measured: {why}"), ..Findings::default() },
    }
}

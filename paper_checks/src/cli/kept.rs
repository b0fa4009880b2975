//! What the program keeps between runs: judged entries, the page, and which committed cells were computed again here.

use super::progress::note;
use crate::claims::{self, Context, Findings, Report};
use crate::registry::{Claim, Open, Verdict};
use crate::study::{Published, Store, Studies, StudyError};
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

/// A hash of this very program and of these facts; none if the program cannot be read: what it made could then not be told
/// from what another one did.
pub(super) fn key_of(facts: &str) -> Option<String> {
    static PROGRAM: LazyLock<Option<String>> = LazyLock::new(|| {
        let program = std::env::current_exe().and_then(std::fs::read);
        let hash = program.as_deref().map(|bytes| blake3::hash(bytes).to_hex().to_string());
        hash.inspect_err(|why| note(format_args!("nothing is kept: the program cannot be read: {why}"))).ok()
    });
    let program = PROGRAM.as_ref()?;
    Some(blake3::hash(format!("{program} {facts}").as_bytes()).to_hex()[..16].to_owned())
}

/// A hash of the committed cells of a folder.
pub(super) fn hash_of_cells(folder: &Path) -> String {
    let mut hasher = blake3::Hasher::new();
    for study in Published::studies(folder) {
        let cells = std::fs::read(Published::path(folder, study.name)).unwrap_or_default();
        hasher.update(study.name.as_bytes()).update(&(cells.len() as u64).to_le_bytes()).update(&cells);
    }
    hasher.finalize().to_hex().to_string()
}

/// Entries judged now, or before by this very program.
pub(super) struct ReportCache<'a> {
    context: &'a Context,
    /// What reports depend on beside the program and the claim; none if the values of studies may change under it.
    facts: Option<String>,
    folder: PathBuf,
    deadline: Option<Instant>,
    reused: AtomicUsize,
}

impl<'a> ReportCache<'a> {
    pub fn new(context: &'a Context, deadline: Option<Instant>) -> Self {
        let facts = format!("{:?} {}", context.scale, context.seed.to_hex());
        let facts = match &context.studies {
            Studies::Published(folder) => Some(format!("{facts} {}", hash_of_cells(folder))),
            Studies::Store(_) => None,
        };
        Self { context, facts, folder: home().join("reports"), deadline, reused: AtomicUsize::new(0) }
    }

    /// How many had been judged before.
    pub fn reused(&self) -> usize {
        self.reused.load(Ordering::Relaxed)
    }

    /// The reports of these claims, made side by side. Whoever listens is told of each as it is there.
    pub fn judge(
        &self,
        claims: &[&'static Claim],
        told: &(dyn Fn(&Report) + Sync),
    ) -> Result<Vec<Report>, StudyError> {
        let one = |claim: &&'static Claim| self.one(claim).inspect(|report| told(report));
        claims.par_iter().map(one).collect()
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

    /// Everything a report depends on.
    fn key(&self, claim: &Claim) -> Option<String> {
        let of_theory = || format!("{:?} {}", self.context.scale, self.context.seed.to_hex());
        let facts = if claim.studies.is_empty() { of_theory() } else { self.facts.clone()? };
        key_of(&format!("{facts} {}", claim.id))
    }
}

/// Writes a page that depends on these facts, unless it is there: a page says at its end what it was made of.
pub(super) fn write_page(
    to: &Path,
    facts: &str,
    make: impl FnOnce() -> Result<String, StudyError>,
) -> Result<(), StudyError> {
    let mark = key_of(facts).map(|key| format!("<!-- {key} -->\n"));
    let there = |mark: &String| std::fs::read_to_string(to).is_ok_and(|page| page.ends_with(mark));
    if mark.as_ref().is_some_and(there) {
        return Ok(());
    }
    let page = make()?;
    Ok(write_atomically(to, |w| {
        w.write_all(page.as_bytes())?;
        w.write_all(mark.unwrap_or_default().as_bytes())
    })?)
}

/// Why a claim was left when time was up.
pub(super) const NO_TIME: &str = "did not fit into the budget";

/// A claim that was not measured: inconclusive, and it says why.
pub(super) fn unfinished(claim: &Claim, context: &Context, why: &str, out_of_time: bool) -> Report {
    let open = Verdict::Inconclusive.of(claim.kind);
    Report {
        claim: claim.id.clone(),
        scale: context.scale,
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

//! `ebmbook report`: the page of committed results.

use super::kept::{ReportCache, home};
use super::output::Output;
use super::progress::note;
use super::{Outcome, Problem};
use crate::claims::{self, Context, Record, Report, Scale};
use crate::registry::{Claim, Part};
use crate::study::{Published, Studies, StudyError};
use ebmbook::data::manifest::Manifest;
use ebmbook::files::write_atomically;
use serde_json::json;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Judge every claim on committed results and write the page.
#[derive(clap::Args)]
pub(super) struct Args {
    /// Folder of committed results [default: paper_checks/results of the project].
    #[arg(long)]
    from: Option<PathBuf>,
    /// Where the page goes [default: target/ebmbook/report-full.html of the project].
    #[arg(long)]
    to: Option<PathBuf>,
    /// Scale of the claims about the theory, and of the results in the folder.
    #[arg(long, value_enum, default_value_t = Scale::Full)]
    scale: Scale,
}

/// The results that are committed with the project, wherever the program is called.
fn committed() -> PathBuf {
    let results = Path::new("paper_checks/results");
    let root = Manifest::find().ok().and_then(|m| m.folder().parent().map(Path::to_owned));
    match root {
        Some(root) if !results.is_dir() => root.join(results),
        _ => results.to_owned(),
    }
}

/// The folder of committed results: this one, or the project's.
pub(super) fn results_in(folder: Option<&Path>) -> Result<PathBuf, Problem> {
    let from = folder.map_or_else(committed, Path::to_owned);
    if !from.is_dir() {
        return Err(Problem::with_a_way_out(format!(
            "folder of results `{}` is not there; `ebmbook publish all --scale full` makes one",
            from.display()
        )));
    }
    Ok(from)
}

/// A claim judged on the project's committed results; none if they are not at hand.
pub(super) fn committed_report(claim: &'static Claim) -> Result<Option<Report>, StudyError> {
    let from = committed();
    if claim.part == Part::Theory {
        return Ok(Record::read(&from.join(Record::FOLDER), claim)?.map(|record| record.report(claim)));
    }
    let there = |study: &String| Published::path(&from, study).is_file();
    if !claim.studies.iter().all(there) {
        return Ok(None);
    }
    let context = Context { scale: Scale::Full, studies: Studies::Published(from), ..Context::default() };
    Ok(ReportCache::new(&context, None).judge(&[claim], &|_| ())?.pop())
}

/// Reports of the claims whose findings at this scale are committed.
fn committed_theory(
    claims: &[&'static Claim],
    folder: &Path,
    scale: Scale,
) -> Result<BTreeMap<String, Report>, StudyError> {
    let mut reports = BTreeMap::new();
    for claim in claims {
        if let Some(record) = Record::read(folder, claim)?.filter(|r| r.scale == scale) {
            reports.insert(claim.id.clone(), record.report(claim));
        }
    }
    Ok(reports)
}

impl Args {
    pub fn run(&self, output: &Output) -> Result<Outcome, Problem> {
        let from = results_in(self.from.as_deref())?;
        let here: Vec<&str> = Published::studies(&from).iter().map(|s| s.name).collect();
        let folder = from.join(Record::FOLDER);
        let context = Context { scale: self.scale, studies: Studies::Published(from), ..Context::default() };
        let claims: Vec<&'static Claim> = claims::all().collect();
        // Committed findings about the theory are judged; what lacks them is measured.
        let mut theory = committed_theory(&claims, &folder, context.scale)?;
        let rest = claims.iter().copied().filter(|c| c.part == Part::Theory && !theory.contains_key(&c.id));
        let kept = ReportCache::new(&context, None);
        theory.extend(
            kept.judge(&rest.collect::<Vec<_>>(), &|_| ())?.into_iter().map(|r| (r.claim.clone(), r)),
        );
        if kept.reused() > 0 {
            note(format_args!("{} claims about the theory were judged in an earlier run", kept.reused()));
        }
        let (mut reports, mut left_out): (Vec<Report>, Vec<(&str, String)>) = Default::default();
        for claim in claims {
            let absent: Vec<&str> =
                claim.studies.iter().map(String::as_str).filter(|study| !here.contains(study)).collect();
            if claim.part == Part::Theory {
                reports.extend(theory.remove(&claim.id));
            } else if !absent.is_empty() {
                left_out.push((&claim.id, format!("no committed results of {}", absent.join(", "))));
            } else {
                match claims::run(claim, &context) {
                    Err(error @ StudyError::Missing { .. }) => left_out.push((&claim.id, error.to_string())),
                    report => reports.push(report?),
                }
            }
        }
        let to = self.to.clone().unwrap_or_else(|| home().join("report-full.html"));
        let page = crate::report::page(&reports, &context)?;
        write_atomically(&to, |w| w.write_all(page.as_bytes()))?;
        for (claim, why) in &left_out {
            output.say(format!("left out  {claim}: {why}"));
        }
        output.say(format!("{} claims, {} left out", reports.len(), left_out.len()));
        output.say(format!("Report: {}", to.display()));
        if output.is_json() {
            let left_out: Vec<_> =
                left_out.iter().map(|(claim, why)| json!({ "claim": claim, "why": why })).collect();
            let reused = kept.reused();
            output.value(
                &json!({ "claims": reports, "left out": left_out, "reused": { "claims": reused }, "report": to }),
            );
        }
        Ok(super::check::outcome(reports.iter()))
    }
}

//! `ebmbook` with no arguments: the workbook's main job. It checks every claim, shows what came out
//! and writes the report.

use super::check::{self, named};
use super::fill::{Filled, fill_store};
use super::kept::{ReportCache, home, unfinished};
use super::output::Output;
use super::progress::note;
use super::{Outcome, Problem};
use crate::claims::{self, Context, Report, Scale};
use crate::registry::Verdict;
use crate::registry::{Claim, Part};
use crate::report::{self, Shown};
use crate::study::{Studies, StudyError};
use ebmbook::files::write_atomically;
use ebmbook::seed::Seed;
use ebmbook::show::format_number;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// What the main job can be told.
#[derive(clap::Args, Default)]
pub(super) struct Args {
    /// `quick` (minutes) or `full` (hours): of the main job, when no command is given.
    #[arg(long, value_enum)]
    scale: Option<Scale>,
    /// Stop beginning new work after this long, e.g. `90s`, `5m`, `1h`; what did not fit is inconclusive.
    #[arg(long, value_parser = duration)]
    budget: Option<Duration>,
    /// Where the page goes [default: target/ebmbook/report.html].
    #[arg(long)]
    report: Option<PathBuf>,
}

fn duration(text: &str) -> Result<Duration, String> {
    let rule =
        || format!("must be a whole number with s, m or h, such as 5m, and at most a year, got `{text}`");
    let (number, unit) = text.split_at(text.len() - text.chars().last().map_or(0, char::len_utf8));
    let seconds = match unit {
        "s" => 1,
        "m" => 60,
        "h" => 3600,
        _ => return Err(rule()),
    };
    let number: u64 = number.parse().map_err(|_| rule())?;
    // More than a year is no budget.
    let seconds = number.checked_mul(seconds).filter(|s| (1..=31_536_000).contains(s));
    seconds.map(Duration::from_secs).ok_or_else(rule)
}

/// What came out of one run of the main job.
struct MainJob {
    scale: Scale,
    reports: Vec<Report>,
    /// Claims judged in an earlier run.
    reused: usize,
    cells: Filled,
}

impl Args {
    /// The first option that was given, if any: they belong to the main job alone.
    pub fn given(&self) -> Option<&'static str> {
        [
            ("--scale", self.scale.is_some()),
            ("--budget", self.budget.is_some()),
            ("--report", self.report.is_some()),
        ]
        .into_iter()
        .find_map(|(name, given)| given.then_some(name))
    }

    pub fn run(&self, output: &Output) -> Result<Outcome, Problem> {
        let deadline = self.budget.map(|b| Instant::now() + b);
        let context = Context {
            scale: self.scale.unwrap_or(Scale::Quick),
            seed: Seed::new(2022),
            studies: Studies::Store(home().join("cells")),
            ..Context::default()
        };
        let judged = judge_all(&context, deadline)?;
        let page = self.report.clone().unwrap_or_else(|| home().join("report.html"));
        let html = report::page(&judged.reports, &context)?;
        write_atomically(&page, |w| w.write_all(html.as_bytes()))?;
        if output.is_json() {
            judged.json(&page, output)
        } else {
            judged.show(&page, output)
        }
        Ok(check::outcome(judged.reports.iter()))
    }
}

fn judge_all(context: &Context, deadline: Option<Instant>) -> Result<MainJob, Problem> {
    note(format_args!(
        "{} claims: first the theory, then the studies behind the experiments",
        claims::all().len()
    ));
    let claims: Vec<&'static Claim> = claims::all().collect();
    let kept = ReportCache::new(context, deadline);
    let mut theory = kept.judge(&claims)?.into_iter();
    if kept.reused() > 0 {
        note(format_args!("{} claims about the theory were judged in an earlier run", kept.reused()));
    }
    let cells = fill_store(&claims, context, deadline)?;
    if cells.cached > 0 {
        note(format_args!(
            "{} cells were there from an earlier run, {} were computed",
            cells.cached, cells.ran
        ));
    }
    // The registry's order is the paper's.
    let reports = claims.iter().map(|claim| match claim.part {
        Part::Theory => Ok(theory.next().expect("one report per claim, in the same order")),
        Part::Experiments => experiment(claim, context, &cells),
    });
    let reports = reports.collect::<Result<_, StudyError>>()?;
    Ok(MainJob { scale: context.scale, reports, reused: kept.reused(), cells })
}

/// Judged on the cells that are there; inconclusive, with the reason, where some are missing.
fn experiment(claim: &Claim, context: &Context, cells: &Filled) -> Result<Report, StudyError> {
    match claims::run(claim, context) {
        Err(StudyError::Missing { missing, cells: planned, study }) => {
            let (why, out_of_time) = cells.why_missing(&study, missing, planned);
            Ok(unfinished(claim, context, &why, out_of_time))
        }
        other => other,
    }
}

impl MainJob {
    fn count(&self, verdict: Verdict) -> usize {
        self.reports.iter().filter(|r| r.verdict == verdict).count()
    }

    /// Claims that were left when time was up.
    fn left(&self) -> Vec<&str> {
        let left = |r: &&Report| r.open.iter().any(|open| open.out_of_time);
        self.reports.iter().filter(left).map(|r| r.claim.as_str()).collect()
    }

    fn json(&self, page: &Path, output: &Output) {
        let claim = |report: &Report| {
            let Shown { printed, baseline, caveat, .. } = Shown::new(report, self.scale);
            let mut object = json!(report);
            object["printed"] = json!(printed);
            object["baseline"] = json!(baseline);
            object["caveat"] = json!(caveat);
            object
        };
        output.value(&json!({
            "claims": self.reports.iter().map(claim).collect::<Vec<_>>(),
            "counts": {
                "holds": self.count(Verdict::Holds),
                "holds-with-caveat": self.count(Verdict::HoldsWithCaveat),
                "fails": self.count(Verdict::Fails),
                "inconclusive": self.count(Verdict::Inconclusive),
            },
            "reused": { "claims": self.reused, "cells": self.cells.cached },
            "did not fit": self.left(),
            "report": page.display().to_string(),
        }));
    }

    fn show(&self, page: &Path, output: &Output) {
        let row = |report: &Report| -> Vec<Value> {
            let shown = Shown::new(report, self.scale);
            vec![
                report.claim.clone().into(),
                report.verdict.to_string().into(),
                shown.measured.as_ref().map(named).into(),
                shown.printed.map(format_number).into(),
                shown.baseline.as_ref().map(named).into(),
                shown.caveat.into(),
            ]
        };
        let rows: Vec<Vec<Value>> = self.reports.iter().map(row).collect();
        output.table(&["claim", "verdict", "measured", "printed", "baseline", "caveat"], &rows);
        output.say(format!(
            "{} of {} claims hold, {} hold with a caveat, {} fail, {} are inconclusive{}.",
            self.count(Verdict::Holds),
            self.reports.len(),
            self.count(Verdict::HoldsWithCaveat),
            self.count(Verdict::Fails),
            self.count(Verdict::Inconclusive),
            if self.reused > 0 {
                format!(" ({} judged in an earlier run)", self.reused)
            } else {
                String::new()
            },
        ));
        let left = self.left();
        if !left.is_empty() {
            let (number, names) = (left.len(), left.join(", "));
            output.say(format!("{number} claims did not fit into the budget: {names}; run again to go on."));
        }
        if let Some((cell, why)) = self.cells.failed.first() {
            let number = self.cells.failed.len();
            output.say(format!(
                "{number} cells failed; the first is {cell}: {why} (`ebmbook plan` lists cells)."
            ));
        }
        let first: Vec<&str> = claims::read_first().iter().map(|c| c.id.as_str()).collect();
        output.say(format!("Read first: {} (`ebmbook explain CLAIM`).", first.join(", ")));
        output.say(format!("Report: {}", page.display()));
    }
}

//! `ebmbook` with no arguments: the workbook's main job. It checks every claim, shows what came out and writes the report.
//!
//! The theory is computed here. The experiments are judged on committed full-scale cells, of which a random sample is
//! recomputed; with `--recompute` every cell is.

use super::check;
use super::fill::{Filled, fill_store};
use super::kept::{ReportCache, hash_of_cells, home, unfinished, write_page};
use super::lines::{Lines, finding};
use super::output::Output;
use super::progress::Bar;
use super::report::results_in;
use super::spot::{self, Confirmed, Length, SpotCheck};
use super::text::{count, lasting, width, wrap};
use super::{Outcome, Problem};
use crate::claims::{self, Context, Report, Scale};
use crate::registry::{Claim, Part, Verdict};
use crate::report::{self, Shown};
use crate::study::{Published, Studies, StudyError};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// What the main job can be told.
#[derive(clap::Args, Default)]
pub(super) struct Args {
    /// How long to recompute a random sample of the committed cells, e.g. `5m`; `none` to leave it out [default: 1m].
    #[arg(long, value_name = "LENGTH", value_parser = length, conflicts_with = "recompute")]
    spot_check: Option<Length>,
    /// Seed of that sample, to repeat it [default: a fresh one].
    #[arg(long, value_name = "SEED", conflicts_with = "recompute")]
    spot_check_seed: Option<u64>,
    /// Folder of committed results [default: paper_checks/results of the project].
    #[arg(long, conflicts_with = "recompute")]
    from: Option<PathBuf>,
    /// Compute everything here instead: `quick` (minutes, few runs) or `full` (hours).
    #[arg(long, value_enum)]
    recompute: Option<Scale>,
    /// Stop beginning new work after this long, e.g. `90s`, `5m`, `1h`; what did not fit is inconclusive.
    #[arg(long, value_parser = duration)]
    budget: Option<Duration>,
    /// Where the page goes [default: target/ebmbook/report.html].
    #[arg(long)]
    report: Option<PathBuf>,
    /// What `--recompute` was called before.
    #[arg(long, hide = true)]
    scale: Option<String>,
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

fn length(text: &str) -> Result<Length, String> {
    if text == "none" {
        return Ok(Length::None);
    }
    duration(text).map(Length::About).map_err(|rule| rule.replacen("must be", "must be `none` or", 1))
}

/// What came out of one run of the main job.
struct MainJob {
    reports: Vec<Report>,
    /// Claims judged in an earlier run.
    reused: usize,
    /// What happened to the cells.
    cells: Cells,
}

enum Cells {
    /// So many are committed; some were recomputed now, and in all so many by this program.
    Committed { cells: usize, spot_check: Option<SpotCheck>, so_far: usize },
    /// All were to be computed here.
    Recomputed(Filled),
}

impl Args {
    /// The first option that was given, if any: they belong to the main job alone.
    pub fn given(&self) -> Option<&'static str> {
        [
            ("--spot-check", self.spot_check.is_some()),
            ("--spot-check-seed", self.spot_check_seed.is_some()),
            ("--from", self.from.is_some()),
            ("--recompute", self.recompute.is_some()),
            ("--scale", self.scale.is_some()),
            ("--budget", self.budget.is_some()),
            ("--report", self.report.is_some()),
        ]
        .into_iter()
        .find_map(|(name, given)| given.then_some(name))
    }

    pub fn run(&self, output: &Output) -> Result<Outcome, Problem> {
        if self.scale.is_some() {
            return Err(Problem::with_a_way_out(
                "--scale of the main job is now --recompute: without it the experiments are judged on committed \
                 full-scale cells, and `ebmbook --recompute quick` or `--recompute full` computes them here",
            ));
        }
        let start = Instant::now();
        let deadline = self.budget.map(|b| start + b);
        let page = self.report.clone().unwrap_or_else(|| home().join("report.html"));
        let job = match self.recompute {
            Some(scale) => recompute(scale, deadline, &page, output)?,
            None => self.on_committed_cells(deadline, &page, output)?,
        };
        if output.is_json() {
            job.json(&page, output)
        } else {
            job.conclude(&page, start.elapsed().as_secs_f64(), output)
        }
        let wrong_cell =
            matches!(&job.cells, Cells::Committed { spot_check: Some(c), .. } if c.found_a_wrong_cell());
        Ok(if wrong_cell { Outcome::CheckFailed } else { check::outcome(job.reports.iter()) })
    }

    fn on_committed_cells(
        &self,
        deadline: Option<Instant>,
        page: &Path,
        output: &Output,
    ) -> Result<MainJob, Problem> {
        let from = results_in(self.from.as_deref())?;
        let cells = Published::count(&from)?;
        let judging =
            Judging::begin(output, &format!("experiments judged on {} committed cells", count(cells)));
        let theory = Context::default();
        let experiments =
            Context { scale: Scale::Full, studies: Studies::Published(from.clone()), ..Context::default() };
        let mut reports = Vec::new();
        let mut reused = 0;
        // The roots are judged on the record, so their lines can stand first.
        for root in [true, false] {
            for (part, context) in [(Part::Theory, &theory), (Part::Experiments, &experiments)] {
                let kept = ReportCache::new(context, deadline);
                let mut claims = of_part(part);
                claims.retain(|claim| claims::is_root(claim) == root);
                reports.extend(kept.judge(&claims, &|report| judging.decided(report))?);
                reused += kept.reused();
            }
        }
        drop(judging);
        let reports = in_order(reports);
        let facts = format!("{} {}", hash_of_cells(&from), json!(reports));
        write_page(page, &facts, || report::page(&reports, &experiments))?;
        let seed = self.spot_check_seed.unwrap_or_else(spot::fresh_seed);
        let spot_check = match self.spot_check.unwrap_or_default() {
            Length::None => None,
            Length::About(length) => Some(spot::run(&from, length, seed, deadline)?),
        };
        let so_far = Confirmed::of(&from).count();
        Ok(MainJob { reports, reused, cells: Cells::Committed { cells, spot_check, so_far } })
    }
}

/// Computes everything here, at this scale; what was computed before is kept.
fn recompute(
    scale: Scale,
    deadline: Option<Instant>,
    page: &Path,
    output: &Output,
) -> Result<MainJob, Problem> {
    let context = Context { scale, studies: Studies::Store(home().join("cells")), ..Context::default() };
    let judging = Judging::begin(output, &format!("experiments computed here at {scale} scale"));
    let kept = ReportCache::new(&context, deadline);
    let mut reports = kept.judge(&of_part(Part::Theory), &|report| judging.decided(report))?;
    let experiments = of_part(Part::Experiments);
    let cells = fill_store(&experiments, &context, deadline)?;
    for claim in experiments {
        let report = experiment(claim, &context, &cells)?;
        judging.decided(&report);
        reports.push(report);
    }
    drop(judging);
    let reports = in_order(reports);
    let facts = format!("{scale} {}", json!(reports));
    write_page(page, &facts, || report::page(&reports, &context))?;
    Ok(MainJob { reports, reused: kept.reused(), cells: Cells::Recomputed(cells) })
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

fn of_part(part: Part) -> Vec<&'static Claim> {
    claims::all().filter(|claim| claim.part == part).collect()
}

/// The registry's order is the paper's.
fn in_order(mut reports: Vec<Report>) -> Vec<Report> {
    let order: Vec<&Claim> = claims::all().collect();
    reports.sort_by_key(|report| order.iter().position(|claim| claim.id == report.claim));
    reports
}

/// Prints the line of each entry as it is decided, below a headline.
struct Judging<'a> {
    output: &'a Output,
    lines: Lines,
    bar: Bar,
}

impl<'a> Judging<'a> {
    fn begin(output: &'a Output, experiments: &str) -> Self {
        output.say("Identifiable Energy-based Representations, checked claim by claim");
        output.say(format!("theory computed here · {experiments}"));
        output.say("✔ holds  ~ holds with a caveat  ✘ fails  ? not decided  • an answer\n");
        let bar = Bar::of("entries");
        bar.begin(claims::all().len(), claims::all().map(|claim| claim.seconds).sum());
        Self { output, lines: Lines::new(), bar }
    }

    fn decided(&self, report: &Report) {
        self.bar.aside(|| self.lines.decided(report, |line| self.output.say(line)));
        let seconds = claims::find(&report.claim).map_or(0.0, |claim| claim.seconds);
        self.bar.step(&report.claim, seconds);
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
            let Shown { printed, baseline, caveat, .. } = Shown::new(report);
            let mut object = json!(report);
            object["title"] = json!(claims::find(&report.claim).map(|claim| &claim.title));
            object["finding"] = json!(finding(report));
            object["printed"] = json!(printed);
            object["baseline"] = json!(baseline);
            object["caveat"] = json!(caveat);
            object
        };
        let (cached, spot_check, so_far) = match &self.cells {
            Cells::Committed { cells, spot_check, so_far } => (*cells, spot_check.as_ref(), *so_far),
            Cells::Recomputed(filled) => (filled.cached, None, 0),
        };
        output.value(&json!({
            "claims": self.reports.iter().map(claim).collect::<Vec<_>>(),
            "counts": {
                "holds": self.count(Verdict::Holds),
                "holds-with-caveat": self.count(Verdict::HoldsWithCaveat),
                "fails": self.count(Verdict::Fails),
                "inconclusive": self.count(Verdict::Inconclusive),
            },
            "reused": { "claims": self.reused, "cells": cached },
            "spot check": spot_check.map_or(Value::Null, SpotCheck::json),
            "recomputed so far": so_far,
            "did not fit": self.left(),
            "report": page.display().to_string(),
        }));
    }

    /// What follows the lines: counts, what was recomputed, and where to read on.
    fn conclude(&self, page: &Path, seconds: f64, output: &Output) {
        let say = |text: String| wrap(&text, width()).iter().for_each(|line| output.say(line));
        output.say("");
        let kept = if self.reused > 0 {
            format!(", {} of them kept from an earlier run", self.reused)
        } else {
            String::new()
        };
        say(format!(
            "{} entries in {}{kept}. Of the paper's claims {} hold, {} hold with a caveat, {} fail, {} are not decided.",
            self.reports.len(),
            lasting(seconds),
            self.count(Verdict::Holds),
            self.count(Verdict::HoldsWithCaveat),
            self.count(Verdict::Fails),
            self.count(Verdict::Inconclusive),
        ));
        match &self.cells {
            Cells::Committed { spot_check: Some(spot_check), .. } => {
                spot_check.sentences().into_iter().for_each(say);
            }
            Cells::Committed { spot_check: None, so_far, .. } => {
                say(format!("No cell recomputed in this run; {} so far on this machine.", count(*so_far)));
            }
            Cells::Recomputed(filled) => {
                say(format!(
                    "{} cells computed here, {} kept from an earlier run.",
                    count(filled.ran),
                    count(filled.cached)
                ));
                if let Some((cell, why)) = filled.failed.first() {
                    let number = filled.failed.len();
                    say(format!(
                        "{number} cells failed; the first is {cell}: {why} (`ebmbook plan` lists cells)."
                    ));
                }
            }
        }
        for report in &self.reports {
            for control in &report.faulty_controls {
                say(format!("CONTROL  {}: `{control}` did not come out as it must.", report.claim));
            }
        }
        let left = self.left();
        if !left.is_empty() {
            let (number, names) = (left.len(), left.join(", "));
            say(format!("{number} claims did not fit into the budget: {names}; run again to go on."));
        }
        let first = claims::read_first().first().map_or(String::new(), |claim| claim.id.clone());
        output.say(format!("Open first: {}", page.display()));
        output.say(format!("Then: ebmbook explain {first} (`ebmbook claims` lists the ids)"));
    }
}

//! `ebmbook check [CLAIM…]`: measure, judge, compare with the verdict on record.

use super::explain::{WIDEST, headline};
use super::fill::fill_store;
use super::lines::{finding, words};
use super::output::Output;
use super::progress::Bar;
use super::text::{width, wrap};
use super::{Outcome, Problem, explain};
use crate::claims::{self, Context, Record, Report, Scale};
use crate::registry::Value as Measured;
use crate::registry::ledger;
use crate::registry::{Claim, Part};
use crate::report::with_interval;
use crate::study::{Store, Studies, StudyError};
use ebmbook::seed::Seed;
use itertools::Itertools;
use rayon::prelude::*;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::time::Instant;

/// Blanks before what belongs to a claim.
const INDENT: usize = 2;

#[derive(clap::Args)]
pub(super) struct Args {
    /// Claims to check; all if none is named.
    claims: Vec<String>,
    /// Only the claims about the `theory`, or those about the `experiments`.
    #[arg(long, value_enum, conflicts_with = "claims")]
    part: Option<PartArg>,
    /// `quick` (seconds per claim) or `full` [default: quick; full with `--from`].
    #[arg(long, value_enum)]
    scale: Option<Scale>,
    /// Master seed of the theory's checks; studies have their own.
    #[arg(long, default_value_t = 2022, allow_negative_numbers = true)]
    seed: u64,
    /// Folder of the values of studies; what is missing is computed [default: target/ebmbook/cells].
    #[arg(long, conflicts_with = "from")]
    store: Option<PathBuf>,
    /// Judge the experiments by committed results in this folder instead.
    #[arg(long)]
    from: Option<PathBuf>,
    /// Keep what was found for each claim in this folder: as JSON, to be judged again, and as text.
    #[arg(long)]
    to: Option<PathBuf>,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum PartArg {
    Theory,
    Experiments,
}

impl From<PartArg> for Part {
    fn from(part: PartArg) -> Self {
        match part {
            PartArg::Theory => Self::Theory,
            PartArg::Experiments => Self::Experiments,
        }
    }
}

impl Args {
    pub fn run(&self, output: &Output) -> Result<Outcome, Problem> {
        let claims: Vec<&Claim> = if self.claims.is_empty() {
            let part: Option<Part> = self.part.map(Part::from);
            claims::all().filter(|c| part.is_none_or(|part| c.part == part)).collect()
        } else {
            self.claims.iter().map(|id| explain::find(id)).collect::<Result<_, _>>()?
        };
        let default = if self.from.is_some() { Scale::Full } else { Scale::Quick };
        let scale = self.scale.unwrap_or(default);
        let studies = match &self.from {
            Some(folder) => Studies::Published(folder.clone()),
            None => Studies::Store(self.store.clone().unwrap_or_else(Store::default_folder)),
        };
        let context = Context { scale, seed: Seed::new(self.seed), studies, ..Context::default() };
        fill_store(&claims, &context, None)?.complete()?;
        let reports = run_all(&claims, &context)?;
        if let Some(folder) = &self.to {
            for (report, seconds) in &reports {
                Record::new(report, &context, self.seed, *seconds).write(folder, report)?;
            }
        }
        if output.is_json() {
            let objects: Vec<Value> =
                reports.iter().map(|(r, seconds)| json!({ "report": r, "seconds": seconds })).collect();
            output.value(&Value::from(objects));
        } else {
            print_blocks(&claims, &reports, !self.claims.is_empty(), output);
        }
        Ok(outcome(reports.iter().map(|(report, _)| report)))
    }
}

/// Independent claims run side by side; the order of the results is that of the claims.
fn run_all(claims: &[&Claim], context: &Context) -> Result<Vec<(Report, f64)>, Problem> {
    let bar = Bar::of("entries");
    bar.begin(claims.len(), claims.len() as f64);
    let reports: Result<Vec<_>, StudyError> = claims
        .par_iter()
        .map(|claim| {
            let start = Instant::now();
            let report = claims::run(claim, context)?;
            bar.step(&claim.id, 1.0);
            Ok((report, start.elapsed().as_secs_f64()))
        })
        .collect();
    Ok(reports?)
}

/// One block per claim: verdict and finding; with `detailed`, its numbers; then what needs attention.
fn print_blocks(claims: &[&Claim], reports: &[(Report, f64)], detailed: bool, output: &Output) {
    let width = width().min(WIDEST);
    for (claim, (report, seconds)) in claims.iter().zip(reports) {
        output.line(format!("{}  ({}, {seconds:.1} s)", headline(claim, report.verdict), claim.id));
        let indented = |text: &str| {
            wrap(text, width - INDENT).iter().for_each(|line| output.line(format!("{:INDENT$}{line}", "")));
        };
        indented(&finding(report));
        if report.verdict != report.recorded {
            indented(&format!("CHANGED: it is {} on record", words(report.recorded)));
        }
        for control in &report.faulty_controls {
            indented(&format!("CONTROL: `{control}` did not come out as it must"));
        }
        for open in &report.open {
            indented(&format!("Open: {open}"));
        }
        if report.verdict.is_weaker() {
            let caveat = ledger().into_iter().find(|d| claim.caveat.as_ref() == Some(&d.id));
            indented(&caveat.map_or(String::new(), |d| format!("Caveat: {}", d.choice)));
        }
        if detailed {
            explain::numbers(claim, report, width).iter().for_each(|line| output.line(line));
            output.line("");
        }
    }
    let controls: usize = reports.iter().map(|(r, _)| r.controls.len()).sum();
    let verdicts = reports.iter().map(|(r, _)| r.verdict).counts().into_iter().sorted_by_key(|(v, _)| *v);
    let counted = verdicts.map(|(verdict, times)| format!("{times} {} {}", verdict.mark(), words(verdict)));
    output.say(format!("{}; {controls} controls run", counted.format(", ")));
}

/// A number under its name.
pub(super) fn named(value: &Measured) -> String {
    format!("{}: {}", value.label, with_interval(value))
}

/// A changed verdict or a faulty control: 1. Inconclusive where it was not: 3.
pub(super) fn outcome<'a>(reports: impl Iterator<Item = &'a Report> + Clone) -> Outcome {
    let changed = |r: &Report| r.verdict != r.recorded && !r.verdict.is_open();
    if reports.clone().any(|r| changed(r) || !r.faulty_controls.is_empty()) {
        Outcome::CheckFailed
    } else if reports.clone().any(|r| r.verdict != r.recorded) {
        Outcome::Inconclusive
    } else {
        Outcome::Fine
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::Verdict;

    #[test]
    fn a_change_is_1_a_lost_verdict_3_and_a_finding_on_record_0() {
        use Verdict::{Fails, Holds, Inconclusive};
        let claim = claims::find("partition-cancels").expect("a claim");
        let any = claims::run(claim, &Context::default()).expect("a report");
        // A report with these verdicts, found and on record, and so many faulty controls.
        let report = |verdict, recorded, faulty| Report {
            verdict,
            recorded,
            faulty_controls: vec!["broken".into(); faulty],
            ..any.clone()
        };
        let code = |reports: &[Report]| outcome(reports.iter()).code();
        assert_eq!(code(&[report(Holds, Holds, 0), report(Fails, Fails, 0)]), 0);
        assert_eq!(code(&[report(Inconclusive, Inconclusive, 0)]), 0, "on record as open");
        assert_eq!(code(&[report(Fails, Holds, 0)]), 1);
        assert_eq!(code(&[report(Holds, Inconclusive, 0)]), 1, "decided is a change, too");
        assert_eq!(code(&[report(Holds, Holds, 1)]), 1, "a control did not come out as it must");
        assert_eq!(code(&[report(Inconclusive, Holds, 0)]), 3);
        assert_eq!(code(&[report(Inconclusive, Holds, 0), report(Fails, Holds, 0)]), 1, "the worst counts");
    }
}

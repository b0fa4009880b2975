//! `ebmbook check [CLAIM…]`: measure, judge, compare with the verdict on record.

use super::fill::fill_store;
use super::output::Output;
use super::progress::Bar;
use super::{Outcome, Problem, explain};
use crate::claims::{self, Context, Record, Report, Scale};
use crate::registry::ledger;
use crate::registry::{Claim, Part};
use crate::registry::{Value as Measured, Verdict};
use crate::report::{Shown, with_interval};
use crate::study::{Store, Studies, StudyError};
use ebmbook::seed::Seed;
use ebmbook::show::format_number;
use rayon::prelude::*;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::time::Instant;

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
            print_table(&claims, &reports, output);
        }
        Ok(outcome(reports.iter().map(|(report, _)| report)))
    }
}

/// Independent claims run side by side; the order of the results is that of the claims.
fn run_all(claims: &[&Claim], context: &Context) -> Result<Vec<(Report, f64)>, Problem> {
    let bar = Bar::of("claims");
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

fn print_table(claims: &[&Claim], reports: &[(Report, f64)], output: &Output) {
    let estimate = |v: &Measured| format!("{} = {}", v.label, format_number(v.estimate));
    let interval = |v: &Measured| {
        v.interval().map(|[low, high]| format!("[{}, {}]", format_number(low), format_number(high)))
    };
    let rows: Vec<Vec<Value>> = reports
        .iter()
        .map(|(r, seconds)| {
            let shown = Shown::new(r);
            vec![
                r.claim.clone().into(),
                r.verdict.to_string().into(),
                shown.measured.as_ref().map(estimate).into(),
                shown.measured.as_ref().and_then(interval).into(),
                shown.baseline.as_ref().map(named).into(),
                super::output::rounded(*seconds, 1),
            ]
        })
        .collect();
    output.table(&["claim", "verdict", "estimate", "interval", "baseline", "seconds"], &rows);
    for (claim, (report, _)) in claims.iter().zip(reports) {
        if report.verdict != report.recorded {
            output.say(format!("CHANGED  {}: {} (on record: {})", claim.id, report.verdict, report.recorded));
        }
        for control in &report.faulty_controls {
            output.say(format!("CONTROL  {}: `{control}` did not come out as it must", claim.id));
        }
        for open in &report.open {
            output.say(format!("open     {}: {open}", claim.id));
        }
        if report.verdict.is_weaker() {
            let caveat = ledger().into_iter().find(|d| claim.caveat.as_ref() == Some(&d.id));
            let said = caveat.map_or(String::new(), |d| format!("{}: {}", d.id, d.choice));
            output.say(format!("caveat   {}: {said}", claim.id));
        }
    }
    let controls: usize = reports.iter().map(|(r, _)| r.controls.len()).sum();
    let count = |v: Verdict| reports.iter().filter(|(r, _)| r.verdict == v).count();
    output.say(format!(
        "{} hold, {} hold with a caveat, {} fail, {} inconclusive; {controls} controls run",
        count(Verdict::Holds),
        count(Verdict::HoldsWithCaveat),
        count(Verdict::Fails),
        count(Verdict::Inconclusive),
    ));
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

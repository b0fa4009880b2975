//! `ebmbook` with no arguments: the workbook's main job. It checks every claim, shows what came out
//! and writes the report.

use super::output::Output;
use super::study::{ScaleArg, fill_store};
use super::{Outcome, Problem, check};
use crate::checks::{self, Context, Findings, Report};
use crate::claim::{Claim, Part, registry};
use crate::report::{self, READ_FIRST, printed_number, with_interval};
use crate::study::{Store, Studies, StudyError};
use crate::verdict::{Open, Verdict};
use ebmbook::files::write_atomically;
use ebmbook::seed::Seed;
use rayon::prelude::*;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// What the main job can be told.
#[derive(clap::Args, Default)]
pub(super) struct Args {
    /// `quick` (minutes) or `full` (hours): of the main job, when no command is given.
    #[arg(long, value_enum)]
    scale: Option<ScaleArg>,
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
        let home = Store::default_folder().parent().map(Path::to_owned).unwrap_or_default();
        let context = Context {
            scale: self.scale.unwrap_or(ScaleArg::Quick).into(),
            seed: Seed::new(2022),
            studies: Studies::Store(home.join("cells")),
            ..Context::default()
        };
        let deadline = self.budget.map(|b| Instant::now() + b);
        let job = Job { context, deadline, kept: home.join("reports"), reused: AtomicUsize::new(0) };
        let reports = job.judge_all()?;
        let page = self.report.clone().unwrap_or_else(|| home.join("report.html"));
        let html = report::page(&reports, &job.context)?;
        write_atomically(&page, |w| w.write_all(html.as_bytes()))?;
        show(&reports, &page, job.reused.into_inner(), output);
        Ok(check::outcome(reports.iter()))
    }
}

/// One run of the main job.
struct Job {
    context: Context,
    deadline: Option<Instant>,
    /// Folder of judged claims about the theory.
    kept: PathBuf,
    reused: AtomicUsize,
}

impl Job {
    fn judge_all(&self) -> Result<Vec<Report>, Problem> {
        eprintln!("{} claims: first the theory, then the studies behind the experiments", registry().len());
        let theory: Vec<(&Claim, Report)> = registry()
            .par_iter()
            .filter(|c| c.part == Part::Theory)
            .map(|claim| Ok((claim, self.theory(claim)?)))
            .collect::<Result<_, StudyError>>()?;
        let claims: Vec<&Claim> = registry().iter().collect();
        let done = fill_store(&claims, &self.context, self.deadline)?;
        if done.cached > 0 {
            eprintln!("{} cells were there from an earlier run, {} were computed", done.cached, done.ran);
        }
        registry()
            .iter()
            .map(|claim| match theory.iter().find(|(c, _)| c.id == claim.id) {
                Some((_, report)) => Ok(report.clone()),
                None => match checks::run(claim, &self.context) {
                    Err(StudyError::Missing { missing, cells, .. }) => Ok(unfinished(
                        claim,
                        &self.context,
                        &format!("{missing} of {cells} cells did not fit into the budget"),
                    )),
                    other => Ok(other?),
                },
            })
            .collect()
    }

    /// Judged now, or before by this very program.
    fn theory(&self, claim: &Claim) -> Result<Report, StudyError> {
        let path = self.kept.join(format!("{}-{}.json", claim.id, self.key(claim)));
        if let Some(report) =
            std::fs::read(&path).ok().and_then(|b| serde_json::from_slice::<Report>(&b).ok())
        {
            self.reused.fetch_add(1, Ordering::Relaxed);
            return Ok(report);
        }
        if self.deadline.is_some_and(|end| Instant::now() >= end) {
            return Ok(unfinished(claim, &self.context, "did not fit into the budget"));
        }
        let start = Instant::now();
        let report = checks::run(claim, &self.context)?;
        eprintln!("{:30} {:18} {:5.1} s", claim.id, report.verdict, start.elapsed().as_secs_f64());
        write_atomically(&path, |w| Ok(serde_json::to_writer(w, &report)?))?;
        Ok(report)
    }

    /// Everything a report depends on: the program itself, the scale and the seed.
    fn key(&self, claim: &Claim) -> String {
        static PROGRAM: std::sync::LazyLock<String> = std::sync::LazyLock::new(|| {
            let program = std::env::current_exe().and_then(std::fs::read).unwrap_or_default();
            blake3::hash(&program).to_hex().to_string()
        });
        let all =
            format!("{} {:?} {} {}", *PROGRAM, self.context.scale, self.context.seed.to_hex(), claim.id);
        blake3::hash(all.as_bytes()).to_hex()[..16].to_owned()
    }
}

/// A claim that was not measured: inconclusive, and it says why.
fn unfinished(claim: &Claim, context: &Context, why: &str) -> Report {
    Report {
        claim: claim.id.clone(),
        verdict: Verdict::Inconclusive,
        open: vec![Open { value: claim.id.clone(), lacks: why.to_owned() }],
        recorded: claim.recorded_at(context.scale),
        at_half_and_double: [Verdict::Inconclusive; 2],
        false_alarm_rate: 0.0,
        controls: Default::default(),
        power: Default::default(),
        counted: Default::default(),
        faulty_controls: Vec::new(),
        seed: context.seed.to_hex()[..16].to_owned(),
        findings: Findings { setting: format!("not measured: {why}"), ..Findings::default() },
    }
}

fn show(reports: &[Report], page: &Path, reused: usize, output: &Output) {
    if output.is_json() {
        output.value(&json!({ "claims": reports, "report": page.display().to_string() }));
        return;
    }
    let rows: Vec<Vec<Value>> = reports
        .iter()
        .map(|r| {
            let claim = crate::claim::find(&r.claim).expect("a report is about a claim of the registry");
            let caveat =
                if r.verdict == Verdict::HoldsWithCaveat { claim.deviations.first().cloned() } else { None };
            vec![
                r.claim.clone().into(),
                r.verdict.to_string().into(),
                r.findings.values.first().map(with_interval).into(),
                printed_number(&r.claim).into(),
                r.findings.baselines.first().map(with_interval).into(),
                caveat.into(),
            ]
        })
        .collect();
    output.table(&["claim", "verdict", "measured", "printed", "beside it", "caveat"], &rows);
    let count = |v: Verdict| reports.iter().filter(|r| r.verdict == v).count();
    let of_all = reports.len();
    output.say(format!(
        "{} of {of_all} claims hold, {} hold with a caveat, {} fail, {} are inconclusive{}.",
        count(Verdict::Holds),
        count(Verdict::HoldsWithCaveat),
        count(Verdict::Fails),
        count(Verdict::Inconclusive),
        if reused > 0 { format!(" ({reused} judged in an earlier run)") } else { String::new() },
    ));
    output.say(format!("Read first: {} (`ebmbook explain CLAIM`).", READ_FIRST.join(", ")));
    output.say(format!("Report: {}", page.display()));
}

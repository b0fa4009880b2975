//! The program. One file per subcommand; this one holds what they share: the table of contents,
//! how an error is shown, and the exit codes.
//!
//! Exit codes: 0 all fine, 1 a check fails, 2 bad usage or input, 3 inconclusive.

mod calibrate;
mod cate;
mod check;
mod columns;
mod contents;
mod data;
mod devices;
mod embed;
mod engines;
mod explain;
mod fill;
mod fold_choice;
mod kept;
mod lines;
mod list;
mod manual;
mod map;
mod notebooks;
mod output;
mod progress;
mod reduce;
mod report;
mod run;
mod show;
mod spot;
mod start;
mod study;
mod sweep;
mod text;
mod trends;

pub use output::Output;

use clap::error::ErrorKind;
use clap::{FromArgMatches, Parser, Subcommand};
use ebmbook::Error;
use ebmbook::data::DataError;
use ebmbook::ebm::EbmError;
use ebmbook::network::{DeviceError, NetworkError};
use progress::note;
use std::process::ExitCode;

/// A workbook that checks, claim by claim, the paper "Identifiable Energy-based Representations:
/// An Application to Estimating Heterogeneous Causal Effects" (AISTATS 2022).
#[derive(Parser)]
#[command(name = "ebmbook", version, arg_required_else_help = false)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    main_job: start::Args,
    /// Print JSON instead of a table.
    #[arg(long, global = true)]
    json: bool,
}

#[derive(Subcommand)]
enum Command {
    /// Data sets: what ships, what a file holds, synthetic data, corruption.
    #[command(subcommand)]
    Data(data::Command),
    /// Estimate effects for the rows of a CSV file.
    Cate(Box<cate::Args>),
    /// List claims, questions and theorems with what is on record.
    Claims,
    /// Show what each claim rests on, and where the argument breaks.
    Map(map::Args),
    /// Explain one claim: verdict, finding, how it is measured, its numbers, how to run it again.
    Explain {
        /// The claim's id; `ebmbook claims` lists them.
        claim: String,
        /// Also everything else: criteria with their reasons, controls, error rates, deviations, all values.
        #[arg(long)]
        all: bool,
    },
    /// Check claims and compare with the verdicts on record.
    Check(check::Args),
    /// Repeat statistical gates over fresh seeds: are their p-values uniform?
    Calibrate(calibrate::Args),
    /// Train an EBM on a CSV file and write the representations.
    Embed(Box<embed::Args>),
    /// Findings about the method itself: saturation, inconsistency, rank.
    #[command(subcommand)]
    Show(show::Command),
    /// The Rust notebooks: open, run, check, export, hand out.
    #[command(subcommand)]
    Notebooks(notebooks::Command),
    /// List the devices training can run on.
    Devices,
    /// List what can compute a study: this machine, a cluster.
    Engines,
    /// Fit a reduction on one CSV file and apply it to another.
    Reduce(reduce::Args),
    /// List the studies, or the cells of one: cached or to run, and why.
    Plan(study::PlanArgs),
    /// Run studies: every cell that has no values yet.
    Run(run::Args),
    /// Run one cell of a study and show its values.
    Cell(study::CellArgs),
    /// Write cells, tables, figures and a review of studies to a folder.
    Publish(study::PublishArgs),
    /// Search hyper-parameters as the paper did: b, k, depth and q by a score.
    Sweep(sweep::Args),
    /// Write the page of committed full-scale results.
    Report(report::Args),
    /// Show committed numbers setting by setting, or compare another program's with them.
    Trends(trends::Args),
    /// Print shell completions, or the manual page.
    Manual(manual::ManualArgs),
}

/// How a command ended, when nothing went wrong on the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Everything that was checked holds.
    Fine,
    /// A check fails.
    CheckFailed,
    /// A check does not decide what was decided on record.
    Inconclusive,
}

impl Outcome {
    /// The exit code.
    fn code(self) -> u8 {
        match self {
            Self::Fine => 0,
            Self::CheckFailed => 1,
            Self::Inconclusive => 3,
        }
    }
}

/// Bad usage or bad input: one line, exit code 2.
#[derive(Debug)]
pub struct Problem {
    line: String,
    next: Next,
}

/// What somebody who met a problem should call next.
#[derive(Clone, Copy, Debug)]
enum Next {
    /// The help of the command.
    Help,
    /// What the line says.
    Said,
    /// A step that a problem of this kind asks for.
    Step(&'static str),
}

impl Problem {
    /// A problem described by one line; the help of the command is the next step.
    pub fn new(line: impl Into<String>) -> Self {
        Self { line: line.into(), next: Next::Help }
    }

    /// A problem whose line says what to call next.
    pub fn with_a_way_out(line: impl Into<String>) -> Self {
        Self { line: line.into(), next: Next::Said }
    }
}

impl<E: Into<ebmbook::Error>> From<E> for Problem {
    fn from(error: E) -> Self {
        let error = error.into();
        let next = match &error {
            Error::Data(DataError::UnknownDataset { .. }) => Next::Step("`ebmbook data list` lists them"),
            Error::Data(DataError::HashMismatch { .. }) => {
                Next::Step("`ebmbook data verify` checks every file")
            }
            Error::Device(DeviceError::NoFeature(_))
            | Error::Ebm(EbmError::Network(NetworkError::Device(DeviceError::NoFeature(_)))) => {
                Next::Step("`ebmbook devices` lists what is there")
            }
            _ => Next::Help,
        };
        Self { line: error.to_string(), next }
    }
}

/// Runs the program on the process's arguments.
pub fn main() -> ExitCode {
    let cli = match contents::command().try_get_matches().and_then(|m| Cli::from_arg_matches(&m)) {
        Ok(cli) => cli,
        Err(error) => return usage(&error),
    };
    let output = Output::new(cli.json);
    if let (Some(option), true) = (cli.main_job.given(), cli.command.is_some()) {
        return complain(&Problem::new(format!(
            "{option} before a command belongs to the main job; put it after the command"
        )));
    }
    let result = match cli.command {
        Some(Command::Data(command)) => command.run(&output),
        Some(Command::Cate(args)) => args.run(&output),
        Some(Command::Claims) => Ok(list::list(&output)),
        Some(Command::Map(args)) => args.run(&output),
        Some(Command::Explain { claim, all }) => explain::explain(&claim, all, &output),
        Some(Command::Check(args)) => args.run(&output),
        Some(Command::Calibrate(args)) => args.run(&output),
        Some(Command::Embed(args)) => args.run(&output),
        Some(Command::Show(command)) => command.run(&output),
        Some(Command::Notebooks(command)) => command.run(&output),
        Some(Command::Devices) => devices::run(&output),
        Some(Command::Engines) => engines::run(&output),
        Some(Command::Reduce(args)) => args.run(&output),
        Some(Command::Plan(args)) => args.run(&output),
        Some(Command::Run(args)) => args.run(&output),
        Some(Command::Cell(args)) => args.run(&output),
        Some(Command::Publish(args)) => args.run(&output),
        Some(Command::Sweep(args)) => args.run(&output),
        Some(Command::Report(args)) => args.run(&output),
        Some(Command::Trends(args)) => args.run(&output),
        Some(Command::Manual(args)) => args.run(&output),
        None => cli.main_job.run(&output),
    };
    match result {
        Ok(outcome) => ExitCode::from(outcome.code()),
        Err(problem) => complain(&problem),
    }
}

/// One line whatever the message holds, so that scripts can read it. It says what to call next.
fn complain(problem: &Problem) -> ExitCode {
    let line = problem.line.lines().collect::<Vec<_>>().join(" ");
    let next = match problem.next {
        Next::Said => String::new(),
        Next::Step(step) => format!("; {step}"),
        Next::Help => format!("; see {}", contents::help_for(std::env::args().skip(1))),
    };
    note(format_args!("error: {line}{next}"));
    ExitCode::from(2)
}

/// Help and version go to standard output with code 0; a usage mistake is one line and code 2.
fn usage(error: &clap::Error) -> ExitCode {
    if !error.use_stderr() {
        Output::new(false).line(error.to_string().trim_end());
        return ExitCode::SUCCESS;
    }
    let missing = [ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand, ErrorKind::MissingSubcommand];
    if missing.contains(&error.kind()) {
        return complain(&Problem::new(contents::missing_command(std::env::args().skip(1))));
    }
    let text = error.to_string();
    let said = |line: &&str| !line.is_empty() && !line.starts_with("For more information");
    let lines: Vec<&str> =
        text.lines().map(str::trim).take_while(|l| !l.starts_with("Usage:")).filter(said).collect();
    let message = lines
        .join(" ")
        .replace(" tip: ", "; tip: ")
        .replace("invalid digit found in string", "must be a whole number, 0 or more")
        .replace("invalid float literal", "must be a number");
    complain(&Problem::new(message.strip_prefix("error: ").unwrap_or(&message)))
}

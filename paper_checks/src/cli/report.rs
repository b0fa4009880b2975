//! `ebmbook report`: the page of committed results; `ebmbook manual`: completions and a man page.

use super::output::Output;
use super::study::ScaleArg;
use super::{Cli, Outcome, Problem};
use crate::checks::{self, Context, studies_of};
use crate::claim::{Claim, registry};
use crate::study::{Published, Studies, StudyError};
use clap::CommandFactory;
use ebmbook::files::write_atomically;
use rayon::prelude::*;
use std::path::PathBuf;

/// Judge every claim on committed results and write the page.
#[derive(clap::Args)]
pub(super) struct Args {
    /// Folder of committed results.
    #[arg(long, default_value = "paper_checks/results")]
    from: PathBuf,
    /// Where the page goes.
    #[arg(long, default_value = "target/ebmbook/report.html")]
    to: PathBuf,
    /// Scale of the claims about the theory, and of the results in the folder.
    #[arg(long, value_enum, default_value_t = ScaleArg::Full)]
    scale: ScaleArg,
}

impl Args {
    pub fn run(&self, output: &Output) -> Result<Outcome, Problem> {
        if !self.from.is_dir() {
            return Err(Problem::new(format!(
                "folder of results `{}` is not there; `ebmbook publish all --scale full` makes one",
                self.from.display()
            )));
        }
        let studies = Studies::Published(self.from.clone());
        let context = Context { scale: self.scale.into(), studies, ..Context::default() };
        let here: Vec<&str> = Published::studies(&self.from).iter().map(|s| s.name).collect();
        // A claim whose studies have no committed results is left out; the page lists the studies.
        let judged = |claim: &&Claim| studies_of(&claim.id).iter().all(|study| here.contains(study));
        let claims: Vec<&Claim> = registry().iter().filter(judged).collect();
        let reports = claims
            .par_iter()
            .map(|claim| checks::run(claim, &context))
            .collect::<Result<Vec<_>, StudyError>>()?;
        let page = crate::report::page(&reports, &context)?;
        write_atomically(&self.to, |w| w.write_all(page.as_bytes()))?;
        output.say(format!("Report: {}", self.to.display()));
        Ok(super::check::outcome(reports.iter()))
    }
}

/// Shell completions, or the manual page.
#[derive(clap::Args)]
pub(super) struct ManualArgs {
    /// `man`, or a shell: bash, zsh, fish, elvish or powershell.
    kind: String,
}

impl ManualArgs {
    pub fn run(&self, output: &Output) -> Result<Outcome, Problem> {
        let mut command = Cli::command();
        let mut text = Vec::new();
        if self.kind == "man" {
            clap_mangen::Man::new(command)
                .render(&mut text)
                .map_err(|error| Problem::new(format!("cannot write the manual page: {error}")))?;
        } else {
            let shell: clap_complete::Shell = self.kind.parse().map_err(|_| {
                Problem::new(format!(
                    "`manual` must be `man`, bash, zsh, fish, elvish or powershell, got `{}`",
                    self.kind
                ))
            })?;
            clap_complete::generate(shell, &mut command, "ebmbook", &mut text);
        }
        output.line(String::from_utf8_lossy(&text).trim_end());
        Ok(Outcome::Fine)
    }
}

//! `ebmbook manual`: shell completions and the manual page.

use super::output::Output;
use super::{Outcome, Problem, contents};
use clap::Command;
use clap_mangen::Man;
use std::io::Write;

/// Shell completions, or the manual page.
#[derive(clap::Args)]
pub(super) struct ManualArgs {
    /// `man`, or a shell: bash, zsh, fish, elvish or powershell.
    kind: String,
}

impl ManualArgs {
    pub fn run(&self, output: &Output) -> Result<Outcome, Problem> {
        let mut text = Vec::new();
        if self.kind == "man" {
            manual_page(&mut text)
                .map_err(|error| Problem::new(format!("cannot write the manual page: {error}")))?;
        } else {
            let shell: clap_complete::Shell = self.kind.parse().map_err(|_| {
                Problem::new(format!(
                    "`manual` must be `man`, bash, zsh, fish, elvish or powershell, got `{}`",
                    self.kind
                ))
            })?;
            clap_complete::generate(shell, &mut contents::command(), "ebmbook", &mut text);
        }
        output.line(String::from_utf8_lossy(&text).trim_end());
        Ok(Outcome::Fine)
    }
}

/// One page: the program, then each of its commands with its options.
fn manual_page(text: &mut Vec<u8>) -> std::io::Result<()> {
    let mut command = contents::command();
    command.build();
    Man::new(command.clone()).render(text)?;
    for sub in command.get_subcommands().filter(|c| c.get_name() != "help") {
        describe(sub, text)?;
    }
    Ok(())
}

/// The sections of a command one level down, and those of its own commands after it.
fn describe(command: &Command, text: &mut Vec<u8>) -> std::io::Result<()> {
    let name = command.get_bin_name().unwrap_or_else(|| command.get_name());
    writeln!(text, ".SH \"{}\"", name.to_uppercase())?;
    let man = Man::new(command.clone());
    let mut sections = Vec::new();
    man.render_synopsis_section(&mut sections)?;
    man.render_description_section(&mut sections)?;
    man.render_options_section(&mut sections)?;
    text.extend(String::from_utf8_lossy(&sections).replace(".SH ", ".SS ").into_bytes());
    for sub in command.get_subcommands().filter(|c| c.get_name() != "help") {
        describe(sub, text)?;
    }
    Ok(())
}

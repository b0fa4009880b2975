//! The table of contents that `--help` prints, and which help an error points at.

use super::Cli;
use clap::{Command, CommandFactory};

/// Every command once, by what somebody comes for.
const GROUPS: [(&str, &[&str]); 5] = [
    ("Check the paper", &["claims", "map", "explain", "check", "report", "calibrate", "show"]),
    ("The studies behind the tables", &["plan", "run", "engines", "cell", "publish", "trends", "sweep"]),
    ("Your own data", &["data", "reduce", "embed", "cate"]),
    ("Notebooks", &["notebooks"]),
    ("Other", &["devices", "manual", "help"]),
];

const EXAMPLES: &str = "\
Examples:
  ebmbook                                  check every claim, write target/ebmbook/report.html
  ebmbook --spot-check 5m                  the same, recomputing a larger sample of the committed cells
  ebmbook --spot-check none                the same, recomputing nothing
  ebmbook --recompute quick                compute the experiments here, at quick scale
  ebmbook explain minimality               what one claim says, how it is judged, its caveats
  ebmbook check minimality                 measure and judge it
  ebmbook run table1 --scale full          Table 1, ten runs of every cell
  ebmbook plan all --scale full --on 64    what every study costs, and how long 64 cores take
  ebmbook report                           the page of the committed full-scale results
  ebmbook data describe my.csv --treatment drug --outcome score

Exit codes: 0 all fine, 1 a check fails, 2 bad usage or input, 3 something that is decided on
record was left open here, or a run was interrupted.
From a clone `ebmbook` is `cargo run --release --`; `cargo install --path paper_checks` puts it on the PATH.";

/// The program's arguments, with help that reads like a table of contents.
pub(super) fn command() -> Command {
    let mut command = Cli::command();
    command.build();
    let mut list = String::new();
    for (title, names) in GROUPS {
        list += &format!("{title}:\n");
        for name in names {
            let about = command.find_subcommand(name).and_then(Command::get_about).map(ToString::to_string);
            list += &format!("  {name:<10} {}\n", about.unwrap_or_default());
        }
        list.push('\n');
    }
    let template = format!(
        "{{about-with-newline}}\nWithout a command the main job runs. It computes the theory, judges the experiments on the committed\n\
         full-scale cells and recomputes a random sample of those; it prints one line per claim and writes a\n\
         page to read. What was computed is kept for the next run.\n\n\
         With --json the main job prints one object: `claims` (verdict, finding, values), `counts`, `reused`,\n\
         `spot check` (seed, population, recomputed, equal, rounded, wrong), `recomputed so far`,\n\
         `did not fit` and `report`.\n\n{{usage-heading}} {{usage}}\n\n{list}\
         Options of the main job:\n{{options}}\n\n{EXAMPLES}\n"
    );
    Cli::command().help_template(template)
}

/// The help that belongs to these arguments: that of the last command they name.
pub(super) fn help_for(arguments: impl Iterator<Item = String>) -> String {
    format!("`{} --help`", last_named(arguments).0)
}

/// What to say where a command stands without one of its own.
pub(super) fn missing_command(arguments: impl Iterator<Item = String>) -> String {
    let (path, commands) = last_named(arguments);
    format!("{path} needs one of its commands: {}", commands.join(", "))
}

/// The last command that these arguments name, in full, and the commands that it has.
fn last_named(arguments: impl Iterator<Item = String>) -> (String, Vec<String>) {
    let root = Cli::command();
    let (mut at, mut path) = (&root, vec!["ebmbook".to_owned()]);
    for argument in arguments.filter(|a| !a.starts_with('-')) {
        let Some(next) = at.find_subcommand(&argument) else { break };
        at = next;
        path.push(argument);
    }
    (path.join(" "), at.get_subcommands().map(|c| c.get_name().to_owned()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_command_stands_in_one_group() {
        let mut command = Cli::command();
        command.build();
        let all: BTreeSet<&str> = command.get_subcommands().map(Command::get_name).collect();
        let listed: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| names.iter().copied()).collect();
        assert_eq!(listed.iter().copied().collect::<BTreeSet<_>>(), all);
        assert_eq!(listed.len(), all.len(), "none stands twice");
    }

    #[test]
    fn help_is_that_of_the_command_that_was_named() {
        let help = |line: &str| help_for(line.split(' ').map(str::to_owned));
        assert_eq!(help("cate --learner q"), "`ebmbook cate --help`");
        assert_eq!(help("data synth --n -3"), "`ebmbook data synth --help`");
        assert_eq!(help("--budget five"), "`ebmbook --help`");
        assert_eq!(help("synht"), "`ebmbook --help`");
        let missing = missing_command(["data".to_owned()].into_iter());
        assert_eq!(missing, "ebmbook data needs one of its commands: list, describe, verify, synth, corrupt");
    }
}

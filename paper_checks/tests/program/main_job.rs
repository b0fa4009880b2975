//! `ebmbook` with no arguments: what it prints, keeps and leaves out when time is short.

use crate::support::{Ran, ebmbook, files_ending, program as bare, read};
use paper_checks::registry::Kind;
use rstest::rstest;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

fn main_job(home: &Path, args: &[&str]) -> Ran {
    Ran::of(&mut program(home, args))
}

fn program(home: &Path, args: &[&str]) -> Command {
    let mut command = bare();
    command.args(args).env("EBMBOOK_HOME", home);
    command
}

#[test]
fn what_does_not_fit_into_the_budget_is_inconclusive_and_says_so() {
    let home = tempfile::tempdir().unwrap();
    let ran = main_job(home.path(), &["--budget", "1s", "--json"]);
    let said = ran.json();
    let claims = said["claims"].as_array().unwrap();
    assert_eq!(claims.len(), paper_checks::claims::all().len());
    let left = claims
        .iter()
        .filter(|c| c["findings"]["setting"].as_str().unwrap().contains("did not fit into the budget"));
    // The studies alone take minutes.
    assert!(left.clone().count() >= 15);
    assert!(left.clone().all(|c| c["verdict"] == "inconclusive" || c["verdict"] == "open"));
    assert_eq!(ran.code, Some(3), "{}", ran.err);
    let page = read(home.path().join("report.html"));
    for claim in paper_checks::claims::all() {
        assert!(page.contains(&format!("<article id=\"{}\"", claim.id)), "{}", claim.id);
    }
    // The page does not call an error rate zero where nothing was measured.
    assert!(page.contains("False-alarm rate of the gates: nothing was measured"));
    // JSON has what the table shows.
    assert_eq!(said["did not fit"].as_array().unwrap().len(), left.count());
    assert_eq!(
        said["counts"].as_object().unwrap().values().map(|n| n.as_u64().unwrap()).sum::<u64>(),
        paper_checks::claims::all().filter(|c| c.kind == Kind::Claim).count() as u64,
        "questions and theorems have no verdict to count"
    );
    let helps = claims.iter().find(|c| c["claim"] == "table1-ebm-helps").unwrap();
    assert!(helps["printed"].as_f64().unwrap() > 0.5 && helps.get("caveat").is_some());
    // For people: what was dropped, and what to do about it.
    let text = main_job(home.path(), &["--budget", "1s"]).out;
    assert!(text.contains(" claims did not fit into the budget: "), "{text}");
    assert!(text.contains("run again to go on."), "{text}");
    assert!(text.contains("Report: ") && text.contains("Read first: "), "{text}");
    assert!(!text.contains('\u{1b}'), "plain text where there is no terminal");
}

#[test]
fn a_killed_run_leaves_what_it_judged_and_the_next_one_says_so() {
    let home = tempfile::tempdir().unwrap();
    let mut first = program(home.path(), &[]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let kept = || files_ending(&home.path().join("reports"), "json").len();
    let start = Instant::now();
    while kept() < 2 && start.elapsed() < Duration::from_secs(300) {
        std::thread::sleep(Duration::from_millis(20));
    }
    first.kill().unwrap();
    first.wait().unwrap();
    let there = kept();
    assert!(there >= 2, "nothing was kept in five minutes");
    assert!(!home.path().join("report.html").exists(), "it was killed on the way");
    let second = main_job(home.path(), &["--budget", "1s", "--json"]);
    let said = second.json();
    assert!(said["reused"]["claims"].as_u64().unwrap() >= there as u64, "{}", said["reused"]);
    assert!(second.err.contains("were judged in an earlier run"), "{}", second.err);
    let text = main_job(home.path(), &["--budget", "1s"]).out;
    assert!(text.contains("judged in an earlier run)."), "{text}");
    assert!(home.path().join("report.html").exists());
}

#[test]
fn output_is_plain_where_colour_is_not_wanted_and_a_reader_may_leave() {
    let home = tempfile::tempdir().unwrap();
    for args in [&["claims"][..], &["--help"], &["plan"], &["nonsense"]] {
        let ran = Ran::of(program(home.path(), args).env("NO_COLOR", "1").env("CLICOLOR_FORCE", "1"));
        assert!(!ran.out.contains('\u{1b}') && !ran.err.contains('\u{1b}'), "{args:?}");
    }
    // Nobody reads standard error: the exit code is still that of the work.
    let mut child = program(home.path(), &["--budget", "1s"])
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stderr.take());
    assert_eq!(child.wait().unwrap().code(), Some(3));
}

#[test]
fn help_is_a_table_of_contents() {
    let text = ebmbook(&["--help"]).out;
    for part in
        ["Check the paper:", "Your own data:", "Notebooks:", "Without a command", "Examples:", "Exit codes:"]
    {
        assert!(text.contains(part), "{part}: {text}");
    }
    let manual = ebmbook(&["manual", "man"]).out;
    for part in [".SH \"EBMBOOK CATE\"", ".SH \"EBMBOOK DATA SYNTH\"", "regressor", "budget"] {
        assert!(manual.contains(part), "{part}");
    }
}

#[rstest]
fn the_manual_and_the_completions_name_every_command(#[values("man", "bash", "zsh", "fish")] kind: &str) {
    let text = ebmbook(&["manual", kind]).out;
    for command in ["check", "explain", "run", "report", "notebooks"] {
        assert!(text.contains(command), "{command}");
    }
}

//! `ebmbook` with no arguments: what it prints, keeps and leaves out when time is short.

use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

fn main_job(home: &Path, args: &[&str]) -> Output {
    program(home, args).output().unwrap()
}

fn program(home: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ebmbook"));
    command.args(args).env("EBMBOOK_HOME", home);
    command
}

#[test]
fn what_does_not_fit_into_the_budget_is_inconclusive_and_says_so() {
    let home = tempfile::tempdir().unwrap();
    let output = main_job(home.path(), &["--budget", "1s", "--json"]);
    let said: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let claims = said["claims"].as_array().unwrap();
    assert_eq!(claims.len(), paper_checks::claims::all().len());
    let left = claims
        .iter()
        .filter(|c| c["findings"]["setting"].as_str().unwrap().contains("did not fit into the budget"));
    // The studies alone take minutes.
    assert!(left.clone().count() >= 15);
    assert!(left.clone().all(|c| c["verdict"] == "inconclusive"));
    assert_eq!(output.status.code(), Some(3), "{}", String::from_utf8_lossy(&output.stderr));
    let page = std::fs::read_to_string(home.path().join("report.html")).unwrap();
    for claim in paper_checks::claims::all() {
        assert!(page.contains(&format!("<article id=\"{}\"", claim.id)), "{}", claim.id);
    }
    // The page does not call an error rate zero where nothing was measured.
    assert!(page.contains("False-alarm rate of the gates: nothing was measured"));
    // JSON has what the table shows.
    assert_eq!(said["did not fit"].as_array().unwrap().len(), left.count());
    assert_eq!(
        said["counts"].as_object().unwrap().values().map(|n| n.as_u64().unwrap()).sum::<u64>(),
        claims.len() as u64
    );
    let helps = claims.iter().find(|c| c["claim"] == "table1-ebm-helps").unwrap();
    assert!(helps["printed"].as_f64().unwrap() > 0.5 && helps.get("caveat").is_some());
    // For people: what was dropped, and what to do about it.
    let output = main_job(home.path(), &["--budget", "1s"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains(" claims did not fit into the budget: "), "{text}");
    assert!(text.contains("run again to go on."), "{text}");
    assert!(text.contains("Report: ") && text.contains("Read first: "), "{text}");
    assert!(!text.contains('\u{1b}'), "plain text where there is no terminal");
}

#[test]
fn a_killed_run_leaves_what_it_judged_and_the_next_one_says_so() {
    let home = tempfile::tempdir().unwrap();
    let mut first = program(home.path(), &[]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let kept = || {
        std::fs::read_dir(home.path().join("reports")).map_or(0, |entries| {
            entries
                .filter(|e| e.as_ref().is_ok_and(|e| e.path().extension().is_some_and(|x| x == "json")))
                .count()
        })
    };
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
    let said: serde_json::Value = serde_json::from_slice(&second.stdout).unwrap();
    assert!(said["reused"]["claims"].as_u64().unwrap() >= there as u64, "{}", said["reused"]);
    let told = String::from_utf8(second.stderr).unwrap();
    assert!(told.contains("were judged in an earlier run"), "{told}");
    let text = String::from_utf8(main_job(home.path(), &["--budget", "1s"]).stdout).unwrap();
    assert!(text.contains("judged in an earlier run)."), "{text}");
    assert!(home.path().join("report.html").exists());
}

#[test]
fn output_is_plain_where_colour_is_not_wanted_and_a_reader_may_leave() {
    let home = tempfile::tempdir().unwrap();
    for args in [&["claims"][..], &["--help"], &["plan"], &["nonsense"]] {
        let output =
            program(home.path(), args).env("NO_COLOR", "1").env("CLICOLOR_FORCE", "1").output().unwrap();
        assert!(!output.stdout.contains(&0x1b) && !output.stderr.contains(&0x1b), "{args:?}");
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
    let home = tempfile::tempdir().unwrap();
    let text = String::from_utf8(main_job(home.path(), &["--help"]).stdout).unwrap();
    for part in
        ["Check the paper:", "Your own data:", "Notebooks:", "Without a command", "Examples:", "Exit codes:"]
    {
        assert!(text.contains(part), "{part}: {text}");
    }
    let manual = String::from_utf8(main_job(home.path(), &["manual", "man"]).stdout).unwrap();
    for part in [".SH \"EBMBOOK CATE\"", ".SH \"EBMBOOK DATA SYNTH\"", "regressor", "budget"] {
        assert!(manual.contains(part), "{part}");
    }
}

#[test]
fn the_manual_and_the_completions_name_every_command() {
    for kind in ["man", "bash", "zsh", "fish"] {
        let output = Command::new(env!("CARGO_BIN_EXE_ebmbook")).args(["manual", kind]).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        for command in ["check", "explain", "run", "report", "notebooks"] {
            assert!(text.contains(command), "{kind}: {command}");
        }
    }
}

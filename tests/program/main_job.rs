//! `ebmbook` with no arguments: what it prints, keeps and leaves out when time is short.

use std::path::Path;
use std::process::{Command, Output};

fn main_job(home: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_ebmbook")).args(args).env("EBMBOOK_HOME", home).output().unwrap()
}

#[test]
fn what_does_not_fit_into_the_budget_is_inconclusive_and_says_so() {
    let home = tempfile::tempdir().unwrap();
    let output = main_job(home.path(), &["--budget", "1s", "--json"]);
    let said: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let claims = said["claims"].as_array().unwrap();
    assert_eq!(claims.len(), paper_checks::claim::registry().len());
    let left = claims
        .iter()
        .filter(|c| c["findings"]["setting"].as_str().unwrap().contains("did not fit into the budget"));
    // The studies alone take minutes.
    assert!(left.clone().count() >= 15);
    assert!(left.clone().all(|c| c["verdict"] == "inconclusive"));
    assert_eq!(output.status.code(), Some(3), "{}", String::from_utf8_lossy(&output.stderr));
    let page = std::fs::read_to_string(home.path().join("report.html")).unwrap();
    for claim in paper_checks::claim::registry() {
        assert!(page.contains(&format!("<article id=\"{}\">", claim.id)), "{}", claim.id);
    }
    // A second run reuses what the first one judged, and says so.
    let output = main_job(home.path(), &["--budget", "1s"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("judged in an earlier run)."), "{text}");
    assert!(text.contains("Report: ") && text.contains("Read first: "), "{text}");
    assert!(!text.contains('\u{1b}'), "plain text where there is no terminal");
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

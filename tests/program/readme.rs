//! The README shows what the program prints today.

use std::path::Path;
use std::process::Command;

#[test]
fn the_readme_shows_the_current_output_of_the_main_job() {
    let output = Command::new(env!("CARGO_BIN_EXE_ebmbook")).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let expected =
        format!("<!-- main-job:begin -->\n```text\n{}\n```\n<!-- main-job:end -->", text.trim_end());
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../README.md");
    let readme = std::fs::read_to_string(&path).unwrap();
    if !readme.contains(&expected) && std::env::var_os("UPDATE_README").is_some() {
        let (before, rest) = readme.split_once("<!-- main-job:begin -->").unwrap();
        let (_, after) = rest.split_once("<!-- main-job:end -->").unwrap();
        std::fs::write(&path, format!("{before}{expected}{after}")).unwrap();
        return;
    }
    assert!(readme.contains(&expected), "README.md is out of date: run this test with UPDATE_README=1");
}

#[test]
fn ci_runs_the_test_command_of_the_readme_word_for_word() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let readme = std::fs::read_to_string(root.join("README.md")).unwrap();
    let ci = std::fs::read_to_string(root.join(".ci/run")).unwrap();
    let command = "cargo test --release";
    assert!(readme.lines().any(|line| line == command) && ci.lines().any(|line| line == command));
}

//! Builds what the notebooks stand on before a reader waits for it in a first cell.

use super::{NotebookError, Place, Tools};
use serde_json::json;
use std::collections::BTreeSet;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

const SCRIPT: &str = include_str!("execute.py");

/// The first cells of the notebooks: the course needs the library alone, the appendix of cards the whole program.
const FIRST_CELLS: [(&str, &str); 2] = [
    ("ebmbook", ":dep ebmbook = { path = \"..\" }\nuse ebmbook::prelude::*;"),
    ("paper_checks", ":dep paper_checks = { path = \"../paper_checks\" }\nuse paper_checks::lessons::*;"),
];

/// Executes the first cells of the notebooks once, and says how many crates have been built.
pub fn warm(tools: &Tools, place: &Place, say: &dyn Fn(&str)) -> Result<(), NotebookError> {
    for (package, source) in FIRST_CELLS {
        let failed = |reason: String| NotebookError::Run { name: format!("first cell of {package}"), reason };
        let folder = tempfile::tempdir().map_err(|e| failed(e.to_string()))?;
        let file = folder.path().join("first.ipynb");
        let cell = json!({
            "cell_type": "code", "id": "first", "execution_count": null, "metadata": {}, "outputs": [], "source": source
        });
        let notebook =
            json!({ "cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5 }).to_string();
        std::fs::write(&file, notebook).map_err(|e| failed(e.to_string()))?;
        let mut python = tools.python_command();
        python.args(["-c", SCRIPT]).arg(&file).arg(folder.path().join("done.ipynb"));
        python.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = python.spawn().map_err(|e| failed(e.to_string()))?;
        let (crates, mut built) = (crates_of(package, place), 0_usize);
        for line in BufReader::new(child.stderr.take().expect("it is piped")).lines().map_while(Result::ok) {
            if line.trim_start().starts_with("Compiling ") {
                built += 1;
                if built % 20 == 1 {
                    say(&format!(
                        "building {package} for the notebooks, once: {built} of at most {crates} crates"
                    ));
                }
            }
        }
        let status = child.wait().map_err(|e| failed(e.to_string()))?;
        if !status.success() {
            return Err(failed(status.to_string()));
        }
    }
    Ok(())
}

/// How many crates a package of the workbook is built from; 0 if cargo does not say.
fn crates_of(package: &str, place: &Place) -> usize {
    let mut cargo = Command::new(std::env::var("CARGO").unwrap_or_else(|_| "cargo".into()));
    cargo.args(["tree", "--package", package, "--prefix", "none", "--edges", "normal,build", "--no-dedupe"]);
    let output = cargo.current_dir(&place.root).stderr(Stdio::null()).output();
    output.map_or(0, |o| String::from_utf8_lossy(&o.stdout).lines().collect::<BTreeSet<_>>().len())
}

//! Executes a notebook: a few lines of Python speak to the kernel, this side reads what came back.

use super::{Notebook, NotebookError, Place, Tools};
use std::io::{BufRead, BufReader, Read};
use std::process::Stdio;

const SCRIPT: &str = include_str!("execute.py");

/// How far an execution is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
pub struct Progress {
    /// Code cells that have run.
    pub done: usize,
    /// Code cells there are.
    pub total: usize,
}

/// Runs all cells of a notebook in a fresh kernel and returns it with the new outputs.
pub fn execute(
    tools: &Tools,
    place: &Place,
    name: &str,
    mut progress: impl FnMut(Progress),
) -> Result<Notebook, NotebookError> {
    let failed = |reason: String| NotebookError::Run { name: name.into(), reason };
    let folder = tempfile::tempdir().map_err(|e| failed(e.to_string()))?;
    let output = folder.path().join(format!("{name}.ipynb"));
    let mut python = tools.python_command();
    python.args(["-c", SCRIPT]).arg(place.file(name)).arg(&output);
    let mut child = python
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|e| failed(e.to_string()))?;
    // Standard error is read beside, so that a full pipe cannot stop the child.
    let mut errors = child.stderr.take().expect("it is piped");
    let listener = std::thread::spawn(move || {
        let mut text = String::new();
        let _ = errors.read_to_string(&mut text);
        text
    });
    for line in BufReader::new(child.stdout.take().expect("it is piped")).lines().map_while(Result::ok) {
        if let Ok(step) = serde_json::from_str(&line) {
            progress(step);
        }
    }
    let status = child.wait().map_err(|e| failed(e.to_string()))?;
    let errors = listener.join().unwrap_or_default();
    if !status.success() {
        let last = errors.lines().rev().find(|l| !l.trim().is_empty()).unwrap_or("no message").to_owned();
        return Err(failed(last));
    }
    Notebook::read(&output)
}

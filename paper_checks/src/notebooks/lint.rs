//! What a committed notebook must be: executed in order, without errors, short cells in which the work can be
//! seen, no traces of the machine it ran on.

use super::compare::failures;
use super::{Kind, Notebook, Output};
use regex::Regex;
use std::sync::LazyLock;

/// Cells a notebook of the course should have.
pub const CELLS: std::ops::RangeInclusive<usize> = 16..=70;
/// Lines of the longest code cell.
pub const LONGEST: usize = 20;

/// Everything wrong with a committed notebook, one line each.
pub fn problems(notebook: &Notebook) -> Vec<String> {
    static MACHINE: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(/home/|/root/|/tmp/|/work/|/Users/|[A-Z]:\\)\S*").expect("it is valid")
    });
    // A program decides the type of a number from its use; the kernel compiles one cell at a time.
    static UNTYPED: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"^let (mut )?\w+ = -?[\d_]+;").expect("it is valid"));
    let mut found = Vec::new();
    let cells = notebook.cells().len();
    if !CELLS.contains(&cells) && !is_appendix(notebook) {
        found.push(format!("{cells} cells; there should be {} to {}", CELLS.start(), CELLS.end()));
    }
    let mut expected = 0;
    for (i, cell) in notebook.cells().iter().enumerate() {
        let mut add = |what: String| found.push(format!("cell {}: {what}", i + 1));
        if let Some(path) = MACHINE.find(&cell.source()) {
            add(format!("a path of some machine, `{}`", path.as_str()));
        }
        if cell.kind() != Kind::Code {
            continue;
        }
        let lines = cell.source().lines().count();
        if lines > LONGEST {
            add(format!("{lines} lines of code, at most {LONGEST} read well"));
        }
        if let Some(line) = cell.source().lines().find(|l| UNTYPED.is_match(l)) {
            add(format!("`{line}` has no type, and later cells cannot decide it: write `let name: type`"));
        }
        expected += 1;
        if cell.execution_count() != Some(expected) {
            add(format!("executed as {:?}, not in order as {expected}", cell.execution_count()));
        }
        let outputs = cell.outputs();
        failures(&outputs).into_iter().for_each(&mut add);
        for output in &outputs {
            let forms = ["text/plain", "text/html", "image/svg+xml"].iter().filter_map(|k| output.form(k));
            for text in forms.chain([output.text()]) {
                if let Some(path) = MACHINE.find(text) {
                    add(format!("an output has a path of some machine, `{}`", path.as_str()));
                    break;
                }
            }
        }
        // Where a value is moved in the cell that shows one, the kernel falls back on `Debug`.
        let raw = |o: &Output| {
            ["Figure {", "Table {", "Answer {", "Number {"].iter().any(|k| o.text().starts_with(k))
        };
        if outputs.iter().any(raw) {
            add("a figure is shown as text: clone what is moved in this cell".into());
        }
        if shows_something(&cell.source()) && outputs.is_empty() {
            add("no output; run `ebmbook notebooks run`".into());
        }
    }
    found
}

/// Whether it is the appendix, which has one card per entry of the registry and teaches nothing.
pub fn is_appendix(notebook: &Notebook) -> bool {
    notebook.name().ends_with("_cards")
}

/// A cell whose last line is an expression shows it.
fn shows_something(source: &str) -> bool {
    let last = source.lines().rev().find(|l| !l.trim().is_empty() && !l.trim_start().starts_with("//"));
    last.is_some_and(|l| !l.trim_end().ends_with([';', '}']) && !l.starts_with(':'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn notebook(cell: &str) -> Notebook {
        let text = format!(r#"{{"cells": [{cell}], "metadata": {{}}, "nbformat": 4, "nbformat_minor": 5}}"#);
        Notebook::parse("example", &text).unwrap()
    }

    #[test]
    fn order_outputs_and_paths_are_checked() {
        let code = |count: &str, source: &str, outputs: &str| {
            notebook(&format!(
                r#"{{"cell_type": "code", "execution_count": {count}, "metadata": {{}}, "source": "{source}", "outputs": [{outputs}]}}"#
            ))
        };
        let says = |n: &Notebook, what: &str| problems(n).iter().any(|p| p.contains(what));
        assert!(says(&code("7", "let a = 1;", ""), "not in order"));
        assert!(says(&code("1", "a", ""), "no output"));
        assert!(!says(&code("1", "let a = 1;", ""), "no output"));
        let path = r#"{"output_type": "stream", "name": "stdout", "text": "see /home/me/data"}"#;
        assert!(says(&code("1", "f();", path), "/home/me/data"));
        let panic = r#"{"output_type": "stream", "name": "stderr", "text": "thread panicked"}"#;
        assert!(says(&code("1", "f();", panic), "standard error"));
        assert!(says(&code("1", "let a: u64 = 1;", ""), "1 cells"));
        assert!(says(&code("1", "let a = 1;", ""), "has no type"));
        assert!(!says(&code("1", "let a: u64 = 1;", ""), "has no type"));
    }
}

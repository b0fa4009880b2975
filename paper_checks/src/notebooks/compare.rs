//! Fresh outputs against committed ones: words must be equal, numbers close, pictures by their data.

use super::{Cell, Kind, Notebook, Output};
use crate::tolerance::Tolerance;
use ebmbook::show::Figure;

/// The tolerance that the metadata of a cell ask for.
pub fn tolerance_of(cell: &Cell) -> Tolerance {
    let of = |key, otherwise| cell.metadata(key).and_then(serde_json::Value::as_f64).unwrap_or(otherwise);
    let usual = Tolerance::default();
    let relative = of("tolerance", usual.relative);
    Tolerance { relative, absolute: of("absolute", usual.absolute), whole: relative }
}

/// Everything in which `fresh` differs from `committed`, one line each.
pub fn differences(committed: &Notebook, fresh: &Notebook) -> Vec<String> {
    let mut found = Vec::new();
    if committed.cells().len() != fresh.cells().len() {
        return vec![format!("{} cells against {}", committed.cells().len(), fresh.cells().len())];
    }
    for (i, (old, new)) in committed.cells().iter().zip(fresh.cells()).enumerate() {
        if old.kind() != Kind::Code {
            continue;
        }
        let tolerance = tolerance_of(old);
        let at = |what: String| format!("cell {}: {what}", i + 1);
        found.extend(failures(&new.outputs()).into_iter().map(&at));
        if let Some(what) = outputs_differ(&old.outputs(), &new.outputs(), tolerance) {
            found.push(at(what));
        }
    }
    found
}

/// A panic or a returned error is text on standard error, which comes line by line and may end in a trace of
/// calls that says nothing to a reader; an error output speaks for itself.
///
/// ```
/// use paper_checks::notebooks::{Output, compare::failures};
/// let line = |text: &str| Output::Stream("stderr".into(), text.into());
/// let panic = [line("panicked at src/lib.rs:1:2:\n"), line("no row\n"), line("stack backtrace:\n"), line("0: x\n")];
/// assert_eq!(failures(&panic), ["standard error: panicked at src/lib.rs:1:2: no row"]);
/// ```
pub fn failures(outputs: &[Output]) -> Vec<String> {
    let (mut said, mut found) = (String::new(), Vec::new());
    for output in outputs {
        match output {
            Output::Error(text) => found.push(format!("error: {}", one_line(text))),
            Output::Stream(name, text) if name == "stderr" => said.push_str(text),
            _ => {}
        }
    }
    if !said.is_empty() {
        let message = said.split("stack backtrace:").next().unwrap_or_default();
        found.insert(0, format!("standard error: {}", one_line(message)));
    }
    found
}

fn one_line(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    line.chars().take(200).collect()
}

/// The first difference between two lists of outputs.
pub fn outputs_differ(old: &[Output], new: &[Output], tolerance: Tolerance) -> Option<String> {
    if old.len() != new.len() {
        return Some(format!("{} outputs against {}", old.len(), new.len()));
    }
    old.iter().zip(new).find_map(|(a, b)| {
        let picture = |o: &Output| o.form("image/svg+xml").and_then(Figure::from_svg);
        let pictures = match (picture(a), picture(b)) {
            (Some(a), Some(b)) => a.difference(&b, tolerance.relative),
            (None, None) => None,
            _ => Some("a picture against none".into()),
        };
        pictures.or_else(|| tolerance.difference(a.text(), b.text()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn notebook(outputs: &str) -> Notebook {
        let text = format!(
            r#"{{"cells": [{{"cell_type": "code", "execution_count": 1, "metadata": {{}}, "source": "x",
               "outputs": [{outputs}]}}], "metadata": {{}}, "nbformat": 4, "nbformat_minor": 5}}"#
        );
        Notebook::parse("example", &text).unwrap()
    }

    fn value(text: &str) -> String {
        format!(
            r#"{{"output_type": "execute_result", "data": {{"text/plain": "{text}"}}, "metadata": {{}}}}"#
        )
    }

    #[test]
    fn equal_notebooks_have_no_differences() {
        let n = notebook(&value("PEHE: 1.919"));
        assert!(differences(&n, &n).is_empty());
    }

    #[test]
    fn a_changed_output_is_found() {
        let (old, new) = (notebook(&value("PEHE: 1.919")), notebook(&value("PEHE: 1.702")));
        assert_eq!(differences(&old, &new), ["cell 1: number 1.919 against 1.702"]);
        let (old, new) = (notebook(&value("verdict: holds")), notebook(&value("verdict: fails")));
        assert_eq!(differences(&old, &new).len(), 1);
        assert_eq!(differences(&old, &notebook("")).len(), 1);
    }

    #[test]
    fn a_panic_is_a_failure_even_where_the_kernel_saw_success() {
        // What the kernel sends when a cell panics: a stream, and no error.
        let panic = r#"{"output_type": "stream", "name": "stderr",
            "text": "thread '<unnamed>' panicked at src/lib.rs:4:1:\nboom\n"}"#;
        let (old, new) = (notebook(""), notebook(panic));
        let found = differences(&old, &new);
        assert!(found[0].contains("panicked") && found[0].contains("boom"), "{found:?}");
        // It stays a failure if somebody commits it.
        assert!(!differences(&new, &new).is_empty());
    }

    #[test]
    fn pictures_are_compared_by_their_data_and_not_by_their_ink() {
        let picture = |y: f64, colour: &str| {
            let svg = Figure::new("f").line("a", &[(0.0, 1.0), (1.0, y)]).svg().replace("#FFFFFF", colour);
            let svg = serde_json::to_string(&svg).unwrap();
            notebook(&format!(r#"{{"output_type": "execute_result", "data": {{"image/svg+xml": {svg}}}}}"#))
        };
        assert!(differences(&picture(2.0, "#FFFFFF"), &picture(2.0, "#FEFEFE")).is_empty());
        assert_eq!(differences(&picture(2.0, "#FFFFFF"), &picture(2.5, "#FFFFFF")).len(), 1);
    }
}

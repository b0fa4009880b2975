//! Fresh outputs against committed ones: words must be equal, numbers close, pictures by their data.

use super::{Cell, Kind, Notebook, Output};
use ebmbook::show::{Figure, different_numbers};
use regex::Regex;
use std::sync::LazyLock;

/// How far two printed numbers may be apart: by a share of the larger one, or by so much whatever their
/// size. Runs on one machine agree to the bit; another processor sums in another order, which training
/// in single precision carries to the third digit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tolerance {
    /// Share of the larger number.
    pub relative: f64,
    /// For trained values around zero, such as a correlation of things that have nothing in common: their
    /// error is that of the values they are differences of.
    pub absolute: f64,
}

impl Default for Tolerance {
    fn default() -> Self {
        Self { relative: 5e-3, absolute: 0.0 }
    }
}

impl Tolerance {
    /// What the metadata of a cell say.
    pub fn of(cell: &Cell) -> Self {
        let of = |key, otherwise| cell.metadata(key).and_then(serde_json::Value::as_f64).unwrap_or(otherwise);
        let usual = Self::default();
        Self { relative: of("tolerance", usual.relative), absolute: of("absolute", usual.absolute) }
    }
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
        let tolerance = Tolerance::of(old);
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
        pictures.or_else(|| texts_differ(a.text(), b.text(), tolerance))
    })
}

/// The first difference between two texts. Numbers may differ by the tolerance or by one unit of their
/// last printed digit, timings by anything, spaces by how many there are.
///
/// ```
/// use paper_checks::notebooks::compare::{Tolerance, texts_differ};
/// let differ = |a, b| texts_differ(a, b, Tolerance { relative: 1e-4, absolute: 0.0 });
/// assert_eq!(differ("PEHE 1.919 in 3.2 s", "PEHE  1.918 in 14.0 s"), None);
/// assert_eq!(differ("gap 2.2e-16", "gap 4.4e-16"), None);
/// assert!(differ("PEHE 1.919", "PEHE 1.950").is_some());
/// assert!(differ("holds", "fails").is_some());
/// // Zeros at the end are not printed: 0.9 is 0.9000, and 0.99 is far away.
/// assert_eq!(differ("MCC 0.9", "MCC 0.9001"), None);
/// assert!(differ("MCC 0.9", "MCC 0.99").is_some());
/// ```
pub fn texts_differ(old: &str, new: &str, tolerance: Tolerance) -> Option<String> {
    static TIMING: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"\d+(\.\d+)?\s?(µs|ms|s|seconds|minutes)\b").expect("it is valid"));
    static NUMBER: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"[-−+]?\d+(\.\d+)?(e[-+]?\d+)?").expect("it is valid"));
    let parts = |text: &str| {
        let text = TIMING.replace_all(text, "(a while)").into_owned();
        let numbers: Vec<String> = NUMBER.find_iter(&text).map(|m| m.as_str().to_owned()).collect();
        let words = NUMBER.replace_all(&text, "#").split_whitespace().collect::<Vec<_>>().join(" ");
        (words, numbers)
    };
    let ((old_words, old_numbers), (new_words, new_numbers)) = (parts(old), parts(new));
    if old_words != new_words {
        let at = old_words.chars().zip(new_words.chars()).take_while(|(a, b)| a == b).count();
        let around = |text: &str| text.chars().skip(at.saturating_sub(20)).take(60).collect::<String>();
        return Some(format!("text `…{}` against `…{}`", around(&old_words), around(&new_words)));
    }
    let pair = old_numbers.iter().zip(&new_numbers).find(|(a, b)| {
        let value = |text: &str| text.replace('−', "-").parse::<f64>().unwrap_or(f64::NAN);
        let (x, y) = (value(a), value(b));
        let allowed = tolerance.absolute.max(1.01 * unit(a, b));
        different_numbers(x, y, tolerance.relative) && (x - y).abs() > allowed
    });
    pair.map(|(a, b)| format!("number {a} against {b}"))
}

/// One unit of the last digit of two printed numbers, of which either may have lost zeros at its end:
/// the smaller unit of the two, but no less than the fourth significant digit, where printing stops.
/// None for two whole numbers, which are counts.
fn unit(one: &str, other: &str) -> f64 {
    let last_digit = |number: &str| {
        let (mantissa, power) = number.split_once('e').unwrap_or((number, "0"));
        let power: i32 = power.parse().unwrap_or(0);
        let size = mantissa.trim_start_matches(['-', '−', '+']).parse::<f64>().unwrap_or(0.0);
        let decimals = mantissa.split_once('.').map(|(_, tail)| tail.len() as i32);
        let fourth = if size > 0.0 { (size.log10().floor() as i32 - 3).max(-4) } else { -4 };
        (decimals.map(|d| power - d), power + fourth)
    };
    let ((a, fourth_a), (b, fourth_b)) = (last_digit(one), last_digit(other));
    match (a, b) {
        (None, None) => 0.0,
        (a, b) => 10_f64.powi(a.unwrap_or(i32::MAX).min(b.unwrap_or(i32::MAX)).max(fourth_a.max(fourth_b))),
    }
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
    fn values_around_zero_have_an_absolute_tolerance() {
        let cell = |tolerance: Tolerance| texts_differ("corr -0.04", "corr 0.01", tolerance);
        assert!(cell(Tolerance { relative: 0.1, absolute: 0.0 }).is_some());
        assert_eq!(cell(Tolerance { relative: 0.1, absolute: 0.06 }), None);
        assert!(texts_differ("n 1024", "n 1025", Tolerance { relative: 1e-4, absolute: 0.0 }).is_some());
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

//! Copies for students: no outputs. Solutions stand in a folder that the copies do not have.

use super::{Kind, Notebook};
use std::collections::BTreeMap;

/// The metadata of a cell that asks for an answer: the number of the exercise.
pub const EXERCISE: &str = "exercise";

/// The student's copy of a notebook.
///
/// ```
/// use paper_checks::notebooks::{Notebook, student::copy};
/// let text = r#"{"cells": [{"cell_type": "code", "execution_count": 1, "outputs": [{"output_type": "stream"}],
///   "metadata": {"exercise": "1"}, "source": "let answer = f64::NAN;"}],
///   "metadata": {}, "nbformat": 4, "nbformat_minor": 5}"#;
/// let copy = copy(&Notebook::parse("example", text)?);
/// assert!(copy.cells()[0].outputs().is_empty());
/// # Ok::<(), String>(())
/// ```
pub fn copy(notebook: &Notebook) -> Notebook {
    let mut copy = notebook.clone();
    copy.cells_mut().iter_mut().filter(|c| c.kind() == Kind::Code).for_each(|c| c.clear_outputs());
    copy
}

/// The solutions in a file of `notebooks/solutions/`, by the number of the exercise.
///
/// ```
/// use paper_checks::notebooks::student::solutions;
/// let all = solutions("// exercise 1\nlet a = 2.0;\n\n// exercise 2\nlet b = 3.0;\n");
/// assert_eq!(all["1"], "let a = 2.0;");
/// assert_eq!(all.len(), 2);
/// ```
pub fn solutions(text: &str) -> BTreeMap<String, String> {
    let mut all: BTreeMap<String, String> = BTreeMap::new();
    let mut of = None;
    for line in text.lines() {
        if let Some(number) = line.strip_prefix("// exercise ") {
            of = Some(number.trim().to_owned());
        } else if let Some(number) = &of {
            let code = all.entry(number.clone()).or_default();
            *code += &format!("{line}\n");
        }
    }
    all.into_iter().map(|(number, code)| (number, code.trim().to_owned())).collect()
}

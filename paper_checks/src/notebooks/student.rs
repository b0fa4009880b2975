//! Copies for students: no outputs, and the skeleton of an answer where the solution stood.

use super::{Kind, Notebook};

/// The tag of a cell that solves an exercise.
pub const SOLUTION: &str = "solution";
/// Where such a cell keeps what a student is given instead.
pub const SKELETON: &str = "student";

/// The student's copy of a notebook.
///
/// ```
/// use paper_checks::notebooks::{Notebook, student::copy};
/// let text = r#"{"cells": [{"cell_type": "code", "execution_count": 1, "outputs": [{"output_type": "stream"}],
///   "metadata": {"tags": ["solution"], "student": "check(0.0)"}, "source": "check(42.0)"}],
///   "metadata": {}, "nbformat": 4, "nbformat_minor": 5}"#;
/// let copy = copy(&Notebook::parse("example", text)?);
/// assert_eq!(copy.cells()[0].source(), "check(0.0)");
/// assert!(copy.cells()[0].outputs().is_empty() && !copy.to_text().contains("42"));
/// # Ok::<(), String>(())
/// ```
pub fn copy(notebook: &Notebook) -> Notebook {
    let mut copy = notebook.clone();
    for cell in copy.cells_mut().iter_mut().filter(|c| c.kind() == Kind::Code) {
        cell.clear_outputs();
        if cell.has_tag(SOLUTION) {
            let skeleton = cell.metadata(SKELETON).and_then(|v| v.as_str()).unwrap_or("// your answer");
            let skeleton = skeleton.to_owned();
            cell.set_source(&skeleton);
            cell.forget_metadata(SKELETON);
            cell.forget_metadata("tags");
        }
    }
    copy
}

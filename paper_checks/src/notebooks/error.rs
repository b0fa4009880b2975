//! What can go wrong with notebooks, apart from their content.

use std::path::{Path, PathBuf};

/// A notebook that cannot be read, run or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)] // the messages say what the fields are
pub enum NotebookError {
    #[error("cannot read `{}`: {reason}", path.display())]
    Unreadable { path: PathBuf, reason: String },
    #[error("`{}` is not a notebook: {reason}", path.display())]
    Malformed { path: PathBuf, reason: String },
    #[error("no notebook is called `{name}`; there are {known}")]
    Unknown { name: String, known: String },
    #[error("no folder `notebooks` with an `evcxr.toml` here or above; run this inside the workbook")]
    NoFolder,
    #[error(
        "setting up notebooks: {step} failed: {reason}; it needs the network once, and Python 3 with venv"
    )]
    Setup { step: &'static str, reason: String },
    #[error("running `{name}`: {reason}")]
    Run { name: String, reason: String },
    #[error(transparent)]
    Math(#[from] crate::report::math::MathError),
    #[error(transparent)]
    File(#[from] ebmbook::files::FileError),
}

impl NotebookError {
    pub(super) fn unreadable(path: &Path, reason: impl ToString) -> Self {
        Self::Unreadable { path: path.to_owned(), reason: reason.to_string() }
    }
}

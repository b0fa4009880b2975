//! The one line in which a notebook settles an entry of the registry:
//!
//! ```text
//! > **holds with a caveat** · [consistency](15_cards.ipynb#consistency) · only where the noise stays inside
//! ```

use super::{Kind, Notebook};
use regex::Regex;
use std::sync::LazyLock;

/// A verdict as a notebook states it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stated {
    /// The entry.
    pub id: String,
    /// The verdict in words.
    pub words: String,
}

/// The verdict lines of a notebook, in order.
///
/// ```
/// use paper_checks::notebooks::{Notebook, verdict::stated};
/// let text = r##"{"cells": [{"cell_type": "markdown", "metadata": {},
///   "source": "> **fails** · [noise-kernel](15_cards.ipynb#noise-kernel) · the optimum is off"}],
///   "metadata": {}, "nbformat": 4, "nbformat_minor": 5}"##;
/// let lines = stated(&Notebook::parse("example", text)?);
/// assert_eq!((lines[0].id.as_str(), lines[0].words.as_str()), ("noise-kernel", "fails"));
/// # Ok::<(), String>(())
/// ```
pub fn stated(notebook: &Notebook) -> Vec<Stated> {
    static LINE: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?m)^> \*\*([a-z ]+)\*\* · \[([a-z0-9-]+)\]\(\d+_cards\.ipynb#([a-z0-9-]+)\) · \S.*$")
            .expect("it is valid")
    });
    let of = |text: String| -> Vec<Stated> {
        let lines = LINE.captures_iter(&text).filter(|c| c[2] == c[3]);
        lines.map(|c| Stated { id: c[2].into(), words: c[1].into() }).collect()
    };
    notebook.cells().iter().filter(|c| c.kind() == Kind::Markdown).flat_map(|c| of(c.source())).collect()
}

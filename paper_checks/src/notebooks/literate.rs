//! How much of a notebook's work its reader sees: cells that call the library, cells that define or compute.

use super::{Notebook, NotebookError};
use regex::Regex;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::LazyLock;

/// Counts of code cells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// All of them, the one that sets up dependencies apart.
    pub code: usize,
    /// Those that call the library's method, data or theory; drawing does not count.
    pub calls: usize,
    /// Those that define something, or do arithmetic that the reader can follow.
    pub works: usize,
}

/// The public names of the library, as far as they are about the method.
#[derive(Clone, Debug)]
pub struct Names(BTreeSet<String>);

impl Names {
    /// Reads the names of all public functions, types and modules below `src/`, those of `show/` apart.
    pub fn read(root: &Path) -> Result<Self, NotebookError> {
        static PUBLIC: LazyLock<Regex> = LazyLock::new(|| {
            Regex::new(r"(?m)^\s*pub (?:const )?(?:fn|struct|enum|mod|trait|type) (\w+)")
                .expect("it is valid")
        });
        let mut names = BTreeSet::new();
        let mut folders = vec![root.join("src")];
        while let Some(folder) = folders.pop() {
            let entries = std::fs::read_dir(&folder).map_err(|e| NotebookError::unreadable(&folder, e))?;
            for path in entries.filter_map(|e| Some(e.ok()?.path())) {
                if path.is_dir() && !path.ends_with("show") {
                    folders.push(path);
                } else if path.extension().is_some_and(|e| e == "rs") {
                    let text =
                        std::fs::read_to_string(&path).map_err(|e| NotebookError::unreadable(&path, e))?;
                    names.extend(PUBLIC.captures_iter(&text).map(|c| c[1].to_owned()));
                }
            }
        }
        // Words of the language's own collections and of ndarray's are no evidence.
        for common in
            ["new", "len", "iter", "is_empty", "mean", "sum", "rows", "columns", "get", "from", "all", "name"]
        {
            names.remove(common);
        }
        Ok(Self(names))
    }

    /// Counts the cells of a notebook.
    pub fn count(&self, notebook: &Notebook) -> Counts {
        static USED: LazyLock<Regex> =
            LazyLock::new(|| Regex::new(r"(\w+)(?:::|\(|!)").expect("it is valid"));
        static WORKS: LazyLock<Regex> = LazyLock::new(|| {
            Regex::new(r"(?m)\b(?:fn|struct|enum|impl|const) |\|[\w&(][^|\n]*\| | [-+*/] |[-+*/]= ")
                .expect("it is valid")
        });
        let mut counts = Counts::default();
        for cell in notebook.code().map(|c| c.source()).filter(|s| !s.starts_with(':')) {
            // Words in texts and comments call nothing.
            let code: String =
                cell.lines().map(|l| l.split("//").next().unwrap_or_default().to_owned() + "\n").collect();
            counts.code += 1;
            counts.calls += usize::from(USED.captures_iter(&code).any(|c| self.0.contains(&c[1])));
            counts.works += usize::from(WORKS.is_match(&code));
        }
        counts
    }
}

//! One notebook as data. Everything Jupyter keeps in the file is kept; what is read is typed.

use super::NotebookError;
use serde_json::{Map, Value, json};
use std::path::Path;

/// Prose or code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Text.
    Markdown,
    /// Rust.
    Code,
}

/// What a cell left behind.
#[derive(Clone, Debug, PartialEq)]
pub enum Output {
    /// A stream: its name (`stdout`, `stderr`) and its text.
    Stream(String, String),
    /// A value in several forms: media type and content.
    Value(Vec<(String, String)>),
    /// An error that the kernel reported.
    Error(String),
}

impl Output {
    /// The plain words of the output.
    pub fn text(&self) -> &str {
        match self {
            Self::Stream(_, text) | Self::Error(text) => text,
            Self::Value(_) => self.form("text/plain").unwrap_or(""),
        }
    }

    /// A value's content in one media type.
    pub fn form(&self, kind: &str) -> Option<&str> {
        match self {
            Self::Value(forms) => forms.iter().find(|(k, _)| k == kind).map(|(_, text)| text.as_str()),
            _ => None,
        }
    }
}

/// One cell.
#[derive(Clone, Debug)]
pub struct Cell {
    raw: Map<String, Value>,
}

impl Cell {
    /// Prose or code.
    pub fn kind(&self) -> Kind {
        if self.raw.get("cell_type").and_then(Value::as_str) == Some("code") {
            Kind::Code
        } else {
            Kind::Markdown
        }
    }

    /// The text of the cell.
    pub fn source(&self) -> String {
        self.raw.get("source").map(joined).unwrap_or_default()
    }

    /// Whether the cell has a tag.
    pub fn has_tag(&self, tag: &str) -> bool {
        let tags = self.raw.get("metadata").and_then(|m| m.get("tags")).and_then(Value::as_array);
        tags.is_some_and(|tags| tags.iter().any(|t| t == tag))
    }

    /// A value of the cell's metadata.
    pub fn metadata(&self, key: &str) -> Option<&Value> {
        self.raw.get("metadata")?.get(key)
    }

    /// The number Jupyter gave to the execution.
    pub fn execution_count(&self) -> Option<u64> {
        self.raw.get("execution_count").and_then(Value::as_u64)
    }

    /// What the cell left behind.
    pub fn outputs(&self) -> Vec<Output> {
        let list = self.raw.get("outputs").and_then(Value::as_array);
        list.map(|outputs| outputs.iter().map(output).collect()).unwrap_or_default()
    }

    pub(super) fn clear_outputs(&mut self) {
        if self.kind() == Kind::Code {
            self.raw.insert("outputs".into(), json!([]));
            self.raw.insert("execution_count".into(), Value::Null);
        }
    }
}

fn output(value: &Value) -> Output {
    let text = |key: &str| value.get(key).map(joined).unwrap_or_default();
    match value.get("output_type").and_then(Value::as_str) {
        Some("stream") => Output::Stream(text("name"), text("text")),
        Some("error") => Output::Error(format!("{}: {}", text("ename"), text("evalue"))),
        _ => {
            let data = value.get("data").and_then(Value::as_object);
            let forms = data.map(|d| d.iter().map(|(k, v)| (k.clone(), joined(v))).collect());
            Output::Value(forms.unwrap_or_default())
        }
    }
}

/// Jupyter writes long text as a list of lines.
fn joined(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(lines) => lines.iter().filter_map(Value::as_str).collect(),
        _ => String::new(),
    }
}

fn split(text: &str) -> Value {
    text.split_inclusive('\n').collect::<Vec<_>>().into()
}

/// A notebook.
#[derive(Clone, Debug)]
pub struct Notebook {
    name: String,
    cells: Vec<Cell>,
    rest: Map<String, Value>,
}

impl Notebook {
    /// Reads a file; the notebook's name is the file's without `.ipynb`.
    pub fn read(path: &Path) -> Result<Self, NotebookError> {
        let text = std::fs::read_to_string(path).map_err(|e| NotebookError::unreadable(path, e))?;
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Self::parse(&name, &text).map_err(|reason| NotebookError::Malformed { path: path.to_owned(), reason })
    }

    /// Reads the text of a file.
    ///
    /// ```
    /// use paper_checks::notebooks::{Kind, Notebook};
    /// let text = r##"{"cells": [{"cell_type": "markdown", "metadata": {}, "source": ["# Title"]}],
    ///                 "metadata": {}, "nbformat": 4, "nbformat_minor": 5}"##;
    /// let notebook = Notebook::parse("example", text)?;
    /// assert_eq!((notebook.cells()[0].kind(), notebook.title()), (Kind::Markdown, "Title".to_owned()));
    /// # Ok::<(), String>(())
    /// ```
    pub fn parse(name: &str, text: &str) -> Result<Self, String> {
        let mut rest: Map<String, Value> = serde_json::from_str(text).map_err(|e| e.to_string())?;
        let Some(Value::Array(cells)) = rest.remove("cells") else {
            return Err("it has no list of cells".into());
        };
        let cell = |value: Value| match value {
            Value::Object(raw) => Ok(Cell { raw }),
            other => Err(format!("a cell must be an object, got {other}")),
        };
        Ok(Self { name: name.into(), cells: cells.into_iter().map(cell).collect::<Result<_, _>>()?, rest })
    }

    /// The name, such as `03_identifiability`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The cells in order.
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    pub(super) fn cells_mut(&mut self) -> &mut Vec<Cell> {
        &mut self.cells
    }

    /// The code cells in order.
    pub fn code(&self) -> impl Iterator<Item = &Cell> {
        self.cells.iter().filter(|c| c.kind() == Kind::Code)
    }

    /// The first heading.
    pub fn title(&self) -> String {
        let heading = |c: &Cell| c.source().lines().find_map(|l| l.strip_prefix("# ").map(str::to_owned));
        self.cells.iter().filter(|c| c.kind() == Kind::Markdown).find_map(heading).unwrap_or_default()
    }

    /// The file's text the way Jupyter writes it: sorted keys, one space, long text by lines, and
    /// executions numbered from 1.
    pub fn to_text(&self) -> String {
        let mut count = 0;
        let cells: Vec<Value> = self.cells.iter().map(|c| tidy(c, &mut count)).collect();
        let mut all = self.rest.clone();
        all.insert("cells".into(), cells.into());
        let mut text = Vec::new();
        let formatter = serde_json::ser::PrettyFormatter::with_indent(b" ");
        let mut writer = serde_json::Serializer::with_formatter(&mut text, formatter);
        serde::Serialize::serialize(&all, &mut writer).expect("JSON values can be written");
        String::from_utf8(text).expect("JSON is UTF-8") + "\n"
    }

    /// Writes the file, whole or not at all.
    pub fn write(&self, path: &Path) -> Result<(), NotebookError> {
        let text = self.to_text();
        Ok(ebmbook::files::write_atomically(path, |w| w.write_all(text.as_bytes()))?)
    }
}

/// A cell without what changes from run to run (timings, message ids).
fn tidy(cell: &Cell, count: &mut u64) -> Value {
    let mut raw = cell.raw.clone();
    raw.insert("source".into(), split(&cell.source()));
    if let Some(Value::Object(metadata)) = raw.get_mut("metadata") {
        metadata.remove("execution");
    }
    if cell.kind() == Kind::Code && cell.execution_count().is_some() {
        *count += 1;
        raw.insert("execution_count".into(), (*count).into());
    }
    if let Some(Value::Array(outputs)) = raw.get_mut("outputs") {
        for output in outputs.iter_mut().filter_map(Value::as_object_mut) {
            if output.contains_key("execution_count") {
                output.insert("execution_count".into(), (*count).into());
            }
            if let Some(text) = output.get("text").map(joined) {
                output.insert("text".into(), split(&text));
            }
            if let Some(Value::Object(data)) = output.get_mut("data") {
                for content in data.values_mut() {
                    *content = split(&joined(content));
                }
            }
        }
    }
    raw.into()
}

//! Tables for people, JSON for programs, from the same rows.

use comfy_table::{CellAlignment, ColumnConstraint, ContentArrangement, Table, presets};
use serde_json::{Map, Value};
use std::io::{ErrorKind, Write};

/// Where results go: a table on standard output, or JSON with `--json`.
pub struct Output {
    json: bool,
}

impl Output {
    /// JSON or tables.
    pub fn new(json: bool) -> Self {
        Self { json }
    }

    /// Whether JSON was asked for.
    pub fn is_json(&self) -> bool {
        self.json
    }

    /// A line for people; JSON output stays free of it.
    pub fn say(&self, line: impl AsRef<str>) {
        if !self.json {
            self.line(line.as_ref());
        }
    }

    /// A value as JSON, over several lines.
    pub fn value(&self, value: &Value) {
        self.line(format_args!("{value:#}"));
    }

    /// Text as it is, and a line break.
    pub fn line(&self, text: impl std::fmt::Display) {
        // Who reads along (`| head`) may leave; the work goes on, and the exit code is that of the work.
        if let Err(error) = writeln!(std::io::stdout(), "{text}")
            && error.kind() != ErrorKind::BrokenPipe
        {
            super::progress::note(format_args!("error: cannot write to standard output: {error}"));
            std::process::exit(2);
        }
    }

    /// Rows under a header. Numbers are right-aligned with as many decimals as the longest of
    /// their column; in JSON each row is an object.
    pub fn table(&self, header: &[&str], rows: &[Vec<Value>]) {
        if self.json {
            let objects: Vec<Value> = rows.iter().map(|row| object(header, row)).collect();
            self.value(&Value::from(objects));
            return;
        }
        let decimals: Vec<usize> = (0..header.len())
            .map(|i| rows.iter().filter_map(|r| r.get(i)).map(decimals).max().unwrap_or(0))
            .collect();
        let mut table = new_table(presets::UTF8_BORDERS_ONLY);
        table.set_header(header);
        for row in rows {
            table.add_row(row.iter().zip(&decimals).map(|(value, digits)| plain(value, *digits)));
        }
        for (i, column) in table.column_iter_mut().enumerate() {
            if rows.iter().all(|row| row.get(i).is_none_or(|v| v.is_number() || v.is_null())) {
                column.set_cell_alignment(CellAlignment::Right);
            }
            // Names are not broken; there is room for them, because prose can be.
            let word = |v: &Value| v.as_str().is_none_or(|text| !text.contains(' '));
            if rows.iter().all(|row| row.get(i).is_none_or(word)) {
                column.set_constraint(ColumnConstraint::ContentWidth);
            }
        }
        self.line(table);
    }

    /// One thing with named properties.
    pub fn properties(&self, properties: &[(&str, Value)]) {
        if self.json {
            let map: Map<String, Value> = properties.iter().map(|(k, v)| ((*k).into(), v.clone())).collect();
            self.value(&Value::from(map));
            return;
        }
        let mut table = new_table(presets::NOTHING);
        for (name, value) in properties {
            table.add_row([(*name).to_owned(), plain(value, decimals(value))]);
        }
        for column in table.column_iter_mut() {
            column.set_padding((0, 2));
        }
        for line in table.to_string().lines() {
            self.line(line.trim_end());
        }
    }
}

fn new_table(preset: &str) -> Table {
    let mut table = Table::new();
    table.load_preset(preset).set_content_arrangement(ContentArrangement::Dynamic);
    table.set_width(super::text::width() as u16);
    table
}

/// A number rounded for reading, as a JSON value.
pub fn rounded(value: f64, digits: u32) -> Value {
    let scale = 10_f64.powi(digits as i32);
    Value::from((value * scale).round() / scale)
}

fn object(header: &[&str], row: &[Value]) -> Value {
    header.iter().zip(row).map(|(k, v)| ((*k).to_owned(), v.clone())).collect::<Map<_, _>>().into()
}

/// Decimals of a number that is not whole by type; none for anything else.
fn decimals(value: &Value) -> usize {
    match value {
        Value::Number(number) if number.is_f64() => {
            let text = number.to_string();
            if text.contains('e') { 0 } else { text.split_once('.').map_or(0, |(_, tail)| tail.len()) }
        }
        _ => 0,
    }
}

fn plain(value: &Value, digits: usize) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => "–".into(),
        Value::Array(items) if items.is_empty() => "none".into(),
        Value::Array(items) => items.iter().map(|v| plain(v, decimals(v))).collect::<Vec<_>>().join(", "),
        Value::Number(number) if number.is_f64() && !number.to_string().contains('e') => {
            format!("{:.digits$}", number.as_f64().unwrap_or(f64::NAN))
        }
        other => other.to_string(),
    }
}

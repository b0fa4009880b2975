//! Tables for people, JSON for programs, from the same rows.

use comfy_table::{CellAlignment, Table, presets};
use serde_json::{Map, Value};

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
            println!("{}", line.as_ref());
        }
    }

    /// Rows under a header. Numbers are right-aligned; in JSON each row is an object.
    pub fn table(&self, header: &[&str], rows: &[Vec<Value>]) {
        if self.json {
            let objects: Vec<Value> = rows.iter().map(|row| object(header, row)).collect();
            println!("{:#}", Value::from(objects));
            return;
        }
        let mut table = Table::new();
        table.load_preset(presets::UTF8_HORIZONTAL_ONLY).set_header(header);
        for row in rows {
            table.add_row(row.iter().map(plain));
        }
        for (i, column) in table.column_iter_mut().enumerate() {
            if rows.iter().all(|row| row.get(i).is_none_or(|v| v.is_number() || v.is_null())) {
                column.set_cell_alignment(CellAlignment::Right);
            }
        }
        println!("{table}");
    }

    /// One thing with named properties.
    pub fn properties(&self, properties: &[(&str, Value)]) {
        if self.json {
            let map: Map<String, Value> = properties.iter().map(|(k, v)| ((*k).into(), v.clone())).collect();
            println!("{:#}", Value::from(map));
            return;
        }
        let width = properties.iter().map(|(k, _)| k.len()).max().unwrap_or(0);
        for (name, value) in properties {
            println!("{name:width$}  {}", plain(value));
        }
    }
}

/// A number rounded for reading, as a JSON value.
pub fn rounded(value: f64, digits: u32) -> Value {
    let scale = 10_f64.powi(digits as i32);
    Value::from((value * scale).round() / scale)
}

fn object(header: &[&str], row: &[Value]) -> Value {
    header.iter().zip(row).map(|(k, v)| ((*k).to_owned(), v.clone())).collect::<Map<_, _>>().into()
}

fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => "–".into(),
        Value::Array(items) => items.iter().map(plain).collect::<Vec<_>>().join(", "),
        other => other.to_string(),
    }
}

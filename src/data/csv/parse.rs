//! From bytes to names and numbers, with the line of everything that is wrong.

use crate::data::DataError;
use std::path::Path;

/// The records of a file, each with the line it stands on.
pub(super) fn records(bytes: &[u8]) -> impl Iterator<Item = (u64, ::csv::ByteRecord)> {
    let reader = ::csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .trim(::csv::Trim::All)
        .from_reader(bytes);
    reader.into_byte_records().map(|record| {
        let record = record.expect("reading from memory with flexible rows does not fail");
        let position = record.position().expect("a record that was read has a position");
        // The position is where the reader began to look, in front of blank lines.
        let rest = &bytes[(position.byte() as usize).min(bytes.len())..];
        let blank = rest.iter().take_while(|c| matches!(c, b'\r' | b'\n')).filter(|c| **c == b'\n').count();
        (position.line() + blank as u64, record)
    })
}

pub(super) fn parse_header(path: &Path, header: &::csv::ByteRecord) -> Result<Vec<String>, DataError> {
    if header.len() == 1
        && let Some(separator) = [b';', b'\t', b'|'].into_iter().find(|c| header[0].contains(c))
    {
        let (path, separator) = (path.to_owned(), separator.escape_ascii().to_string());
        return Err(DataError::WrongSeparator { path, separator });
    }
    let mut names: Vec<String> = Vec::with_capacity(header.len());
    for (i, cell) in header.iter().enumerate() {
        let name = std::str::from_utf8(cell)
            .map_err(|_| DataError::NotUtf8 { path: path.to_owned(), line: 1 })?
            .to_owned();
        if name.is_empty() {
            return Err(DataError::UnnamedColumn { path: path.to_owned(), position: i + 1 });
        }
        if name.contains(char::is_control) {
            return Err(DataError::UnprintableName { path: path.to_owned(), position: i + 1 });
        }
        if names.contains(&name) {
            return Err(DataError::DuplicateColumn { path: path.to_owned(), name });
        }
        names.push(name);
    }
    Ok(names)
}

pub(super) fn parse_row(
    path: &Path,
    line: u64,
    names: &[String],
    record: &::csv::ByteRecord,
    values: &mut Vec<f64>,
) -> Result<(), DataError> {
    let path = || path.to_owned();
    if record.len() != names.len() {
        return Err(DataError::Ragged { path: path(), line, found: record.len(), expected: names.len() });
    }
    for (cell, column) in record.iter().zip(names) {
        let text = std::str::from_utf8(cell).map_err(|_| DataError::NotUtf8 { path: path(), line })?;
        if text.is_empty() {
            return Err(DataError::MissingCell { path: path(), line, column: column.clone() });
        }
        let shown = || text.chars().take(40).flat_map(char::escape_default).collect::<String>();
        match text.parse::<f64>() {
            Err(_) => {
                return Err(DataError::NotANumber {
                    path: path(),
                    line,
                    column: column.clone(),
                    value: shown(),
                });
            }
            Ok(v) if !v.is_finite() => {
                return Err(DataError::NotFinite {
                    path: path(),
                    line,
                    column: column.clone(),
                    value: shown(),
                });
            }
            Ok(v) => values.push(v),
        }
    }
    Ok(())
}

//! `ebmbook data`: what ships, what a file holds, synthetic data, corruption.

mod corrupt;
mod describe;
mod synth;

use super::output::Output;
use super::{Outcome, Problem};
use ebmbook::data::manifest::Manifest;
use serde_json::Value;

/// Subcommands of `ebmbook data`.
#[derive(clap::Subcommand)]
pub(super) enum Command {
    /// List the data sets that ship and the ones that can be generated.
    List,
    /// Describe a data set that ships (`twins`, `ihdp`) or a CSV file.
    Describe(describe::Args),
    /// Check the hash of every file that ships.
    Verify,
    /// Generate synthetic data and write train.csv and test.csv.
    Synth(synth::Args),
    /// Draw corrupted copies of the rows of a CSV file.
    Corrupt(corrupt::Args),
}

impl Command {
    pub fn run(self, output: &Output) -> Result<Outcome, Problem> {
        match self {
            Self::List => list(output).map(|()| Outcome::Fine),
            Self::Describe(args) => args.run(output).map(|()| Outcome::Fine),
            Self::Verify => verify(&Manifest::find()?, output),
            Self::Synth(args) => args.run(output).map(|()| Outcome::Fine),
            Self::Corrupt(args) => args.run(output).map(|()| Outcome::Fine),
        }
    }
}

fn list(output: &Output) -> Result<(), Problem> {
    let manifest = Manifest::find()?;
    let mut rows: Vec<Vec<Value>> = Vec::new();
    for entry in manifest.entries() {
        let shape = format!("{} × {}", entry.rows, entry.columns);
        rows.push(vec![
            entry.name.clone().into(),
            "ships".into(),
            shape.into(),
            entry.content.clone().into(),
        ]);
    }
    for (name, content) in [
        ("synthetic, released", "The authors' own data, regenerated from their seeds."),
        ("synthetic, paper", "The generating process the text describes, every open choice a parameter."),
    ] {
        rows.push(vec![name.into(), "`data synth`".into(), "(n + 20000) × d".into(), content.into()]);
    }
    output.table(&["name", "where from", "shape", "content"], &rows);
    Ok(())
}

/// Hash and shape of every file; a file that differs is a failed check, not bad input.
pub(super) fn verify(manifest: &Manifest, output: &Output) -> Result<Outcome, Problem> {
    let mut outcome = Outcome::Fine;
    let mut rows: Vec<Vec<Value>> = Vec::new();
    for entry in manifest.entries() {
        let read = manifest.read(&entry.name).map_err(|error| error.to_string());
        let wrong = read.and_then(|bytes| check_shape(&bytes, entry.rows, entry.columns)).err();
        if wrong.is_some() {
            outcome = Outcome::CheckFailed;
        }
        let verdict = wrong.unwrap_or_else(|| "ok".into());
        rows.push(vec![entry.name.clone().into(), entry.path.clone().into(), verdict.into()]);
    }
    output.table(&["name", "file", "verdict"], &rows);
    Ok(outcome)
}

fn check_shape(bytes: &[u8], rows: usize, columns: usize) -> Result<(), String> {
    let text = String::from_utf8_lossy(bytes);
    let found_rows = text.lines().count().saturating_sub(1);
    let found_columns = text.lines().next().map_or(0, |header| header.split(',').count());
    if (found_rows, found_columns) == (rows, columns) {
        Ok(())
    } else {
        Err(format!("{found_rows} × {found_columns}, but the manifest says {rows} × {columns}"))
    }
}

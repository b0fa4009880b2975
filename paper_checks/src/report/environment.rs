//! Where the numbers on the page were computed, and by what.

use crate::claims::{self, Context, Record};
use crate::study::{Provenance, Published, Studies};
use serde::Serialize;
use std::collections::BTreeSet;
use std::path::Path;

/// Facts a reader needs to compute the page again; no name of a machine or a folder.
pub(super) fn facts(context: &Context) -> Vec<[String; 2]> {
    let here = Provenance::here();
    let source = match &context.studies {
        Studies::Store(_) => "values computed here, kept for the next run",
        Studies::Published(_) => "committed results, see the table below",
    };
    let fact = |name: &str, value: &str| {
        let value = if value.is_empty() { "not known" } else { value };
        [name.to_owned(), value.to_owned()]
    };
    vec![
        fact("program", concat!("ebmbook ", env!("CARGO_PKG_VERSION"))),
        fact("revision it was built from", &here.revision),
        fact("compiler", &here.rustc),
        fact("processor", &here.cpu),
        fact("hash of Cargo.lock", &here.lock),
        fact("scale of the experiments", &context.scale.to_string()),
        fact("seed", &context.seed.to_hex()[..16]),
        fact("values of the studies", source),
    ]
}

/// How the committed values of one study came about.
#[derive(Serialize)]
pub(super) struct Origin {
    study: &'static str,
    cells: usize,
    /// Whole ones.
    seconds: u64,
    revisions: String,
    seeds: String,
    rustc: String,
    cpu: String,
}

/// The circumstances of every study with committed results; none if values were computed here.
pub(super) fn origins(context: &Context) -> Vec<Origin> {
    let Studies::Published(folder) = &context.studies else { return Vec::new() };
    let origin = |study: crate::study::Study| {
        let published = Published::load(folder, study.name).ok()?;
        let told = published.circumstances(study.name)?;
        Some(Origin {
            study: study.name,
            cells: told.cells,
            seconds: told.seconds.round() as u64,
            revisions: told.listed(|o| &o.revision),
            seeds: listed(&told.seeds),
            rustc: told.listed(|o| &o.rustc),
            cpu: told.listed(|o| &o.cpu),
        })
    };
    let mut origins: Vec<Origin> = Published::studies(folder).into_iter().filter_map(origin).collect();
    origins.extend(theory(folder));
    origins
}

/// How the findings about the theory came about, if any are committed.
fn theory(folder: &Path) -> Option<Origin> {
    let folder = folder.join(Record::FOLDER);
    let records: Vec<Record> =
        claims::all().filter_map(|claim| Record::read(&folder, claim).ok().flatten()).collect();
    let each = |of: fn(&Record) -> &str| {
        let distinct: BTreeSet<&str> = records.iter().map(of).collect();
        distinct.into_iter().collect::<Vec<_>>().join(", ")
    };
    (!records.is_empty()).then(|| Origin {
        study: "theory",
        cells: records.len(),
        seconds: records.iter().map(|r| r.seconds).sum::<f64>().round() as u64,
        revisions: each(|r| &r.revision),
        seeds: listed(&records.iter().map(|r| r.master_seed).collect::<BTreeSet<u64>>()),
        rustc: each(|r| &r.rustc),
        cpu: each(|r| &r.cpu),
    })
}

fn listed<'a>(seeds: impl IntoIterator<Item = &'a u64>) -> String {
    seeds.into_iter().map(u64::to_string).collect::<Vec<_>>().join(", ")
}

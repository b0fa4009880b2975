//! Where the numbers on the page were computed, and by what.

use crate::checks::{Context, Scale};
use crate::study::{Circumstances, Provenance, Published, Studies};
use serde::Serialize;

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
        fact("scale", scale_name(context.scale)),
        fact("seed", &context.seed.to_hex()[..16]),
        fact("values of the studies", source),
    ]
}

/// A scale as it is called on the command line.
pub(super) fn scale_name(scale: Scale) -> &'static str {
    match scale {
        Scale::Quick => "quick",
        Scale::Full => "full",
    }
}

/// How the committed values of one study came about.
#[derive(Serialize)]
pub(super) struct Origin {
    study: &'static str,
    cells: usize,
    seconds: f64,
    revisions: String,
    rustc: String,
    cpu: String,
}

/// The circumstances of every study with committed results; none if values were computed here.
pub(super) fn origins(context: &Context) -> Vec<Origin> {
    let Studies::Published(folder) = &context.studies else { return Vec::new() };
    let origin = |study: crate::study::Study| {
        let bytes = std::fs::read(folder.join(study.name).join("provenance.json")).ok()?;
        let told: Circumstances = serde_json::from_slice(&bytes).ok()?;
        Some(Origin {
            study: study.name,
            cells: told.cells,
            seconds: told.seconds,
            revisions: told.revisions.join(", "),
            rustc: told.rustc.join(", "),
            cpu: told.cpu.join(", "),
        })
    };
    Published::studies(folder).into_iter().filter_map(origin).collect()
}

//! Where the numbers on the page were computed.

use crate::checks::{Context, Scale};
use crate::study::Studies;

/// Facts a reader needs to compute the page again; no name of a machine or a folder.
pub(super) fn facts(context: &Context) -> Vec<[String; 2]> {
    let here = crate::study::Provenance::here();
    let source = match &context.studies {
        Studies::Store(_) => "values computed here, kept for the next run",
        Studies::Published(_) => "committed results",
    };
    let scale = match context.scale {
        Scale::Quick => "quick",
        Scale::Full => "full",
    };
    let fact = |name: &str, value: &str| [name.to_owned(), value.to_owned()];
    vec![
        fact("program", concat!("ebmbook ", env!("CARGO_PKG_VERSION"))),
        fact("revision", &here.revision),
        fact("compiler", &here.rustc),
        fact("processor", &here.cpu),
        fact("hash of Cargo.lock", &here.lock),
        fact("scale", scale),
        fact("seed", &context.seed.to_hex()[..16]),
        fact("studies", source),
    ]
}

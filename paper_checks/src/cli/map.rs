//! `ebmbook map`: what each claim rests on, and where the argument breaks.

use super::output::Output;
use super::{Outcome, Problem};
use crate::claims::{self, Scale};
use crate::registry::{Map, Node};
use crate::report::map::{svg, tree};
use ebmbook::files::write_atomically;
use serde_json::{Value, json};
use std::path::PathBuf;

#[derive(clap::Args)]
pub(super) struct Args {
    /// Verdicts on record at `quick` or `full` scale.
    #[arg(long, value_enum, default_value_t = Scale::Full)]
    scale: Scale,
    /// Draw the map into this file (SVG) instead of printing it.
    #[arg(long)]
    out: Option<PathBuf>,
}

impl Args {
    pub fn run(&self, output: &Output) -> Result<Outcome, Problem> {
        let map = Map::new(claims::all(), |claim| claim.recorded_at(self.scale));
        if let Some(file) = &self.out {
            write_atomically(file, |w| w.write_all(svg(&map).as_bytes()))?;
            output.say(format!("The map: {}", file.display()));
        } else if output.is_json() {
            output.value(&map.nodes.iter().map(object).collect());
        } else {
            output.line(tree(&map));
        }
        Ok(Outcome::Fine)
    }
}

fn object(node: &Node) -> Value {
    let claim = node.claim;
    json!({
        "id": claim.id,
        "kind": claim.kind,
        "verdict": node.verdict,
        "requires": claim.requires,
        "motivation": claim.motivation,
        "argument": node.argument,
        "used nowhere": claim.used_nowhere,
    })
}

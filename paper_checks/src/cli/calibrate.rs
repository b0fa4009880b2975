//! `ebmbook calibrate [CLAIM…]`: repeat statistical gates over fresh seeds and keep the counts.

use super::output::{Output, rounded};
use super::{Outcome, Problem, explain};
use crate::claims::calibration::{Calibration, calibrate};
use crate::claims::{all, check_of};
use crate::registry::Claim;
use ebmbook::files::write_atomically;
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::{Value, json};
use std::path::PathBuf;

#[derive(clap::Args)]
pub(super) struct Args {
    /// Claims to calibrate; all with statistical gates if none is named.
    claims: Vec<String>,
    /// Repetitions, each with a seed of its own; at least 50, so that each of ten bins expects five.
    #[arg(long, default_value_t = 200)]
    seeds: usize,
    /// Master seed of everything random.
    #[arg(long, default_value_t = 2022)]
    seed: u64,
    /// Folder for the records, one per claim; none is written without it.
    #[arg(long)]
    out: Option<PathBuf>,
}

impl Args {
    pub fn run(&self, output: &Output) -> Result<Outcome, Problem> {
        if self.seeds < 50 {
            return Err(Problem::new(format!("number of seeds must be at least 50, got {}", self.seeds)));
        }
        let claims = self.claims()?;
        let mut records = Vec::new();
        for claim in claims {
            let bar = ProgressBar::new(self.seeds as u64);
            let style = ProgressStyle::with_template("{bar:30} {pos}/{len} seeds, {eta} left  {msg}");
            bar.set_style(style.expect("the template is valid"));
            bar.set_message(claim.id.clone());
            let record = calibrate(claim, self.seed, self.seeds, || bar.inc(1))?;
            bar.finish_and_clear();
            if let Some(folder) = &self.out {
                let text = toml::to_string(&record).expect("a record is plain data");
                let path = folder.join(format!("{}.toml", claim.id));
                write_atomically(&path, |w| w.write_all(text.as_bytes()))?;
            }
            records.push(record);
        }
        print(&records, output);
        Ok(if records.iter().all(|r| r.uniform) { Outcome::Fine } else { Outcome::CheckFailed })
    }

    /// The claims that were named, or all in which chance has a say.
    fn claims(&self) -> Result<Vec<&'static Claim>, Problem> {
        let known: Vec<&'static Claim> = all().filter(|c| check_of(c).calibration.is_some()).collect();
        if self.claims.is_empty() {
            return Ok(known);
        }
        let find = |id: &String| {
            let claim = explain::find(id)?;
            known.iter().any(|c| c.id == claim.id).then_some(claim).ok_or_else(|| {
                let known: Vec<&str> = known.iter().map(|c| c.id.as_str()).collect();
                Problem::new(format!(
                    "claim `{id}` must be one with statistical gates ({}): all of its gates are exact",
                    known.join(", ")
                ))
            })
        };
        self.claims.iter().map(find).collect()
    }
}

fn print(records: &[Calibration], output: &Output) {
    let mut rows: Vec<Vec<Value>> = Vec::new();
    for record in records {
        for gate in &record.gates {
            rows.push(vec![
                record.claim.clone().into(),
                gate.value.clone().into(),
                record.seeds.into(),
                json!(gate.counts),
                rounded(gate.p_value, 4),
            ]);
        }
    }
    output.table(&["claim", "gate", "seeds", "p-values by tenths", "uniformity p"], &rows);
    for record in records {
        for c in &record.counted {
            let times = format!("{} of {}", c.fails, record.seeds);
            output.say(format!(
                "counted  {}: `{}` came out `fails` for {times} seeds",
                record.claim, c.control
            ));
        }
    }
}

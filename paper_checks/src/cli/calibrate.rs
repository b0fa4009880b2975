//! `ebmbook calibrate [CLAIM…]`: repeat statistical gates over fresh seeds and keep the counts.

use super::output::{Output, rounded};
use super::progress::Bar;
use super::{Outcome, Problem, explain};
use crate::claims::calibration::{Calibration, calibrate};
use crate::claims::signs::{Signs, signs};
use crate::claims::{all, check_of};
use crate::registry::Claim;
use ebmbook::files::write_atomically;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

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
    /// Flip the signs of the differences in this folder of committed results instead, and count what t makes of them.
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["claims", "seeds", "seed"])]
    signs: Option<PathBuf>,
}

impl Args {
    pub fn run(&self, output: &Output) -> Result<Outcome, Problem> {
        if self.seeds < 50 {
            return Err(Problem::new(format!("number of seeds must be at least 50, got {}", self.seeds)));
        }
        if let Some(folder) = &self.signs {
            return self.flip_signs(folder, output);
        }
        let claims = self.claims()?;
        let mut records = Vec::new();
        for claim in claims {
            let bar = Bar::of("seeds");
            bar.begin(self.seeds, self.seeds as f64);
            let record = calibrate(claim, self.seed, self.seeds, || bar.step(&claim.id, 1.0))?;
            drop(bar);
            self.write(&claim.id, &record)?;
            records.push(record);
        }
        print(&records, output);
        Ok(if records.iter().all(|r| r.uniform) { Outcome::Fine } else { Outcome::CheckFailed })
    }

    fn flip_signs(&self, folder: &Path, output: &Output) -> Result<Outcome, Problem> {
        #[derive(serde::Serialize)]
        struct Record {
            command: &'static str,
            study: Vec<Signs>,
        }
        let command = "ebmbook calibrate --signs paper_checks/results";
        let record = Record { command, study: signs(folder)? };
        self.write("signs", &record)?;
        let row = |s: &Signs| {
            let sizes = [s.size_05, s.size_01, s.worst_01].map(|size| rounded(size, 4));
            let counts = [s.t, s.both, s.flips_alone].map(Value::from);
            [vec![s.study.clone().into(), s.comparisons.into()], sizes.to_vec(), counts.to_vec()].concat()
        };
        let header = [
            "study",
            "comparisons",
            "size at .05",
            "at .01",
            "worst at .01",
            "t < .01",
            "flips, too",
            "flips alone",
        ];
        output.table(&header, &record.study.iter().map(row).collect::<Vec<_>>());
        Ok(Outcome::Fine)
    }

    /// Keeps a record, if there is a folder for it.
    fn write(&self, name: &str, record: &impl serde::Serialize) -> Result<(), Problem> {
        let Some(folder) = &self.out else { return Ok(()) };
        let text = toml::to_string(record).expect("a record is plain data");
        let path = folder.join(format!("{name}.toml"));
        Ok(write_atomically(&path, |w| w.write_all(text.as_bytes()))?)
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
                json!(gate.outer),
            ]);
        }
    }
    output
        .table(&["claim", "gate", "seeds", "p-values by tenths", "uniformity p", "outer .05 and .01"], &rows);
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

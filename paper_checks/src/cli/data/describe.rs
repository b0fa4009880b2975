//! `ebmbook data describe NAME`: provenance and facts of a shipped set, or facts of a CSV file.

use super::super::Problem;
use super::super::columns::ColumnArgs;
use super::super::output::{Output, rounded};
use ebmbook::data::manifest::{Manifest, sha256_hex};
use ebmbook::data::twins::{Missing, TreatmentRule, Twins};
use ebmbook::data::{ColumnKind, Dataset, csv::Table, ihdp};
use ebmbook::seed::Seed;
use serde_json::{Value, json};
use std::path::Path;

#[derive(clap::Args)]
pub(in super::super) struct Args {
    /// `twins`, `ihdp`, or the path of a CSV file.
    name: String,
    /// Read the file as a replicate of the NPCI package (no header).
    #[arg(long, conflicts_with_all = ["treatment", "outcome", "categorical", "continuous"])]
    npci: bool,
    #[command(flatten)]
    columns: ColumnArgs,
}

impl Args {
    pub fn run(&self, output: &Output) -> Result<(), Problem> {
        let path = Path::new(&self.name);
        let is_file = path.components().count() > 1 || path.extension().is_some() || path.exists();
        let properties = if self.npci {
            facts(&ihdp::read_npci(path)?)
        } else if is_file {
            self.file(path)?
        } else {
            shipped(&self.name)?
        };
        output.properties(&properties);
        Ok(())
    }

    fn file(&self, path: &Path) -> Result<Vec<(&'static str, Value)>, Problem> {
        let bytes = std::fs::read(path)
            .map_err(|e| Problem::new(format!("cannot read `{}`: {e}", path.display())))?;
        let data = Table::parse(path, &bytes)?.dataset(&self.columns.roles(&[]))?;
        let mut properties = facts(&data);
        properties.push(("sha256", sha256_hex(&bytes).into()));
        Ok(properties)
    }
}

fn shipped(name: &str) -> Result<Vec<(&'static str, Value)>, Problem> {
    let manifest = Manifest::find()?;
    let entry = manifest.entry(name)?.clone();
    let mut properties: Vec<(&'static str, Value)> = vec![("content", entry.content.into())];
    match name {
        "twins" => {
            let twins = Twins::from_manifest(&manifest)?;
            let (lighter, heavier) = twins.mortality();
            properties.push(("pairs", twins.pairs().into()));
            properties.push(("complete pairs", twins.complete_pairs().into()));
            properties.push(("death rate, lighter twin", rounded(lighter, 4)));
            properties.push(("death rate, heavier twin", rounded(heavier, 4)));
            let data = twins.dataset(Missing::CompleteCase, TreatmentRule::FairCoin, Seed::new(0))?;
            properties.extend(covariate_facts(&data));
        }
        _ => {
            let data = ihdp::Ihdp::from_manifest(&manifest)?.surface_b(Seed::new(0));
            properties.push(("rows after the usual exclusion", data.n().into()));
            properties.push(("treated", data.treated()?.into()));
            properties.extend(covariate_facts(&data));
        }
    }
    let provenance = [
        ("source", entry.source),
        ("licence", entry.licence),
        ("sha256", entry.sha256),
        ("get it again", entry.obtain),
    ];
    properties.extend(provenance.map(|(name, text)| (name, text.into())));
    Ok(properties)
}

/// What can be said of any data set.
fn facts(data: &Dataset) -> Vec<(&'static str, Value)> {
    let mut properties = vec![("rows", data.n().into())];
    properties.extend(covariate_facts(data));
    if let Ok(treated) = data.treated() {
        let share = rounded(treated as f64 / data.n() as f64, 4);
        properties.extend([("treated", treated.into()), ("treated share", share)]);
    }
    if let Ok(difference) = data.difference_in_means() {
        properties.push(("difference in means", rounded(difference, 4)));
    }
    if let Ok(effect) = data.noisy_effect() {
        properties.push(("mean of y1 − y0", effect.mean().map(|m| rounded(m, 4)).into()));
    }
    if let Ok(tau) = data.effect() {
        properties.push(("mean of tau", tau.mean().map(|m| rounded(m, 4)).into()));
    }
    properties
}

fn covariate_facts(data: &Dataset) -> Vec<(&'static str, Value)> {
    let columns = data.covariates().columns();
    let continuous = columns.iter().filter(|c| c.kind == ColumnKind::Continuous).count();
    vec![
        ("covariates", data.d().into()),
        ("continuous", continuous.into()),
        ("categorical", (data.d() - continuous).into()),
        ("constant columns", json!(data.covariates().constant_columns())),
    ]
}

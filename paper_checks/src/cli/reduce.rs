//! `ebmbook reduce`: any reduction on any CSV file, fitted on one file and applied to another.

use super::columns::TrainTestFiles;
use super::output::Output;
use super::{Outcome, Problem};
use ebmbook::data::csv::{self, TRUTH_COLUMNS, Table};
use ebmbook::data::{Dataset, Protocol};
use ebmbook::prelude::VariantNames;
use ebmbook::representation::{NewRows, REFIT_ROWS, RepresentationKind};
use ebmbook::seed::Seed;
use ndarray::{Array2, ArrayView2, Axis, concatenate, s};
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    files: TrainTestFiles,
    #[arg(long, value_name = "NAME", help = format!("One of {}", RepresentationKind::VARIANTS.join(", ")))]
    method: String,
    /// Number of coordinates (of neighbours for Isomap under the released protocol).
    #[arg(long)]
    k: usize,
    /// `paper`, or `released` for the authors' settings: Isomap with k neighbours and two
    /// coordinates, spectral embedding refitted on the first 2000 test rows.
    #[arg(long, default_value_t = Protocol::Paper)]
    protocol: Protocol,
    /// Seed of the methods that draw random numbers.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Output file for the training rows: f1 … fk, then treatment, outcome and truths if any.
    #[arg(long, value_name = "FILE")]
    out_train: PathBuf,
    /// Output file for the test rows.
    #[arg(long, value_name = "FILE")]
    out_test: PathBuf,
}

impl Args {
    pub fn run(&self, output: &Output) -> Result<Outcome, Problem> {
        if self.out_train == self.out_test {
            let path = self.out_train.display();
            return Err(Problem::new(format!("--out-train and --out-test must differ, both are `{path}`")));
        }
        let method = self.method.parse::<RepresentationKind>()?.build(self.k, self.protocol);
        let (train_table, train) = self.files.read_train(&[])?;
        let (test_table, test) = self.files.read_test(&train)?;
        let fitted = method.fit(train.covariates(), Seed::new(self.seed).child("reduce"))?;
        let refit = fitted.new_rows() == NewRows::Refit;
        let rows = if refit { test.n().min(REFIT_ROWS) } else { test.n() };
        let reduced = fitted.transform(test.x().slice(s![..rows, ..]))?;
        let with_train = self.with_roles(&train_table, fitted.training())?;
        let with_test = self.with_roles(&test_table, reduced.view())?;
        write(&self.out_train, &with_train)?;
        write(&self.out_test, &with_test)?;
        let shape = |data: &Dataset, rows: usize| format!("{} × {} of {}", rows, fitted.k(), data.d());
        output.properties(&[
            ("method", method.name().into()),
            ("protocol", self.protocol.to_string().into()),
            ("training rows", shape(&train, train.n()).into()),
            ("test rows", shape(&test, rows).into()),
            ("new rows", describe(fitted.new_rows(), rows, test.n()).into()),
            ("written, train", self.out_train.display().to_string().into()),
            ("written, test", self.out_test.display().to_string().into()),
        ]);
        Ok(Outcome::Fine)
    }

    /// The representation, and beside it whatever is not a covariate but has a role.
    fn with_roles(&self, table: &Table, f: ArrayView2<f64>) -> Result<(Vec<String>, Array2<f64>), Problem> {
        let mut header: Vec<String> = (1..=f.ncols()).map(|j| format!("f{j}")).collect();
        let mut parts = vec![f.to_owned()];
        let given = [&self.files.columns.treatment, &self.files.columns.outcome].into_iter().flatten();
        for name in given.map(String::as_str).chain(TRUTH_COLUMNS) {
            let Ok(column) = table.column(name) else { continue };
            if header.iter().any(|h| h == name) {
                return Err(Problem::new(format!("column `{name}` would be there twice; rename it")));
            }
            header.push(name.to_owned());
            parts.push(column.slice(s![..f.nrows()]).to_owned().insert_axis(Axis(1)));
        }
        let views: Vec<_> = parts.iter().map(|p| p.view()).collect();
        Ok((header, concatenate(Axis(1), &views).expect("every part has one row a row")))
    }
}

fn write(path: &Path, (header, values): &(Vec<String>, Array2<f64>)) -> Result<(), Problem> {
    Ok(csv::write(path, header, values.view())?)
}

fn describe(new_rows: NewRows, rows: usize, all: usize) -> String {
    match new_rows {
        NewRows::SameMap => "went through the same map as the training rows".into(),
        NewRows::Extension => "embedded by the Nyström extension; the method has no map for them".into(),
        NewRows::Refit => {
            format!("the first {rows} of {all} embedded among themselves, from scratch; no map is shared")
        }
    }
}

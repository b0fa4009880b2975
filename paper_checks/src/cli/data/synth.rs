//! `ebmbook data synth`: synthetic data under either protocol, as two CSV files.

use super::super::Problem;
use super::super::output::Output;
use ebmbook::data::synthetic::{Paper, Released};
use ebmbook::data::{DataError, Dataset, Protocol, TrainTest, csv};
use ndarray::{Array1, Array2, ArrayView1, Axis, concatenate};
use std::path::PathBuf;

#[derive(clap::Args)]
pub(in super::super) struct Args {
    /// `released` (the authors' own data) or `paper` (what the text describes).
    #[arg(long)]
    protocol: Protocol,
    /// Number of covariates.
    #[arg(long, allow_negative_numbers = true)]
    d: usize,
    /// Number of training rows; 20 000 test rows come with them.
    #[arg(long, allow_negative_numbers = true)]
    n: usize,
    /// Seed. Default: the authors' seed for this n (released), 0 (paper).
    #[arg(long, allow_negative_numbers = true)]
    seed: Option<u64>,
    /// Add this to every treated outcome, train and test (the released notebook adds 1).
    #[arg(long, value_name = "BY", default_value_t = 0.0, allow_negative_numbers = true)]
    shift_treated: f64,
    /// Folder for train.csv and test.csv.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

impl Args {
    pub fn run(&self, output: &Output) -> Result<(), Problem> {
        if !self.shift_treated.is_finite() {
            return Err(
                DataError::parameter("shift of the treated", self.shift_treated, "must be finite").into()
            );
        }
        let data = self.generate()?.shift_treated(self.shift_treated);
        let (train, test) = (self.out.join("train.csv"), self.out.join("test.csv"));
        let (a, y) = (data.train.treatment()?.mapv(|a| f64::from(u8::from(a))), data.train.outcome()?);
        write(&train, &data.train, &["a", "y"], &[a.view(), y])?;
        let (y0, y1) = data.test.potential_outcomes()?;
        write(&test, &data.test, &["y0", "y1", "tau"], &[y0, y1, data.test.effect()?])?;
        output.properties(&[
            ("protocol", data.protocol.to_string().into()),
            ("data", data.train.name().into()),
            (
                "train",
                format!("{} ({} rows, {} treated)", train.display(), data.train.n(), data.train.treated()?)
                    .into(),
            ),
            ("test", format!("{} ({} rows)", test.display(), data.test.n()).into()),
        ]);
        Ok(())
    }

    fn generate(&self) -> Result<TrainTest, Problem> {
        match self.protocol {
            Protocol::Paper => {
                Ok(Paper::new(self.d, self.n)?.with_seed(self.seed.unwrap_or(0)).generate()?)
            }
            Protocol::Released => {
                let generator = Released::new(self.d, self.n)?;
                let Some(seed) = self.seed else { return Ok(generator.generate()) };
                let seed = u32::try_from(seed).map_err(|_| {
                    DataError::parameter("seed", seed, "must be below 2^32 for the released protocol")
                })?;
                Ok(generator.with_seed(seed).generate())
            }
        }
    }
}

/// Covariates and then the named vectors, one column each.
fn write(
    path: &std::path::Path,
    data: &Dataset,
    names: &[&str],
    vectors: &[ArrayView1<f64>],
) -> Result<(), Problem> {
    let header: Vec<&str> =
        data.covariates().columns().iter().map(|c| c.name.as_str()).chain(names.iter().copied()).collect();
    let columns: Vec<Array2<f64>> =
        vectors.iter().map(|v: &ArrayView1<f64>| Array1::insert_axis(v.to_owned(), Axis(1))).collect();
    let mut parts = vec![data.x()];
    parts.extend(columns.iter().map(|c| c.view()));
    let all = concatenate(Axis(1), &parts).expect("every part has one row a row");
    Ok(csv::write(path, &header, all.view())?)
}

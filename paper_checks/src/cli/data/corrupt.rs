//! `ebmbook data corrupt`: see with your own eyes what the noise kernel does to a file.

use super::super::Problem;
use super::super::columns::{ColumnArgs, note_constant};
use super::super::output::Output;
use ebmbook::data::csv;
use ebmbook::noise::NoiseKernel;
use ebmbook::seed::Seed;
use ndarray::Array2;
use std::path::PathBuf;

#[derive(clap::Args)]
pub(in super::super) struct Args {
    /// CSV file whose rows are corrupted.
    #[arg(long, value_name = "FILE")]
    train: PathBuf,
    #[command(flatten)]
    columns: ColumnArgs,
    /// Probability that a feature is corrupted, in (0, 1].
    #[arg(long, default_value_t = 0.5, allow_negative_numbers = true)]
    q: f64,
    /// Standard deviation of the noise on continuous features.
    #[arg(long, default_value_t = 1.0, allow_negative_numbers = true)]
    sd: f64,
    /// Corrupted copies of each row.
    #[arg(long, default_value_t = 1, allow_negative_numbers = true)]
    b: usize,
    /// Seed of the noise.
    #[arg(long, default_value_t = 0, allow_negative_numbers = true)]
    seed: u64,
    /// Output file: row, copy, log_density (of the copy given its row), then the covariates.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

impl Args {
    pub fn run(&self, output: &Output) -> Result<(), Problem> {
        let data = self.columns.read(&self.train)?;
        let kernel = NoiseKernel::new(data.covariates(), self.q)?.with_sd(self.sd)?;
        let copies = kernel.corrupt(data.x(), self.b, Seed::new(self.seed).child("corrupt"))?;
        let names = data.covariates().columns().iter().map(|c| c.name.as_str());
        let header: Vec<&str> = ["row", "copy", "log_density"].into_iter().chain(names).collect();
        let mut table = Array2::zeros((data.n() * self.b, header.len()));
        for (line, mut cells) in table.rows_mut().into_iter().enumerate() {
            let (row, copy) = (line / self.b, line % self.b);
            let corrupted = copies.slice(ndarray::s![row, copy, ..]);
            cells[0] = (row + 1) as f64;
            cells[1] = (copy + 1) as f64;
            cells[2] = kernel.log_density(corrupted, data.x().row(row));
            cells.slice_mut(ndarray::s![3..]).assign(&corrupted);
        }
        csv::write(&self.out, &header, table.view())?;
        note_constant(&data);
        let changed = table.rows().into_iter().enumerate().map(|(line, cells)| {
            let original = data.x().row(line / self.b).to_owned();
            cells.iter().skip(3).zip(&original).filter(|(c, o)| c != o).count()
        });
        let share = changed.sum::<usize>() as f64 / (data.d() * table.nrows()) as f64;
        output.properties(&[
            ("rows", data.n().into()),
            ("copies of each", self.b.into()),
            ("share of values changed", super::super::output::rounded(share, 4)),
            ("written", self.out.display().to_string().into()),
        ]);
        Ok(())
    }
}

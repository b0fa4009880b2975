//! `ebmbook embed`: train an EBM on a user's rows and write the representations.

use super::columns::ColumnArgs;
use super::fold_choice::{FoldChoice, Made};
use super::output::{Output, rounded};
use super::{Outcome, Problem};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use ebmbook::data::csv::{self, Roles, Table};
use ebmbook::data::split::Standardiser;
use ebmbook::data::{DataError, Dataset};
use ebmbook::ebm::{
    Activation, Device, DirectionLaw, Ebm, EbmParams, Keep, Objective, OutcomeBins, Precision, RateSchedule,
    Trainer, WeightDecay,
};
use ebmbook::prelude::VariantNames;
use ebmbook::{files, metrics, seed::Seed};
use ndarray::Array2;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Instant;

/// Coordinates where the folds do not say how many.
const K: usize = 5;

/// One of the names of an enum.
fn named<T>() -> impl TypedValueParser<Value = T>
where
    T: VariantNames + FromStr<Err: std::fmt::Debug> + Clone + Send + Sync + 'static,
{
    PossibleValuesParser::new(T::VARIANTS).map(|name| name.parse().expect("one of the names"))
}

#[derive(clap::Args)]
pub(super) struct Args {
    /// CSV file with the training rows.
    #[arg(long, value_name = "FILE")]
    train: PathBuf,
    /// CSV file with further rows to embed; its covariates are found by name.
    #[arg(long, value_name = "FILE")]
    test: Option<PathBuf>,
    #[command(flatten)]
    columns: ColumnArgs,
    /// Standardise the covariates by the training rows first (the noise has scale `--sd`).
    #[arg(long)]
    standardise: bool,
    /// Coordinates of the representation: 5, or as many as there are folds by arm and outcome or of a column.
    #[arg(long)]
    k: Option<usize>,
    /// Corrupted copies of each row.
    #[arg(long, default_value_t = 1)]
    b: usize,
    /// Widths of the hidden layers.
    #[arg(long, default_value = "20-20", value_name = "W-W-…")]
    hidden: Widths,
    /// Hidden units: `relu` or `silu`.
    #[arg(long, default_value = "relu", value_parser = named::<Activation>())]
    activation: Activation,
    /// Probability that a feature is corrupted, in (0, 1].
    #[arg(long, default_value_t = 0.5, allow_negative_numbers = true)]
    q: f64,
    /// Standard deviation of the noise on continuous features.
    #[arg(long, default_value_t = 1.0, allow_negative_numbers = true)]
    sd: f64,
    /// Let pilots choose q and the noise, so that telling a row from its copy is neither trivial nor hopeless.
    #[arg(long, conflicts_with_all = ["q", "sd"])]
    pilot_noise: bool,
    /// `pairwise`, `ranking`, `ranking-exact`, `energy-only` or `released-program`.
    #[arg(long, default_value = "pairwise")]
    objective: Objective,
    /// Which density each row trains: `random`, `all`, `k-means`, `soft`, `arm-outcome`, or `given:COLUMN` with whole numbers.
    #[arg(long, default_value = "random")]
    folds: FoldChoice,
    /// Bins of the outcome in each arm for `--folds arm-outcome`: a number, `values`, or rising edges as in 0,0.5,1 [default: 4]
    #[arg(long, allow_hyphen_values = true)]
    bins: Option<OutcomeBins>,
    /// Write f modulo B1, one coordinate less: without log p(x), which with random folds is all there is in the limit.
    #[arg(long)]
    modulo_b1: bool,
    /// The law of the directions B: `haar`, `symmetric-eigen` or `authors`.
    #[arg(long, default_value = "haar")]
    directions: DirectionLaw,
    /// Seed of B; runs that are compared must share it.
    #[arg(long, default_value_t = 1)]
    directions_seed: u64,
    /// Passes over the training rows.
    #[arg(long, default_value_t = 100)]
    epochs: usize,
    /// Rows in a mini-batch.
    #[arg(long, default_value_t = 256)]
    batch: usize,
    /// Adam's learning rate.
    #[arg(long, default_value_t = 1e-3, allow_negative_numbers = true)]
    rate: f64,
    /// How the rate moves: `constant` or `cosine`.
    #[arg(long, default_value = "constant", value_parser = named::<RateSchedule>())]
    schedule: RateSchedule,
    /// Weight decay, added to the gradient (L2).
    #[arg(long, default_value_t = 0.0, allow_negative_numbers = true)]
    weight_decay: f64,
    /// Share of the rows held out to score the run.
    #[arg(long, default_value_t = 0.2, allow_negative_numbers = true)]
    validation: f64,
    /// Epochs between validations.
    #[arg(long, default_value_t = 1)]
    validate_every: usize,
    /// Validations without improvement after which training stops; 0 to never stop.
    #[arg(long, default_value_t = 20)]
    patience: usize,
    /// Which weights are kept: `best`, `last`, or `worst` as the authors' program does.
    #[arg(long, default_value = "best", value_parser = named::<Keep>())]
    keep: Keep,
    /// Number type of training: `f32` or `f64`.
    #[arg(long, default_value = "f32", value_parser = named::<Precision>())]
    precision: Precision,
    /// Where training runs: `cpu`, `cuda` or `cuda:<number>`.
    #[arg(long, default_value = "cpu")]
    device: Device,
    /// Seed of the run.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Save the run to DIR/run.safetensors every so many epochs.
    #[arg(long, value_name = "EPOCHS")]
    save_every: Option<usize>,
    /// Continue from DIR/run.safetensors; the other options must be those of that run.
    #[arg(long)]
    resume: bool,
    /// Folder for train.csv, test.csv, model.safetensors and fit.json.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

/// Widths of hidden layers, as `20-20-20`.
#[derive(Clone, Debug)]
struct Widths(Vec<usize>);

impl std::str::FromStr for Widths {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let widths: Result<Vec<usize>, _> = text.split('-').map(str::parse).collect();
        match widths {
            Ok(widths) if widths.iter().all(|w| (1..=65_536).contains(w)) => Ok(Self(widths)),
            _ => Err("hidden widths must be numbers from 1 to 65536 joined by `-`, as in 20-20".into()),
        }
    }
}

impl Args {
    pub fn run(&self, output: &Output) -> Result<Outcome, Problem> {
        let (train, test, made) = self.read()?;
        let mut params = self.params(&made);
        let seed = Seed::new(self.seed).child("embed");
        let mut pilots = None;
        if self.pilot_noise {
            let pilot = params.with_pilot_noise(train.covariates(), seed.child("noise"))?;
            (params, pilots) = (pilot.params, Some((pilot.chosen, pilot.tried)));
        }
        let started = Instant::now();
        let ebm = self.train(&params, &train)?;
        let seconds = started.elapsed().as_secs_f64();

        let embed = |rows: &Dataset| match self.modulo_b1 {
            true => ebm.modulo_b1(rows.x()),
            false => ebm.embed(rows.x()),
        };
        let f_train = embed(&train)?;
        let f_test = test.as_ref().map(embed).transpose()?;
        // Everything is computed before the first file is written.
        let shape = metrics::shape(f_train.view()).ok();
        write(&self.out.join("train.csv"), &f_train)?;
        if let Some(f_test) = &f_test {
            write(&self.out.join("test.csv"), f_test)?;
        }
        ebm.save(&self.out.join("model.safetensors"))?;
        let limit_scale = ebm.directions().limit_scale().to_vec();
        let fit = json!({
            "rows": train.n(),
            "covariates": train.d(),
            "covariates_standardised": self.standardise,
            "seed": self.seed,
            "seconds": seconds,
            "effective_rank": shape.map(|s| s.effective_rank),
            "largest_cross_correlation": shape.map(|s| s.largest_cross),
            "limit_scale_B1": limit_scale,
            "limit_carriers": ebm.directions().limit_carriers(),
            "kept_epoch": ebm.history().kept_epoch,
            "kept_validation_loss": ebm.history().kept_validation(),
            "stopped_early": ebm.history().stopped_early,
            "steps": ebm.history().steps,
            "loss_curve": ebm.history().epochs,
            "modulo_B1": self.modulo_b1,
            "pilots": pilots.as_ref().map(|(_, tried)| tried),
            "parameters": params,
        });
        files::write_atomically(&self.out.join("fit.json"), |out| writeln!(out, "{fit:#}"))?;
        if self.save_every.is_some() || self.resume {
            // The run is over; what it would be resumed from is of no more use.
            std::fs::remove_file(self.run_file()).ok();
        }
        let last = ebm.history().epochs.last();
        let number = |v: Option<f64>, digits| v.map_or(Value::Null, |v| rounded(v, digits));
        output.properties(&[
            ("rows", train.n().into()),
            ("epochs", ebm.history().epochs.len().into()),
            ("kept epoch", ebm.history().kept_epoch.into()),
            ("last training loss", number(last.map(|e| e.train), 6)),
            ("kept validation loss", number(ebm.history().kept_validation(), 6)),
            ("effective rank", number(shape.map(|s| s.effective_rank), 3)),
            ("largest cross-correlation", number(shape.map(|s| s.largest_cross), 3)),
            (
                "(B1) of each coordinate",
                limit_scale.iter().map(|v| rounded(*v, 3)).collect::<Vec<_>>().into(),
            ),
            ("coordinates that carry the limit", ebm.directions().limit_carriers().into()),
            (
                "corruption probability and noise, by pilots",
                pilots.map_or(Value::Null, |(chosen, _)| {
                    vec![rounded(chosen.q, 3), rounded(chosen.sd, 4)].into()
                }),
            ),
            ("seconds", rounded(seconds, 2)),
            ("written", self.out.display().to_string().into()),
        ]);
        if self.folds == FoldChoice::ArmOutcome {
            output.say(format!(
                "all {} rows and their outcomes made the folds: train a learner on other rows, as `ebmbook cate --represent \
                 mended:4` does",
                train.n()
            ));
        }
        let (carry, k) = (ebm.directions().limit_carriers(), f_train.ncols());
        if let Some(shape) = shape {
            output.say(format!(
                "effective rank {:.1} of {k}: the {k} coordinates vary like {:.1} independent ones; 1 would be a single scalar",
                shape.effective_rank, shape.effective_rank
            ));
        }
        if self.modulo_b1 {
            return Ok(Outcome::Fine);
        }
        output.say(format!(
            "{carry} of {k} coordinates carry the limit f = −log p(x)·B1 + c; the row sum of B of any other is below a \
             tenth of the largest, and what it shows is mostly estimation error"
        ));
        Ok(Outcome::Fine)
    }

    fn read(&self) -> Result<(Dataset, Option<Dataset>, Made), Problem> {
        let table = Table::read(&self.train)?;
        let train = table.dataset(&self.columns.roles(&self.folds.set_aside()))?;
        let made = self.folds.make(&table, &train, self.bins.as_ref(), self.k)?;
        let test = match &self.test {
            Some(path) => Some(Table::read(path)?.dataset_like(&train, &Roles::default())?),
            None => None,
        };
        if !self.standardise {
            return Ok((train, test, made));
        }
        let scale = Standardiser::fit(train.x());
        Ok((scale.dataset(&train), test.map(|test| scale.dataset(&test)), made))
    }

    fn train(&self, params: &EbmParams, train: &Dataset) -> Result<Ebm, Problem> {
        let seed = Seed::new(self.seed).child("embed");
        let mut trainer = if self.resume {
            let trainer = Trainer::resume(&self.run_file(), train.covariates(), seed)?;
            if trainer.params() != params {
                let line = format!(
                    "`{}` was started with other options; give the same ones to continue it",
                    self.run_file().display()
                );
                return Err(Problem::new(line));
            }
            trainer
        } else {
            Trainer::new(params, train.covariates(), seed)?
        };
        if self.save_every == Some(0) {
            return Err(DataError::parameter("epochs between saves", 0, "must be at least 1").into());
        }
        while let Some(record) = trainer.epoch()? {
            if self.save_every.is_some_and(|every| record.epoch.is_multiple_of(every)) {
                trainer.save(&self.run_file())?;
            }
        }
        Ok(trainer.finish()?)
    }

    fn run_file(&self) -> PathBuf {
        self.out.join("run.safetensors")
    }

    fn params(&self, made: &Made) -> EbmParams {
        Ebm::params(made.k.unwrap_or(K))
            .hidden(&self.hidden.0)
            .activation(self.activation)
            .copies(self.b)
            .corruption(self.q)
            .noise_sd(self.sd)
            .objective(self.objective)
            .folds(made.folds.clone())
            .directions(self.directions)
            .directions_seed(self.directions_seed)
            .epochs(self.epochs)
            .batch(self.batch)
            .rate(self.rate)
            .schedule(self.schedule)
            .weight_decay((self.weight_decay != 0.0).then_some(WeightDecay::L2(self.weight_decay)))
            .validation(self.validation)
            .validate_every(self.validate_every)
            .patience((self.patience > 0).then_some(self.patience))
            .keep(self.keep)
            .precision(self.precision)
            .device(self.device)
    }
}

fn write(path: &Path, f: &Array2<f64>) -> Result<(), Problem> {
    let header: Vec<String> = (1..=f.ncols()).map(|j| format!("f{j}")).collect();
    Ok(csv::write(path, &header, f.view())?)
}

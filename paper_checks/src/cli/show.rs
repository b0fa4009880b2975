//! `ebmbook show`: the findings about the method itself, recomputed.

use super::output::{Output, rounded};
use super::{Outcome, Problem};
use crate::claims::{Context, signal_at_printed_settings};
use crate::printed::Printed;
use ebmbook::data::synthetic::{Released, SETTINGS};
use ebmbook::ebm::{Ebm, Folds, Objective};
use ebmbook::metrics::pehe;
use ebmbook::seed::Seed;
use ebmbook::theory::{gaussian, gradient, mixture, saturation};
use ndarray::Array1;
use serde_json::{Value, json};

/// Rows behind a gradient: one mini-batch.
const GRADIENT_ROWS: usize = 256;

/// Subcommands of `ebmbook show`.
#[derive(clap::Subcommand)]
pub(super) enum Command {
    /// Predicting zero, one constant and the true effect on the authors' synthetic data, beside the
    /// printed EBM.
    Baselines,
    /// What the ranking objective leaves to learn from, and its gradient at initialisation, by d, b
    /// and q.
    Saturation {
        /// Rows drawn (a fifth of it from d = 100 on).
        #[arg(long, default_value_t = 20_000)]
        draws: usize,
        /// Seed of the draws.
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// What `saturation` shows, at the paper's own 18 settings: the numbers behind the claim `signal-in-high-d`.
    Signal {
        /// Seed of the draws; the check's own unless it is changed.
        #[arg(long, default_value_t = 2022)]
        seed: u64,
    },
    /// Where the population objective of a one-parameter Gaussian is best; the truth is 1.
    Gaussian {
        /// Groups drawn.
        #[arg(long, default_value_t = 1_000_000)]
        draws: usize,
        /// Seed of the draws.
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Agreement and rank of representations of a mixture of three Gaussians, by sample size.
    Mixture {
        /// Sample sizes.
        #[arg(long, value_delimiter = ',', default_values_t = [250, 1_000, 5_000, 20_000])]
        sizes: Vec<usize>,
        /// Runs at each size, each on a fresh sample; even.
        #[arg(long, default_value_t = 8)]
        runs: usize,
        /// Which density each row trains: `random`, `all`, `k-means` or `soft`.
        #[arg(long, default_value = "random")]
        folds: Folds,
        /// Seed of the experiment.
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
}

impl Command {
    pub fn run(self, output: &Output) -> Result<Outcome, Problem> {
        match self {
            Self::Baselines => show_baselines(output)?,
            Self::Saturation { draws, seed } => show_saturation(draws, Seed::new(seed), output)?,
            Self::Signal { seed } => show_signal(Seed::new(seed), output)?,
            Self::Gaussian { draws, seed } => show_gaussian(draws, Seed::new(seed), output)?,
            Self::Mixture { sizes, runs, folds, seed } => {
                show_mixture(&sizes, runs, &folds, Seed::new(seed), output)?;
            }
        }
        Ok(Outcome::Fine)
    }
}

fn show_saturation(draws: usize, seed: Seed, output: &Output) -> Result<(), Problem> {
    at_least_one(draws)?;
    output.say(format!(
        "1 − posterior of the true row under a flat energy, and the norm of the gradient of a 20-20 network \
         at initialisation over {GRADIENT_ROWS} Gaussian rows, as powers of ten:\n"
    ));
    let mut rows: Vec<Vec<Value>> = Vec::new();
    for s in saturation::table(draws, seed.child("saturation"))? {
        let x = gradient::gaussian_rows(s.d, GRADIENT_ROWS, seed.child("rows").index(s.d));
        let params = Ebm::params(5).copies(s.b).corruption(s.q);
        let seed = seed.child("gradient").index(s.d).index(s.b);
        let norm = gradient::at_initialisation(&params, Objective::Ranking, &x, GRADIENT_ROWS, seed)?;
        let (median, mean) = (rounded(s.median, 1), rounded(s.mean, 1));
        let norm = rounded(norm.log10(), 1);
        rows.push(vec![s.d.into(), s.b.into(), s.q.into(), s.draws.into(), median, mean, norm]);
    }
    output.table(&["d", "b", "q", "draws", "log10 median", "log10 mean", "log10 gradient"], &rows);
    Ok(())
}

fn show_signal(seed: Seed, output: &Output) -> Result<(), Problem> {
    let claim = "signal-in-high-d";
    let context = Context { seed: seed.child(claim), ..Context::default() };
    output.say(
        "The ranking objective at the paper's settings: median norm of its gradient over initialisations, how many \
         of them are above 1e-6; median and mean over draws of 1 − posterior of the true row under a flat energy. \
         Powers of ten:\n",
    );
    let rows: Vec<Vec<Value>> = signal_at_printed_settings(&context)?
        .iter()
        .map(|(h, signal)| {
            let above = signal.gradients.iter().filter(|g| **g > -6.0).count();
            vec![
                json!(h.dataset),
                h.d.into(),
                h.n.into(),
                h.b.into(),
                h.corruption_probability.into(),
                rounded(saturation::median(&signal.gradients), 1),
                format!("{above}/{}", signal.gradients.len()).into(),
                rounded(saturation::median(&signal.left), 1),
                rounded(saturation::log10_mean(&signal.left), 1),
            ]
        })
        .collect();
    let header = ["data", "d", "n", "b", "q", "gradient", "> 1e-6", "1 − posterior", "its mean"];
    output.table(&header, &rows);
    Ok(())
}

fn show_gaussian(draws: usize, seed: Seed, output: &Output) -> Result<(), Problem> {
    at_least_one(draws)?;
    let mut rows: Vec<Vec<Value>> = Vec::new();
    for objective in [Objective::Ranking, Objective::RankingExact] {
        for b in [1, 2, 5] {
            for q in [0.2, 0.5, 0.8, 1.0] {
                // The grid is valid; what can fail is Newton's method, where few draws have no optimum.
                let found =
                    gaussian::Scores::default().optimum(objective, b, q, draws, seed.child("gaussian")).ok();
                let number = |v: Option<f64>| v.map_or(Value::Null, |v| rounded(v, 4));
                rows.push(vec![
                    json!(objective),
                    b.into(),
                    q.into(),
                    number(found.as_ref().map(|f| f.s)),
                    number(found.as_ref().map(|f| f.standard_error)),
                    draws.into(),
                ]);
            }
        }
    }
    output.table(&["objective", "b", "q", "s (truth 1)", "standard error", "draws"], &rows);
    Ok(())
}

fn show_mixture(
    sizes: &[usize],
    runs: usize,
    folds: &Folds,
    seed: Seed,
    output: &Output,
) -> Result<(), Problem> {
    let rows: Vec<Vec<Value>> = mixture::experiment(sizes, runs, folds, seed.child("mixture"))?
        .iter()
        .map(|row| {
            let with_log_density: Vec<Value> = row.with_log_density.iter().map(|c| rounded(*c, 2)).collect();
            vec![
                row.n.into(),
                row.runs.into(),
                rounded(row.mcc, 3),
                format!("{:.3}", row.mcc_interval).into(),
                format!("{:.3}", row.off_diagonal).into(),
                with_log_density.into(),
                format!("{:.3}", row.effective_rank).into(),
            ]
        })
        .collect();
    let header = [
        "n",
        "runs",
        "MCC, all pairs",
        "MCC, disjoint pairs",
        "off-diagonal |corr|",
        "|corr| with log p_X",
        "effective rank",
    ];
    output.table(&header, &rows);
    Ok(())
}

fn at_least_one(draws: usize) -> Result<(), Problem> {
    if draws == 0 {
        return Err(Problem::new("number of draws must be at least 1, got 0"));
    }
    Ok(())
}

/// Zero, constant and oracle predictors on each setting, beside what the paper prints.
fn show_baselines(output: &Output) -> Result<(), Problem> {
    let printed = Printed::load();
    let mut rows = Vec::new();
    for (d, n) in SETTINGS {
        let data = Released::new(d, n)?.generate();
        let truth = data.test.noisy_effect()?;
        let constant = |value: f64| pehe(Array1::from_elem(truth.len(), value).view(), truth.view());
        let zero = constant(0.0)?;
        let mean = constant(data.train.difference_in_means()?)?;
        let oracle = pehe(data.test.effect()?, truth.view())?;
        let cell = |with_ebm: bool| printed.table1(d, n, "R", with_ebm).map(|c| c.pehe_mean);
        let better = |ebm: f64| if ebm < zero { "yes" } else { "no" };
        rows.push(vec![
            d.into(),
            n.into(),
            rounded(zero, 3),
            rounded(mean, 3),
            rounded(oracle, 3),
            cell(true).into(),
            cell(false).into(),
            cell(true).map(better).into(),
        ]);
    }
    let header = ["d", "n", "zero", "constant", "oracle", "EBM printed", "no EBM printed", "EBM beats zero"];
    output.table(&header, &rows);
    Ok(())
}

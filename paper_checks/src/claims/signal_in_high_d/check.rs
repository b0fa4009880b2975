//! Section 4 and appendix A.3: does the printed objective leave anything to learn from at the paper's d, b and q?
//!
//! Two numbers for each setting, both random and heavy-tailed, so that their medians are compared with the
//! threshold: the norm of the gradient over initialisations, and 1 − posterior of the true row over draws.
//! Whether a median lies above is decided by the sign test, which assumes no law: of m independent numbers
//! Bin(m, ½) lie above their median.

use crate::claims::printed_rows::printed_rows;
use crate::claims::{Check, Context, Findings, Pictures, Replicates, Report, data_hash};
use crate::pictures::consistency;
use crate::printed::{Hyperparameters, Printed};
use crate::registry::{Key, Value};
use crate::study::StudyError;
use ebmbook::data::Covariates;
use ebmbook::ebm::{Ebm, EbmParams, Objective};
use ebmbook::noise::NoiseKernel;
use ebmbook::seed::Seed;
use ebmbook::show::Figure;
use ebmbook::theory::gradient::{at_initialisation, gaussian_rows};
use ebmbook::theory::saturation::{draws_of_kernel, log10_mean, median};
use rayon::prelude::*;
use statrs::distribution::{Binomial, DiscreteCDF};

pub const CHECK: Check = Check {
    replicates: Some(replicates),
    calibration: Some(include_str!("../../../results/calibration/signal-in-high-d.toml")),
    pictures: Pictures::Illustrate(pictures),
    ..Check::new(measure)
};

/// A norm below this is nothing to train on. Spread over some hundreds of weights it leaves each of them
/// within an order of magnitude or so of Adam's ε = 1e-8, where steps begin to shrink. Most settings lie
/// tens of orders below.
const LOG10_THRESHOLD: f64 = -6.0;
/// What underflows in double precision counts as this much.
const LOG10_LEAST: f64 = -300.0;
/// Error rate of each of the two shares.
const ALPHA: f64 = 1e-5;

/// The printed setting as parameters, with b copies.
fn params(h: &Hyperparameters, b: usize) -> EbmParams {
    let hidden: Vec<usize> = h.hidden_layers.split('-').filter_map(|w| w.parse().ok()).collect();
    Ebm::params(h.k).hidden(&hidden).corruption(h.corruption_probability).copies(b)
}

/// The two measures of one setting with b copies, in powers of ten.
pub struct Signal {
    /// ‖∇_θ loss‖ of `Ranking`, one number per initialisation.
    pub gradients: Vec<f64>,
    /// 1 − posterior under a flat energy, one number per draw.
    pub left: Vec<f64>,
}

/// P(Bin(m, ½) ≥ above) and P(Bin(m, ½) ≤ above): small if the median is above, or below.
fn sign_test(numbers: &[f64]) -> [f64; 2] {
    let above = numbers.iter().filter(|v| **v > LOG10_THRESHOLD).count() as u64;
    let law = Binomial::new(0.5, numbers.len() as u64).expect("one half is a probability");
    [if above == 0 { 1.0 } else { law.sf(above - 1) }, law.cdf(above)]
}

fn share(name: &str, signals: &[Signal], of: fn(&Signal) -> &[f64]) -> Value {
    let tests: Vec<[f64; 2]> = signals.iter().map(|s| sign_test(of(s))).collect();
    let above = signals.iter().filter(|s| median(of(s)) > LOG10_THRESHOLD).count();
    Value::share_of_tests(name, above, &tests, ALPHA)
}

fn values(signals: &[Signal]) -> Vec<Value> {
    vec![share("gradient-share", signals, |s| &s.gradients), share("left-share", signals, |s| &s.left)]
}

/// ‖∇_θ loss‖ of `Ranking` over fresh initialisations, folds and copies, in powers of ten.
fn gradients(
    params: &EbmParams,
    rows: &Covariates,
    batch: usize,
    initialisations: usize,
    seed: Seed,
) -> ebmbook::Result<Vec<f64>> {
    (0..initialisations)
        .into_par_iter()
        .map(|i| {
            let norm = at_initialisation(params, Objective::Ranking, rows, batch, seed.index(i))?;
            Ok(norm.log10().max(LOG10_LEAST))
        })
        .collect()
}

/// The paper's own settings with their rows, and how closely to look.
struct Settings<'a> {
    printed: &'a [Hyperparameters],
    rows: Vec<Covariates>,
    initialisations: usize,
    draws: usize,
    seed: Seed,
}

impl<'a> Settings<'a> {
    fn new(printed: &'a [Hyperparameters], context: &Context) -> ebmbook::Result<Self> {
        // Hundreds of repetitions look at few rows.
        let most = context.size(64, usize::MAX, usize::MAX);
        Ok(Self {
            printed,
            rows: printed_rows()?.iter().map(|r| r.rows(&(0..r.n().min(most)).collect::<Vec<_>>())).collect(),
            // 2^−24 is small enough for eighteen certain settings.
            initialisations: context.pick(24, 100),
            draws: context.size(60, 400, 4000),
            seed: context.seed,
        })
    }

    /// The two measures of each setting, with as many copies as `copies` says.
    fn signals(&self, batch: usize, copies: fn(&Hyperparameters) -> usize) -> ebmbook::Result<Vec<Signal>> {
        let of_setting = |(i, (h, rows)): (usize, (&Hyperparameters, &Covariates))| {
            let (b, seed) = (copies(h), self.seed.index(i));
            let kernel = NoiseKernel::new(rows, h.corruption_probability)?;
            let (params, seeds) = (params(h, b), seed.child("gradient"));
            Ok(Signal {
                gradients: gradients(&params, rows, batch, self.initialisations, seeds)?,
                left: draws_of_kernel(&kernel, rows.x(), b, self.draws, seed.child("left"))?,
            })
        };
        self.printed.iter().zip(&self.rows).enumerate().map(of_setting).collect()
    }
}

/// Rows behind a gradient: of the printed settings, and of controls. It is a mean over rows in which rare
/// ones count most; the controls are far from the threshold.
fn batches(context: &Context) -> [usize; 2] {
    context.size([8, 8], [256, 64], [1024, 256])
}

fn name(h: &Hyperparameters) -> String {
    format!("{} d = {}, n = {}, b = {}", h.dataset, h.d, h.n, h.b)
}

/// What is measured at each of the paper's settings.
///
/// ```no_run
/// use paper_checks::claims::{Context, signal_at_printed_settings};
/// assert_eq!(signal_at_printed_settings(&Context::default())?.len(), 18);
/// # Ok::<(), ebmbook::Error>(())
/// ```
pub fn signal_at_printed_settings(context: &Context) -> ebmbook::Result<Vec<(Hyperparameters, Signal)>> {
    let printed = Printed::load().hyperparameters;
    let signals = Settings::new(&printed, context)?.signals(batches(context)[0], |h| h.b)?;
    Ok(printed.into_iter().zip(signals).collect())
}

fn replicates(context: &Context) -> Result<Vec<Replicates>, StudyError> {
    let both = |(h, signal): (Hyperparameters, Signal)| {
        let named = |what, numbers| Replicates { name: format!("{}: {what}", name(&h)), numbers };
        [named("gradient", signal.gradients), named("1 - posterior", signal.left)]
    };
    // With one copy 1 − posterior is ½ in every draw, up to rounding.
    let random = |r: &Replicates| r.numbers.iter().any(|v| (v - r.numbers[0]).abs() > 1e-9);
    Ok(signal_at_printed_settings(context)?.into_iter().flat_map(both).filter(random).collect())
}

fn measure(context: &Context) -> Result<Findings, StudyError> {
    let [batch, few] = batches(context);
    let hyperparameters = Printed::load().hyperparameters;
    let settings = Settings::new(&hyperparameters, context)?;
    let (initialisations, draws) = (settings.initialisations, settings.draws);
    let printed = settings.signals(batch, |h| h.b)?;
    let mut baselines = Vec::new();
    for (h, found) in hyperparameters.iter().zip(&printed) {
        baselines.push(Value::exact(Key::new("gradient").of(name(h)), median(&found.gradients)));
    }
    for i in [0, 14] {
        let (name, left) = (name(&hyperparameters[i]), &printed[i].left);
        baselines.push(Value::exact(Key::new("left").of(&name), median(left)));
        baselines.push(Value::exact(Key::new("left-mean").of(&name), log10_mean(left)));
    }
    for (d, b, q) in [(2, 3, 0.5), (10, 3, 0.5), (48, 3, 0.5), (48, 3, 0.2), (100, 3, 0.5), (100, 1, 0.5)] {
        let rows = gaussian_rows(d, few, context.seed.child("rows").index(d));
        let ranking = Ebm::params(5).copies(b).corruption(q);
        let found =
            gradients(&ranking, &rows, few, initialisations, context.seed.child("Gaussian").index(d))?;
        baselines.push(Value::exact(Key::new("gaussian-gradient").of(d).of(b).of(q), median(&found)));
    }
    Ok(Findings {
        values: values(&printed),
        baselines,
        controls: [
            ("ten-copies".to_owned(), values(&settings.signals(few, |_| 10)?)),
            ("one-copy".to_owned(), values(&settings.signals(few, |_| 1)?)),
        ]
        .into(),
        setting: format!(
            "the paper's 18 settings: {initialisations} initialisations, each with {batch} rows ({few} for controls); {draws} draws under a flat energy"
        ),
        n: vec![initialisations, draws],
        data: data_hash(settings.rows.iter().map(|rows| rows.x())),
    })
}

fn pictures(_: &Report, context: &Context) -> Vec<Figure> {
    vec![consistency::saturation_map(context)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sign_test_counts_and_assumes_nothing() {
        // The binomial tail is an incomplete beta function, good to some 1e-14.
        let close = |found: [f64; 2], truth: [f64; 2]| (0..2).all(|i| (found[i] - truth[i]).abs() < 1e-12);
        // All of five above: 2^−5 that it is chance, and no doubt about the other side.
        assert!(close(sign_test(&[-5.0; 5]), [1.0 / 32.0, 1.0]));
        assert!(close(sign_test(&[-7.0; 5]), [1.0, 1.0 / 32.0]));
        assert!(close(sign_test(&[-5.0, -7.0]), [0.75, 0.75]));
    }
}

//! Corollary of Proposition 4.1: with random folds, f modulo B1 tends to a constant.

use crate::claims::{Check, Context, Findings, Pictures, Report, data_hash};
use crate::registry::{Key, Value};
use crate::study::StudyError;
use ebmbook::ebm::{DirectionLaw, Directions, Folds};
use ebmbook::seed::Seed;
use ebmbook::show::Figure;
use ebmbook::theory::mended::Spread;
use ebmbook::theory::mixture::{Run, Runs, sample};
use ebmbook::theory::rates::slope;
use ndarray::{Array1, Array2, ArrayView1, ArrayView2};

pub const CHECK: Check = Check {
    calibration: Some(include_str!("../../../results/calibration/modulo-b1-constant.toml")),
    pictures: Pictures::Measured(pictures),
    ..Check::new(measure)
};

const K: usize = 5;
const SOFT: Folds = Folds::Soft { temperature: 1.0 };

/// Independent runs at each sample size.
struct Experiment {
    sizes: Vec<usize>,
    runs: Vec<Vec<Run>>,
}

impl Experiment {
    fn train(context: &Context, folds: &Folds, role: &str, test: ArrayView2<f64>) -> ebmbook::Result<Self> {
        let sizes = context.size(vec![100, 400], vec![250, 2500], vec![250, 1000, 4000, 20_000]);
        let count = context.size(8, 20, 20);
        let seed = context.seed.child(role);
        let of = |n: &usize| context.train(Runs::new(*n, count, folds, test), seed.index(*n));
        let runs = sizes.iter().map(of).collect::<ebmbook::Result<_>>()?;
        Ok(Self { sizes, runs })
    }

    /// Of each run, what is left of f without the direction whose contrast of the energies is given.
    fn without(&self, direction: ArrayView1<f64>) -> Vec<Vec<Spread>> {
        let of = |run: &Run| Spread::without(run.energies.view(), direction);
        self.runs.iter().map(|runs| runs.iter().map(of).collect()).collect()
    }

    fn values(&self, direction: ArrayView1<f64>) -> Vec<Value> {
        let spreads = self.without(direction);
        let each = |of: fn(&Spread) -> f64| -> Vec<Vec<f64>> {
            spreads.iter().map(|runs| runs.iter().map(of).collect()).collect()
        };
        let [share, left] = [each(Spread::share), each(|s| s.left)];
        let falls = |key: &str, numbers: &[Vec<f64>]| {
            let fit = slope(&self.sizes, numbers);
            Value::estimated(key, fit.estimate, fit.se).with_effective_freedom(fit.freedom)
        };
        vec![
            Value::mean("share", &share[share.len() - 1]),
            falls("slope", &share),
            falls("variance-slope", &left),
        ]
    }

    /// The sizes with each other's runs.
    fn swapped(self) -> Self {
        Self { runs: self.runs.into_iter().rev().collect(), ..self }
    }
}

fn measure(context: &Context) -> Result<Findings, StudyError> {
    let test = sample(context.pick(2000, 5000), context.seed.child("test"));
    let random = Experiment::train(context, &Folds::Random, "random folds", test.view())?;
    let soft = Experiment::train(context, &SOFT, "soft folds", test.view())?;
    // Dropping B1 from f is dropping 1 from e = Bᵀf; dropping 1 from f is dropping Bᵀ1 from e.
    let b1 = Array1::ones(K);
    let b: Array2<f64> = Directions::new(DirectionLaw::Authors, K, Seed::new(1))?.matrix().to_owned();
    let one = b.sum_axis(ndarray::Axis(0));
    let mut baselines = Vec::new();
    for (name, experiment) in [("random", &random), ("soft", &soft)] {
        for (n, spreads) in experiment.sizes.iter().zip(experiment.without(b1.view())) {
            let each: Vec<f64> = spreads.iter().map(Spread::share).collect();
            baselines.push(Value::mean(Key::new("share-at").of(name).of(n), &each));
        }
    }
    Ok(Findings {
        values: random.values(b1.view()),
        baselines,
        n: random.sizes.clone(),
        setting: format!(
            "mixture of three Gaussians, d = 2, k = {K}, {} runs on fresh samples at each n, for each kind of folds",
            random.runs[0].len()
        ),
        data: data_hash([test.view(), random.runs[0][0].energies.view()]),
        controls: [
            ("soft-folds".to_owned(), soft.values(b1.view())),
            ("wrong-direction".to_owned(), random.values(one.view())),
            ("sizes-swapped".to_owned(), random.swapped().values(b1.view())),
        ]
        .into(),
    })
}

fn pictures(report: &Report) -> Vec<Figure> {
    let line = |name: &str| -> Vec<(f64, f64, f64, f64)> {
        let at = |n: &usize| {
            let key = Key::new("share-at").of(name).of(n);
            let value = Value::find(&report.findings.baselines, &key)?;
            let [low, high] = value.interval()?;
            Some((*n as f64, value.estimate, low.max(1e-3), high))
        };
        report.findings.n.iter().filter_map(at).collect()
    };
    vec![
        Figure::new("What is left of f without the direction B1")
            .x("rows")
            .y("share of the variance")
            .log_x()
            .log_y()
            .line_with_band("random folds", &line("random"))
            .line_with_band("soft folds", &line("soft")),
    ]
}

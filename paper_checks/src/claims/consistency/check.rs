//! Proposition 4.1: the learned representation converges. Its distance to the limit falls with n,
//! and MCC between independent runs on fresh samples rises towards 1. That is for a law that is positive everywhere. The
//! proposition asks for a compact X, which the noise leaves: there the smallest counterexample decides, by quadrature.

use crate::claims::{Check, Context, Findings, Pictures, Report, data_hash};
use crate::pictures::consistency;
use crate::registry::{Key, Value};
use crate::study::StudyError;
use ebmbook::ebm::Folds;
use ebmbook::metrics::{correlation, shape};
use ebmbook::show::Figure;
use ebmbook::theory::compact::square::{self, Outside};
use ebmbook::theory::mixture::limits::{Distance, distance, energies};
use ebmbook::theory::mixture::{Run, Runs, log_density, sample};
use ebmbook::theory::rates::{slope, slope_interval};
use ndarray::{Array2, ArrayView2, Axis};

pub const CHECK: Check = Check {
    calibration: Some(include_str!("../../../results/calibration/consistency.toml")),
    pictures: Pictures::Measured(pictures),
    ..Check::new(measure)
};

/// Runs on the same test rows, by sample size.
struct Curve {
    sizes: Vec<usize>,
    test: Array2<f64>,
    runs: Vec<Vec<Run>>,
}

impl Curve {
    fn train(context: &Context) -> ebmbook::Result<Self> {
        let sizes = context.size(vec![100, 200, 400], vec![250, 1000, 5000], vec![250, 1000, 5000, 20_000]);
        // Small samples scatter most and cost least.
        let counts = context.size(vec![12, 12, 12], vec![42, 20, 14], vec![84, 40, 40, 20]);
        let test = sample(context.pick(5000, 20_000), context.seed.child("test"));
        let runs = sizes
            .iter()
            .zip(counts)
            .map(|(n, count)| {
                let seed = context.seed.index(*n);
                context.train(Runs::new(*n, count, &Folds::Random, test.view()), seed)
            })
            .collect::<Result<_, _>>()?;
        Ok(Self { sizes, test, runs })
    }

    /// The runs at the smallest n under the names of all sizes: what no convergence looks like.
    fn without_growth(&self) -> Self {
        let pairs = self.runs[0].len() / 2 / self.sizes.len();
        let parts = self.runs[0].chunks_exact(2 * pairs).take(self.sizes.len());
        Self {
            sizes: self.sizes.clone(),
            test: self.test.clone(),
            runs: parts.map(<[Run]>::to_vec).collect(),
        }
    }

    /// Samples of the smallest size under the names of all sizes, each trained as long as that size
    /// is: convergence must come from the data, not from the longer training that goes with them.
    fn longer_training_alone(&self, context: &Context) -> ebmbook::Result<Self> {
        let seed = context.seed.child("longer training");
        let short = Runs::new(self.sizes[0], 12, &Folds::Random, self.test.view());
        let runs = self
            .sizes
            .iter()
            .map(|size| short.clone().as_long_as(*size).train(seed.index(*size)))
            .collect::<Result<_, _>>()?;
        Ok(Self { sizes: self.sizes.clone(), test: self.test.clone(), runs })
    }

    /// The second run of each pair at other rows than the first: agreement with something else.
    fn permuted(&self) -> Self {
        let mut runs = self.runs.clone();
        for second in runs.iter_mut().flat_map(|runs| runs.iter_mut().skip(1).step_by(2)) {
            second.f.invert_axis(Axis(0));
        }
        Self { sizes: self.sizes.clone(), test: self.test.clone(), runs }
    }

    /// Distances of the runs at each n.
    fn distances(&self) -> ebmbook::Result<Vec<Vec<Distance>>> {
        let k = self.runs[0][0].energies.ncols();
        let limit = energies(&Folds::Random, self.test.view(), None, k)?;
        let of = |run: &Run| distance(run.energies.view(), limit.view(), self.test.view());
        Ok(self.runs.iter().map(|runs| runs.iter().map(of).collect()).collect())
    }

    /// MCC at each n over disjoint pairs of runs, which are independent.
    fn agreement(&self, context: &Context) -> ebmbook::Result<Vec<Value>> {
        let of = |runs: &Vec<Run>, n: &usize| {
            let pairs: Vec<f64> = runs
                .chunks_exact(2)
                .map(|pair| context.agreement(pair[0].f.view(), pair[1].f.view()))
                .collect::<ebmbook::Result<_>>()?;
            Ok(Value::mean(Key::new("mcc").of(n), &pairs))
        };
        self.runs.iter().zip(&self.sizes).map(|(runs, n)| of(runs, n)).collect()
    }

    fn values(&self, context: &Context) -> ebmbook::Result<Vec<Value>> {
        let mcc = self.agreement(context)?;
        let (first, last) = (&mcc[0], &mcc[mcc.len() - 1]);
        let distances = self.distances()?;
        let falls = |name: &str, of: fn(&Distance) -> f64| {
            let by_size: Vec<Vec<f64>> = distances.iter().map(|d| d.iter().map(of).collect()).collect();
            let fit = slope(&self.sizes, &by_size);
            Value::estimated(name, fit.estimate, fit.se).with_effective_freedom(fit.freedom)
        };
        Ok(vec![
            Value { key: "mcc-last".into(), ..last.clone() },
            last.minus(first, "mcc-rise"),
            falls("l2-slope", |d| d.l2),
            falls("sup-slope", |d| d.sup),
            Value::exact("compact", square::optimum(Outside::EnergyGoesOn).sup_error),
        ])
    }
}

fn measure(context: &Context) -> Result<Findings, StudyError> {
    let curve = Curve::train(context)?;
    let mut baselines = curve.agreement(context)?;
    let distances = curve.distances()?;
    for (n, of_size) in curve.sizes.iter().zip(&distances) {
        let mean = |name: &str, of: fn(&Distance) -> f64| {
            Value::mean(Key::new(name).of(n), &of_size.iter().map(of).collect::<Vec<_>>())
        };
        baselines.push(mean("l2", |d| d.l2));
        baselines.push(mean("sup", |d| d.sup));
    }
    let log_p = log_density(curve.test.view());
    for (n, runs) in curve.sizes.iter().zip(&curve.runs) {
        // What the runs agree on: the limit has rank one, and it is log p_X.
        let ranks: Vec<f64> =
            runs.iter().map(|run| Ok(shape(run.f.view())?.effective_rank)).collect::<ebmbook::Result<_>>()?;
        baselines.push(Value::mean(Key::new("rank").of(n), &ranks));
        let with_log_p = |run: &Run| {
            let of_each = run.f.columns().into_iter().map(|f| correlation(f, log_p.view()).abs());
            of_each.sum::<f64>() / run.f.ncols() as f64
        };
        let with_log_p: Vec<f64> = runs.iter().map(with_log_p).collect();
        baselines.push(Value::mean(Key::new("corr").of(n), &with_log_p));
    }
    for (name, of) in [("L2", (|d| d.l2) as fn(&Distance) -> f64), ("sup", |d| d.sup)] {
        let by_size: Vec<Vec<f64>> = distances.iter().map(|d| d.iter().map(of).collect()).collect();
        let seed = context.seed.child("bootstrap").child(name);
        let interval = slope_interval(&curve.sizes, &by_size, 0.95, 2000, seed);
        baselines.push(Value::exact(Key::new("slope-low").of(name), interval.low));
        baselines.push(Value::exact(Key::new("slope-high").of(name), interval.high));
    }
    // A rate that is not reached yet bends: the slope between each n and the next.
    for (i, pair) in curve.sizes.windows(2).enumerate() {
        let l2: Vec<Vec<f64>> =
            distances[i..i + 2].iter().map(|d| d.iter().map(|d| d.l2).collect()).collect();
        let fit = slope(pair, &l2);
        let key = Key::new("l2-slope-between").of(pair[0]).of(pair[1]);
        baselines.push(Value::estimated(key, fit.estimate, fit.se).with_effective_freedom(fit.freedom));
    }
    let longer = curve.longer_training_alone(context)?;
    let (last, smallest) = (curve.sizes[curve.sizes.len() - 1], curve.sizes[0]);
    let longer_key = |name: &str| Key::new(name).of(smallest).of(last);
    let agreement = longer.agreement(context)?;
    baselines.push(Value { key: longer_key("longer-mcc"), ..agreement[agreement.len() - 1].clone() });
    let far = &longer.distances()?[curve.sizes.len() - 1];
    baselines.push(Value::mean(longer_key("longer-l2"), &far.iter().map(|d| d.l2).collect::<Vec<_>>()));
    baselines.push(Value::exact("compact-theta", square::optimum(Outside::EnergyGoesOn).theta));
    let counts: Vec<usize> = curve.runs.iter().map(Vec::len).collect();
    let first = sample(curve.sizes[0], context.seed.index(curve.sizes[0]).index(0).child("sample"));
    Ok(Findings {
        values: curve.values(context)?,
        baselines,
        // Without more data nothing converges.
        controls: [
            ("no-growth".to_owned(), curve.without_growth().values(context)?),
            ("longer-training-alone".to_owned(), longer.values(context)?),
            ("permuted-rows".to_owned(), curve.permuted().values(context)?),
        ]
        .into(),
        setting: format!(
            "mixture of three Gaussians, d = 2, k = 5; {counts:?} runs, each on a fresh sample; {} test rows",
            curve.test.nrows()
        ),
        n: curve.sizes.clone(),
        data: data_hash([curve.test.view(), first.view()] as [ArrayView2<f64>; 2]),
    })
}

fn pictures(report: &Report) -> Vec<Figure> {
    let measured = &report.findings.baselines;
    vec![consistency::agreement_of(measured), consistency::distances_of(measured), counterexample()]
}

/// p_θ across the square: the truth, and where the objective is best as the model is trained.
fn counterexample() -> Figure {
    let best = square::optimum(Outside::EnergyGoesOn).theta;
    let line = |theta: f64| {
        (0..=40).map(|i| f64::from(i) / 40.0).map(|x| (x, square::density(theta, x))).collect::<Vec<_>>()
    };
    Figure::new("X uniform on a square, noise that leaves it")
        .x("x₁")
        .y("density")
        .line("p_X", &line(0.0))
        .line("p_θ at the optimum of the objective", &line(best))
}

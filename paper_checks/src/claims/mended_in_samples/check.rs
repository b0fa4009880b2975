//! In finite samples: does a learner on f modulo B1, with folds by arm and outcome, approach the learner on x?

use crate::claims::{Check, Context, Findings, Pictures, Report, data_hash};
use crate::registry::{Key, Scale, Value};
use crate::study::StudyError;
use ebmbook::show::Figure;
use ebmbook::theory::limit::Design;
use ebmbook::theory::mended::samples::{Compared, Seen, compare};
use ebmbook::theory::rates::slope;
use ndarray::Array1;
use rayon::prelude::*;

pub const CHECK: Check = Check {
    calibration: Some(include_str!("../../../results/calibration/mended-in-samples.toml")),
    pictures: Pictures::Measured(pictures),
    ..Check::new(measure)
};

const DESIGNS: [(Design, &str); 3] = [
    (Design::CONFOUNDED_CONSTANT, "confounded, constant effect"),
    (Design::RANDOMISED_LINEAR, "randomised, linear effect"),
    (Design::CONFOUNDED_LINEAR, "confounded, linear effect"),
];

const SEEN: [Seen; 7] =
    [Seen::Limit, Seen::Random, Seen::Arm, Seen::ArmOutcome, Seen::WithB1, Seen::SameRows, Seen::Covariates];

/// Independent samples of each design at each n: `runs[design][size]`.
struct Experiment {
    sizes: Vec<usize>,
    runs: Vec<Vec<Vec<Compared>>>,
}

impl Experiment {
    fn run(context: &Context) -> ebmbook::Result<Self> {
        let full = vec![500, 1000, 2000, 4000, 8000, 16_000];
        let sizes = context.size(vec![150, 450], vec![250, 1000], full);
        let count = context.size(8, 10, 20);
        let one = |design: usize, n: usize, r: usize| {
            let seed = context.seed.child("samples").index(design).index(n).index(r);
            compare(&DESIGNS[design].0, n, !context.reduced, seed)
        };
        let of = |design: usize, n: &usize| {
            (0..count).into_par_iter().map(|r| one(design, *n, r)).collect::<ebmbook::Result<Vec<_>>>()
        };
        let of_design = |design: usize| sizes.iter().map(|n| of(design, n)).collect();
        let runs = (0..DESIGNS.len()).map(of_design).collect::<ebmbook::Result<_>>()?;
        Ok(Self { sizes, runs })
    }

    /// PEHE of each run at each n.
    fn errors(&self, design: usize, seen: Seen) -> Vec<Vec<f64>> {
        self.runs[design].iter().map(|runs| runs.iter().map(|run| run.of(seen)).collect()).collect()
    }

    fn slope(&self, key: Key, errors: &[Vec<f64>]) -> Value {
        let fit = slope(&self.sizes, errors);
        Value::estimated(key, fit.estimate, fit.se).with_effective_freedom(fit.freedom)
    }

    /// log2(PEHE on what is seen / PEHE on x) at the largest n, and how the PEHE falls with n, the mean of the designs.
    fn values(&self, seen: Seen) -> Vec<Value> {
        let ratio = |design: usize| {
            let runs = &self.runs[design][self.sizes.len() - 1];
            let of = |run: &Compared| (run.of(seen) / run.of(Seen::Covariates)).log2();
            let key = Key::new("ratio").of(DESIGNS[design].1);
            Value::mean(key, &runs.iter().map(of).collect::<Vec<_>>())
        };
        // The geometric mean of the designs.
        let slopes = (0..DESIGNS.len()).map(|d| self.slope(Key::new("slope"), &self.errors(d, seen)));
        let slope = Value::combination("slope", &[1.0 / 3.0; 3], &slopes.collect::<Vec<_>>());
        (0..DESIGNS.len()).map(ratio).chain([slope]).collect()
    }

    /// The sizes with each other's runs.
    fn swapped(mut self) -> Self {
        self.runs.iter_mut().for_each(|of_design| of_design.reverse());
        self
    }

    /// PEHE on everything that can be seen, at the largest n and, at full scale, at each; slopes; optimism.
    fn baselines(&self, context: &Context) -> Vec<Value> {
        let mut baselines = Vec::new();
        if context.reduced {
            return baselines;
        }
        let last = self.sizes.len() - 1;
        let all = context.scale == Scale::Full;
        for (design, (_, name)) in DESIGNS.iter().enumerate() {
            for seen in SEEN {
                let errors = self.errors(design, seen);
                for (i, n) in self.sizes.iter().enumerate().filter(|(i, _)| all || *i == last) {
                    let key = Key::new("pehe").of(seen).of(name).of(n);
                    baselines.push(Value::mean(key, &errors[i]));
                }
                if all || seen == Seen::ArmOutcome {
                    baselines.push(self.slope(Key::new("slope-of").of(seen).of(name), &errors));
                }
            }
        }
        for (i, n) in self.sizes.iter().enumerate() {
            let of_all: Vec<f64> =
                self.runs.iter().flat_map(|d| d[i].iter().map(|run| run.optimism)).collect();
            baselines.push(Value::mean(Key::new("optimism").of(n), &of_all));
        }
        baselines
    }
}

fn measure(context: &Context) -> Result<Findings, StudyError> {
    let experiment = Experiment::run(context)?;
    let first: Array1<f64> = experiment.runs[0][0].iter().map(|run| run.of(Seen::Covariates)).collect();
    Ok(Findings {
        values: experiment.values(Seen::ArmOutcome),
        baselines: experiment.baselines(context),
        n: experiment.sizes.clone(),
        setting: format!(
            "X ~ N(0, I_2), outcome noise of sd .5, four outcome bins in each arm, {} samples of each design at each n; halves cross-fitted; T-learner with RBF kernel ridge on up to 200 landmarks",
            experiment.runs[0][0].len()
        ),
        data: data_hash([first.view()]),
        controls: [
            ("printed-limit".to_owned(), experiment.values(Seen::Limit)),
            ("sizes-swapped".to_owned(), experiment.swapped().values(Seen::ArmOutcome)),
        ]
        .into(),
    })
}

/// PEHE against n, one picture per design; at quick scale there is one n alone.
fn pictures(report: &Report) -> Vec<Figure> {
    let line = |seen: Seen, design: &str| -> Vec<(f64, f64, f64, f64)> {
        let at = |n: &usize| {
            let key = Key::new("pehe").of(seen).of(design).of(n);
            let value = Value::find(&report.findings.baselines, &key)?;
            let [low, high] = value.interval()?;
            Some((*n as f64, value.estimate, low.max(1e-3), high))
        };
        report.findings.n.iter().filter_map(at).collect()
    };
    let of_design = |(_, design): &(Design, &str)| {
        let names = [
            (Seen::Random, "random folds"),
            (Seen::Arm, "by arm"),
            (Seen::ArmOutcome, "by arm and outcome, modulo B1"),
            (Seen::WithB1, "the same with B1"),
            (Seen::Covariates, "x itself"),
        ];
        let figure = Figure::new(format!("Error of effects: {design}"));
        let figure = figure.x("rows").y("PEHE").log_x().log_y();
        names.iter().fold(figure, |figure, (seen, name)| figure.line_with_band(name, &line(*seen, design)))
    };
    let all: Vec<Figure> = DESIGNS.iter().map(of_design).collect();
    // One n makes no line.
    if line(Seen::ArmOutcome, DESIGNS[0].1).len() < 2 { Vec::new() } else { all }
}

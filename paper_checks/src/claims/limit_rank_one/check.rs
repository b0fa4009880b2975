//! Corollary of Proposition 4.1: every density converges to p_X, so f converges to a function of
//! one scalar, −log p_X·B1 + c. It rests on the folds having one law: with soft folds the limit is
//! −log(w_j p_X), of higher rank, and with hard folds it is −log p_X inside a cell and nothing outside.

use crate::claims::{Check, Context, Findings, Pictures, Report, data_hash};
use crate::pictures::limit;
use crate::registry::{Key, Value};
use crate::study::StudyError;
use ebmbook::ebm::{DirectionLaw, Directions, Folds};
use ebmbook::metrics::{correlation, shape};
use ebmbook::seed::Seed;
use ebmbook::show::Figure;
use ebmbook::theory::mixture::limits::{Cells, cells, distance, energies, sides};
use ebmbook::theory::mixture::{Run, Runs, log_density, sample};
use ebmbook::theory::rates::slope;
use ndarray::{Array2, ArrayView2, Axis};

pub const CHECK: Check = Check {
    calibration: Some(include_str!("../../../results/calibration/limit-rank-one.toml")),
    pictures: Pictures::Illustrate(pictures),
    ..Check::new(measure)
};

const SOFT: Folds = Folds::Soft { temperature: 1.0 };

const SOFT_RANK: &str = "soft-rank-share";

/// Runs with one kind of folds at a small and a large n.
struct Pair {
    folds: Folds,
    small: Vec<Run>,
    large: Vec<Run>,
}

struct Experiment {
    sizes: [usize; 2],
    test: Array2<f64>,
    random: Pair,
    soft: Pair,
    hard: Pair,
}

impl Experiment {
    fn train(context: &Context) -> ebmbook::Result<Self> {
        let sizes = context.size([100, 250], [250, 2500], [250, 20_000]);
        let [small, large] = context.size([8, 8], [8, 12], [20, 20]);
        let test = sample(context.pick(5000, 20_000), context.seed.child("test"));
        let pair = |folds: Folds, role: &str| -> ebmbook::Result<Pair> {
            let of = |n, count| {
                let seed = context.seed.child(role).index(n);
                context.train(Runs::new(n, count, &folds, test.view()), seed)
            };
            Ok(Pair { small: of(sizes[0], small)?, large: of(sizes[1], large)?, folds: folds.clone() })
        };
        let (random, soft, hard) = (
            pair(Folds::Random, "random folds")?,
            pair(SOFT, "soft folds")?,
            pair(Folds::KMeans, "hard folds")?,
        );
        Ok(Self { sizes, test, random, soft, hard })
    }

    /// L2 distance of a run to the limit of the given folds.
    fn to_limit(&self, run: &Run, folds: &Folds) -> ebmbook::Result<f64> {
        let centres = run.centres.as_ref().map(|c| c.view());
        let limit = energies(folds, self.test.view(), centres, run.energies.ncols())?;
        Ok(distance(run.energies.view(), limit.view(), self.test.view()).l2)
    }

    fn distances(&self, runs: &[Run], folds: &Folds) -> ebmbook::Result<Vec<f64>> {
        runs.iter().map(|run| self.to_limit(run, folds)).collect()
    }

    /// The rank-one corollary: effective rank, and how well log p_X explains the worst coordinate.
    fn rank_one(&self, pair: &Pair) -> ebmbook::Result<Vec<Value>> {
        let log_p = log_density(self.test.view());
        let least = |run: &Run| {
            run.f.columns().into_iter().map(|f| correlation(f, log_p.view()).abs()).fold(1.0, f64::min)
        };
        Ok(vec![
            Value::mean("rank", &ranks(&pair.large)?),
            Value::mean("corr", &pair.large.iter().map(least).collect::<Vec<_>>()),
        ])
    }

    /// The limit of soft folds, taken to be that of `limit`.
    fn soft(&self, pair: &Pair, limit: &Folds) -> ebmbook::Result<Vec<Value>> {
        let own = [self.distances(&pair.small, limit)?, self.distances(&pair.large, limit)?];
        let fit = slope(&self.sizes, &own);
        let other = self.distances(&pair.large, &Folds::Random)?;
        let ratio: Vec<f64> = own[1].iter().zip(&other).map(|(own, other)| own / other).collect();
        Ok(vec![
            Value::estimated("soft-slope", fit.estimate, fit.se).with_effective_freedom(fit.freedom),
            Value::mean("soft-ratio", &ratio),
            Value::mean(SOFT_RANK, &self.share_of_rank(&pair.large, &ranks(&pair.large)?)?),
        ])
    }

    /// Where the rank of a run lies between 1, that of random folds, and that of its own exact limit:
    /// (rank − 1) / (rank of the limit − 1).
    fn share_of_rank(&self, runs: &[Run], ranks: &[f64]) -> ebmbook::Result<Vec<f64>> {
        let share = |(run, rank): (&Run, &f64)| Ok((rank - 1.0) / (self.exact_rank(run, &SOFT)? - 1.0));
        runs.iter().zip(ranks).map(share).collect()
    }

    /// Effective rank of the limit that folds around the centres of a run have.
    fn exact_rank(&self, run: &Run, folds: &Folds) -> ebmbook::Result<f64> {
        let k = run.energies.ncols();
        let limit = energies(folds, self.test.view(), run.centres.as_ref().map(|c| c.view()), k)?;
        // f = B·(energies): the rank is that of the correlations of f, which B changes.
        let b = Directions::new(DirectionLaw::Authors, k, Seed::new(1))?;
        Ok(shape(limit.dot(&b.matrix().t()).view())?.effective_rank)
    }

    /// Both sides of a border.
    fn hard(&self, small: &[Cells], large: &[Cells]) -> Vec<Value> {
        let mean = |name: &str, cells: &[Cells], of: fn(&Cells) -> f64| {
            Value::mean(name, &cells.iter().map(of).collect::<Vec<_>>())
        };
        let across = |c: &Cells| c.across;
        vec![
            mean("hard-inside", large, |c| c.inside),
            mean("large", large, across).minus(&mean("small", small, across), "hard-growth"),
        ]
    }

    fn cells(&self, runs: &[Run]) -> ebmbook::Result<Vec<Cells>> {
        Ok(runs.iter().map(|run| cells(run, self.test.view())).collect::<Result<_, _>>()?)
    }

    fn values(&self) -> ebmbook::Result<Vec<Value>> {
        let mut values = self.rank_one(&self.random)?;
        values.extend(self.soft(&self.soft, &self.soft.folds)?);
        values.extend(self.hard(&self.cells(&self.hard.small)?, &self.cells(&self.hard.large)?));
        Ok(values)
    }

    /// Runs at the small n under the name of the large one and the other way round.
    fn swapped(&self) -> Self {
        let swap = |pair: &Pair| Pair {
            folds: pair.folds.clone(),
            small: pair.large.clone(),
            large: pair.small.clone(),
        };
        let [random, soft, hard] = [&self.random, &self.soft, &self.hard].map(swap);
        Self { sizes: self.sizes, test: self.test.clone(), random, soft, hard }
    }

    /// The limit of random folds in the place of the runs with soft ones: no rank is kept.
    fn no_soft_folds(&self) -> ebmbook::Result<Vec<Value>> {
        let runs = &self.soft.large;
        let ranks: Vec<f64> =
            runs.iter().map(|run| self.exact_rank(run, &Folds::Random)).collect::<ebmbook::Result<_>>()?;
        Ok(vec![Value::mean(SOFT_RANK, &self.share_of_rank(runs, &ranks)?)])
    }

    /// Hard runs whose energies belong to other rows.
    fn permuted(&self) -> ebmbook::Result<Vec<Value>> {
        let of = |runs: &[Run]| {
            let mut runs = runs.to_vec();
            runs.iter_mut().for_each(|run| run.energies.invert_axis(Axis(0)));
            self.cells(&runs)
        };
        Ok(self.hard(&of(&self.hard.small)?, &of(&self.hard.large)?))
    }

    /// Runs with random folds at the borders that the hard runs have: there is no wall to see.
    fn no_walls(&self) -> ebmbook::Result<Vec<Value>> {
        let of = |random: &[Run], hard: &[Run]| -> ebmbook::Result<Vec<Cells>> {
            random
                .iter()
                .zip(hard)
                .map(|(run, hard)| {
                    let centres = hard.centres.as_ref().map(|c| c.view());
                    let cell = energies(&Folds::KMeans, self.test.view(), centres, run.energies.ncols())?;
                    let cell = cell.map(|e| e.is_finite());
                    Ok(sides(run.energies.view(), cell.view(), self.test.view()))
                })
                .collect()
        };
        Ok(self.hard(&of(&self.random.small, &self.hard.small)?, &of(&self.random.large, &self.hard.large)?))
    }
}

fn ranks(runs: &[Run]) -> ebmbook::Result<Vec<f64>> {
    runs.iter().map(|run| Ok(shape(run.f.view())?.effective_rank)).collect()
}

fn measure(context: &Context) -> Result<Findings, StudyError> {
    let e = Experiment::train(context)?;
    let off_diagonal: Vec<f64> = e
        .random
        .large
        .iter()
        .map(|run| Ok(shape(run.f.view())?.mean_cross))
        .collect::<ebmbook::Result<_>>()?;
    let [small, large] = e.sizes;
    let exact: Vec<f64> =
        e.soft.large.iter().map(|run| e.exact_rank(run, &SOFT)).collect::<ebmbook::Result<_>>()?;
    let mut baselines = vec![
        Value::mean(Key::new("rank-at").of(small), &ranks(&e.random.small)?),
        Value::mean("cross-corr", &off_diagonal),
        Value::mean("soft-exact-rank", &exact),
        Value::mean("soft-rank", &ranks(&e.soft.large)?),
    ];
    for (n, runs) in [(small, &e.soft.small), (large, &e.soft.large)] {
        baselines.push(Value::mean(Key::new("soft-distance").of(n), &e.distances(runs, &SOFT)?));
    }
    let to_random = e.distances(&e.soft.large, &Folds::Random)?;
    baselines.push(Value::mean(Key::new("soft-to-random").of(large), &to_random));
    for (n, runs) in [(small, &e.hard.small), (large, &e.hard.large)] {
        let cells = e.cells(runs)?;
        let mean = |name: &str, of: fn(&Cells) -> f64| {
            Value::mean(Key::new(name).of(n), &cells.iter().map(of).collect::<Vec<_>>())
        };
        baselines.push(mean("hard-distance", |c| c.l2));
        baselines.push(mean("hard-across", |c| c.across));
    }
    // The corollary asked of soft folds; the soft folds' limit taken for that of random folds; a wall
    // looked for where there is none; a rank of soft folds asked of the limit of random ones; energies of
    // other rows; sizes swapped.
    let with_rest = |mut values: Vec<Value>, rest: &[Value]| {
        values.extend(
            rest.iter().filter(|r| !values.iter().any(|v| v.key == r.key)).cloned().collect::<Vec<_>>(),
        );
        values
    };
    let values = e.values()?;
    let first = sample(small, context.seed.child("random folds").index(small).index(0).child("sample"));
    Ok(Findings {
        controls: [
            ("soft-folds".to_owned(), with_rest(e.rank_one(&e.soft)?, &values)),
            ("limit-of-random-folds".to_owned(), with_rest(e.soft(&e.soft, &Folds::Random)?, &values)),
            ("no-walls".to_owned(), with_rest(e.no_walls()?, &values)),
            ("no-soft-folds".to_owned(), with_rest(e.no_soft_folds()?, &values)),
            ("permuted-rows".to_owned(), with_rest(e.permuted()?, &values)),
            ("sizes-swapped".to_owned(), e.swapped().values()?),
        ]
        .into(),
        values,
        baselines,
        setting: format!(
            "mixture of three Gaussians, d = 2, k = 5, {} and {} runs on fresh samples at the two n, for each kind of folds",
            e.random.small.len(),
            e.random.large.len()
        ),
        n: e.sizes.to_vec(),
        data: data_hash([e.test.view(), first.view()] as [ArrayView2<f64>; 2]),
    })
}

fn pictures(report: &Report, context: &Context) -> Vec<Figure> {
    let largest = report.findings.n.last().copied().unwrap_or(2_500);
    vec![limit::train(largest, "random", context).against_log_density()]
}

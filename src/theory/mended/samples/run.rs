//! One sample, its representations, and what a learner makes of each.

use super::{Landmarks, Seen};
use crate::cate::{CrossFitFolds, Learner, Sample, TLearner};
use crate::data::{Covariates, Dataset};
use crate::ebm::{ArmOutcome, Ebm, EbmParams, Folds, OutcomeBins};
use crate::metrics::pehe;
use crate::network::{Keep, RateSchedule};
use crate::regress::Regressor;
use crate::seed::Seed;
use crate::theory::effects::{gaussian, half_square, outcomes, standardised};
use crate::theory::limit::Design;
use ndarray::{Array1, Array2, ArrayView2, Axis};

const BINS: usize = 4;
const TEST_ROWS: usize = 1_000;

/// What came out on one sample.
#[derive(Clone, Debug)]
pub struct Compared {
    /// PEHE by what the learner saw.
    pub pehe: Vec<(Seen, f64)>,
    /// How much too good the squared error of outcomes looks on rows that made the folds and did not train the learner,
    /// relative to that on fresh rows.
    pub optimism: f64,
}

impl Compared {
    /// PEHE of a learner that saw this; NaN if none did.
    pub fn of(&self, seen: Seen) -> f64 {
        self.pehe.iter().find(|(s, _)| *s == seen).map_or(f64::NAN, |(_, pehe)| *pehe)
    }
}

/// Effects on each representation of one sample of n rows of a design. Unless `all` are asked for, random folds, B1 kept and
/// rows used twice are left out, which saves most of the training.
///
/// ```
/// use ebmbook::{seed::Seed, theory::{limit::Design, mended::samples::{Seen, compare}}};
/// let found = compare(&Design::CONFOUNDED_CONSTANT, 400, false, Seed::new(1))?;
/// assert!(found.of(Seen::Covariates) < found.of(Seen::Limit));
/// # Ok::<(), ebmbook::Error>(())
/// ```
pub fn compare(design: &Design, n: usize, all: bool, seed: Seed) -> crate::Result<Compared> {
    let x = gaussian(n, seed.child("train"));
    let (treated, outcome) = outcomes(design, x.view(), seed.child("outcomes"));
    let data = Dataset::builder("plane", Covariates::continuous(x)?).observed(treated, outcome).build()?;
    let test = gaussian(TEST_ROWS, seed.child("test"));
    let truth = test.map_axis(Axis(1), |x| (design.effect)(x[0], x[1]));
    let folds = CrossFitFolds::stratified(2, data.treatment()?, seed.child("parts"))?;
    let halves: [Vec<usize>; 2] = [0, 1].map(|p| (0..n).filter(|i| folds.of_row()[*i] == p).collect());
    let mut sums: Vec<(Seen, Array1<f64>)> = Vec::new();
    let mut optimism = 0.0;
    for p in 0..2 {
        // As `cate::Mended` does: what made the representation does not train the learner.
        let (inside, outside) = (data.rows(&halves[p]), data.rows(&halves[1 - p]));
        let seed = seed.child("part").index(p);
        for (seen, features) in representations(&outside, all, seed)? {
            let estimate = learn(&inside, features(inside.x())?, features(test.view())?)?;
            if seen == Seen::ArmOutcome {
                optimism += too_good(&outside, &inside, &features)? / 2.0;
            }
            match sums.iter_mut().find(|(s, _)| *s == seen) {
                Some((_, sum)) => *sum += &estimate,
                None => sums.push((seen, estimate)),
            }
        }
    }
    sums.iter_mut().for_each(|(_, sum)| *sum /= 2.0);
    if all {
        let same = mended(&data, seed.child("same rows"))?;
        let [train, at] = [data.x(), test.view()].map(|x| same.modulo_b1(x));
        sums.push((Seen::SameRows, learn(&data, train?, at?)?));
    }
    sums.push((Seen::Covariates, learn(&data, data.x().to_owned(), test.clone())?));
    let error = |(seen, estimate): (Seen, Array1<f64>)| Ok((seen, pehe(estimate.view(), truth.view())?));
    let pehe = sums.into_iter().map(error).collect::<crate::Result<_>>()?;
    Ok(Compared { pehe, optimism })
}

type Features = Box<dyn Fn(ArrayView2<f64>) -> crate::Result<Array2<f64>>>;

/// The representations that these rows make.
fn representations(rows: &Dataset, all: bool, seed: Seed) -> crate::Result<Vec<(Seen, Features)>> {
    let arms = rows.treatment()?.iter().map(|a| usize::from(*a)).collect();
    let by_arm = fit(Folds::Given(arms), 2, rows, seed.child("arm"))?;
    let both = mended(rows, seed)?;
    let whole = both.clone();
    let mut made: Vec<(Seen, Features)> = vec![
        (Seen::Limit, Box::new(|x: ArrayView2<f64>| Ok(half_square(x)))),
        (Seen::Arm, Box::new(move |x: ArrayView2<f64>| Ok(by_arm.modulo_b1(x)?))),
        (Seen::ArmOutcome, Box::new(move |x: ArrayView2<f64>| Ok(both.modulo_b1(x)?))),
    ];
    if all {
        let random = fit(Folds::Random, 2 * BINS, rows, seed.child("random"))?;
        made.push((Seen::Random, Box::new(move |x: ArrayView2<f64>| Ok(random.raw(x)?))));
        made.push((Seen::WithB1, Box::new(move |x: ArrayView2<f64>| Ok(whole.raw(x)?))));
    }
    Ok(made)
}

fn mended(rows: &Dataset, seed: Seed) -> crate::Result<Ebm> {
    let folds = ArmOutcome::new(rows.treatment()?, rows.outcome()?, &OutcomeBins::Quantiles(BINS))?;
    fit(folds.folds(), folds.k(), rows, seed.child("ebm"))
}

fn fit(folds: Folds, k: usize, rows: &Dataset, seed: Seed) -> crate::Result<Ebm> {
    Ok(Ebm::fit(&params(Ebm::params(k), rows.n()).folds(folds), rows.covariates(), seed)?)
}

/// min(200·n/256, 3000) steps in batches of 256.
fn params(params: EbmParams, n: usize) -> EbmParams {
    let steps = (200 * n / 256).clamp(1, 3_000);
    params
        .hidden(&[32, 32])
        .corruption(1.0)
        .rate(3e-3)
        .schedule(RateSchedule::Cosine)
        .batch(256)
        .epochs(steps.div_ceil(n.div_ceil(256)))
        .steps(Some(steps))
        .validation(0.0)
        .patience(None)
        .keep(Keep::Last)
}

/// Effects at the test rows by a T-learner on these features of the training rows.
fn learn(rows: &Dataset, features: Array2<f64>, test: Array2<f64>) -> crate::Result<Array1<f64>> {
    let (features, test) = standardised(features, test);
    let sample = Sample::new(features, rows.treatment()?.to_owned(), rows.outcome()?.to_owned())?;
    Ok(TLearner::new(Landmarks).fit(&sample)?.at(test.view().into())?)
}

/// 1 − (error on rows that made the folds)/(error on fresh rows) of outcomes, by a learner that saw neither.
fn too_good(made: &Dataset, fresh: &Dataset, features: &Features) -> crate::Result<f64> {
    let [learn, seen]: [Vec<usize>; 2] = [0, 1].map(|parity| (parity..made.n()).step_by(2).collect());
    let (learn, seen) = (made.rows(&learn), made.rows(&seen));
    let mut errors = [0.0; 2];
    for arm in [false, true] {
        let of = |rows: &Dataset| -> crate::Result<(Array2<f64>, Array1<f64>)> {
            let own: Vec<usize> =
                (0..rows.n()).filter(|i| rows.treatment().is_ok_and(|a| a[*i] == arm)).collect();
            let rows = rows.rows(&own);
            Ok((features(rows.x())?, rows.outcome()?.to_owned()))
        };
        let ((train, y), rest) = (of(&learn)?, [of(&seen)?, of(fresh)?]);
        for ((x, outcome), error) in rest.into_iter().zip(&mut errors) {
            let (train, x) = standardised(train.clone(), x);
            let off = Landmarks.fit(train.view(), y.view())?.predict(x.view())? - outcome;
            *error += off.mapv(|e| e * e).mean().unwrap_or(f64::NAN) / 2.0;
        }
    }
    Ok(1.0 - errors[0] / errors[1])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cate::Mended;

    #[test]
    fn what_is_compared_is_what_the_library_offers() {
        let (n, seed, design) = (400, Seed::new(3), Design::CONFOUNDED_LINEAR);
        let x = gaussian(n, seed.child("train"));
        let (treated, outcome) = outcomes(&design, x.view(), seed.child("outcomes"));
        let data = Dataset::builder("plane", Covariates::continuous(x).unwrap());
        let data = data.observed(treated, outcome).build().unwrap();
        let library = Mended::new(OutcomeBins::Quantiles(BINS), TLearner::new(Landmarks));
        let effect = library.params(|p| params(p, 200)).fit(&data, seed).unwrap();
        let test = gaussian(TEST_ROWS, seed.child("test"));
        let truth = test.map_axis(Axis(1), |x| (design.effect)(x[0], x[1]));
        let theirs = pehe(crate::cate::Effect::at(&effect, test.view().into()).unwrap().view(), truth.view());
        let ours = compare(&design, n, false, seed).unwrap().of(Seen::ArmOutcome);
        assert!((ours - theirs.unwrap()).abs() < 1e-9, "{ours}");
    }
}

//! The theorems as numbers that are zero, up to rounding, if and only if they are right: the largest over many worlds.

use super::{FoldLaw, Limit, Strata, World, pairs};
use crate::ebm::{DirectionLaw, Directions, EbmError};
use crate::seed::Seed;
use crate::theory::density::{Grid, log_densities};
use crate::theory::identifiability::{constant_gap, recover_from_any};
use ndarray::{Array1, Array2, ArrayView2, Axis};
use ndarray_rand::RandomExt;
use rand_distr::StandardNormal;

/// The values of the outcome, not equally spaced.
const VALUES: [f64; 3] = [0.0, 1.0, 3.0];
/// A bin for each value.
const BINS: [usize; 3] = [0, 1, 2];

/// What is measured on: worlds, folds, and what is made of the model's limit.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    /// How worlds are drawn.
    pub world: fn(&[f64], Seed) -> World,
    /// Which rows train which density.
    pub law: FoldLaw<'static>,
    /// Whether the statistic is all of f, B1 included.
    pub keep_b1: bool,
    /// Whether equal shares are taken for those of the folds.
    pub equal_shares: bool,
    /// Whether B belongs to another model when f is made from its densities.
    pub learned_b: bool,
    /// The largest energy that a model can have.
    pub bound: f64,
}

impl Default for Setting {
    /// Folds by arm and outcome, f modulo B1, and the constants from the shares of the folds.
    fn default() -> Self {
        let law = FoldLaw::ArmOutcome(&BINS);
        let bound = f64::INFINITY;
        Self { world: pairs, law, keep_b1: false, equal_shares: false, learned_b: false, bound }
    }
}

/// The largest errors over the worlds, and the least that the statistic merges.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Found {
    /// How far f, made from its densities, is from f up to a constant (Proposition 3.3).
    pub identified: f64,
    /// How far apart the statistic is at points with one P(a, s | x).
    pub twins: f64,
    /// Error of P(a, s | x) from the statistic and the shares; none where the folds are not as many.
    pub recovered: Option<f64>,
    /// Error of π(x) from the same.
    pub propensity: Option<f64>,
    /// Error of E[P(a, s | X) | statistic], the best that any function of it can do.
    pub best: f64,
    /// [`Strata::imbalance`].
    pub imbalance: f64,
    /// [`Strata::not_ignorable`].
    pub not_ignorable: f64,
    /// Error of E[Y | A, statistic] against E[Y | A, X].
    pub means: f64,
    /// [`Strata::errors`]: max |τ_f − τ|, its bias by confounding, and what is lost.
    pub effects: [f64; 3],
    /// Fewest points that share their stratum with an earlier one. With none the certificate is empty.
    pub merged: f64,
}

impl Setting {
    /// The largest over so many worlds.
    ///
    /// ```
    /// use ebmbook::{seed::Seed, theory::mended::{FoldLaw, Setting}};
    /// let mended = Setting::default().measure(20, Seed::new(1))?;
    /// assert!(mended.effects[0] < 1e-12 && mended.merged >= 3.0);
    /// let random = Setting { law: FoldLaw::Random(6), ..Setting::default() }.measure(20, Seed::new(1))?;
    /// assert!(random.effects[0] > 0.1);
    /// # Ok::<(), ebmbook::ebm::EbmError>(())
    /// ```
    pub fn measure(&self, worlds: usize, seed: Seed) -> Result<Found, EbmError> {
        let first = self.one(seed.index(0))?;
        (1..worlds).try_fold(first, |worst, i| Ok(worst.and(self.one(seed.index(i))?)))
    }

    /// P(a, s | x) at each point and fold of the first world, with what the limit makes of it.
    pub fn first_world(&self, seed: Seed) -> Result<(Array2<f64>, Array2<f64>), EbmError> {
        let seed = seed.index(0);
        let (world, _, limit) = self.limit(seed)?;
        Ok((world.joint().clone(), self.recover(&limit)))
    }

    fn limit(&self, seed: Seed) -> Result<(World, Directions, Limit), EbmError> {
        let world = (self.world)(&VALUES, seed.child("world"));
        let k = self.law.probabilities(&world).ncols();
        let b = Directions::new(DirectionLaw::Haar, k, seed.child("directions"))?;
        // What training leaves open.
        let open = Array1::<f64>::random_using(k, StandardNormal, &mut seed.child("constants").rng());
        let limit = Limit::new(&world, self.law, &b, open.view(), self.bound);
        Ok((world, b, limit))
    }

    fn recover(&self, limit: &Limit) -> Array2<f64> {
        let k = limit.shares.len();
        let equal = Array1::from_elem(k, 1.0 / k as f64);
        limit.with_shares(if self.equal_shares { equal.view() } else { limit.shares.view() })
    }

    fn one(&self, seed: Seed) -> Result<Found, EbmError> {
        let (world, b, limit) = self.limit(seed)?;
        let joint = world.joint();
        let statistic = if self.keep_b1 { limit.f.view() } else { limit.modulo_b1.view() };
        let strata = Strata::of(statistic, &world);
        let recovered = (limit.shares.len() == joint.ncols()).then(|| self.recover(&limit));
        let treated = |p: &Array2<f64>| p.slice(ndarray::s![.., VALUES.len()..]).sum_axis(Axis(1));
        // Every point is a stratum: E[Y | A, X].
        let each = Array2::from_shape_fn((world.points(), 1), |(x, _)| x as f64);
        let means = Strata::of(each.view(), &world).means();
        Ok(Found {
            identified: self.identified(&limit, &b, seed)?,
            twins: twins(statistic, &world),
            recovered: recovered.as_ref().map(|p| largest((p - joint).iter())),
            propensity: recovered.as_ref().map(|p| largest((treated(p) - treated(joint)).iter())),
            best: largest((strata.mean(joint.view()) - joint).iter()),
            imbalance: strata.imbalance(),
            not_ignorable: strata.not_ignorable(),
            means: largest((strata.means() - means).iter()),
            effects: strata.errors(),
            merged: (world.points() - strata.len()) as f64,
        })
    }

    fn identified(&self, limit: &Limit, b: &Directions, seed: Seed) -> Result<f64, EbmError> {
        let points = Grid::finite(Array2::zeros((limit.f.nrows(), 1)));
        // Equation (3): the density of each β_j, which knows no constant
        let log_p = log_densities(&points, limit.f.view(), b.matrix());
        let other = Directions::new(DirectionLaw::Haar, b.k(), seed.child("another model"))?;
        let with = if self.learned_b { other.matrix() } else { b.matrix() };
        Ok(constant_gap(recover_from_any(log_p.view(), with).view(), limit.f.view()))
    }
}

impl Found {
    fn and(self, other: Self) -> Self {
        let either = |a: Option<f64>, b: Option<f64>| Some(a?.max(b?));
        let effects = [0, 1, 2].map(|i| self.effects[i].max(other.effects[i]));
        Self {
            identified: self.identified.max(other.identified),
            twins: self.twins.max(other.twins),
            recovered: either(self.recovered, other.recovered),
            propensity: either(self.propensity, other.propensity),
            best: self.best.max(other.best),
            imbalance: self.imbalance.max(other.imbalance),
            not_ignorable: self.not_ignorable.max(other.not_ignorable),
            means: self.means.max(other.means),
            effects,
            merged: self.merged.min(other.merged),
        }
    }
}

/// NaN if there is one: an error that is no number is not small.
fn largest<'a>(errors: impl Iterator<Item = &'a f64>) -> f64 {
    errors.fold(0.0, |worst: f64, e| if e.is_nan() { f64::NAN } else { worst.max(e.abs()) })
}

/// The largest distance of a statistic between points with one P(a, s | x).
fn twins(statistic: ArrayView2<f64>, world: &World) -> f64 {
    let gap = |of: ArrayView2<f64>, x: usize, y: usize| largest((&of.row(x) - &of.row(y)).iter());
    let pairs = (0..world.points()).flat_map(|x| (0..x).map(move |y| (x, y)));
    let equal = pairs.filter(|(x, y)| gap(world.joint().view(), *x, *y) < 1e-12);
    equal.fold(0.0, |worst, (x, y)| worst.max(gap(statistic, x, y)))
}

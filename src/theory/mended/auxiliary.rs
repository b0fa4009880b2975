//! Arm and outcome bin as the *auxiliary variable* u of ICE-BeeM and iVAE.
//!
//! Their model is p(x | u) ∝ m(x)·exp(−g(x)ᵀλ(u)) with both g and λ learned. Ours has u = j, λ(j) = β_j known, and with f
//! modulo B1 in the place of f a base measure m that all j share (it holds log p_X).
//!
//! | condition | who needs it | here |
//! |---|---|---|
//! | λ(u) − λ(u₀) span all coordinates of g, so u has at least one value more than g has coordinates | ICE-BeeM (weak), iVAE | k values: fails for the k coordinates of f, by the one direction B1; holds for the k − 1 of f modulo B1, with no value to spare ([`variability`]) |
//! | the densities differ as much as that | anything that learns from u | fails with random folds, where they are equal ([`density_rank`]) |
//! | non-negative features, or features with their squares and twice as many values of u | ICE-BeeM (strong) | k values for k − 1 coordinates: not with squares; not needed |
//! | the Jacobian of g has full rank | ICE-BeeM | for a ReLU network a matter of its weights; not needed |
//! | coordinates of g independent given u | iVAE | fails: they are log-odds of the same x ([`dependence`]) |
//! | x ↦ g(x) one to one | iVAE | fails on purpose: points that differ in p_X alone are merged ([`Strata`](super::Strata)) |
//! | λ known | ours | by construction: B is fixed |
//!
//! What their theorems would then give: weak identifiability, f modulo B1 up to an affine map, because they learn λ as
//! well. With B known the map is a constant, and no condition on the architecture is needed. What u means, and so what f
//! modulo B1 holds, P(a, s | x), neither theory says; that is Bayes' rule.

use super::{FoldLaw, Limit, World};
use crate::linalg::thin_svd;
use ndarray::{Array2, ArrayView2, Axis};

/// Singular values below this share of the largest are zeros up to rounding.
const ZERO: f64 = 1e-10;

/// How much of a representation the values of u move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Variability {
    /// Coordinates of the representation.
    pub coordinates: usize,
    /// Rank of the differences λ(u) − λ(u₀).
    pub rank: usize,
}

impl Variability {
    /// Coordinates that no difference reaches.
    pub fn short(&self) -> usize {
        self.coordinates - self.rank
    }
}

/// The variability of natural parameters, one value of u per column.
///
/// ```
/// use ebmbook::{ebm::{DirectionLaw, Directions}, seed::Seed, theory::mended::auxiliary::variability};
/// let b = Directions::new(DirectionLaw::Haar, 6, Seed::new(1))?;
/// assert_eq!(variability(b.matrix()).short(), 1, "six values move five of the six coordinates of f");
/// let modulo = b.modulo_b1().t().dot(&b.matrix());
/// assert_eq!(variability(modulo.view()).short(), 0, "and all five of f modulo B1");
/// # Ok::<(), ebmbook::ebm::EbmError>(())
/// ```
pub fn variability(parameters: ArrayView2<f64>) -> Variability {
    let first = parameters.column(0).insert_axis(Axis(1));
    let differences = &parameters.slice(ndarray::s![.., 1..]) - &first;
    Variability { coordinates: parameters.nrows(), rank: rank(differences.view(), 1.0) }
}

/// The rank of log p(x | j) − log p(x | 0), without what does not depend on x: how many contrasts of the densities the folds
/// of a law make.
pub fn density_rank(limit: &Limit) -> usize {
    let e = &limit.energies;
    let contrasts = &e.slice(ndarray::s![.., 1..]) - &e.column(0).insert_axis(Axis(1));
    let centred = &contrasts - &contrasts.mean_axis(Axis(0)).expect("there are points");
    // Energies of size one: a matrix of rounding errors has rank 0.
    rank(centred.view(), 1.0)
}

/// Singular values above the rounding level of the largest, or of a given size.
fn rank(a: ArrayView2<f64>, size: f64) -> usize {
    let (_, s, _) = thin_svd(a);
    s.iter().filter(|v| **v > ZERO * size.max(s[0])).count()
}

/// The largest |corr| of two coordinates of f modulo B1 among the units of one fold: 0 if they were independent given u.
pub fn dependence(world: &World, law: FoldLaw, limit: &Limit) -> f64 {
    let g = &limit.modulo_b1;
    let mut largest = 0.0_f64;
    for of_fold in law.probabilities(world).columns() {
        // p(x | fold) ∝ P(fold | x) p_X(x)
        let mass = &of_fold * world.p_x() / of_fold.dot(world.p_x());
        let centred: Array2<f64> = g - &mass.dot(g);
        let covariance = centred.t().dot(&(&centred * &mass.insert_axis(Axis(1))));
        for (a, b) in (0..g.ncols()).flat_map(|a| (0..a).map(move |b| (a, b))) {
            let scale = (covariance[[a, a]] * covariance[[b, b]]).sqrt();
            largest = largest.max((covariance[[a, b]] / scale).abs());
        }
    }
    largest
}

//! What a fold law makes of the model in the limit.
//!
//! Density j tends to p(x | fold j) = P(j | x) p_X(x) / P(j), so with e = Bᵀf
//!
//! ```text
//! e_j(x) = −log p_X(x) − log P(j | x) + c_j
//! ```

use super::World;
use crate::ebm::{Directions, constants_of_shares, probabilities_of_energies};
use ndarray::{Array1, Array2, ArrayView1, Axis};

/// Which rows train which density.
#[derive(Clone, Copy, Debug)]
pub enum FoldLaw<'a> {
    /// At random, k folds: what the paper does.
    Random(usize),
    /// By arm.
    Arm,
    /// By outcome: value number y is in bin `0[y]`.
    Outcome(&'a [usize]),
    /// By arm and outcome.
    ArmOutcome(&'a [usize]),
}

impl FoldLaw<'_> {
    /// P(j | x), points × k. By arm and outcome, column a·S + s is arm a and bin s.
    pub fn probabilities(&self, world: &World) -> Array2<f64> {
        let m = world.values().len();
        let (k, fold): (usize, Box<dyn Fn(usize, usize) -> usize + '_>) = match *self {
            Self::Random(k) => return Array2::from_elem((world.points(), k), 1.0 / k as f64),
            Self::Arm => (2, Box::new(|a, _| a)),
            Self::Outcome(bins) => (count(bins), Box::new(|_, y| bins[y])),
            Self::ArmOutcome(bins) => (2 * count(bins), Box::new(|a, y| a * count(bins) + bins[y])),
        };
        let mut p = Array2::zeros((world.points(), k));
        for (column, cells) in world.joint().columns().into_iter().enumerate() {
            let j = fold(column / m, column % m);
            p.column_mut(j).scaled_add(1.0, &cells);
        }
        p
    }
}

fn count(bins: &[usize]) -> usize {
    bins.iter().max().map_or(0, |s| s + 1)
}

/// The limit of a model on a world.
#[derive(Clone, Debug)]
pub struct Limit {
    /// e = Bᵀf, points × k.
    pub energies: Array2<f64>,
    /// f = Be, points × k.
    pub f: Array2<f64>,
    /// f modulo B1, points × (k − 1).
    pub modulo_b1: Array2<f64>,
    /// P(j), the share of each fold.
    pub shares: Array1<f64>,
    contrasts: Array2<f64>,
    p_x: Array1<f64>,
}

impl Limit {
    /// The limit under a fold law. The densities leave the constants c_j open: they are what is given here.
    ///
    /// ```
    /// use ebmbook::{ebm::{DirectionLaw, Directions}, seed::Seed, theory::mended::{FoldLaw, Limit, pairs}};
    /// use ndarray::array;
    /// let world = pairs(&[0.0, 1.0], Seed::new(1));
    /// let b = Directions::new(DirectionLaw::Haar, 4, Seed::new(2))?;
    /// let law = FoldLaw::ArmOutcome(&[0, 1]);
    /// let limit = Limit::new(&world, law, &b, array![3.0, -1.0, 0.0, 2.0].view(), f64::INFINITY);
    /// let off = limit.fold_probabilities() - law.probabilities(&world);
    /// assert!(off.iter().all(|d| d.abs() < 1e-12), "P(a, s | x) from f modulo B1 and the shares alone");
    /// # Ok::<(), ebmbook::ebm::EbmError>(())
    /// ```
    ///
    /// Energies are kept below `bound`: a network cannot say infinity where P(j | x) = 0.
    ///
    /// # Panics
    /// If B and the constants are not of the law's k.
    pub fn new(world: &World, law: FoldLaw, b: &Directions, open: ArrayView1<f64>, bound: f64) -> Self {
        let p = law.probabilities(world);
        let shares = p.t().dot(world.p_x());
        // e_j(x) = −log p(x | fold j),  p(x | fold j) = P(j | x) p_X(x) / P(j)
        let density = &p * &world.p_x().view().insert_axis(Axis(1)) / &shares;
        let energies = density.mapv(|p| (-p.ln()).min(bound)) + open;
        // Bᵀf = e, and B is orthogonal
        let f = energies.dot(&b.matrix().t());
        let modulo_b1 = f.dot(&b.modulo_b1());
        let contrasts = b.matrix().t().dot(&b.modulo_b1());
        Self { energies, f, modulo_b1, shares, contrasts, p_x: world.p_x().clone() }
    }

    /// P(j | x) from f modulo B1 and the shares: exp(−e_j + c_j) over its sum, with the c_j for which E[P(j | X)] = P(j).
    pub fn fold_probabilities(&self) -> Array2<f64> {
        self.with_shares(self.shares.view())
    }

    /// What comes of it if other numbers are taken for the shares.
    pub fn with_shares(&self, shares: ArrayView1<f64>) -> Array2<f64> {
        // e − mean e = H Hᵀ Bᵀ f: a common part of all energies would cancel anyway
        let energies = self.modulo_b1.dot(&self.contrasts.t());
        let constants = constants_of_shares(energies.view(), self.p_x.view(), shares);
        probabilities_of_energies(energies.view(), constants.view())
    }
}

//! A bounded outcome in bins of width h: |τ_f − τ| ≤ 2h, and 2h is approached.
//!
//! The outcome is continuous on [0, 1] up to its discretisation: C values in each of S bins of width h = 1/S.

use super::{Atom, FoldLaw, Limit, Strata, World};
use crate::ebm::{DirectionLaw, Directions, EbmError};
use crate::seed::Seed;
use crate::theory::lemma::uniform_simplex;
use ndarray::Array1;
use rand::Rng;

/// C, the values in a bin.
const CELLS: usize = 200;
/// Pairs of points that share P(a, s | x) and differ within bins.
const PAIRS: usize = 4;

/// A world with an outcome in bins.
#[derive(Clone, Debug)]
pub struct Binned {
    /// The world.
    pub world: World,
    /// The bin of each value.
    pub bins: Vec<usize>,
    /// h, the width of the bins.
    pub width: f64,
}

impl Binned {
    /// A random world: points in pairs that share P(a, s | x), two pairs to a propensity; where in a bin the outcome lies is
    /// drawn for each point and arm anew.
    pub fn random(bins: usize, seed: Seed) -> Self {
        let masses = uniform_simplex(2 * PAIRS, seed.child("masses"));
        let atom = |point: usize| {
            let shared = seed.child("shared").index(point / 2);
            let place = |a: usize, s: usize| -> usize {
                seed.child("place").index(point).index(a).index(s).rng().random_range(0..CELLS)
            };
            let law = |a: usize| {
                let of_bins = uniform_simplex(bins, shared.index(a));
                placed(&of_bins, |s| place(a, s))
            };
            let propensity = 0.1 + 0.8 * seed.child("propensity").index(point / 4).rng().random::<f64>();
            Atom { point, mass: masses[point], propensity, outcome: [law(0), law(1)] }
        };
        Self::of(bins, (0..2 * PAIRS).map(atom).collect())
    }

    /// The world that comes near 2h: at a rare point the treated lie at the top of their bins and the others at the bottom,
    /// at a common one it is the other way round. f cannot tell the two apart and takes the rare point for the common one.
    ///
    /// ```
    /// use ebmbook::theory::mended::Binned;
    /// let sharp = Binned::sharp(4, 0.01).error()?;
    /// assert!(sharp <= 2.0 * 0.25 && sharp > 0.98 * 2.0 * 0.25);
    /// # Ok::<(), ebmbook::ebm::EbmError>(())
    /// ```
    pub fn sharp(bins: usize, rare: f64) -> Self {
        let even = Array1::from_elem(bins, 1.0 / bins as f64);
        let [top, bottom] = [CELLS - 1, 0].map(|cell| placed(&even, |_| cell));
        let atom = |point, mass, outcome| Atom { point, mass, propensity: 0.5, outcome };
        let rarely = atom(0, rare, [bottom.clone(), top.clone()]);
        Self::of(bins, vec![rarely, atom(1, 1.0 - rare, [top, bottom])])
    }

    /// This world with an outcome that goes `far` times as far in its outer bins, as quantile bins let it.
    pub fn with_wide_outer_bins(self, far: f64) -> Self {
        let last = 1.0 - self.width;
        let wide = self.world.values().mapv(|y| match y {
            y if y < self.width => self.width - (self.width - y) * far,
            y if y >= last => last + (y - last) * far,
            y => y,
        });
        Self { world: World::new(wide, self.world.atoms().to_vec()), ..self }
    }

    fn of(bins: usize, atoms: Vec<Atom>) -> Self {
        let m = bins * CELLS;
        let values = Array1::from_shape_fn(m, |y| y as f64 / m as f64);
        let of_value = (0..m).map(|y| y / CELLS).collect();
        Self { world: World::new(values, atoms), bins: of_value, width: 1.0 / bins as f64 }
    }

    /// max |τ_f − τ| on f modulo B1 with folds by arm and outcome bin.
    pub fn error(&self) -> Result<f64, EbmError> {
        self.error_of(FoldLaw::ArmOutcome(&self.bins))
    }

    /// max |τ_f − τ| on f modulo B1 with other folds.
    pub fn error_of(&self, law: FoldLaw) -> Result<f64, EbmError> {
        let k = law.probabilities(&self.world).ncols();
        let b = Directions::new(DirectionLaw::Haar, k, Seed::new(k as u64))?;
        let limit = Limit::new(&self.world, law, &b, Array1::zeros(k).view(), f64::INFINITY);
        Ok(Strata::of(limit.modulo_b1.view(), &self.world).errors()[0])
    }
}

/// A law with these masses in the bins, each at one cell of its bin.
fn placed(of_bins: &Array1<f64>, cell: impl Fn(usize) -> usize) -> Array1<f64> {
    let mut law = Array1::zeros(of_bins.len() * CELLS);
    for (s, p) in of_bins.iter().enumerate() {
        law[s * CELLS + cell(s)] = *p;
    }
    law
}

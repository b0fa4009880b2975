//! What the energies β_jᵀf converge to, fold by fold, and how far a run is from it.
//!
//! The rows of fold j are draws from a density p_j, and Proposition 4.1 applied to them alone says
//! p_{θ,j} → p_j, that is β_jᵀf → −log p_j + c_j. Three kinds of folds, three limits:
//!
//! * **Random.** Every fold is a sample of X: p_j = p_X for all j, all energies agree, rank one.
//! * **Soft.** Row x goes to fold j with probability w_j(x) > 0. By Bayes p_j(x) = w_j(x) p_X(x) / P(j),
//!   and P(j) goes into the constant:
//!
//!   ```text
//!   β_jᵀf → −log(w_j p_X) + c_j,      f → −log p_X · B1 − B (log w_1, …, log w_k)ᵀ + c
//!   ```
//!
//!   The k functions log w_j are as different as the folds are; where the k energies and the constant 1
//!   are linearly independent (the constant, because energies are known up to one) the limit has rank k.
//! * **Hard** (k-means cells). w_j is 1 inside cell j and 0 outside: the limit is −log p_X inside, and
//!   outside there is none, because −log 0 = ∞: the energy grows for as long as training goes on.
//!
//! B is orthogonal, so distances between energies are distances between representations:
//! Σ_j (β_jᵀf − β_jᵀg)² = ‖f − g‖².

use super::{Run, log_density};
use crate::ebm::{EbmError, Folds, soft_weights};
use crate::kmeans::Clusters;
use crate::metrics::correlation;
use ndarray::{Array1, Array2, ArrayView2, Axis};

/// The sup distance is taken over the smallest set that has this share of the test rows: the
/// proposition speaks of a compact X, and this is one.
const CORE: f64 = 0.95;

/// The limit of β_jᵀf at each row, up to a constant for each j; rows × k. Infinite outside a cell.
///
/// ```
/// use ebmbook::{ebm::Folds, theory::mixture::{log_density, limits::energies}};
/// use ndarray::array;
/// let x = array![[2.0, 0.0], [0.0, 0.0]];
/// let limit = energies(&Folds::Random, x.view(), None, 3)?;
/// assert_eq!(limit.row(0), ndarray::Array1::from_elem(3, -log_density(x.view())[0]));
/// # Ok::<(), ebmbook::ebm::EbmError>(())
/// ```
pub fn energies(
    folds: &Folds,
    x: ArrayView2<f64>,
    centres: Option<ArrayView2<f64>>,
    k: usize,
) -> Result<Array2<f64>, EbmError> {
    let log_p = log_density(x);
    let known = |rule| centres.ok_or_else(|| EbmError::parameter("centres of the folds", "none", rule));
    match folds {
        Folds::Random | Folds::All => Ok(Array2::from_shape_fn((x.nrows(), k), |(i, _)| -log_p[i])),
        Folds::Soft { temperature } => {
            let w = soft_weights(x, known("must be given for soft folds")?, *temperature)?;
            // −log(w_j p_X)
            Ok(Array2::from_shape_fn(w.dim(), |(i, j)| -w[[i, j]].ln() - log_p[i]))
        }
        Folds::KMeans => {
            let clusters = Clusters::around(x, known("must be given for k-means folds")?.to_owned())?;
            let cell = clusters.labels();
            let energy = |(i, j)| if cell[i] == j { -log_p[i] } else { f64::INFINITY };
            Ok(Array2::from_shape_fn((x.nrows(), k), energy))
        }
        Folds::Given(_) => {
            Err(EbmError::parameter("folds", "given", "must follow a law for a limit to be known"))
        }
    }
}

/// How far a representation is from its limit, up to a constant.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct Distance {
    /// √E‖f − f_0 − c‖², the mean being over the rows.
    pub l2: f64,
    /// max_j sup_x |log p_{θ,j}(x) − log p_j(x) − c_j| over the rows of highest density.
    pub sup: f64,
}

/// Distance of energies from a finite limit, both rows × k, at the rows x.
///
/// ```
/// use ebmbook::{ebm::Folds, seed::Seed, theory::mixture::{sample, limits::{distance, energies}}};
/// let x = sample(100, Seed::new(1));
/// let limit = energies(&Folds::Random, x.view(), None, 2)?;
/// // A constant is not identified; anything else counts.
/// assert!(distance((&limit + 3.0).view(), limit.view(), x.view()).l2 < 1e-12);
/// assert!(distance((&limit * 2.0).view(), limit.view(), x.view()).l2 > 1.0);
/// # Ok::<(), ebmbook::ebm::EbmError>(())
/// ```
///
/// # Panics
/// If there are no rows.
pub fn distance(energies: ArrayView2<f64>, limit: ArrayView2<f64>, x: ArrayView2<f64>) -> Distance {
    let difference = &energies - &limit;
    let mean = difference.mean_axis(Axis(0)).expect("there are rows");
    let difference = difference - &mean;
    let log_p = log_density(x);
    let mut sorted = log_p.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let threshold = sorted[((1.0 - CORE) * sorted.len() as f64) as usize];
    let core = difference.rows().into_iter().zip(&log_p).filter(|(_, l)| **l >= threshold);
    Distance {
        l2: (difference.mapv(|d| d * d).sum() / x.nrows() as f64).sqrt(),
        sup: core.flat_map(|(row, _)| row.to_vec()).fold(0.0, |m, d: f64| m.max(d.abs())),
    }
}

/// What hard folds do on either side of the border of a cell, averaged over the k cells.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct Cells {
    /// corr(β_jᵀf, −log p_X) among the rows of cell j: 1 in the limit.
    pub inside: f64,
    /// √E[(β_jᵀf + log p_X − c_j)² | inside cell j], c_j the mean there: 0 in the limit.
    pub l2: f64,
    /// E[β_jᵀf + log p_X | outside cell j] − E[β_jᵀf + log p_X | inside]: 0 if the energy followed
    /// −log p_X everywhere, and without bound for hard folds.
    pub across: f64,
}

/// Both sides of the borders of a run with k-means folds, at the rows x.
pub fn cells(run: &Run, x: ArrayView2<f64>) -> Result<Cells, EbmError> {
    let limit = energies(&Folds::KMeans, x, run.centres.as_ref().map(|c| c.view()), run.energies.ncols())?;
    Ok(sides(run.energies.view(), limit.map(|l| l.is_finite()).view(), x))
}

/// Both sides of the borders of given cells (rows × k, whether row i lies in cell j).
pub fn sides(energies: ArrayView2<f64>, cell: ArrayView2<bool>, x: ArrayView2<f64>) -> Cells {
    let log_p = log_density(x);
    let k = energies.ncols() as f64;
    let (mut inside, mut l2, mut across) = (0.0, 0.0, 0.0);
    for (energy, cell) in energies.columns().into_iter().zip(cell.columns()) {
        let part = |member: bool, v: &Array1<f64>| -> Array1<f64> {
            v.iter().zip(cell).filter(|(_, c)| **c == member).map(|(v, _)| *v).collect()
        };
        let energy = energy.to_owned();
        let (own, own_log_p) = (part(true, &energy), part(true, &log_p));
        inside += correlation(own.view(), (-&own_log_p).view()) / k;
        // β_jᵀf + log p_X
        let excess = |member| part(member, &energy) + part(member, &log_p);
        let (own, other) = (excess(true), excess(false));
        l2 += own.std(0.0) / k;
        across += (other.mean().unwrap_or(f64::NAN) - own.mean().unwrap_or(f64::NAN)) / k;
    }
    Cells { inside, l2, across }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::shape;
    use crate::seed::Seed;
    use crate::theory::mixture::sample;
    use ndarray::array;

    #[test]
    fn the_limit_of_soft_folds_normalises_to_the_density_of_the_fold() {
        use crate::theory::density::Grid;
        // ∫ w_j p_X over the plane, summed over j, is one: the w_j sum to 1.
        let grid = Grid::quadrature(2, -6.0, 6.0, 12);
        let centres = array![[2.0, 0.0], [-1.0, 1.7], [-1.0, -1.7]];
        let folds = Folds::Soft { temperature: 1.0 };
        let limit = energies(&folds, grid.points.view(), Some(centres.view()), 3).unwrap();
        let mass: f64 =
            limit.columns().into_iter().map(|e| grid.integrate(e.mapv(|e| (-e).exp()).view())).sum();
        // Mass beyond the box: more than 6.6 standard deviations away.
        assert!((mass - 1.0).abs() < 1e-8, "{mass}");
    }

    #[test]
    fn soft_folds_have_a_limit_of_higher_rank_and_random_folds_of_rank_one() {
        let x = sample(2000, Seed::new(1));
        let centres = array![[2.0, 0.0], [-1.0, 1.7], [-1.0, -1.7], [0.0, 0.0], [3.0, 3.0]];
        let rank = |folds| {
            shape(energies(&folds, x.view(), Some(centres.view()), 5).unwrap().view()).unwrap().effective_rank
        };
        assert!((rank(Folds::Random) - 1.0).abs() < 1e-9);
        assert!(rank(Folds::Soft { temperature: 1.0 }) > 2.0);
    }

    #[test]
    fn a_border_shows_only_where_the_energy_jumps() {
        let x = sample(1000, Seed::new(2));
        let centres = array![[2.0, 0.0], [-1.0, 1.7], [-1.0, -1.7]];
        let flat = energies(&Folds::Random, x.view(), None, 3).unwrap();
        let cell =
            energies(&Folds::KMeans, x.view(), Some(centres.view()), 3).unwrap().map(|e| e.is_finite());
        let none = sides(flat.view(), cell.view(), x.view());
        assert!(
            (none.inside - 1.0).abs() < 1e-12 && none.l2 < 1e-12 && none.across.abs() < 1e-12,
            "{none:?}"
        );
        let wall = &flat + &cell.map(|c| if *c { 0.0 } else { 7.0 });
        assert!((sides(wall.view(), cell.view(), x.view()).across - 7.0).abs() < 1e-9);
    }
}

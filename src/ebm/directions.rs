//! The fixed random directions. In: k and a law. Out: B = (β_1 … β_k), orthogonal, β_j in
//! column j.
//!
//! The paper takes "the matrix of eigenvectors" of a Gaussian matrix B_0. A Gaussian matrix is not
//! symmetric, and its eigenvectors are in general neither real nor orthogonal ([`literal_reading`]
//! measures it). Three constructions that do work are [`DirectionLaw`]s.
//!
//! In the limit f = −log p_X · B1 + c, so (B1)_i scales coordinate i: where it is near 0 the
//! coordinate carries nothing ([`Directions::limit_scale`]).

use super::EbmError;
use crate::linalg::{symmetric_eigen, to_faer};
use crate::seed::Seed;
use ndarray::{Array1, Array2, ArrayView1, ArrayView2};
use ndarray_rand::RandomExt;
use rand_distr::StandardNormal;
use std::collections::BTreeMap;
use strum::{Display, EnumIter, EnumString, VariantNames};

/// How B is made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[derive(Display, EnumIter, EnumString, VariantNames)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case", parse_err_ty = EbmError, parse_err_fn = unknown)]
pub enum DirectionLaw {
    /// Q of the QR decomposition of a Gaussian matrix, signs fixed so that R has a positive
    /// diagonal: exactly Haar, every rotation alike.
    #[default]
    Haar,
    /// Eigenvectors of the symmetric matrix that has the lower triangle of a Gaussian matrix:
    /// what an eigen-solver that reads one triangle makes of the paper's sentence.
    SymmetricEigen,
    /// The authors' own B for this k. Eigenvector signs are the solver's choice, so it cannot be
    /// regenerated, only read.
    Authors,
}

fn unknown(text: &str) -> EbmError {
    EbmError::parameter("directions", text, "must be `haar`, `symmetric-eigen` or `authors`")
}

/// An orthogonal k × k matrix whose columns are the directions β_j.
///
/// ```
/// use ebmbook::{ebm::{DirectionLaw, Directions}, seed::Seed};
/// let b = Directions::new(DirectionLaw::Haar, 5, Seed::new(1))?;
/// assert!(b.orthogonality_error() < 1e-12);
///
/// // Two coordinates of the authors' B at k = 10 vanish in the limit.
/// let authors = Directions::new(DirectionLaw::Authors, 10, Seed::new(1))?;
/// assert_eq!(authors.limit_scale().iter().filter(|s| s.abs() < 0.002).count(), 2);
/// # Ok::<(), ebmbook::ebm::EbmError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Directions(Array2<f64>);

impl Directions {
    /// B of the given law.
    pub fn new(law: DirectionLaw, k: usize, seed: Seed) -> Result<Self, EbmError> {
        if k == 0 {
            return Err(EbmError::parameter("representation size k", k, "must be at least 1"));
        }
        match law {
            DirectionLaw::Haar => Ok(Self(haar(k, seed))),
            // Only the lower triangle is read.
            DirectionLaw::SymmetricEigen => Ok(Self(symmetric_eigen(gaussian(k, seed).view()).1)),
            DirectionLaw::Authors => authors(k),
        }
    }

    /// Any matrix whose columns are orthonormal to 1e-10.
    pub fn from_matrix(b: Array2<f64>) -> Result<Self, EbmError> {
        if b.nrows() != b.ncols() || b.is_empty() {
            let shape = format!("{} × {}", b.nrows(), b.ncols());
            return Err(EbmError::parameter("matrix of directions", shape, "must be square"));
        }
        let directions = Self(b);
        let error = directions.orthogonality_error();
        if error.is_nan() || error > 1e-10 {
            return Err(EbmError::parameter(
                "|BᵀB − I|",
                error,
                "must be at most 1e-10 (columns orthonormal)",
            ));
        }
        Ok(directions)
    }

    /// The matrix; β_j is column j.
    pub fn matrix(&self) -> ArrayView2<'_, f64> {
        self.0.view()
    }

    /// β_j.
    pub fn beta(&self, j: usize) -> ArrayView1<'_, f64> {
        self.0.column(j)
    }

    /// k.
    pub fn k(&self) -> usize {
        self.0.ncols()
    }

    /// max |BᵀB − I|.
    pub fn orthogonality_error(&self) -> f64 {
        let gram = self.0.t().dot(&self.0) - Array2::<f64>::eye(self.k());
        gram.iter().fold(0.0, |worst, v| if v.is_nan() { f64::NAN } else { v.abs().max(worst) })
    }

    /// B·H, k × (k − 1): an orthonormal basis of what is orthogonal to B1, the same for every run that shares B. H is
    /// Helmert's matrix, whose columns are orthonormal contrasts.
    ///
    /// ```
    /// use ebmbook::{ebm::{DirectionLaw, Directions}, seed::Seed};
    /// let b = Directions::new(DirectionLaw::Haar, 4, Seed::new(1))?;
    /// let along = b.limit_scale().dot(&b.modulo_b1());
    /// assert!(along.iter().all(|v| v.abs() < 1e-12), "B1 is projected out");
    /// # Ok::<(), ebmbook::ebm::EbmError>(())
    /// ```
    pub fn modulo_b1(&self) -> Array2<f64> {
        self.0.dot(&helmert(self.k()))
    }

    /// (B1)_i: the scale of coordinate i in the limit f = −log p_X · B1 + c. Where it is near 0,
    /// what coordinate i shows is estimation error.
    pub fn limit_scale(&self) -> Array1<f64> {
        self.0.sum_axis(ndarray::Axis(1))
    }

    /// How many coordinates carry the limit: those whose |(B1)_i| is at least a tenth of the largest.
    /// The limit moves any other coordinate with less than a hundredth of the largest variance.
    ///
    /// ```
    /// use ebmbook::{ebm::{DirectionLaw, Directions}, seed::Seed};
    /// let authors = Directions::new(DirectionLaw::Authors, 10, Seed::new(1))?;
    /// assert_eq!(authors.limit_carriers(), 6);
    /// # Ok::<(), ebmbook::ebm::EbmError>(())
    /// ```
    pub fn limit_carriers(&self) -> usize {
        let scale = self.limit_scale().mapv(f64::abs);
        let largest = scale.iter().copied().fold(0.0, f64::max);
        scale.iter().filter(|s| **s >= 0.1 * largest).count()
    }
}

/// What the eigenvectors of a Gaussian matrix that is not symmetric look like.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct LiteralReading {
    /// How many of the k eigenvectors are not real.
    pub complex: usize,
    /// max |VᴴV − I| over the normalised eigenvectors.
    pub orthogonality_error: f64,
}

/// The paper's sentence taken literally.
///
/// ```
/// use ebmbook::{ebm::literal_reading, seed::Seed};
/// let found = literal_reading(10, Seed::new(1));
/// assert!(found.orthogonality_error > 0.01, "not orthogonal: {found:?}");
/// ```
pub fn literal_reading(k: usize, seed: Seed) -> LiteralReading {
    let eigen = to_faer(gaussian(k, seed).view()).eigen().expect("a finite matrix has eigenvectors");
    let (values, vectors) = (eigen.S().column_vector(), eigen.U());
    let norm = |j: usize| (0..k).map(|i| vectors[(i, j)].norm_sqr()).sum::<f64>().sqrt();
    let mut worst = 0.0_f64;
    for a in 0..k {
        for b in 0..a {
            // |v_aᴴ v_b| / (‖v_a‖‖v_b‖)
            let inner = (0..k).map(|i| vectors[(i, a)].conj() * vectors[(i, b)]).sum::<faer::c64>();
            worst = worst.max(inner.norm_sqr().sqrt() / (norm(a) * norm(b)));
        }
    }
    LiteralReading { complex: (0..k).filter(|j| values[*j].im != 0.0).count(), orthogonality_error: worst }
}

/// Column m has 1/√((m+1)(m+2)) in rows 0..=m and what makes its sum 0 in row m + 1.
pub(super) fn helmert(k: usize) -> Array2<f64> {
    Array2::from_shape_fn((k, k - 1), |(i, m)| {
        let scale = (((m + 1) * (m + 2)) as f64).sqrt();
        match i {
            _ if i <= m => 1.0 / scale,
            _ if i == m + 1 => -((m + 1) as f64) / scale,
            _ => 0.0,
        }
    })
}

fn gaussian(k: usize, seed: Seed) -> Array2<f64> {
    let mut rng = seed.rng();
    Array2::random_using((k, k), StandardNormal, &mut rng)
}

/// Q·diag(sign R_jj): without the sign fix the law would depend on the solver's convention.
fn haar(k: usize, seed: Seed) -> Array2<f64> {
    let qr = to_faer(gaussian(k, seed).view()).qr();
    let (q, r) = (qr.compute_Q(), qr.R());
    Array2::from_shape_fn((k, k), |(i, j)| q[(i, j)] * if r[(j, j)] < 0.0 { -1.0 } else { 1.0 })
}

fn authors(k: usize) -> Result<Directions, EbmError> {
    let known: BTreeMap<usize, Vec<Vec<f64>>> =
        serde_json::from_str(include_str!("../../data/authors_directions.json"))
            .expect("the file is part of the library, and a test reads it");
    let Some(rows) = known.get(&k) else {
        let list: Vec<String> = known.keys().map(usize::to_string).collect();
        let rule = format!("must be one of {} for the authors' directions", list.join(", "));
        return Err(EbmError::parameter("representation size k", k, rule));
    };
    Ok(Directions(Array2::from_shape_fn((k, k), |(i, j)| rows[i][j])))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seed::legacy;

    #[test]
    fn every_law_gives_orthonormal_columns() {
        for k in [3, 4, 5, 10, 12, 14, 15, 16, 20] {
            for law in [DirectionLaw::Haar, DirectionLaw::SymmetricEigen, DirectionLaw::Authors] {
                let error = Directions::new(law, k, Seed::new(7)).unwrap().orthogonality_error();
                assert!(error < 1e-12, "{law:?} k={k}: {error}");
            }
        }
        assert!(Directions::new(DirectionLaw::Authors, 6, Seed::new(0)).is_err());
    }

    #[test]
    fn the_authors_directions_are_eigenvectors_of_one_triangle_of_their_stream() {
        for k in [3, 5, 10, 20] {
            let mut stream = legacy::NumpyStream::new(1);
            let gaussian = Array2::from_shape_simple_fn((k, k), || stream.normal());
            let (_, ours) = symmetric_eigen(gaussian.view());
            let theirs = authors(k).unwrap();
            for j in 0..k {
                // Same line, either sign.
                let cosine = ours.column(j).dot(&theirs.beta(j)).abs();
                assert!((cosine - 1.0).abs() < 1e-10, "k={k} column {j}: {cosine}");
            }
        }
    }

    #[test]
    fn haar_directions_have_the_moments_of_the_uniform_law() {
        // Entries of a Haar matrix have mean 0 and variance 1/k; the sign fix is what makes the
        // mean of the diagonal 0. 2000 draws: standard error of a mean entry √(1/3/2000) = .013.
        let (mut mean, mut square) = (Array2::<f64>::zeros((3, 3)), Array2::<f64>::zeros((3, 3)));
        for i in 0..2000 {
            let b = haar(3, Seed::new(3).index(i));
            mean += &b;
            square += &b.mapv(|v| v * v);
        }
        let (mean, square) = (mean / 2000.0, square / 2000.0);
        assert!(mean.iter().all(|m| m.abs() < 4.5 * 0.013), "{mean}");
        // Var(b²) = 3/(k(k+2)) − 1/k² = 0.2 − 0.111, standard error .0067.
        assert!(square.iter().all(|s| (s - 1.0 / 3.0).abs() < 4.5 * 0.0067), "{square}");
    }

    #[test]
    fn the_literal_reading_is_neither_real_nor_orthogonal() {
        let found: Vec<LiteralReading> = (0..20).map(|i| literal_reading(5, Seed::new(1).index(i))).collect();
        assert!(found.iter().all(|f| f.orthogonality_error > 1e-3), "{found:?}");
        assert!(found.iter().filter(|f| f.complex > 0).count() >= 10, "{found:?}");
    }

    #[test]
    fn matrices_that_are_not_orthogonal_are_refused() {
        assert!(Directions::from_matrix(Array2::ones((2, 2))).is_err());
        assert!(Directions::from_matrix(Array2::from_elem((1, 1), f64::NAN)).is_err());
        assert!(Directions::from_matrix(Array2::eye(3)).is_ok());
    }
}

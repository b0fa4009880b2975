//! The corruption kernel p̃(x̃ | x). In: rows. Out: corrupted copies, and the exact log-density of
//! any row given any other.
//!
//! Every feature s is corrupted independently with probability q. A continuous one gets N(0, σ²)
//! added (σ = 1 in the paper), a categorical one with m values is replaced by a uniform draw from
//! all m. Seen as a density of pairs, with the corruption indicator summed out:
//!
//! ```text
//! continuous    x̃_s ≠ x_s :  log q + log φ_σ(x̃_s − x_s)      x̃_s = x_s :  log(1 − q)
//! categorical   x̃_s ≠ x_s :  log(q/m)                          x̃_s = x_s :  log(1 − q + q/m)
//! ```
//!
//! The kernel is symmetric in its two arguments. With q < 1 the continuous part has an *atom*: two
//! rows can share a coordinate exactly, and [`NoiseKernel::possible_originals`] says which rows of
//! a group could then be the one the others were made from.

mod bulk;
mod density;

use crate::data::{ColumnKind, Covariates};
use crate::seed::{Bulk, LANES, Seed};
use ndarray::{Array3, ArrayView2, ArrayViewMut1};
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};

/// A kernel that cannot be built or used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)] // the messages say what the fields are
pub enum NoiseError {
    #[error("corruption probability q must lie in (0, 1], got {0}")]
    Probability(f64),
    #[error("noise standard deviation must be positive and finite, got {0}")]
    Scale(f64),
    #[error("number of corrupted copies b must be at least 1, got {0}")]
    Copies(usize),
    #[error("every covariate is constant in the training rows; there is nothing to corrupt")]
    NothingToCorrupt,
    #[error("rows have {found} features, but the kernel was made for {expected}")]
    Width { found: usize, expected: usize },
}

#[derive(Clone, Debug)]
enum Feature {
    Continuous,
    Categorical(Vec<f64>),
    /// Constant in the training rows: left alone, and it contributes nothing to the density.
    Untouched,
}

/// The corruption kernel for one set of training rows.
///
/// ```
/// use ebmbook::{data::Covariates, noise::NoiseKernel, seed::Seed};
/// let rows = Covariates::continuous(ndarray::array![[0.0, 7.0], [1.0, 7.0]])?;
/// let kernel = NoiseKernel::new(&rows, 0.5)?;
/// assert_eq!(kernel.untouched(), ["x2"], "a constant column is never corrupted");
///
/// let copies = kernel.corrupt(rows.x(), 3, Seed::new(1))?;
/// assert_eq!(copies.dim(), (2, 3, 2));
/// // The kernel does not care which of two rows was the original.
/// let (x, y) = (rows.x().row(0).to_owned(), copies.slice(ndarray::s![0, 0, ..]).to_owned());
/// assert_eq!(kernel.log_density(x.view(), y.view()), kernel.log_density(y.view(), x.view()));
/// # Ok::<(), ebmbook::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct NoiseKernel {
    q: f64,
    sd: f64,
    features: Vec<Feature>,
    untouched: Vec<String>,
}

impl NoiseKernel {
    /// The kernel for these training rows with corruption probability q ∈ (0, 1] and σ = 1.
    pub fn new(train: &Covariates, q: impl Into<f64>) -> Result<Self, NoiseError> {
        let q = q.into();
        if !(q > 0.0 && q <= 1.0) {
            return Err(NoiseError::Probability(q));
        }
        let untouched: Vec<String> = train.constant_columns().into_iter().map(String::from).collect();
        if untouched.len() == train.d() {
            return Err(NoiseError::NothingToCorrupt);
        }
        let feature = |column: &crate::data::Column| match &column.kind {
            _ if untouched.contains(&column.name) => Feature::Untouched,
            ColumnKind::Continuous => Feature::Continuous,
            ColumnKind::Categorical { values } => Feature::Categorical(values.clone()),
        };
        let features = train.columns().iter().map(feature).collect();
        Ok(Self { q, sd: 1.0, features, untouched })
    }

    /// Another standard deviation for continuous features.
    pub fn with_sd(self, sd: impl Into<f64>) -> Result<Self, NoiseError> {
        let sd = sd.into();
        if !(sd > 0.0 && sd.is_finite()) {
            return Err(NoiseError::Scale(sd));
        }
        Ok(Self { sd, ..self })
    }

    /// Number of features.
    pub fn d(&self) -> usize {
        self.features.len()
    }

    /// Corruption probability.
    pub fn q(&self) -> f64 {
        self.q
    }

    /// Names of the columns that are constant in the training rows and so never corrupted.
    pub fn untouched(&self) -> &[String] {
        &self.untouched
    }

    /// b corrupted copies of each row: rows × b × d.
    pub fn corrupt(&self, x: ArrayView2<f64>, b: usize, seed: Seed) -> Result<Array3<f64>, NoiseError> {
        if b == 0 {
            return Err(NoiseError::Copies(b));
        }
        self.check_width(x.ncols())?;
        let mut rng = seed.rng();
        let mut copies = Array3::zeros((x.nrows(), b, self.d()));
        for (row, mut copies_of_row) in x.outer_iter().zip(copies.outer_iter_mut()) {
            for mut copy in copies_of_row.outer_iter_mut() {
                copy.assign(&row);
                self.corrupt_in_place(copy, &mut rng);
            }
        }
        Ok(copies)
    }

    /// Corrupts one row, drawing from `rng` feature by feature.
    pub fn corrupt_in_place(&self, mut row: ArrayViewMut1<f64>, rng: &mut ChaCha8Rng) {
        for (value, feature) in row.iter_mut().zip(&self.features) {
            if matches!(feature, Feature::Untouched) || rng.random::<f64>() >= self.q {
                continue;
            }
            match feature {
                Feature::Continuous => *value += self.sd * Distribution::<f64>::sample(&StandardNormal, rng),
                Feature::Categorical(values) => *value = values[rng.random_range(0..values.len())],
                Feature::Untouched => {}
            }
        }
    }

    /// Corrupts one feature of many copies: the values of feature s go in, sixteen copies side by side, in the
    /// number type of training, and a value of a category becomes such a number by `of`. Training draws its noise
    /// this way: from other random numbers than [`corrupt`](Self::corrupt), by the same law. The probability q is
    /// exact to 32 bits, continuous steps to single precision, and a category's share to 2⁻³² times their number.
    ///
    /// ```
    /// use ebmbook::{data::Covariates, noise::NoiseKernel, seed::Seed};
    /// let rows = Covariates::continuous(ndarray::array![[0.0, 7.0], [1.0, 7.0]])?;
    /// let (kernel, mut rng) = (NoiseKernel::new(&rows, 1.0)?, Seed::new(1).bulk());
    /// let mut copies = [[[0.0_f32; 16]], [[7.0; 16]]];
    /// for (s, values) in copies.iter_mut().enumerate() {
    ///     kernel.corrupt_lanes(s, &mut rng, values, |value| value as f32);
    /// }
    /// assert!(copies[0][0].iter().all(|x| *x != 0.0), "every feature");
    /// assert!(copies[1][0].iter().all(|x| *x == 7.0), "but the constant one");
    /// # Ok::<(), ebmbook::Error>(())
    /// ```
    ///
    /// # Panics
    /// If there is no feature s.
    pub fn corrupt_lanes<T: num_traits::Float + From<f32>>(
        &self,
        s: usize,
        rng: &mut Bulk,
        copies: &mut [[T; LANES]],
        of: impl Fn(f64) -> T,
    ) {
        // A word up to this corrupts.
        let limit = ((self.q * 2.0_f64.powi(32)).round() as u64).saturating_sub(1) as u32;
        match &self.features[s] {
            Feature::Continuous => bulk::add_normals(rng, limit, self.sd as f32, copies),
            Feature::Categorical(values) => {
                for copy in copies {
                    let (moved, place) = (rng.words(), rng.words());
                    for v in (0..LANES).filter(|v| moved[*v] <= limit) {
                        let at = (u64::from(place[v]) * values.len() as u64) >> 32;
                        copy[v] = of(values[at as usize]);
                    }
                }
            }
            Feature::Untouched => {}
        }
    }

    /// Corrupts the features of a row that `mask` names, each for certain, and returns the log
    /// density of what was drawn. Constant columns stay as they are and contribute nothing.
    pub fn corrupt_where(&self, mut row: ArrayViewMut1<f64>, mask: &[bool], rng: &mut ChaCha8Rng) -> f64 {
        let log_phi = -self.sd.ln() - 0.5 * (2.0 * std::f64::consts::PI).ln();
        let mut log_density = 0.0;
        for ((value, feature), _) in
            row.iter_mut().zip(&self.features).zip(mask).filter(|(_, masked)| **masked)
        {
            match feature {
                Feature::Continuous => {
                    let step: f64 = StandardNormal.sample(rng);
                    *value += self.sd * step;
                    log_density += log_phi - 0.5 * step * step;
                }
                Feature::Categorical(values) => {
                    *value = values[rng.random_range(0..values.len())];
                    log_density -= (values.len() as f64).ln();
                }
                Feature::Untouched => {}
            }
        }
        log_density
    }
}

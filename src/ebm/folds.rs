//! Folds. In: training rows. Out: the direction β_j each row is scored with.
//!
//! The paper splits the rows at random into k subsets, one for each density. In the limit all k
//! densities are then p_X and f has rank one; folds whose distributions differ are the remedy.
//! With soft folds, row x goes to fold j with probability w_j(x) > 0 and β_jᵀf → −log(w_j p_X).

use super::EbmError;
use crate::data::split;
use crate::kmeans::{Clusters, KMeans};
use crate::linalg::squared_distances;
use crate::seed::Seed;
use ndarray::{Array2, ArrayView1, ArrayView2};
use rand::Rng;
use std::collections::HashSet;

/// How rows are given to the k densities.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize, strum::EnumString)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case", parse_err_ty = EbmError, parse_err_fn = unknown)]
pub enum Folds {
    /// Each row in one of k random subsets of equal size: the paper's.
    #[default]
    Random,
    /// Every row in every fold.
    All,
    /// k-means clusters: the authors' program. Supports are disjoint.
    #[strum(serialize = "k-means", serialize = "kmeans")]
    KMeans,
    /// Row x goes to fold j with probability softmax_j(−‖x − c_j‖ / temperature), the c_j being
    /// k-means centres. Supports overlap.
    Soft {
        /// Larger is softer; 1 where only the name is given.
        #[strum(default_with = "one")]
        temperature: f64,
    },
    /// The fold 0..k of each row.
    #[strum(disabled)]
    Given(Vec<usize>),
}

fn one() -> f64 {
    1.0
}

fn unknown(text: &str) -> EbmError {
    EbmError::parameter("folds", text, "must be `random`, `all`, `k-means` or `soft`")
}

impl Folds {
    /// The folds that a column names, and how many there are: its distinct whole numbers, in order.
    ///
    /// ```
    /// use ebmbook::ebm::Folds;
    /// let (folds, k) = Folds::from_column(ndarray::array![7.0, 3.0, 7.0].view())?;
    /// assert_eq!((folds, k), (Folds::Given(vec![1, 0, 1]), 2));
    /// assert_eq!(Folds::from_column(ndarray::array![0.5].view()).unwrap_err().to_string(),
    ///     "fold must be a whole number, got 0.5");
    /// # Ok::<(), ebmbook::ebm::EbmError>(())
    /// ```
    pub fn from_column(column: ArrayView1<f64>) -> Result<(Self, usize), EbmError> {
        if let Some(value) = column.iter().find(|v| v.fract() != 0.0) {
            return Err(EbmError::parameter("fold", value, "must be a whole number"));
        }
        let mut distinct: Vec<f64> = column.iter().map(|v| v + 0.0).collect();
        distinct.sort_unstable_by(f64::total_cmp);
        distinct.dedup();
        let fold_of = column.iter().map(|v| distinct.partition_point(|d| d < v)).collect();
        Ok((Self::Given(fold_of), distinct.len()))
    }
}

/// The folds of a set of training rows.
///
/// ```
/// use ebmbook::{ebm::{Assignment, Folds}, seed::Seed};
/// let x = ndarray::array![[0.0], [0.1], [5.0], [5.1]];
/// let folds = Assignment::new(&Folds::KMeans, x.view(), 2, Seed::new(1))?;
/// assert_eq!(folds.fold(0), folds.fold(1));
/// assert_ne!(folds.fold(0), folds.fold(2));
/// # Ok::<(), ebmbook::ebm::EbmError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Assignment {
    /// None: every row is in every fold.
    fold_of: Option<Vec<usize>>,
    clusters: Option<Clusters>,
}

impl Assignment {
    /// Assigns these rows to k folds.
    pub fn new(folds: &Folds, x: ArrayView2<f64>, k: usize, seed: Seed) -> Result<Self, EbmError> {
        Self::with_centres(folds, x, k, None, seed)
    }

    /// [`new`](Self::new) with given centres for k-means and soft folds.
    pub fn with_centres(
        folds: &Folds,
        x: ArrayView2<f64>,
        k: usize,
        centres: Option<Array2<f64>>,
        seed: Seed,
    ) -> Result<Self, EbmError> {
        let draw = seed.child("draw");
        let clusters = || match centres {
            Some(centres) => Ok(Clusters::around(x, centres)?),
            None => find_clusters(x, k, seed.child("centres")),
        };
        match folds {
            Folds::Random => Ok(Self { fold_of: Some(split::folds(x.nrows(), k, draw)?), clusters: None }),
            Folds::All => Ok(Self { fold_of: None, clusters: None }),
            Folds::KMeans => {
                let clusters = clusters()?;
                Ok(Self { fold_of: Some(clusters.labels().to_vec()), clusters: Some(clusters) })
            }
            Folds::Soft { temperature } => {
                let clusters = clusters()?;
                let weights = soft_weights(x, clusters.centres(), *temperature)?;
                let mut rng = draw.rng();
                let fold_of = weights.rows().into_iter().map(|w| pick(w, rng.random())).collect();
                Ok(Self { fold_of: Some(fold_of), clusters: Some(clusters) })
            }
            Folds::Given(fold_of) => {
                if fold_of.len() != x.nrows() {
                    let rule = format!("must name a fold for each of the {} rows", x.nrows());
                    return Err(EbmError::parameter("given folds", fold_of.len(), rule));
                }
                if let Some(fold) = fold_of.iter().find(|j| **j >= k) {
                    return Err(EbmError::parameter("given fold", fold, format!("must lie in 0..{k}")));
                }
                Ok(Self { fold_of: Some(fold_of.clone()), clusters: None })
            }
        }
    }

    /// The fold of training row i; none if it is in all of them.
    pub fn fold(&self, i: usize) -> Option<usize> {
        self.fold_of.as_ref().map(|folds| folds[i])
    }

    /// The clusters behind k-means and soft folds.
    pub fn clusters(&self) -> Option<&Clusters> {
        self.clusters.as_ref()
    }

    /// The rows of fold j, in order.
    pub fn members(&self, j: usize) -> Vec<usize> {
        let folds = self.fold_of.as_deref().unwrap_or_default();
        (0..folds.len()).filter(|i| folds[*i] == j).collect()
    }
}

/// k-means, refusing more clusters than there are distinct rows: a fold must not be empty.
fn find_clusters(x: ArrayView2<f64>, k: usize, seed: Seed) -> Result<Clusters, EbmError> {
    // Adding 0 makes −0 and 0 one value.
    let bits = |row: ArrayView1<f64>| row.iter().map(|v| (v + 0.0).to_bits()).collect::<Vec<u64>>();
    let distinct = x.rows().into_iter().map(bits).collect::<HashSet<_>>().len();
    if k > distinct {
        let rule = format!("must be at most {distinct}, the number of distinct rows, for k-means folds");
        return Err(EbmError::parameter("number of clusters k", k, rule));
    }
    Ok(KMeans::textbook(k).fit(x, seed)?)
}

/// w_j(x) = softmax_j(−‖x − c_j‖ / temperature), rows × k.
///
/// ```
/// use ebmbook::ebm::soft_weights;
/// let (x, centres) = (ndarray::array![[1.0]], ndarray::array![[0.0], [2.0]]);
/// assert_eq!(soft_weights(x.view(), centres.view(), 1.0)?, ndarray::array![[0.5, 0.5]]);
/// # Ok::<(), ebmbook::ebm::EbmError>(())
/// ```
pub fn soft_weights(
    x: ArrayView2<f64>,
    centres: ArrayView2<f64>,
    temperature: f64,
) -> Result<Array2<f64>, EbmError> {
    if !(temperature > 0.0 && temperature.is_finite()) {
        return Err(EbmError::parameter("fold temperature", temperature, "must be positive and finite"));
    }
    let mut weights = squared_distances(x, centres).mapv_into(f64::sqrt);
    for mut weight in weights.rows_mut() {
        let nearest = weight.iter().copied().fold(f64::INFINITY, f64::min);
        weight.mapv_inplace(|distance| ((nearest - distance) / temperature).exp());
        let total = weight.sum();
        weight /= total;
    }
    Ok(weights)
}

/// The index at which the running sum of probabilities passes u ∈ [0, 1).
fn pick(probabilities: ArrayView1<f64>, u: f64) -> usize {
    let mut sum = 0.0;
    let passed = probabilities.iter().position(|p| {
        sum += p;
        u < sum
    });
    // Rounding can leave the total a little below 1.
    passed.unwrap_or(probabilities.len() - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::array;

    #[test]
    fn random_folds_have_equal_sizes_and_all_means_all() {
        let x = Array2::zeros((10, 1));
        let random = Assignment::new(&Folds::Random, x.view(), 5, Seed::new(1)).unwrap();
        assert!((0..5).all(|j| random.members(j).len() == 2));
        let all = Assignment::new(&Folds::All, x.view(), 5, Seed::new(1)).unwrap();
        assert!((0..10).all(|i| all.fold(i).is_none()));
    }

    #[test]
    fn soft_folds_follow_their_weights() {
        // 4000 rows at one point between two centres' clusters; the share in fold 0 is binomial.
        let x = Array2::from_shape_fn((4000, 1), |(i, _)| if i % 2 == 0 { 0.0 } else { 3.0 });
        let folds = Assignment::new(&Folds::Soft { temperature: 2.0 }, x.view(), 2, Seed::new(3)).unwrap();
        let near_zero = folds.clusters().unwrap().predict(array![[0.0]].view()).unwrap()[0];
        let kept = (0..4000).step_by(2).filter(|i| folds.fold(*i) == Some(near_zero)).count();
        // softmax(0, −3/2)[0] = .8176; standard error over 2000 rows .0086.
        let expected = 1.0 / (1.0 + (-1.5_f64).exp());
        assert!((kept as f64 / 2000.0 - expected).abs() < 4.0 * 0.0086, "{kept}");
    }

    #[test]
    fn well_separated_clusters_are_found_whatever_the_seed() {
        let x = Array2::from_shape_fn((90, 2), |(i, s)| {
            let centre = [[0.0, 0.0], [10.0, 0.0], [0.0, 10.0]][i % 3][s];
            centre + 0.01 * ((i * 7 + s * 3) % 11) as f64
        });
        for seed in 0..20 {
            let folds = Assignment::new(&Folds::KMeans, x.view(), 3, Seed::new(seed)).unwrap();
            assert!((0..90).all(|i| folds.fold(i) == folds.fold(i % 3)), "seed {seed}");
            assert!((0..3).all(|j| folds.members(j).len() == 30), "seed {seed}");
        }
    }

    #[test]
    fn more_clusters_than_distinct_rows_are_refused() {
        let x = array![[1.0], [1.0], [2.0]];
        let error = Assignment::new(&Folds::KMeans, x.view(), 3, Seed::new(0)).unwrap_err();
        assert_eq!(
            error.to_string(),
            "number of clusters k must be at most 2, the number of distinct rows, for k-means folds, got 3"
        );
        assert!(Assignment::new(&Folds::KMeans, x.view(), 4, Seed::new(0)).is_err());
        let signed = array![[0.0], [-0.0]];
        assert!(Assignment::new(&Folds::KMeans, signed.view(), 2, Seed::new(0)).is_err());
    }

    #[test]
    fn given_folds_are_checked() {
        let x = Array2::zeros((2, 1));
        let given = |folds: Vec<usize>| Assignment::new(&Folds::Given(folds), x.view(), 2, Seed::new(0));
        assert_eq!(given(vec![1, 0]).unwrap().fold(0), Some(1));
        assert_eq!(
            given(vec![0]).unwrap_err().to_string(),
            "given folds must name a fold for each of the 2 rows, got 1"
        );
        assert_eq!(given(vec![0, 2]).unwrap_err().to_string(), "given fold must lie in 0..2, got 2");
        assert!(
            Assignment::new(&Folds::Soft { temperature: 0.0 }, array![[0.0], [1.0]].view(), 2, Seed::new(0))
                .is_err()
        );
    }
}

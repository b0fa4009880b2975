//! Feature agglomeration: columns are merged by Ward's rule until k groups are left, and each
//! group is replaced by its mean.
//!
//! ```text
//! f_c(x) = (1/|G_c|) Σ_{s ∈ G_c} x_s
//! ```

use super::blocks::{Mapped, check_size};
use super::{Reduce, Representation, RepresentationError};
use crate::data::Covariates;
use crate::linalg::squared_distance;
use crate::seed::Seed;
use kodama::{Dendrogram, Method, linkage};
use ndarray::{Array2, ArrayView2};

const NAME: &str = "agglomeration";

/// Feature agglomeration (Ward's rule, mean pooling) into k groups of covariates.
///
/// ```
/// use ebmbook::prelude::*;
/// use ebmbook::representation::Agglomeration;
/// let train = Covariates::continuous(ndarray::array![[1.0, 7.0, 1.2], [2.0, 9.0, 2.2]])?;
/// let fitted = Agglomeration::new(2).fit(&train, Seed::new(0))?;
/// let pooled = fitted.transform(ndarray::array![[1.0, 5.0, 3.0]].view())?;
/// assert_eq!(pooled, ndarray::array![[2.0, 5.0]], "the first and the third column are alike");
/// # Ok::<(), ebmbook::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Agglomeration {
    k: usize,
}

impl Agglomeration {
    /// Into k groups.
    pub fn new(k: usize) -> Self {
        Self { k }
    }

    /// The group (0 … k−1) of each covariate.
    pub fn groups(&self, train: &Covariates) -> Result<Vec<usize>, RepresentationError> {
        let d = train.d();
        check_size(NAME, self.k, d, "the number of covariates")?;
        Ok(cut(&ward(train.x()), d, self.k))
    }
}

impl Reduce for Agglomeration {
    fn name(&self) -> &'static str {
        NAME
    }

    fn fit(&self, train: &Covariates, _seed: Seed) -> Result<Box<dyn Representation>, RepresentationError> {
        let groups = self.groups(train)?;
        let sizes: Vec<f64> =
            (0..self.k).map(|c| groups.iter().filter(|g| **g == c).count() as f64).collect();
        let training = pool(train.x(), &groups, &sizes);
        let map = move |rows: ArrayView2<f64>| pool(rows, &groups, &sizes);
        Ok(Box::new(Mapped { method: NAME, d: train.d(), training, map }))
    }
}

/// The mean of each group's columns.
fn pool(rows: ArrayView2<f64>, groups: &[usize], sizes: &[f64]) -> Array2<f64> {
    let mut pooled = Array2::zeros((rows.nrows(), sizes.len()));
    for (row, mut to) in rows.rows().into_iter().zip(pooled.rows_mut()) {
        for (value, group) in row.iter().zip(groups) {
            to[*group] += value;
        }
        for (sum, size) in to.iter_mut().zip(sizes) {
            *sum /= size;
        }
    }
    pooled
}

/// Ward's tree over the columns, by Euclidean distance.
fn ward(x: ArrayView2<f64>) -> Dendrogram<f64> {
    let columns = x.t().as_standard_layout().into_owned();
    let d = columns.nrows();
    let pairs = (0..d).flat_map(|i| (i + 1..d).map(move |j| (i, j)));
    let mut condensed: Vec<f64> =
        pairs.map(|(i, j)| squared_distance(columns.row(i), columns.row(j)).sqrt()).collect();
    linkage(&mut condensed, d, Method::Ward)
}

/// The groups that are left when the youngest merge is undone until there are k.
///
/// Groups are numbered in the order in which a binary heap, youngest on top, holds their nodes;
/// the order carries no meaning, but it is scikit-learn's, so its columns and ours agree.
fn cut(tree: &Dendrogram<f64>, d: usize, k: usize) -> Vec<usize> {
    let mut heap = vec![2 * d - 2];
    for _ in 1..k {
        let merge = &tree.steps()[heap[0] - d];
        heap.push(merge.cluster1);
        let last = heap.len() - 1;
        sift_up(&mut heap, last);
        // The second part takes its parent's place on top and sinks to where it belongs.
        heap[0] = merge.cluster2;
        let mut at = 0;
        while 2 * at + 1 < heap.len() {
            let (left, right) = (2 * at + 1, 2 * at + 2);
            let child = if right < heap.len() && heap[right] >= heap[left] { right } else { left };
            heap.swap(at, child);
            at = child;
        }
        sift_up(&mut heap, at);
    }
    let mut groups = vec![0; d];
    for (group, node) in heap.iter().enumerate() {
        let mut pending = vec![*node];
        while let Some(node) = pending.pop() {
            if node < d {
                groups[node] = group;
            } else {
                let merge = &tree.steps()[node - d];
                pending.extend([merge.cluster1, merge.cluster2]);
            }
        }
    }
    groups
}

/// Moves an entry up to where its parent is younger.
fn sift_up(heap: &mut [usize], mut at: usize) {
    while at > 0 && heap[at] > heap[(at - 1) / 2] {
        heap.swap(at, (at - 1) / 2);
        at = (at - 1) / 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tree_equals_scipys() {
        let read = |name: &str| {
            let path = format!("{}/tests/fixtures/reduction_{name}.csv", env!("CARGO_MANIFEST_DIR"));
            let text = std::fs::read_to_string(path).unwrap();
            text.lines()
                .map(|l| l.split(',').map(|c| c.parse().unwrap()).collect())
                .collect::<Vec<Vec<f64>>>()
        };
        let rows = read("X");
        let x = Array2::from_shape_vec((rows.len(), rows[0].len()), rows.concat()).unwrap();
        for (step, expected) in ward(x.view()).steps().iter().zip(read("ward")) {
            assert_eq!((step.cluster1 as f64, step.cluster2 as f64), (expected[0], expected[1]));
            // Heights are square roots of sums of 300 squares: a few hundred roundings of 1e-16.
            assert!((step.dissimilarity / expected[2] - 1.0).abs() < 1e-13);
        }
    }

    #[test]
    fn one_group_is_the_mean_and_d_groups_are_the_columns() {
        let x = ndarray::array![[1.0, 4.0, 1.5], [2.0, 6.0, 2.5], [0.0, 5.0, 1.0]];
        let train = Covariates::continuous(x.clone()).unwrap();
        let one = Agglomeration::new(1).fit(&train, Seed::new(0)).unwrap();
        assert_eq!(one.training().column(0), x.mean_axis(ndarray::Axis(1)).unwrap());
        let mut all = Agglomeration::new(3).groups(&train).unwrap();
        all.sort_unstable();
        assert_eq!(all, [0, 1, 2]);
    }

    #[test]
    fn a_single_covariate_is_a_group() {
        let train = Covariates::continuous(ndarray::array![[1.0], [2.0]]).unwrap();
        assert_eq!(Agglomeration::new(1).groups(&train).unwrap(), [0]);
    }
}

//! Spectral embedding: the smoothest functions on the graph of nearest neighbours.
//!
//! ```text
//! A = ½(W + Wᵀ),  W_ij = 1 if j is among the ⌊n/10⌋ rows nearest to i (i itself counts)
//! M = D^{-½} A D^{-½} (diagonal zero),  M v = μ v,  f(x_i) = v_i / √D_ii
//! ```
//!
//! for the largest μ but the first, whose f is constant on a connected graph.

use super::blocks::{by_blocks, check, check_rows, check_size};
use super::distances::Distances;
use super::neighbours::nearest;
use super::{NewRows, Reduce, Representation, RepresentationError};
use crate::data::Covariates;
use crate::linalg::{fix_signs, leading_eigen};
use crate::seed::Seed;
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, s};

const NAME: &str = "spectral";

/// The embedding needs an n × n matrix: 128 MB for this many rows, and several of them where the
/// eigenvalue problem has to be solved whole.
const MAX_ROWS: usize = 4000;

/// Spectral embedding into k coordinates. It embeds the rows it is given and has no map for
/// others, so there are two ways to treat new rows.
///
/// ```
/// use ebmbook::prelude::*;
/// use ebmbook::representation::Spectral;
/// let x = ndarray::Array2::from_shape_fn((40, 2), |(i, j)| ((i * (j + 2)) as f64).sin());
/// let train = Covariates::continuous(x)?;
/// let extended = Spectral::extended(2).fit(&train, Seed::new(0))?;
/// assert_eq!(extended.new_rows(), NewRows::Extension);
/// // Refitting ignores the training rows altogether; the released program does that.
/// let refitted = Spectral::refitted(2).fit(&train, Seed::new(0))?;
/// assert_eq!(refitted.transform(train.x())?, refitted.training());
/// # Ok::<(), ebmbook::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Spectral {
    k: usize,
    new_rows: NewRows,
}

impl Spectral {
    /// New rows by the Nyström extension: Mv = μv says f(x_i) = (1/μ)·Σ_j A_ij f(x_j)/Σ_j A_ij for
    /// training rows, and the right-hand side can be computed for any row.
    pub fn extended(k: usize) -> Self {
        Self { k, new_rows: NewRows::Extension }
    }

    /// New rows are embedded among themselves, from scratch, as the released program does. Their
    /// coordinates have nothing to do with the training rows'.
    pub fn refitted(k: usize) -> Self {
        Self { k, new_rows: NewRows::Refit }
    }
}

struct Fitted {
    train: Array2<f64>,
    new_rows: NewRows,
    embedding: Embedding,
}

impl Reduce for Spectral {
    fn name(&self) -> &'static str {
        NAME
    }

    fn fit(&self, train: &Covariates, _seed: Seed) -> Result<Box<dyn Representation>, RepresentationError> {
        let embedding = embed(train.x(), self.k)?;
        Ok(Box::new(Fitted { train: train.x().to_owned(), new_rows: self.new_rows, embedding }))
    }
}

impl Representation for Fitted {
    fn k(&self) -> usize {
        self.embedding.f.ncols()
    }

    fn new_rows(&self) -> NewRows {
        self.new_rows
    }

    fn training(&self) -> ArrayView2<'_, f64> {
        self.embedding.f.view()
    }

    fn transform(&self, rows: ArrayView2<f64>) -> Result<Array2<f64>, RepresentationError> {
        check(NAME, rows, self.train.ncols())?;
        match self.new_rows {
            NewRows::Refit => Ok(embed(rows, self.k())?.f),
            _ => Ok(self.extend(rows)),
        }
    }
}

impl Fitted {
    fn extend(&self, rows: ArrayView2<f64>) -> Array2<f64> {
        let Embedding { f, mu, radius, neighbours } = &self.embedding;
        let distances = Distances::to(self.train.view());
        by_blocks(rows, self.k(), |rows, mut to| {
            let near = nearest(self.train.view(), rows, *neighbours);
            let (squares, error) = distances.squared(rows);
            for (i, mut to) in to.rows_mut().into_iter().enumerate() {
                // ½ where x is near enough to be a neighbour of j; equality counts, rounding aside
                let within = squares.row(i).into_iter().zip(radius);
                let mut affinity: Array1<f64> =
                    within.map(|(square, r)| if *square <= r * r + error[i] { 0.5 } else { 0.0 }).collect();
                // and ½ where j is a neighbour of x
                for j in near.index.row(i) {
                    affinity[*j] += 0.5;
                }
                to.assign(&nystrom(affinity.view(), f, mu));
            }
        })
    }
}

/// (1/μ)·Σ_j a_j f(x_j) / Σ_j a_j
fn nystrom(affinity: ArrayView1<f64>, f: &Array2<f64>, mu: &Array1<f64>) -> Array1<f64> {
    let mut value = affinity.dot(f) / affinity.sum();
    // An eigenvalue of zero belongs to a function the graph says nothing about away from its nodes.
    value.zip_mut_with(mu, |v, mu| *v = if mu.abs() > 1e-12 { *v / mu } else { 0.0 });
    value
}

struct Embedding {
    /// n × k.
    f: Array2<f64>,
    /// The eigenvalue of each coordinate.
    mu: Array1<f64>,
    /// The distance of each row to the last of its neighbours.
    radius: Array1<f64>,
    neighbours: usize,
}

fn embed(x: ArrayView2<f64>, k: usize) -> Result<Embedding, RepresentationError> {
    let n = x.nrows();
    check_rows(NAME, n, MAX_ROWS)?;
    check_size(NAME, k, n.saturating_sub(1), "one less than the number of rows")?;
    let neighbours = (n / 10).max(1);
    let near = nearest(x, x, neighbours);
    // A = ½(W + Wᵀ), without its diagonal
    let mut matrix = Array2::<f64>::zeros((n, n));
    for (i, near) in near.index.rows().into_iter().enumerate() {
        for j in near.iter().filter(|j| **j != i) {
            matrix[[i, *j]] += 0.5;
            matrix[[*j, i]] += 0.5;
        }
    }
    // √D_ii; a row without neighbours is on its own and must not divide by zero
    let root =
        matrix.sum_axis(ndarray::Axis(1)).mapv(|degree| if degree > 0.0 { degree.sqrt() } else { 1.0 });
    // M = D^{-½} A D^{-½}
    for (mut row, root_i) in matrix.rows_mut().into_iter().zip(&root) {
        row.zip_mut_with(&root, |a, root_j| *a /= root_i * root_j);
    }
    let (mu, mut vectors) = leading_eigen(matrix.view(), k + 1);
    for (mut row, root) in vectors.rows_mut().into_iter().zip(&root) {
        row /= *root;
    }
    fix_signs(&mut vectors);
    Ok(Embedding {
        f: vectors.slice(s![.., 1..]).to_owned(),
        mu: mu.slice(s![1..]).to_owned(),
        radius: near.distance.column(neighbours - 1).to_owned(),
        neighbours,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray_rand::RandomExt;
    use rand_distr::StandardUniform;

    #[test]
    fn the_extension_of_a_training_row_without_itself_is_its_embedding() {
        // D⁻¹A f = μ f holds for every training row; the affinities are computed here from the
        // definition, independently of the matrix.
        let mut rng = Seed::new(8).rng();
        let x = Array2::random_using((120, 3), StandardUniform, &mut rng);
        let Embedding { f, mu, neighbours, .. } = embed(x.view(), 3).unwrap();
        let near = nearest(x.view(), x.view(), neighbours);
        let lists = |i: usize, j: usize| if near.index.row(i).iter().any(|n| *n == j) { 0.5 } else { 0.0 };
        for i in 0..120 {
            let affinity = |j| if i == j { 0.0 } else { lists(i, j) + lists(j, i) };
            let extended = nystrom(Array1::from_shape_fn(120, affinity).view(), &f, &mu);
            assert!((&extended - &f.row(i)).iter().all(|e| e.abs() < 1e-12), "row {i}");
        }
    }
}

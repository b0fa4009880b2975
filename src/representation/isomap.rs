//! Isomap: classical scaling of the shortest-path distances in the graph of nearest neighbours.
//!
//! ```text
//! G = −½ D∘D, doubly centred = V Λ Vᵀ     f(x_i) = (V√Λ)_i
//! new row x:  D(x, j) = min over its nearest training rows i of ‖x − x_i‖ + D(i, j)
//! ```

use super::blocks::{BLOCK, MAX_ROWS, check, check_rows, check_size};
use super::centred::CentredKernel;
use super::graph::Graph;
use super::neighbours::{among, nearest};
use super::{Reduce, Representation, RepresentationError};
use crate::data::Covariates;
use crate::seed::Seed;
use ndarray::{Array2, ArrayView2, s};

const NAME: &str = "isomap";

/// What to do with training rows between which the graph has no path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Disconnected {
    /// Join every two components by an edge between their closest rows (scikit-learn ≥ 1.0).
    Join,
    /// Call their distance zero (scikit-learn before 1.0, which the authors used).
    Zero,
}

/// Isomap.
///
/// ```
/// use ebmbook::prelude::*;
/// use ebmbook::representation::Isomap;
/// // Along a bent line, distance is measured along the line.
/// let train = Covariates::continuous(ndarray::array![[0.0, 0.0], [1.0, 0.0], [1.1, 1.0], [0.1, 2.0]])?;
/// let fitted = Isomap::components(1).with_neighbours(2).fit(&train, Seed::new(0))?;
/// assert_eq!(fitted.k(), 1);
/// // The released program's k is the number of neighbours; it always takes two components.
/// assert_eq!(Isomap::neighbours(3).fit(&train, Seed::new(0))?.k(), 2);
/// # Ok::<(), ebmbook::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Isomap {
    components: usize,
    neighbours: usize,
    disconnected: Disconnected,
}

impl Isomap {
    /// k is the number of components, as the paper's text has it; five neighbours, components of
    /// the graph joined.
    pub fn components(k: usize) -> Self {
        Self { components: k, neighbours: 5, disconnected: Disconnected::Join }
    }

    /// k is the number of neighbours and there are two components, as in the released program;
    /// rows without a path between them are at distance zero.
    pub fn neighbours(k: usize) -> Self {
        Self { components: 2, neighbours: k, disconnected: Disconnected::Zero }
    }

    /// Another number of neighbours.
    pub fn with_neighbours(self, neighbours: usize) -> Self {
        Self { neighbours, ..self }
    }

    /// Another treatment of rows without a path between them.
    pub fn with_disconnected(self, disconnected: Disconnected) -> Self {
        Self { disconnected, ..self }
    }
}

struct Fitted {
    train: Array2<f64>,
    neighbours: usize,
    /// Shortest-path distances between training rows, n × n.
    paths: Array2<f64>,
    components: CentredKernel,
}

impl Reduce for Isomap {
    fn name(&self) -> &'static str {
        NAME
    }

    fn fit(&self, train: &Covariates, _seed: Seed) -> Result<Box<dyn Representation>, RepresentationError> {
        let n = train.n();
        check_rows(NAME, n, MAX_ROWS)?;
        check_size(NAME, self.components, n, "the number of training rows")?;
        if !(1..n).contains(&self.neighbours) {
            return Err(RepresentationError::Neighbours { method: NAME, found: self.neighbours, n });
        }
        let mut graph = Graph::of_neighbours(&among(train.x(), self.neighbours));
        if self.disconnected == Disconnected::Join {
            let component = graph.components();
            graph.join(train.x(), &component);
        }
        let paths = graph.shortest_paths(0.0);
        let components = CentredKernel::new(paths.mapv(|d| -0.5 * d * d), self.components);
        Ok(Box::new(Fitted { train: train.x().to_owned(), neighbours: self.neighbours, paths, components }))
    }
}

impl Representation for Fitted {
    fn k(&self) -> usize {
        self.components.training.ncols()
    }

    fn training(&self) -> ArrayView2<'_, f64> {
        self.components.training.view()
    }

    fn transform(&self, rows: ArrayView2<f64>) -> Result<Array2<f64>, RepresentationError> {
        check(NAME, rows, self.train.ncols())?;
        let near = nearest(self.train.view(), rows, self.neighbours);
        let mut out = Array2::zeros((rows.nrows(), self.k()));
        let mut g = Array2::zeros((BLOCK, self.train.nrows()));
        for start in (0..rows.nrows()).step_by(BLOCK) {
            let end = rows.nrows().min(start + BLOCK);
            for (i, mut g) in (start..end).zip(g.rows_mut()) {
                // D(x, j) = min_i ‖x − x_i‖ + D(i, j), one neighbour i at a time
                g.fill(f64::INFINITY);
                for (neighbour, step) in near.index.row(i).iter().zip(near.distance.row(i)) {
                    g.zip_mut_with(&self.paths.row(*neighbour), |best, path| {
                        let via = path + step;
                        *best = if via < *best { via } else { *best };
                    });
                }
                g.mapv_inplace(|d| -0.5 * d * d);
            }
            self.components.project(g.slice(s![..end - start, ..]), out.slice_mut(s![start..end, ..]));
        }
        Ok(out)
    }
}

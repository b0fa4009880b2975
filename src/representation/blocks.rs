//! Rows in blocks, so that no n × n_train matrix ever stands in memory whole, and the checks that
//! every method makes on the rows it is given.

use super::{Representation, RepresentationError};
use ndarray::{Array1, Array2, ArrayView2, ArrayViewMut2, Axis};

/// Rows a block: 256 × 2500 numbers are 5 MB.
pub(super) const BLOCK: usize = 256;

/// Matrices of more rows times rows than this take over 1.2 GB, and a method holds several of them.
pub(super) const MAX_ROWS: usize = 12_000;

/// Refuses more rows than a method has memory or time for, before it asks for any.
pub(super) fn check_rows(method: &'static str, found: usize, max: usize) -> Result<(), RepresentationError> {
    if found > max { Err(RepresentationError::TooManyRows { method, found, max }) } else { Ok(()) }
}

/// Applies `map` to blocks of rows and stacks what it writes into rows × k.
pub(super) fn by_blocks(
    rows: ArrayView2<f64>,
    k: usize,
    mut map: impl FnMut(ArrayView2<f64>, ArrayViewMut2<f64>),
) -> Array2<f64> {
    let mut out = Array2::zeros((rows.nrows(), k));
    for (block, to) in rows.axis_chunks_iter(Axis(0), BLOCK).zip(out.axis_chunks_iter_mut(Axis(0), BLOCK)) {
        map(block, to);
    }
    out
}

/// Refuses rows of another width than the training rows', and numbers that are not finite.
pub(super) fn check(
    method: &'static str,
    rows: ArrayView2<f64>,
    expected: usize,
) -> Result<(), RepresentationError> {
    if rows.ncols() != expected {
        return Err(RepresentationError::Width { method, found: rows.ncols(), expected });
    }
    // Without an early end the usual case, nothing to find, is fast.
    if rows.fold(true, |finite, v| finite & v.is_finite()) {
        return Ok(());
    }
    match rows.indexed_iter().find(|(_, v)| !v.is_finite()) {
        Some(((row, column), value)) => {
            Err(RepresentationError::NotFinite { method, row, column, value: *value })
        }
        None => Ok(()),
    }
}

/// Refuses a k outside 1..=max.
pub(super) fn check_size(
    method: &'static str,
    k: usize,
    max: usize,
    why: &'static str,
) -> Result<(), RepresentationError> {
    if (1..=max).contains(&k) { Ok(()) } else { Err(RepresentationError::Size { method, k, max, why }) }
}

/// The mean of each column.
pub(super) fn column_means(x: ArrayView2<f64>) -> Array1<f64> {
    x.mean_axis(Axis(0)).expect("covariates have at least one row")
}

/// The squared Euclidean norm of each row.
pub(super) fn squared_norms(x: ArrayView2<f64>) -> Array1<f64> {
    x.rows().into_iter().map(|row| row.dot(&row)).collect()
}

/// A fitted representation that is one map for all rows, of d covariates each.
pub(super) struct Mapped<F> {
    pub method: &'static str,
    pub d: usize,
    pub training: Array2<f64>,
    pub map: F,
}

impl<F: Fn(ArrayView2<f64>) -> Array2<f64> + Send + Sync> Representation for Mapped<F> {
    fn k(&self) -> usize {
        self.training.ncols()
    }

    fn training(&self) -> ArrayView2<'_, f64> {
        self.training.view()
    }

    fn transform(&self, rows: ArrayView2<f64>) -> Result<Array2<f64>, RepresentationError> {
        check(self.method, rows, self.d)?;
        Ok((self.map)(rows))
    }
}

#[cfg(test)]
mod tests {
    use super::MAX_ROWS;
    use crate::data::{Covariates, Protocol};
    use crate::representation::by_name;
    use crate::seed::Seed;
    use ndarray::Array2;

    #[test]
    fn too_many_rows_are_refused_before_memory_is_asked_for() {
        let rows = Covariates::continuous(Array2::zeros((MAX_ROWS + 1, 1))).unwrap();
        for (name, most) in [("kernel-pca", MAX_ROWS), ("isomap", MAX_ROWS), ("spectral", 4_000)] {
            let fitted = by_name(name, 1, Protocol::Paper).unwrap().fit(&rows, Seed::new(0));
            let said = format!("{name}: at most {most} rows can be embedded at once, got 12001");
            assert_eq!(fitted.err().unwrap().to_string(), said);
        }
    }
}

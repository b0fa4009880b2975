//! What several topics need: golden values, random rows, and the largest difference of two arrays.

use ebmbook::prelude::*;
use ndarray::{Array1, Array2, ArrayView, ArrayView2, Dimension};
use rand_distr::{Distribution, StandardNormal};
use serde_json::Value;

fn fixture(name: &str) -> String {
    let path = format!("{}/tests/fixtures/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"))
}

/// A golden file in JSON.
pub fn golden(name: &str) -> Value {
    serde_json::from_str(&fixture(name)).unwrap()
}

/// A golden file of numbers without a header.
pub fn golden_matrix(name: &str) -> Array2<f64> {
    let text = fixture(&format!("{name}.csv"));
    let rows: Vec<Vec<f64>> =
        text.lines().map(|line| line.split(',').map(|cell| cell.trim().parse().unwrap()).collect()).collect();
    Array2::from_shape_vec((rows.len(), rows[0].len()), rows.concat()).unwrap()
}

/// A list of numbers.
pub fn numbers(value: &Value) -> Array1<f64> {
    value.as_array().unwrap().iter().map(|v| v.as_f64().unwrap()).collect()
}

/// The largest difference of two arrays of one shape.
pub fn gap<'a, D: Dimension + 'a>(
    one: impl Into<ArrayView<'a, f64, D>>,
    other: impl Into<ArrayView<'a, f64, D>>,
) -> f64 {
    let (one, other) = (one.into(), other.into());
    assert_eq!(one.shape(), other.shape());
    one.iter().zip(&other).fold(0.0, |most: f64, (a, b)| most.max((a - b).abs()))
}

/// The largest difference when each column is turned towards its counterpart.
pub fn gap_up_to_signs(one: ArrayView2<f64>, other: ArrayView2<f64>) -> f64 {
    assert_eq!(one.dim(), other.dim());
    let columns = one.columns().into_iter().zip(other.columns());
    let of_column = columns.map(|(a, b)| if a.dot(&b) < 0.0 { gap(&-&a, b) } else { gap(a, b) });
    of_column.fold(0.0, f64::max)
}

/// Independent standard normals.
pub fn normals(n: usize, d: usize, seed: u64) -> Array2<f64> {
    let mut rng = Seed::new(seed).rng();
    Array2::from_shape_simple_fn((n, d), || StandardNormal.sample(&mut rng))
}

/// 120 training rows with 20 covariates of the authors' data.
pub fn small_data() -> Dataset {
    synthetic::Released::new(20, 120).unwrap().generate().train
}

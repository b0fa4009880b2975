//! Rows in blocks, sixteen side by side.
//!
//! A [`Block`] holds rows feature by feature: all values of the first feature, then all of the second. Sixteen
//! neighbouring rows are one [`Lanes`], and every operation of training works on whole lanes. The processor's
//! registers decide how many instructions that takes, and never what comes out. A sum runs over the same numbers in the
//! same order on every machine, and a product followed by a sum is rounded once everywhere.

use super::Real;
use ndarray::{ArrayView2, ArrayViewMut2};

/// Rows that are computed side by side.
#[doc(inline)]
pub use crate::seed::LANES;

/// One number for each of sixteen rows.
pub type Lanes<T> = [T; LANES];

/// Rows, feature by feature, padded with zeros to whole lanes.
///
/// ```
/// use ebmbook::network::Block;
/// let block = Block::<f32>::from_rows(ndarray::array![[1.0, 2.0], [3.0, 4.0]].view());
/// assert_eq!(block.feature(1)[0][..3], [2.0, 4.0, 0.0]);
/// ```
#[derive(Clone, Debug)]
pub struct Block<T> {
    values: Vec<Lanes<T>>,
    chunks: usize,
}

impl<T> Default for Block<T> {
    fn default() -> Self {
        Self { values: Vec::new(), chunks: 0 }
    }
}

impl<T: Real> Block<T> {
    /// Room for `chunks` times sixteen rows. What stood there before stays until it is written.
    pub(crate) fn resize(&mut self, features: usize, chunks: usize) {
        self.chunks = chunks;
        self.values.resize(features * chunks, [T::of(0.0); LANES]);
    }

    /// These rows.
    pub fn from_rows(x: ArrayView2<f64>) -> Self {
        let mut block = Self::default();
        block.fill(x);
        block
    }

    /// Takes over these rows, in the room there is.
    pub fn fill(&mut self, x: ArrayView2<f64>) {
        self.resize(x.ncols(), x.nrows().div_ceil(LANES));
        for (s, column) in x.columns().into_iter().enumerate() {
            let lanes = self.feature_mut(s).as_flattened_mut();
            lanes[column.len()..].fill(T::of(0.0));
            lanes.iter_mut().zip(column).for_each(|(slot, value)| *slot = T::of(*value));
        }
    }

    /// Number of lanes of each feature.
    pub fn chunks(&self) -> usize {
        self.chunks
    }

    /// Feature after feature.
    pub fn values(&self) -> &[Lanes<T>] {
        &self.values
    }

    pub(crate) fn values_mut(&mut self) -> &mut [Lanes<T>] {
        &mut self.values
    }

    /// One feature of all rows.
    pub fn feature(&self, s: usize) -> &[Lanes<T>] {
        &self.values[s * self.chunks..(s + 1) * self.chunks]
    }

    pub(crate) fn feature_mut(&mut self, s: usize) -> &mut [Lanes<T>] {
        &mut self.values[s * self.chunks..(s + 1) * self.chunks]
    }
}

/// Writes numbers that stand feature by feature into rows.
pub(crate) fn into_rows<T: Real>(values: &[Lanes<T>], chunks: usize, mut rows: ArrayViewMut2<f64>) {
    for (mut column, lanes) in rows.columns_mut().into_iter().zip(values.chunks_exact(chunks)) {
        column.iter_mut().zip(lanes.as_flattened()).for_each(|(slot, value)| *slot = value.wide());
    }
}

/// The sum of sixteen numbers, always in this order.
#[inline(always)]
pub(crate) fn sum<T: Real>(mut lanes: Lanes<T>) -> T {
    for half in [8, 4, 2, 1] {
        for v in 0..half {
            lanes[v] += lanes[v + half];
        }
    }
    lanes[0]
}

/// eˣ for x ≤ 0, to a few units of the last place; 0 where it is below the smallest normal number.
///
/// ```text
/// eˣ = 2ⁿ eʳ,     n = ⌊x / ln 2⌉,     r = x − n ln 2 ∈ [−½ ln 2, ½ ln 2],     eʳ = Σ rⁱ/i!
/// ```
#[inline(always)]
pub(crate) fn exp<T: Real>(x: T) -> T {
    let n = (x * T::of(std::f64::consts::LOG2_E)).round_small();
    // n ln 2 in two parts, the first of which is exact.
    let r = n.fused(T::of(-T::LN_2[0]), x);
    let r = n.fused(T::of(-T::LN_2[1]), r);
    let mut power = T::of(0.0);
    for i in (0..=T::EXP_TERMS).rev() {
        power = power.fused(r, T::of(INVERSE_FACTORIALS[i]));
    }
    if x < T::of(T::LEAST_LOG) { T::of(0.0) } else { power * n.two_to_the() }
}

/// log(1 + s) for s ∈ [0, 1], to a few units of the last place.
///
/// ```text
/// log(1 + s) = 2 artanh(z) = 2 Σ z²ⁱ⁺¹/(2i + 1),     z = s/(2 + s) ≤ 1/3
/// ```
#[inline(always)]
pub(crate) fn log_1p<T: Real>(s: T) -> T {
    let z = s / (s + T::of(2.0));
    let square = z * z;
    let mut series = T::of(0.0);
    for i in (0..=T::LOG_TERMS).rev() {
        series = series.fused(square, T::of(2.0 / (2 * i + 1) as f64));
    }
    z * series
}

/// 1/i! for i up to 13.
const INVERSE_FACTORIALS: [f64; 14] = {
    let mut table = [1.0; 14];
    let mut i = 1;
    while i < 14 {
        table[i] = table[i - 1] / i as f64;
        i += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exp_and_log_are_the_usual_ones_to_four_units_of_the_last_place() {
        for i in 0..200_000 {
            let x = -f64::from(i) * 3.5e-3;
            let ratio = exp(x) / x.exp();
            assert!((ratio - 1.0).abs() < 4.0 * f64::EPSILON, "e^{x}: {ratio}");
            let s = f64::from(i) / 2e5;
            assert!((log_1p(s) - s.ln_1p()).abs() <= 4.0 * f64::EPSILON * s.ln_1p(), "log(1 + {s})");
            let x = (x / 9.0) as f32;
            let ratio = f64::from(exp(x)) / f64::from(x).exp();
            assert!((ratio - 1.0).abs() < 4.0 * f64::from(f32::EPSILON), "e^{x}: {ratio}");
            let s = s as f32;
            let right = f64::from(s).ln_1p();
            assert!((f64::from(log_1p(s)) - right).abs() <= 4.0 * f64::from(f32::EPSILON) * right);
        }
        assert_eq!((exp(f32::NEG_INFINITY), exp(-1e4_f64), exp(0.0_f32)), (0.0, 0.0, 1.0));
    }

    #[test]
    fn rows_go_in_and_come_out() {
        let x = ndarray::Array2::from_shape_fn((37, 3), |(i, s)| (i * 3 + s) as f64);
        let block = Block::<f64>::from_rows(x.view());
        let mut back = ndarray::Array2::zeros((37, 3));
        into_rows(block.values(), block.chunks(), back.view_mut());
        assert_eq!(x, back);
    }
}

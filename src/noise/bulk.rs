//! Steps of continuous features, sixteen copies at a time.

use crate::seed::{Bulk, LANES};
use multiversion::multiversion;

/// Adds sd·N(0, 1) where a fresh word is at most `limit`.
#[multiversion(targets("x86_64+avx512f+avx512vl+avx512bw+avx512dq+avx2+fma+bmi2", "x86_64+avx2+fma+bmi2"))]
pub(super) fn add_normals<T: num_traits::Float + From<f32>>(
    rng: &mut Bulk,
    limit: u32,
    sd: f32,
    copies: &mut [[T; LANES]],
) {
    let mut own = rng.clone();
    for pair in copies.chunks_mut(2) {
        let normals = own.normals();
        for (copy, z) in pair.iter_mut().zip(normals) {
            let moved = own.words();
            for v in 0..LANES {
                let step = if moved[v] <= limit { sd * z[v] } else { 0.0 };
                copy[v] = copy[v] + <T as From<f32>>::from(step);
            }
        }
    }
    *rng = own;
}

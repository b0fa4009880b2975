//! The three products of a layer, on rows that stand feature by feature.
//!
//! Each number of a result is one sum in one order, so tiles and registers change the time and not the result. The
//! compiler makes one version per instruction set; the program takes the widest that the processor has.

use super::Real;
use super::lanes::{LANES, Lanes, sum};
use multiversion::{multiversion, target::target_cfg_f};

/// z_j = c_j + Σ_i a_i w_ij for each row. `weights` is (inputs × outputs), row by row, `start` is c_j or nothing;
/// `finish` gets each z_j with its place and returns what is kept.
#[inline(always)]
fn tile<T: Real, const J: usize, const R: usize>(
    a: &[Lanes<T>],
    chunks: usize,
    weights: &[T],
    outputs: usize,
    biases: &[T],
    (j, r): (usize, usize),
    mut finish: impl FnMut(usize, Lanes<T>),
) {
    let mut z = [[[T::of(0.0); LANES]; R]; J];
    if !biases.is_empty() {
        for (z, c) in z.iter_mut().zip(&biases[j..j + J]) {
            *z = [[*c; LANES]; R];
        }
    }
    for (a, w) in a.chunks_exact(chunks).zip(weights.chunks_exact(outputs)) {
        let a: &[Lanes<T>; R] = a[r..r + R].try_into().expect("R lanes");
        let w: &[T; J] = w[j..j + J].try_into().expect("J weights");
        for (z, w) in z.iter_mut().zip(w) {
            for (z, a) in z.iter_mut().zip(a) {
                for v in 0..LANES {
                    z[v] = a[v].fused(*w, z[v]);
                }
            }
        }
    }
    for (l, z) in z.into_iter().enumerate() {
        for (m, z) in z.into_iter().enumerate() {
            finish((j + l) * chunks + r + m, z);
        }
    }
}

/// All tiles of a product: four outputs at a time, then two, then one.
#[inline(always)]
fn tiles<T: Real, const R: usize>(
    a: &[Lanes<T>],
    chunks: usize,
    weights: &[T],
    outputs: usize,
    biases: &[T],
    r: usize,
    mut finish: impl FnMut(usize, Lanes<T>),
) {
    let mut j = 0;
    while j + 4 <= outputs {
        tile::<T, 4, R>(a, chunks, weights, outputs, biases, (j, r), &mut finish);
        j += 4;
    }
    if j + 2 <= outputs {
        tile::<T, 2, R>(a, chunks, weights, outputs, biases, (j, r), &mut finish);
        j += 2;
    }
    if j < outputs {
        tile::<T, 1, R>(a, chunks, weights, outputs, biases, (j, r), &mut finish);
    }
}

#[inline(always)]
fn product<T: Real>(
    a: &[Lanes<T>],
    chunks: usize,
    weights: &[T],
    outputs: usize,
    biases: &[T],
    wide: bool,
    mut finish: impl FnMut(usize, Lanes<T>),
) {
    let mut r = 0;
    if wide {
        while r + 2 <= chunks {
            tiles::<T, 2>(a, chunks, weights, outputs, biases, r, &mut finish);
            r += 2;
        }
    }
    while r < chunks {
        tiles::<T, 1>(a, chunks, weights, outputs, biases, r, &mut finish);
        r += 1;
    }
}

/// What becomes of a layer's outputs on the way forward.
pub(super) enum After<'a, T> {
    Nothing,
    Relu,
    /// SiLU, with room for its slopes.
    Silu(&'a mut [Lanes<T>]),
}

/// a_l = φ(a_{l−1} W_l + c_l), for W_l over c_l in one matrix.
#[multiversion(targets("x86_64+avx512f+avx512vl+avx512bw+avx512dq+avx2+fma+bmi2", "x86_64+avx2+fma+bmi2"))]
pub(super) fn forward<T: Real>(
    a: &[Lanes<T>],
    chunks: usize,
    weights: &[T],
    outputs: usize,
    after: After<'_, T>,
    out: &mut [Lanes<T>],
) {
    let wide = target_cfg_f!(target_feature = "avx512f");
    let (weights, biases) = weights.split_at(weights.len() - outputs);
    let zero = T::of(0.0);
    match after {
        After::Nothing => product(a, chunks, weights, outputs, biases, wide, |at, z| out[at] = z),
        After::Relu => product(a, chunks, weights, outputs, biases, wide, |at, z| {
            out[at] = z.map(|z| if z > zero { z } else { zero });
        }),
        After::Silu(slopes) => product(a, chunks, weights, outputs, biases, wide, |at, z| {
            for v in 0..LANES {
                // φ = zσ,  φ′ = σ·(1 + z·(1 − σ))
                let sigma = sigmoid(z[v]);
                slopes[at][v] = sigma * (T::of(1.0) + z[v] * (T::of(1.0) - sigma));
                out[at][v] = z[v] * sigma;
            }
        }),
    }
}

/// σ(z) = 1 / (1 + e^{−z})
#[inline(always)]
fn sigmoid<T: Real>(z: T) -> T {
    let small = super::lanes::exp(if z > T::of(0.0) { -z } else { z });
    let one = T::of(1.0);
    if z > T::of(0.0) { one / (one + small) } else { small / (one + small) }
}

/// φ′ of the layer below.
pub(super) enum Slope<'a, T> {
    One,
    /// 1 where the output is positive.
    Relu(&'a [Lanes<T>]),
    Silu(&'a [Lanes<T>]),
}

/// δ_{l−1} = (δ_l W_lᵀ) ∘ φ′(z_{l−1}); `transposed` is W_lᵀ.
#[multiversion(targets("x86_64+avx512f+avx512vl+avx512bw+avx512dq+avx2+fma+bmi2", "x86_64+avx2+fma+bmi2"))]
pub(super) fn backward<T: Real>(
    delta: &[Lanes<T>],
    chunks: usize,
    transposed: &[T],
    inputs: usize,
    slope: Slope<'_, T>,
    out: &mut [Lanes<T>],
) {
    let wide = target_cfg_f!(target_feature = "avx512f");
    let zero = T::of(0.0);
    match slope {
        Slope::One => product(delta, chunks, transposed, inputs, &[], wide, |at, d| out[at] = d),
        Slope::Relu(outputs) => product(delta, chunks, transposed, inputs, &[], wide, |at, d| {
            for v in 0..LANES {
                out[at][v] = if outputs[at][v] > zero { d[v] } else { zero };
            }
        }),
        Slope::Silu(slopes) => product(delta, chunks, transposed, inputs, &[], wide, |at, d| {
            for v in 0..LANES {
                out[at][v] = d[v] * slopes[at][v];
            }
        }),
    }
}

/// ∂loss/∂(W_l over c_l) += (a_{l−1}, 1)ᵀ δ_l, summed over the rows in sixteen lanes, and over the lanes at the end.
/// `sums` is room for the lanes.
pub(super) fn gradient<T: Real>(
    a: &[Lanes<T>],
    delta: &[Lanes<T>],
    chunks: usize,
    sums: &mut Vec<Lanes<T>>,
    out: &mut [T],
) {
    sums.resize(out.len(), [T::of(0.0); LANES]);
    lane_sums(a, delta, chunks, sums);
    out.iter_mut().zip(sums).for_each(|(slot, lanes)| *slot += sum(*lanes));
}

#[multiversion(targets("x86_64+avx512f+avx512vl+avx512bw+avx512dq+avx2+fma+bmi2", "x86_64+avx2+fma+bmi2"))]
fn lane_sums<T: Real>(a: &[Lanes<T>], delta: &[Lanes<T>], chunks: usize, sums: &mut [Lanes<T>]) {
    let (inputs, outputs) = (a.len() / chunks, delta.len() / chunks);
    let wide = target_cfg_f!(target_feature = "avx512f");
    let mut i = 0;
    while wide && i + 4 <= inputs {
        outer::<T, 4>(a, delta, chunks, i, outputs, sums);
        i += 4;
    }
    while i + 2 <= inputs {
        outer::<T, 2>(a, delta, chunks, i, outputs, sums);
        i += 2;
    }
    if i < inputs {
        outer::<T, 1>(a, delta, chunks, i, outputs, sums);
    }
    for (sum, delta) in sums[inputs * outputs..].iter_mut().zip(delta.chunks_exact(chunks)) {
        let mut total = [T::of(0.0); LANES];
        for d in delta {
            for v in 0..LANES {
                total[v] += d[v];
            }
        }
        *sum = total;
    }
}

/// Rows i … i + I of the gradient, four, two or one column at a time.
#[inline(always)]
fn outer<T: Real, const I: usize>(
    a: &[Lanes<T>],
    delta: &[Lanes<T>],
    chunks: usize,
    i: usize,
    outputs: usize,
    sums: &mut [Lanes<T>],
) {
    let mut j = 0;
    while j + 4 <= outputs {
        dots::<T, I, 4>(a, delta, chunks, (i, j), outputs, sums);
        j += 4;
    }
    if j + 2 <= outputs {
        dots::<T, I, 2>(a, delta, chunks, (i, j), outputs, sums);
        j += 2;
    }
    if j < outputs {
        dots::<T, I, 1>(a, delta, chunks, (i, j), outputs, sums);
    }
}

#[inline(always)]
fn dots<T: Real, const I: usize, const J: usize>(
    a: &[Lanes<T>],
    delta: &[Lanes<T>],
    chunks: usize,
    (i, j): (usize, usize),
    outputs: usize,
    sums: &mut [Lanes<T>],
) {
    let (a, delta) = (&a[i * chunks..(i + I) * chunks], &delta[j * chunks..(j + J) * chunks]);
    let mut total = [[[T::of(0.0); LANES]; J]; I];
    for r in 0..chunks {
        let a: [Lanes<T>; I] = std::array::from_fn(|l| a[l * chunks + r]);
        let delta: [Lanes<T>; J] = std::array::from_fn(|m| delta[m * chunks + r]);
        for l in 0..I {
            for m in 0..J {
                for v in 0..LANES {
                    total[l][m][v] = a[l][v].fused(delta[m][v], total[l][m][v]);
                }
            }
        }
    }
    for l in 0..I {
        sums[(i + l) * outputs + j..][..J].copy_from_slice(&total[l]);
    }
}

//! The corruption kernel is a probability, is symmetric, and is what the sampler draws from.

use ebmbook::data::{Column, ColumnKind, Covariates};
use ebmbook::noise::NoiseKernel;
use ebmbook::seed::Seed;
use ndarray::{Array1, Array2, Array3, array};
use rand::Rng;
use rstest::rstest;

fn continuous(d: usize) -> Covariates {
    Covariates::continuous(Array2::from_shape_fn((2, d), |(i, s)| (i + s) as f64)).unwrap()
}

/// Categorical features with the given numbers of values 0, 1, 2, ….
fn categorical(sizes: &[usize]) -> Covariates {
    let most = *sizes.iter().max().unwrap();
    let x = Array2::from_shape_fn((most, sizes.len()), |(i, s)| (i % sizes[s]) as f64);
    let columns = (0..sizes.len())
        .map(|s| Column { name: format!("c{s}"), kind: ColumnKind::categorical(x.column(s)) })
        .collect();
    Covariates::new(x, columns).unwrap()
}

/// A continuous, a categorical and another continuous feature.
fn mixed(x: Array2<f64>) -> Covariates {
    let kinds = [ColumnKind::Continuous, ColumnKind::categorical(x.column(1)), ColumnKind::Continuous];
    let columns = kinds.into_iter().enumerate().map(|(s, kind)| Column { name: format!("m{s}"), kind });
    let columns = columns.collect();
    Covariates::new(x, columns).unwrap()
}

/// Fails unless a share of independent draws is p, up to so many of its standard errors √(p(1−p)/n).
fn assert_share(name: &str, hits: f64, draws: f64, p: f64, errors: f64) {
    let (share, se) = (hits / draws, (p * (1.0 - p) / draws).sqrt());
    assert!((share - p).abs() < errors * se, "{name}: {share} against {p}");
}

/// ∫ g over [−20, 20] by the midpoint rule. For a Gaussian of sd in [0.5, 2] its error is far below
/// 1e-12 (the tails carry 1e-23, and the rule converges faster than any power of the step).
fn integral(g: impl Fn(f64) -> f64) -> f64 {
    let step = 0.125;
    // The grid misses 0 itself, where the kernel has its atom.
    (-160..160).map(|i| g((f64::from(i) + 0.5) * step) * step).sum()
}

#[rstest]
#[case(0.2, 1.0)]
#[case(0.5, 1.0)]
#[case(0.9, 0.5)]
#[case(1.0, 2.0)]
fn two_continuous_features_integrate_to_one(#[case] q: f64, #[case] sd: f64) {
    let kernel = NoiseKernel::new(&continuous(2), q).unwrap().with_sd(sd).unwrap();
    let x = array![0.3, -1.2];
    let p = |t0: f64, t1: f64| kernel.log_density(array![x[0] + t0, x[1] + t1].view(), x.view()).exp();
    // Both stay (an atom), one moves (two lines), both move (a plane).
    let plane = integral(|t0| integral(|t1| p(t0, t1)));
    let mass =
        if q < 1.0 { p(0.0, 0.0) + integral(|t| p(t, 0.0)) + integral(|t| p(0.0, t)) + plane } else { plane };
    assert!((mass - 1.0).abs() < 1e-6, "q = {q}, sd = {sd}: {mass}");
}

#[rstest]
#[case(0.05)]
#[case(0.5)]
#[case(1.0)]
fn categorical_features_sum_to_one(#[case] q: f64) {
    let kernel = NoiseKernel::new(&categorical(&[2, 3, 5]), q).unwrap();
    let x = array![1.0, 0.0, 4.0];
    let mut mass = 0.0;
    for (a, b, c) in (0..2).flat_map(|a| (0..3).flat_map(move |b| (0..5).map(move |c| (a, b, c)))) {
        let copy = array![f64::from(a), f64::from(b), f64::from(c)];
        mass += kernel.log_density(copy.view(), x.view()).exp();
    }
    assert!((mass - 1.0).abs() < 1e-12, "q = {q}: {mass}");
}

#[test]
fn keeping_the_indicator_instead_of_summing_it_out_does_not_sum_to_one() {
    // The printed formula for an unchanged category, 1 − q, forgets that a corrupted feature can
    // land on its old value: the control that the check above can fail.
    let (q, m) = (0.5, 3.0);
    let printed = (1.0 - q) + (m - 1.0) * q / m;
    assert!((printed - 1.0_f64).abs() > 0.1);
}

#[test]
fn the_kernel_is_symmetric_to_the_bit() {
    let mixed = mixed(array![[0.0, 0.0, 1.0], [1.5, 1.0, 2.0], [2.5, 2.0, 0.0]]);
    let kernel = NoiseKernel::new(&mixed, 0.3).unwrap();
    let copies = kernel.corrupt(mixed.x(), 200, Seed::new(1)).unwrap();
    for (i, j) in (0..200).zip((0..200).rev()) {
        let (v, w) = (copies.slice(ndarray::s![0, i, ..]), copies.slice(ndarray::s![1, j, ..]));
        assert_eq!(kernel.log_density(v, w).to_bits(), kernel.log_density(w, v).to_bits());
    }
}

#[test]
fn categorical_copies_have_the_frequencies_of_the_kernel() {
    let kernel = NoiseKernel::new(&categorical(&[2, 3]), 0.4).unwrap();
    let x = array![[1.0, 2.0]];
    let draws = 60_000;
    let copies = kernel.corrupt(x.view(), draws, Seed::new(2)).unwrap();
    for (a, b) in (0..2).flat_map(|a| (0..3).map(move |b| (f64::from(a), f64::from(b)))) {
        let p = kernel.log_density(array![a, b].view(), x.row(0)).exp();
        let hits = (0..draws).filter(|i| copies[[0, *i, 0]] == a && copies[[0, *i, 1]] == b).count();
        // Five standard errors for each of six cells: a false alarm in 3e-6, and the seed is pinned.
        assert_share(&format!("({a}, {b})"), hits as f64, draws as f64, p, 5.0);
    }
}

#[test]
fn continuous_copies_have_the_histogram_of_the_kernel() {
    let (q, sd) = (0.7, 0.5);
    let kernel = NoiseKernel::new(&continuous(1), q).unwrap().with_sd(sd).unwrap();
    let draws = 60_000;
    let copies = kernel.corrupt(array![[0.25]].view(), draws, Seed::new(3)).unwrap();
    let check = |name: &str, p: f64, hits: usize| assert_share(name, hits as f64, draws as f64, p, 5.0);
    let atom = kernel.log_density(array![0.25].view(), array![0.25].view()).exp();
    check("unchanged", atom, copies.iter().filter(|v| **v == 0.25).count());
    for bin in -6..6 {
        let (low, width) = (f64::from(bin) * 0.25, 0.25);
        // Midpoint rule on 64 sub-intervals: error about (0.25/64)²·max|p''|/24 < 1e-5 per bin.
        let p: f64 = (0..64)
            .map(|i| {
                let t = low + (f64::from(i) + 0.5) * width / 64.0;
                kernel.log_density(array![0.25 + t].view(), array![0.25].view()).exp() * width / 64.0
            })
            .sum();
        let inside = |v: &&f64| **v != 0.25 && **v - 0.25 >= low && **v - 0.25 < low + width;
        check(&format!("bin {bin}"), p, copies.iter().filter(inside).count());
    }
}

#[test]
fn batch_weights_are_the_sums_of_pair_densities() {
    let rows = continuous(4);
    let kernel = NoiseKernel::new(&rows, 0.5).unwrap();
    let copies = kernel.corrupt(rows.x(), 3, Seed::new(4)).unwrap();
    let mut candidates = Array3::zeros((2, 4, 4));
    candidates.slice_mut(ndarray::s![.., 0, ..]).assign(&rows.x());
    candidates.slice_mut(ndarray::s![.., 1.., ..]).assign(&copies);
    let weights = kernel.log_weights(candidates.view()).unwrap();
    for i in 0..2 {
        for a in 0..4 {
            let row = |c: usize| candidates.slice(ndarray::s![i, c, ..]);
            let sum: f64 = (0..4).filter(|c| *c != a).map(|c| kernel.log_density(row(c), row(a))).sum();
            // Three sums of four terms of size ten: rounding stays below 1e-13.
            assert!((weights[[i, a]] - sum).abs() < 1e-12);
        }
    }
}

#[test]
fn a_candidate_without_the_shared_value_is_impossible() {
    let kernel = NoiseKernel::new(&continuous(2), 0.5).unwrap();
    // The first coordinate 1.0 is shared by candidates 0 and 1: candidate 2 cannot be the original.
    let group = array![[[1.0, 5.0], [1.0, 6.0], [3.0, 7.0]], [[1.0, 5.0], [2.0, 6.0], [3.0, 7.0]]];
    let possible = kernel.possible_originals(group.view()).unwrap();
    assert_eq!(possible, array![[true, true, false], [true, true, true]]);
}

#[test]
fn the_true_row_is_always_possible() {
    let rows = continuous(6);
    let kernel = NoiseKernel::new(&rows, 0.3).unwrap();
    let mut rng = Seed::new(5).rng();
    for _ in 0..200 {
        let x = Array1::from_shape_simple_fn(6, || rng.random::<f64>());
        let copies =
            kernel.corrupt(x.view().insert_axis(ndarray::Axis(0)), 4, Seed::new(rng.random())).unwrap();
        let mut group = Array3::zeros((1, 5, 6));
        group.slice_mut(ndarray::s![0, 0, ..]).assign(&x);
        group.slice_mut(ndarray::s![.., 1.., ..]).assign(&copies);
        assert!(kernel.possible_originals(group.view()).unwrap()[[0, 0]]);
    }
}

#[test]
fn constant_columns_are_named_and_left_alone() {
    let x = array![[1.0, 9.0], [2.0, 9.0], [3.0, 9.0]];
    let rows = Covariates::continuous(x).unwrap();
    let kernel = NoiseKernel::new(&rows, 1.0).unwrap();
    assert_eq!(kernel.untouched(), ["x2"]);
    let copies = kernel.corrupt(rows.x(), 10, Seed::new(6)).unwrap();
    assert!(copies.slice(ndarray::s![.., .., 1]).iter().all(|v| *v == 9.0));
    assert!(copies.slice(ndarray::s![.., .., 0]).iter().all(|v| v.fract() != 0.0));
}

#[rstest]
#[case(0.0)]
#[case(-0.1)]
#[case(1.2)]
#[case(f64::NAN)]
fn probabilities_outside_the_interval_are_refused(#[case] q: f64) {
    let error = NoiseKernel::new(&continuous(2), q).unwrap_err();
    assert_eq!(error.to_string(), format!("corruption probability q must lie in (0, 1], got {q}"));
}

#[test]
fn noise_drawn_in_bulk_follows_the_kernels_law() {
    // Continuous, three categories, constant.
    let rows = mixed(array![[0.5, 0.0, 7.0], [0.1, 1.0, 7.0], [0.2, 2.0, 7.0]]);
    let kernel = NoiseKernel::new(&rows, 0.3).unwrap().with_sd(2.0).unwrap();
    let (mut rng, draws) = (Seed::new(1).bulk(), 40_000);
    let mut copies = [0.5, 0.0, 7.0].map(|value| vec![[value; 16]; draws / 16]);
    for (s, values) in copies.iter_mut().enumerate() {
        kernel.corrupt_lanes(s, &mut rng, values, |value| value);
    }
    let copies = copies.map(|values| values.into_flattened());
    let (mut moved, mut steps, mut squares, mut categories) = (0.0, 0.0, 0.0, [0.0; 3]);
    for i in 0..draws {
        let row: [f64; 3] = std::array::from_fn(|s| copies[s][i]);
        let step = row[0] - 0.5;
        moved += f64::from(u8::from(step != 0.0));
        steps += step;
        squares += step * step;
        categories[row[1] as usize] += 1.0;
        assert_eq!(row[2], 7.0, "a constant column is never corrupted");
    }
    let n = draws as f64;
    // Four standard errors each: of a share p, √(p(1−p)/n); of the mean step, √(qσ²/n); of the mean
    // squared step, √((3qσ⁴ − q²σ⁴)/n).
    assert_share("moved", moved, n, 0.3, 4.0);
    assert!((steps / n).abs() < 4.0 * (0.3 * 4.0 / n).sqrt(), "{steps}");
    assert!((squares / n - 1.2).abs() < 4.0 * ((0.9 * 16.0 - 0.09 * 16.0) / n).sqrt(), "{squares}");
    for (hits, expected) in categories.into_iter().zip([0.8, 0.1, 0.1]) {
        assert_share("category", hits, n, expected, 4.0);
    }
}

//! What must hold of a reduction whatever the data: invariances, duplicates, more components than
//! rank, disconnected graphs, determinism, and refusal of what cannot be done.

use crate::support::{gap, gap_up_to_signs as difference, normals};
use ebmbook::data::Protocol;
use ebmbook::linalg::{symmetric_eigen, thin_svd};
use ebmbook::prelude::VariantNames;
use ebmbook::prelude::*;
use ebmbook::representation::{
    Agglomeration, Disconnected, Isomap, KernelPca, Pca, RepresentationKind, Spectral, by_name, parse,
};
use ndarray::{Array2, ArrayView2, Axis, concatenate, s};
use proptest::prelude::{ProptestConfig, any, prop_assert, proptest};
use proptest::test_runner::RngSeed;
use rstest::rstest;

/// Rows whose columns have clearly different variances, so that components are well separated.
fn ellipse(n: usize, d: usize, seed: u64) -> Array2<f64> {
    let scale = ndarray::Array1::from_shape_fn(d, |s| 0.6_f64.powi(s as i32));
    normals(n, d, seed) * scale
}

fn covariates(x: &Array2<f64>) -> Covariates {
    Covariates::continuous(x.clone()).unwrap()
}

fn fit(method: &dyn Reduce, x: &Array2<f64>) -> Box<dyn Representation> {
    method.fit(&covariates(x), Seed::new(1)).unwrap()
}

/// ‖x_i − y_j‖²
fn squared_distance(x: &Array2<f64>, i: usize, y: &Array2<f64>, j: usize) -> f64 {
    (&x.row(i) - &y.row(j)).iter().map(|e| e * e).sum()
}

/// The kernel matrix exp(−‖x_i − x_j‖²/d), computed anew.
fn rbf(x: &Array2<f64>) -> Array2<f64> {
    let entry = |(i, j)| (-squared_distance(x, i, x, j) / x.ncols() as f64).exp();
    Array2::from_shape_fn((x.nrows(), x.nrows()), entry)
}

fn rotation(d: usize, seed: u64) -> Array2<f64> {
    thin_svd(normals(d, d, seed).view()).0
}

// Distances and inner products of n = 60 rows are exact to about 1e-14; dividing by relative gaps
// of eigenvalues, seldom below 1e-4 in sixty draws, leaves 1e-10. A failed invariance is of size 1.
const INVARIANT: f64 = 1e-6;

proptest! {
    // Fixed cases: among endlessly many new ones some graph would fall apart or two eigenvalues meet,
    // and then the embedding is not unique and the property does not hold.
    #![proptest_config(ProptestConfig {
        cases: 32, failure_persistence: None, rng_seed: RngSeed::Fixed(2022), ..Default::default()
    })]

    #[test]
    fn rotating_and_moving_all_rows_changes_no_euclidean_embedding(seed in any::<u64>(), by in -5.0_f64..5.0) {
        let (x, new) = (ellipse(60, 5, seed), ellipse(20, 5, seed ^ 1));
        let q = rotation(5, seed ^ 2);
        let methods: [Box<dyn Reduce>; 4] = [
            Box::new(Pca::new(2)),
            Box::new(KernelPca::new(2)),
            Box::new(Isomap::components(2).with_neighbours(8)),
            Box::new(Spectral::extended(2)),
        ];
        for method in methods {
            let (plain, turned) = (fit(&*method, &x), fit(&*method, &(x.dot(&q) + by)));
            let off = difference(plain.training(), turned.training());
            prop_assert!(off < INVARIANT, "{}: {off:e}", method.name());
            let (a, b) = (plain.transform(new.view()).unwrap(), turned.transform((new.dot(&q) + by).view()).unwrap());
            let off = difference(a.view(), b.view());
            prop_assert!(off < INVARIANT, "{}, new rows: {off:e}", method.name());
        }
    }

    #[test]
    fn permuting_covariates_permutes_the_groups_only(seed in any::<u64>()) {
        let x = normals(40, 6, seed);
        let backwards = x.slice(s![.., ..;-1]).to_owned();
        let pooled = |x: &Array2<f64>| {
            let mut columns: Vec<Vec<f64>> =
                fit(&Agglomeration::new(3), x).training().columns().into_iter().map(|c| c.to_vec()).collect();
            columns.sort_by(|a, b| a[0].total_cmp(&b[0]));
            columns.concat()
        };
        let off = pooled(&x).iter().zip(pooled(&backwards)).fold(0.0_f64, |m, (a, b)| m.max((a - b).abs()));
        prop_assert!(off < 1e-13, "{off:e}");
    }

    #[test]
    fn pca_keeps_the_most_variance_any_two_directions_can(seed in any::<u64>()) {
        let x = ellipse(50, 4, seed);
        let variance = |f: ArrayView2<f64>| f.var_axis(Axis(0), 0.0).sum();
        let best = variance(fit(&Pca::new(2), &x).training());
        let other = variance(x.dot(&rotation(4, seed ^ 3).slice(s![.., ..2])).view());
        prop_assert!(best >= other - 1e-12, "{best} < {other}");
    }
}

#[test]
fn kernel_pca_scores_have_the_inner_products_of_the_centred_kernel() {
    // With all components, F Fᵀ = the doubly centred kernel matrix: it defines the method.
    let x = normals(30, 3, 4);
    let f = fit(&KernelPca::new(30), &x).training().to_owned();
    let kernel = rbf(&x);
    let centre = Array2::eye(30) - 1.0 / 30.0;
    let expected = centre.dot(&kernel).dot(&centre);
    assert!((&f.dot(&f.t()) - &expected).iter().all(|e| e.abs() < 1e-12));
}

#[test]
fn isomap_with_every_neighbour_is_pca_up_to_sign() {
    // All distances are then straight lines, and classical scaling of those is PCA.
    let x = ellipse(40, 4, 9);
    let isomap = fit(&Isomap::components(2).with_neighbours(39), &x);
    assert!(difference(isomap.training(), fit(&Pca::new(2), &x).training()) < 1e-10);
}

#[test]
fn spectral_coordinates_solve_the_generalised_eigenvalue_problem() {
    // Orthogonality Fᵀ D F ∝ I and Fᵀ D 1 = 0 follow from the definition; D is computed here anew.
    let x = normals(100, 2, 6);
    let f = fit(&Spectral::refitted(3), &x).training().to_owned();
    let distance = |i: usize, j: usize| squared_distance(&x, i, &x, j);
    let mut near = Array2::<f64>::zeros((100, 100));
    for i in 0..100 {
        let mut order: Vec<usize> = (0..100).collect();
        order.sort_by(|a, b| distance(i, *a).total_cmp(&distance(i, *b)));
        for j in order.into_iter().take(10).filter(|j| *j != i) {
            near[[i, j]] = 1.0;
        }
    }
    let degree = ((&near + &near.t()) / 2.0).sum_axis(Axis(1));
    let weighted = &f * &degree.insert_axis(Axis(1));
    assert!((f.t().dot(&weighted) - Array2::<f64>::eye(3)).iter().all(|e| e.abs() < 1e-12));
    assert!(weighted.sum_axis(Axis(0)).iter().all(|e| e.abs() < 1e-12));
}

#[rstest]
fn training_rows_sent_through_as_new_rows_keep_their_place(
    #[values("pca", "agglomeration", "isomap", "kernel-pca", "random-projection", "kmeans-distances")]
    name: &str,
) {
    let x = ellipse(80, 6, 3);
    let fitted = fit(&*by_name(name, 3, Protocol::Paper).unwrap(), &x);
    assert_eq!(fitted.new_rows(), NewRows::SameMap);
    let off = difference(fitted.transform(x.view()).unwrap().view(), fitted.training());
    assert!(off < 1e-10, "{name}: {off:e}");
}

#[rstest]
fn rows_that_occur_many_times_are_embedded_alike(
    #[values(
        "pca",
        "agglomeration",
        "spectral",
        "isomap",
        "kernel-pca",
        "random-projection",
        "kmeans-distances"
    )]
    name: &str,
) {
    let few = ellipse(12, 4, 5);
    let x = concatenate(Axis(0), &[few.view(), few.view(), few.view(), few.view()]).unwrap();
    for protocol in [Protocol::Paper, Protocol::Released] {
        let fitted = fit(&*by_name(name, 2, protocol).unwrap(), &x);
        let f = fitted.transform(x.view()).unwrap();
        assert!(f.iter().all(|v| v.is_finite()), "{name}");
        if fitted.new_rows() != NewRows::Refit {
            for copy in 1..4 {
                let off = gap(f.slice(s![..12, ..]), f.slice(s![12 * copy..12 * (copy + 1), ..]));
                assert!(off < 1e-12, "{name}: {off:e}");
            }
        }
    }
}

#[rstest]
#[case("pca", 1e-12)]
#[case("kernel-pca", 1e-12)]
#[case("isomap", 1e-6)]
fn components_beyond_the_rank_are_zero(#[case] name: &str, #[case] tolerance: f64) {
    // Three distinct rows on a line: one component is all there is for PCA and Isomap, two for the
    // kernel. Isomap's eigenvalues are squares, so rounding of 1e-16 shows up as 1e-8 in the root.
    let x = Array2::from_shape_fn((9, 4), |(i, s)| ((i % 3) * (s + 1)) as f64);
    let rank = if name == "kernel-pca" { 2 } else { 1 };
    let method: Box<dyn Reduce> = match name {
        "isomap" => Box::new(Isomap::components(4).with_neighbours(8)),
        _ => by_name(name, 4, Protocol::Paper).unwrap(),
    };
    let fitted = fit(&*method, &x);
    let new = fitted.transform((&x + 0.25).view()).unwrap();
    for f in [fitted.training(), new.view()] {
        assert!(f.slice(s![.., ..rank]).iter().any(|v| v.abs() > 0.1), "{name}");
        assert!(fitted.training().slice(s![.., rank..]).iter().all(|v| v.abs() < tolerance), "{name}: {f}");
        assert!(f.iter().all(|v| v.is_finite()));
    }
}

#[test]
fn identical_rows_are_embedded_at_the_origin_or_refused_never_nan() {
    let x = Array2::from_elem((20, 3), 7.0);
    for &name in RepresentationKind::VARIANTS {
        let fitted = by_name(name, 2, Protocol::Paper).unwrap().fit(&covariates(&x), Seed::new(1));
        if ["ebm", "untrained"].contains(&name) {
            let error = fitted.err().unwrap().to_string();
            assert!(error.ends_with("there is nothing to corrupt"), "{error}");
            continue;
        }
        let f = fitted.unwrap().transform(x.view()).unwrap();
        assert!(f.iter().all(|v| v.is_finite()), "{name}");
        if ["pca", "isomap", "kernel-pca", "kmeans-distances"].contains(&name) {
            assert!(f.iter().all(|v| *v == 0.0), "{name}");
        }
    }
}

#[test]
fn a_graph_in_pieces_is_joined_or_its_pieces_lie_on_each_other() {
    let near = normals(20, 3, 1);
    let x = concatenate(Axis(0), &[near.view(), (&near + 100.0).view()]).unwrap();
    let gap = |mode| {
        let fitted = fit(&Isomap::components(2).with_neighbours(4).with_disconnected(mode), &x);
        let centre =
            |rows: std::ops::Range<usize>| fitted.training().slice(s![rows, ..]).mean_axis(Axis(0)).unwrap();
        (&centre(0..20) - &centre(20..40)).iter().map(|e| e * e).sum::<f64>().sqrt()
    };
    // Joined, the pieces are at least as far apart as they are in space, less their radius;
    // with distance zero they are closer together than their own diameters.
    assert!(gap(Disconnected::Join) > 150.0, "{}", gap(Disconnected::Join));
    assert!(gap(Disconnected::Zero) < 10.0, "{}", gap(Disconnected::Zero));
}

#[test]
fn spectral_embedding_of_two_pieces_is_constant_on_each() {
    // The null space of the Laplacian of a graph in c pieces is spanned by their indicators. With
    // two pieces, the constant and one coordinate span it; the basis inside it is arbitrary.
    let near = normals(30, 2, 2);
    let x = concatenate(Axis(0), &[near.view(), (&near + 100.0).view()]).unwrap();
    let f = fit(&Spectral::refitted(1), &x).training().column(0).to_owned();
    for piece in [0..30, 30..60] {
        let piece = f.slice(s![piece]);
        assert!(piece.iter().all(|v| (v - piece[0]).abs() < 1e-10), "{piece}");
    }
}

#[test]
fn the_extension_puts_new_rows_between_their_neighbours() {
    // Points on a circle: the first two coordinates are a circle again, and a new point on it
    // lands on that circle near the training point next to it.
    let circle = |n: usize, shift: f64| {
        Array2::from_shape_fn((n, 2), |(i, s)| {
            let angle = std::f64::consts::TAU * (i as f64 + shift) / n as f64;
            if s == 0 { angle.cos() } else { 1.3 * angle.sin() }
        })
    };
    let fitted = fit(&Spectral::extended(2), &circle(200, 0.0));
    let f = fitted.training().to_owned();
    let between = fitted.transform(circle(200, 0.5).view()).unwrap();
    let radius = f.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
    let step = |i: usize| squared_distance(&f, i, &f, (i + 1) % 200).sqrt();
    for i in 0..200 {
        let off = squared_distance(&between, i, &f, i).sqrt();
        // Half a step along the circle, plus the bias of a mean over 20 neighbours that include
        // the row's own place: 1 − μ, a few per cent of the radius.
        assert!(off < step(i) + 0.1 * radius, "row {i}: {off} of {radius}");
    }
}

#[test]
fn refitting_forgets_the_training_rows_and_extending_does_not() {
    let (x, other, new) = (ellipse(50, 3, 1), ellipse(50, 3, 2), ellipse(40, 3, 3));
    let embed =
        |spectral: Spectral, train: &Array2<f64>| fit(&spectral, train).transform(new.view()).unwrap();
    assert_eq!(embed(Spectral::refitted(2), &x), embed(Spectral::refitted(2), &other));
    assert_ne!(embed(Spectral::extended(2), &x), embed(Spectral::extended(2), &other));
}

#[test]
fn a_large_embedding_satisfies_its_eigenvalue_equation() {
    // Above 256 rows only the leading eigenvectors are computed. Residual of the definition: the
    // centred kernel times a score column is the eigenvalue times that column.
    let x = ellipse(700, 6, 12);
    let f = fit(&KernelPca::new(5), &x).training().to_owned();
    let kernel = rbf(&x);
    let means = kernel.mean_axis(Axis(0)).unwrap();
    let centred = &kernel - &means - means.view().insert_axis(Axis(1)) + means.mean().unwrap();
    let (values, _) = symmetric_eigen(centred.view());
    for (c, score) in f.columns().into_iter().enumerate() {
        let lambda = score.dot(&score);
        assert!((lambda / values[699 - c] - 1.0).abs() < 1e-12, "λ_{c} = {lambda}");
        let residual = centred.dot(&score) - lambda * &score;
        assert!(residual.iter().all(|r| r.abs() < 1e-10 * lambda.sqrt()), "component {c}");
    }
}

#[test]
fn the_same_seed_gives_the_same_bits_and_another_seed_other_directions() {
    let x = ellipse(300, 8, 7);
    for &name in RepresentationKind::VARIANTS {
        let run = |seed| {
            let fitted =
                by_name(name, 3, Protocol::Paper).unwrap().fit(&covariates(&x), Seed::new(seed)).unwrap();
            fitted.transform(x.view()).unwrap()
        };
        assert_eq!(run(5), run(5), "{name}");
        if name == "random-projection" {
            assert_ne!(run(5), run(6));
        }
    }
}

#[test]
fn blocks_do_not_show() {
    // 600 rows are three blocks; each row alone must give the same numbers up to the order in
    // which a product of another shape adds up.
    let (x, new) = (ellipse(50, 4, 1), ellipse(600, 4, 2));
    for &name in RepresentationKind::VARIANTS {
        let fitted = fit(&*by_name(name, 2, Protocol::Paper).unwrap(), &x);
        let together = fitted.transform(new.view()).unwrap();
        for i in [0, 255, 256, 599] {
            let alone = fitted.transform(new.slice(s![i..=i, ..])).unwrap();
            let off = gap(alone.row(0), together.row(i));
            assert!(off < 1e-12, "{name}, row {i}: {off:e}");
        }
        assert_eq!(
            fitted.transform(new.slice(s![..0, ..])).unwrap().nrows(),
            0,
            "{name}: no rows in, none out"
        );
    }
}

#[rstest]
#[case("pca:7", "pca: k must lie in 1..=4 (the smaller of rows and covariates), got 7")]
#[case("agglomeration:5", "agglomeration: k must lie in 1..=4 (the number of covariates), got 5")]
#[case("random-projection:5", "random-projection: k must lie in 1..=4 (the number of covariates), got 5")]
#[case("kernel-pca:21", "kernel-pca: k must lie in 1..=20 (the number of training rows), got 21")]
#[case("spectral:20", "spectral: k must lie in 1..=19 (one less than the number of rows), got 20")]
#[case("kmeans-distances:21", "k-means: k must lie in 1..=20 (the number of rows), got 21")]
fn impossible_sizes_are_refused_by_name(#[case] method: &str, #[case] message: &str) {
    let x = covariates(&normals(20, 4, 1));
    let error = parse(method, Protocol::Paper).unwrap().fit(&x, Seed::new(0)).err().unwrap();
    assert_eq!(error.to_string(), message);
}

#[test]
fn bad_rows_and_bad_names_are_refused() {
    let fitted = fit(&Pca::new(2), &normals(20, 4, 1));
    let error = fitted.transform(normals(3, 5, 1).view()).unwrap_err();
    assert_eq!(error.to_string(), "pca: rows have 5 covariates, but it was fitted on 4");
    let mut rows = normals(3, 4, 1);
    rows[[2, 1]] = f64::NAN;
    let error = fitted.transform(rows.view()).unwrap_err();
    assert_eq!(error.to_string(), "pca: row 2, covariate 1 is NaN; every number must be finite");
    let x = covariates(&normals(20, 4, 1));
    let error = parse("isomap:20", Protocol::Released).unwrap().fit(&x, Seed::new(0)).err().unwrap();
    assert_eq!(
        error.to_string(),
        "isomap: the number of neighbours must lie in 1..20 (below the number of training rows), got 20"
    );
    for text in ["pca", "pca:", "pca:0", "pca:-1", "pca:2.5"] {
        let error = parse(text, Protocol::Paper).err().unwrap();
        assert_eq!(
            error.to_string(),
            format!("a method must be written NAME:K with a whole number K ≥ 1, got `{text}`")
        );
    }
}

#[test]
fn the_protocol_decides_what_isomaps_k_means() {
    let x = covariates(&normals(40, 6, 1));
    let k = |protocol| parse("isomap:4", protocol).unwrap().fit(&x, Seed::new(0)).unwrap().k();
    assert_eq!((k(Protocol::Paper), k(Protocol::Released)), (4, 2));
}

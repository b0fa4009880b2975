//! Reductions agree with scikit-learn's on its own output (`tests/fixtures/reduction_*.csv`, made
//! by `regenerate_reductions.py` there), up to the signs of components.

use ebmbook::kmeans::KMeans;
use ebmbook::prelude::*;
use ebmbook::representation::{Agglomeration, Disconnected, Isomap, KernelPca, Pca, Spectral};
use ndarray::{Array2, ArrayView2, s};

/// Both sides solve well-conditioned eigenvalue problems in double precision; what is left is
/// rounding, about n·ε ≈ 1e-13 times the reciprocal of the relative gap (≥ 1e-3 here).
const TOLERANCE: f64 = 1e-8;

fn fixture(name: &str) -> Array2<f64> {
    let path = format!("{}/tests/fixtures/reduction_{name}.csv", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    let rows: Vec<Vec<f64>> =
        text.lines().map(|l| l.split(',').map(|cell| cell.trim().parse().unwrap()).collect()).collect();
    Array2::from_shape_vec((rows.len(), rows[0].len()), rows.concat()).unwrap()
}

fn train() -> Covariates {
    Covariates::continuous(fixture("X")).unwrap()
}

/// The largest difference when each column of `found` is turned towards the expected one.
fn difference(found: ArrayView2<f64>, expected: ArrayView2<f64>) -> f64 {
    assert_eq!(found.dim(), expected.dim());
    let columns = found.columns().into_iter().zip(expected.columns());
    let of_column = |(f, e): (ndarray::ArrayView1<f64>, ndarray::ArrayView1<f64>)| {
        let sign = f.dot(&e).signum();
        f.iter().zip(e).fold(0.0_f64, |m, (f, e)| m.max((sign * f - e).abs()))
    };
    columns.map(of_column).fold(0.0, f64::max)
}

fn agrees(method: &dyn Reduce, name: &str) {
    let fitted = method.fit(&train(), Seed::new(0)).unwrap();
    let off = difference(fitted.training(), fixture(name).view());
    assert!(off < TOLERANCE, "{name}, training rows: {off:e}");
    let off = difference(
        fitted.transform(fixture("Xt").view()).unwrap().view(),
        fixture(&format!("{name}_t")).view(),
    );
    assert!(off < TOLERANCE, "{name}, new rows: {off:e}");
}

#[test]
fn pca_agrees() {
    agrees(&Pca::new(4), "pca");
}

#[test]
fn kernel_pca_agrees() {
    agrees(&KernelPca::new(4), "kpca");
}

#[test]
fn isomap_agrees() {
    let fitted = Isomap::neighbours(5).fit(&train(), Seed::new(0)).unwrap();
    let off = difference(fitted.training(), fixture("iso_fit").view());
    assert!(off < TOLERANCE, "training rows: {off:e}");
    let off = difference(fitted.transform(fixture("Xt").view()).unwrap().view(), fixture("iso_t").view());
    assert!(off < TOLERANCE, "new rows: {off:e}");
    // `iso` holds the training rows sent through as new rows. scikit-learn finds them at distance
    // √(‖x‖² − 2xᵀx + ‖x‖²) ≈ √(ε‖x‖²) ≈ 1e-7 from themselves, we at 0: hence the wider tolerance.
    let off = difference(fitted.transform(train().x()).unwrap().view(), fixture("iso").view());
    assert!(off < 2e-7, "training rows as new rows: {off:e}");
}

/// Two groups of the rows, far apart: their neighbour graph has no path between them.
fn two_islands() -> (Covariates, Array2<f64>) {
    let far = |mut rows: Array2<f64>, from: usize| {
        rows.slice_mut(s![from.., ..]).mapv_inplace(|v| v + 50.0);
        rows
    };
    let rows = far(fixture("X").slice(s![..80, ..]).to_owned(), 40);
    (Covariates::continuous(rows).unwrap(), far(fixture("Xt").slice(s![..20, ..]).to_owned(), 10))
}

#[test]
fn isomap_agrees_on_a_disconnected_graph_in_both_modes() {
    let (rows, new) = two_islands();
    for (mode, name) in [(Disconnected::Join, "iso_joined"), (Disconnected::Zero, "iso_zero")] {
        let method = Isomap::neighbours(5).with_disconnected(mode);
        let fitted = method.fit(&rows, Seed::new(0)).unwrap();
        let off = difference(fitted.training(), fixture(name).view());
        assert!(off < TOLERANCE, "{name}, training rows: {off:e}");
        let found = fitted.transform(new.view()).unwrap();
        let off = difference(found.view(), fixture(&format!("{name}_t")).view());
        assert!(off < TOLERANCE, "{name}, new rows: {off:e}");
    }
}

#[test]
fn spectral_embedding_agrees() {
    let fitted = Spectral::refitted(4).fit(&train(), Seed::new(0)).unwrap();
    let off = difference(fitted.training(), fixture("se").view());
    assert!(off < TOLERANCE, "{off:e}");
}

#[test]
fn agglomeration_agrees_exactly() {
    let groups: Vec<f64> =
        Agglomeration::new(5).groups(&train()).unwrap().into_iter().map(|g| g as f64).collect();
    assert_eq!(groups, fixture("fa_lab").into_raw_vec_and_offset().0);
    let fitted = Agglomeration::new(5).fit(&train(), Seed::new(0)).unwrap();
    assert_eq!(fitted.transform(fixture("Xt").view()).unwrap(), fixture("fa_t"));
}

#[test]
fn group_numbers_agree_for_every_number_of_groups() {
    // One row a number of groups, 1 to 20.
    for (k, expected) in (1..).zip(fixture("fa_all").rows()) {
        let groups = Agglomeration::new(k).groups(&train()).unwrap();
        assert!(groups.iter().zip(expected).all(|(g, e)| *g as f64 == *e), "k = {k}: {groups:?}");
    }
}

#[test]
fn k_means_from_the_same_start_ends_at_the_same_centres() {
    let x = train();
    let clusters = KMeans::new(6).fit_from(x.x(), x.x().slice(s![..6, ..]).to_owned()).unwrap();
    let expected = fixture("kmeans_centres");
    let off = (&clusters.centres() - &expected).iter().fold(0.0_f64, |m, e| m.max(e.abs()));
    assert!(off < TOLERANCE, "{off:e}");
    let labels: Vec<f64> = clusters.labels().iter().map(|l| *l as f64).collect();
    assert_eq!(labels, fixture("kmeans_labels").into_raw_vec_and_offset().0);
    let distances = clusters.distances(fixture("Xt").view()).unwrap();
    let off = (&distances - &fixture("kmeans_t")).iter().fold(0.0_f64, |m, e| m.max(e.abs()));
    assert!(off < TOLERANCE, "{off:e}");
}

//! Reductions agree with scikit-learn's on its own output (`tests/fixtures/reduction_*.csv`, made
//! by `regenerate_reductions.py` there), up to the signs of components.

use crate::support::{gap, gap_up_to_signs, golden_matrix};
use ebmbook::kmeans::KMeans;
use ebmbook::prelude::*;
use ebmbook::representation::{Agglomeration, Disconnected, Isomap, KernelPca, Pca, Spectral};
use ndarray::{Array2, ArrayView2, s};

/// Both sides solve well-conditioned eigenvalue problems in double precision; what is left is
/// rounding, about n·ε ≈ 1e-13 times the reciprocal of the relative gap (≥ 1e-3 here).
const TOLERANCE: f64 = 1e-8;

fn fixture(name: &str) -> Array2<f64> {
    golden_matrix(&format!("reduction_{name}"))
}

fn train() -> Covariates {
    Covariates::continuous(fixture("X")).unwrap()
}

/// Fails unless rows are those of a golden file, up to the signs of columns.
fn close(found: ArrayView2<f64>, name: &str, tolerance: f64) {
    let off = gap_up_to_signs(found, fixture(name).view());
    assert!(off < tolerance, "{name}: {off:e}");
}

fn agrees(method: &dyn Reduce, name: &str) {
    let fitted = method.fit(&train(), Seed::new(0)).unwrap();
    close(fitted.training(), name, TOLERANCE);
    close(fitted.transform(fixture("Xt").view()).unwrap().view(), &format!("{name}_t"), TOLERANCE);
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
    close(fitted.training(), "iso_fit", TOLERANCE);
    close(fitted.transform(fixture("Xt").view()).unwrap().view(), "iso_t", TOLERANCE);
    // `iso` holds the training rows sent through as new rows. scikit-learn finds them at distance
    // √(‖x‖² − 2xᵀx + ‖x‖²) ≈ √(ε‖x‖²) ≈ 1e-7 from themselves, we at 0: hence the wider tolerance.
    close(fitted.transform(train().x()).unwrap().view(), "iso", 2e-7);
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
        close(fitted.training(), name, TOLERANCE);
        close(fitted.transform(new.view()).unwrap().view(), &format!("{name}_t"), TOLERANCE);
    }
}

#[test]
fn spectral_embedding_agrees() {
    let fitted = Spectral::refitted(4).fit(&train(), Seed::new(0)).unwrap();
    close(fitted.training(), "se", TOLERANCE);
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
    assert!(gap(clusters.centres(), &fixture("kmeans_centres")) < TOLERANCE);
    let labels: Vec<f64> = clusters.labels().iter().map(|l| *l as f64).collect();
    assert_eq!(labels, fixture("kmeans_labels").into_raw_vec_and_offset().0);
    let distances = clusters.distances(fixture("Xt").view()).unwrap();
    assert!(gap(&distances, &fixture("kmeans_t")) < TOLERANCE);
}

//! `ebmbook reduce` on files, as a user would run it.

use crate::support::{Ran, program, read};
use ebmbook::prelude::VariantNames;
use rstest::rstest;
use std::path::{Path, PathBuf};

/// A small training file with roles and a test file with truths, columns in another order.
fn write_files(folder: &Path, test_rows: usize) {
    let value = |i: usize, s: usize| ((i * (2 * s + 3) + s) as f64 * 0.7).sin() * (4 - s) as f64;
    let mut train = String::from("x1,x2,x3,drug,score\n");
    for i in 0..40 {
        train += &format!("{},{},{},{},{}\n", value(i, 0), value(i, 1), value(i, 2), i % 2, i);
    }
    let mut test = String::from("tau,x3,x2,x1,y0,y1\n");
    for i in 100..100 + test_rows {
        test += &format!("1,{},{},{},{i},{}\n", value(i, 2), value(i, 1), value(i, 0), i + 1);
    }
    std::fs::write(folder.join("train.csv"), train).unwrap();
    std::fs::write(folder.join("test.csv"), test).unwrap();
}

/// A run in a folder, and the two files it writes.
fn reduce(folder: &Path, test_rows: usize, more: &[&str]) -> (Ran, PathBuf, PathBuf) {
    write_files(folder, test_rows);
    let mut command = program();
    command.args("reduce --train train.csv --test test.csv --treatment drug --outcome score".split(' '));
    command.args(["--out-train", "f.train.csv", "--out-test", "f.test.csv"]).args(more);
    let ran = Ran::of(command.current_dir(folder));
    (ran, folder.join("f.train.csv"), folder.join("f.test.csv"))
}

fn header_and_rows(path: &Path) -> (String, usize) {
    let text = read(path);
    (text.lines().next().unwrap().to_owned(), text.lines().count() - 1)
}

#[test]
fn every_method_writes_coordinates_and_roles() {
    for &name in ebmbook::representation::RepresentationKind::VARIANTS {
        let folder = tempfile::tempdir().unwrap();
        let (ran, train, test) = reduce(folder.path(), 30, &["--method", name, "--k", "2"]);
        ran.ok();
        let f = if name == "identity" { "f1,f2,f3" } else { "f1,f2" };
        assert_eq!(header_and_rows(&train), (format!("{f},drug,score"), 40), "{name}");
        assert_eq!(header_and_rows(&test), (format!("{f},y0,y1,tau"), 30), "{name}");
    }
}

#[test]
fn columns_of_the_test_file_are_found_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let (ran, _, test) = reduce(folder.path(), 5, &["--method", "identity", "--k", "1"]);
    ran.ok();
    let first = read(test).lines().nth(1).unwrap().to_owned();
    let x1 = (300_f64 * 0.7).sin() * 4.0;
    assert!(first.starts_with(&format!("{x1},")), "{first}");
}

#[test]
fn the_output_says_how_new_rows_were_treated() {
    let folder = tempfile::tempdir().unwrap();
    let said = |protocol: &str, rows: usize| {
        let more = ["--method", "spectral", "--k", "2", "--protocol", protocol, "--json"];
        let (ran, _, test) = reduce(folder.path(), rows, &more);
        let json = ran.json();
        ran.ok();
        (json["new rows"].as_str().unwrap().to_owned(), header_and_rows(&test).1)
    };
    let (how, rows) = said("paper", 30);
    assert_eq!(
        (how.as_str(), rows),
        ("embedded by the Nyström extension; the method has no map for them", 30)
    );
    let (how, rows) = said("released", 2100);
    assert!(how.starts_with("the first 2000 of 2100 embedded among themselves"), "{how}");
    assert_eq!(rows, 2000);
}

#[test]
fn isomaps_k_is_the_number_of_neighbours_under_the_released_protocol() {
    let folder = tempfile::tempdir().unwrap();
    let header = |protocol: &str| {
        let more = ["--method", "isomap", "--k", "3", "--protocol", protocol];
        let (ran, train, _) = reduce(folder.path(), 5, &more);
        ran.ok();
        header_and_rows(&train).0
    };
    assert_eq!(header("paper"), "f1,f2,f3,drug,score");
    assert_eq!(header("released"), "f1,f2,drug,score");
}

#[rstest]
#[case("umap", "2", "error: no representation is called `umap`; there are identity, ")]
#[case("pca", "4", "error: pca: k must lie in 1..=3 (the smaller of rows and covariates), got 4")]
#[case("pca", "0", "error: pca: k must lie in 1..=3 (the smaller of rows and covariates), got 0")]
#[case("pca", "-1", "error: ")]
fn mistakes_are_one_line_with_code_2_and_leave_no_file(
    #[case] method: &str,
    #[case] k: &str,
    #[case] message: &str,
) {
    let folder = tempfile::tempdir().unwrap();
    let (ran, train, test) = reduce(folder.path(), 5, &["--method", method, "--k", k]);
    ran.refused(message);
    assert!(!train.exists() && !test.exists());
}

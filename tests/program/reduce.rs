//! `ebmbook reduce` on files, as a user would run it.

use ebmbook::prelude::VariantNames;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn ebmbook(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_ebmbook")).args(args).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// A small training file with roles and a test file with truths, columns in another order.
fn files(folder: &Path, test_rows: usize) -> (PathBuf, PathBuf) {
    let value = |i: usize, s: usize| ((i * (2 * s + 3) + s) as f64 * 0.7).sin() * (4 - s) as f64;
    let mut train = String::from("x1,x2,x3,drug,score\n");
    for i in 0..40 {
        train += &format!("{},{},{},{},{}\n", value(i, 0), value(i, 1), value(i, 2), i % 2, i);
    }
    let mut test = String::from("tau,x3,x2,x1,y0,y1\n");
    for i in 100..100 + test_rows {
        test += &format!("1,{},{},{},{i},{}\n", value(i, 2), value(i, 1), value(i, 0), i + 1);
    }
    let (train_path, test_path) = (folder.join("train.csv"), folder.join("test.csv"));
    std::fs::write(&train_path, train).unwrap();
    std::fs::write(&test_path, test).unwrap();
    (train_path, test_path)
}

fn reduce(folder: &Path, test_rows: usize, more: &[&str]) -> (Output, PathBuf, PathBuf) {
    let (train, test) = files(folder, test_rows);
    let (out_train, out_test) = (folder.join("f.train.csv"), folder.join("f.test.csv"));
    let paths: Vec<&str> = [&train, &test, &out_train, &out_test].map(|p| p.to_str().unwrap()).to_vec();
    let mut args = vec!["reduce", "--train", paths[0], "--test", paths[1]];
    args.extend(["--out-train", paths[2], "--out-test", paths[3]]);
    args.extend(["--treatment", "drug", "--outcome", "score"]);
    args.extend(more);
    (ebmbook(&args), out_train, out_test)
}

fn header_and_rows(path: &Path) -> (String, usize) {
    let text = std::fs::read_to_string(path).unwrap();
    (text.lines().next().unwrap().to_owned(), text.lines().count() - 1)
}

#[test]
fn every_method_writes_coordinates_and_roles() {
    for &name in ebmbook::representation::RepresentationKind::VARIANTS {
        let folder = tempfile::tempdir().unwrap();
        let (output, train, test) = reduce(folder.path(), 30, &["--method", name, "--k", "2"]);
        assert!(output.status.success(), "{name}: {}", text(&output.stderr));
        let f = if name == "identity" { "f1,f2,f3" } else { "f1,f2" };
        assert_eq!(header_and_rows(&train), (format!("{f},drug,score"), 40), "{name}");
        assert_eq!(header_and_rows(&test), (format!("{f},y0,y1,tau"), 30), "{name}");
    }
}

#[test]
fn columns_of_the_test_file_are_found_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let (output, _, test) = reduce(folder.path(), 5, &["--method", "identity", "--k", "1"]);
    assert!(output.status.success());
    let first = std::fs::read_to_string(test).unwrap().lines().nth(1).unwrap().to_owned();
    let x1 = (300_f64 * 0.7).sin() * 4.0;
    assert!(first.starts_with(&format!("{x1},")), "{first}");
}

#[test]
fn the_output_says_how_new_rows_were_treated() {
    let folder = tempfile::tempdir().unwrap();
    let said = |protocol: &str, rows: usize| {
        let more = ["--method", "spectral", "--k", "2", "--protocol", protocol, "--json"];
        let (output, _, test) = reduce(folder.path(), rows, &more);
        assert!(output.status.success(), "{}", text(&output.stderr));
        let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
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
        let (output, train, _) = reduce(folder.path(), 5, &more);
        assert!(output.status.success(), "{}", text(&output.stderr));
        header_and_rows(&train).0
    };
    assert_eq!(header("paper"), "f1,f2,f3,drug,score");
    assert_eq!(header("released"), "f1,f2,drug,score");
}

#[test]
fn mistakes_are_one_line_with_code_2_and_leave_no_file() {
    for (more, message) in [
        (["--method", "umap", "--k", "2"], "error: no representation is called `umap`; there are identity, "),
        (
            ["--method", "pca", "--k", "4"],
            "error: pca: k must lie in 1..=3 (the smaller of rows and covariates), got 4",
        ),
        (
            ["--method", "pca", "--k", "0"],
            "error: pca: k must lie in 1..=3 (the smaller of rows and covariates), got 0",
        ),
        (["--method", "pca", "--k", "-1"], "error: "),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let (output, train, test) = reduce(folder.path(), 5, &more);
        let stderr = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{stderr}");
        assert!(stderr.starts_with(message) && stderr.lines().count() == 1, "{stderr}");
        assert!(!train.exists() && !test.exists());
    }
}

//! `ebmbook cate` on files, as a user runs it.

use ebmbook::data::csv::{self, Table};
use ndarray::{Array2, Axis, concatenate};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A folder with train.csv (x1 … x8, drug, score, fold) and test.csv from the golden data.
struct Files {
    dir: tempfile::TempDir,
    golden: Value,
}

fn matrix(value: &Value) -> Array2<f64> {
    let rows = value.as_array().unwrap();
    let row = |i: usize| rows[i].as_array().cloned().unwrap_or_else(|| vec![rows[i].clone()]);
    Array2::from_shape_fn((rows.len(), row(0).len()), |(i, j)| row(i)[j].as_f64().unwrap())
}

impl Files {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/fixtures/learners.json");
        let golden: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
        let (x, t, y) = (matrix(&golden["X"]), matrix(&golden["T"]), matrix(&golden["Y"]));
        let mut fold = Array2::from_elem((x.nrows(), 1), 2.0);
        golden["fold0"]
            .as_array()
            .unwrap()
            .iter()
            .for_each(|i| fold[[i.as_u64().unwrap() as usize, 0]] = 1.0);
        let names: Vec<String> = (1..=8).map(|s| format!("x{s}")).collect();
        let more = |extra: &[&str]| {
            [&names[..], &extra.iter().map(|s| (*s).to_owned()).collect::<Vec<_>>()].concat()
        };
        let train = concatenate![Axis(1), x, t, y, fold];
        csv::write(&dir.path().join("train.csv"), &more(&["drug", "score", "fold"]), train.view()).unwrap();
        csv::write(&dir.path().join("test.csv"), &names, matrix(&golden["Xt"]).view()).unwrap();
        Self { dir, golden }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    fn run(&self, args: &[&str]) -> Output {
        let common = ["cate", "--train", "train.csv", "--test", "test.csv", "--out", "effects.csv"];
        Command::new(env!("CARGO_BIN_EXE_ebmbook"))
            .args([&common[..], args].concat())
            .current_dir(self.dir.path())
            .output()
            .unwrap()
    }

    /// The effects written by a run that must succeed.
    fn effects(&self, args: &[&str]) -> Array2<f64> {
        let output = self.run(&[args, &["--treatment", "drug", "--outcome", "score"]].concat());
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        Table::read(&self.path("effects.csv")).unwrap().values().to_owned()
    }
}

fn largest_difference(a: &Array2<f64>, b: &Array2<f64>) -> f64 {
    assert_eq!(a.dim(), b.dim());
    (a - b).iter().fold(0.0, |m: f64, e| m.max(e.abs()))
}

#[test]
fn a_users_file_gives_econmls_effects() {
    let files = Files::new();
    for (learner, key) in [("t", "T"), ("s", "S"), ("x", "X"), ("dr", "DR"), ("r", "R")] {
        for (regressor, short) in [("kernel-ridge", "kr"), ("ridge", "ridge"), ("polynomial", "poly")] {
            let found = files.effects(&[
                "--learner",
                learner,
                "--regressor",
                regressor,
                "--propensity",
                "closed-form",
                "--fold-column",
                "fold",
            ]);
            let golden = matrix(&files.golden[format!("{short}_{key}")]);
            let difference = largest_difference(&found, &golden);
            // The same rounding as in the library: numbers go through the files bit by bit.
            assert!(difference < 1e-10, "{learner} {regressor}: {difference:e}");
        }
    }
}

#[test]
fn the_representation_switches_move_the_effects() {
    let files = Files::new();
    let args = ["--learner", "t", "--fold-column", "fold"];
    let plain = files.effects(&args);
    let with_column = files.effects(&[&args[..], &["--intercept-column"]].concat());
    let standardised = files.effects(&[&args[..], &["--standardise"]].concat());
    assert!(largest_difference(&plain, &with_column) > 1e-3);
    assert!(largest_difference(&plain, &standardised) > 1e-3);
    // The plain run is the golden one, so the switches are off unless asked for.
    assert!(largest_difference(&plain, &matrix(&files.golden["kr_T"])) < 1e-10);
}

#[test]
fn seeds_decide_folds_and_probabilities() {
    let files = Files::new();
    let args = |more: &[&'static str]| [&["--learner", "r", "--set-aside", "fold"][..], more].concat();
    let one = files.effects(&args(&["--seed", "1"]));
    assert_eq!(one, files.effects(&args(&["--seed", "1"])));
    assert_ne!(one, files.effects(&args(&["--seed", "2"])));
    assert_ne!(one, files.effects(&args(&["--seed", "1", "--svc-seed", "7"])));
    let econml = files.effects(&args(&["--sklearn-fold-seed", "7"]));
    assert_eq!(econml, files.effects(&args(&["--sklearn-fold-seed", "7", "--seed", "5"])));
}

#[test]
fn pehe_stands_beside_zero_constant_and_oracle_where_the_truth_is_known() {
    let files = Files::new();
    let x = matrix(&files.golden["Xt"]);
    let tau = x.column(0).mapv(|v| 1.0 + v).insert_axis(Axis(1));
    let noise = Array2::from_shape_fn((x.nrows(), 1), |(i, _)| if i % 2 == 0 { 1.0 } else { -1.0 });
    let test = concatenate![Axis(1), x, noise, &tau + 2.0 * &noise, tau];
    let names: Vec<String> = (1..=8).map(|s| format!("x{s}")).collect();
    let with =
        |extra: &[&str]| [&names[..], &extra.iter().map(|s| (*s).to_owned()).collect::<Vec<_>>()].concat();
    csv::write(&files.path("test.csv"), &with(&["y0", "y1", "tau"]), test.view()).unwrap();
    let args =
        ["--treatment", "drug", "--outcome", "score", "--set-aside", "fold", "--learner", "t", "--json"];
    let output = files.run(&args);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let rows = report["pehe"].as_array().unwrap();
    let names: Vec<&str> = rows.iter().map(|r| r["predictor"].as_str().unwrap()).collect();
    assert_eq!(names, ["estimate", "zero", "constant", "oracle"]);
    // y1 − y0 = tau ± 1, so the oracle misses the noisy truth by one and the noiseless by nothing.
    assert_eq!(rows[3]["PEHE against y1 - y0"], 1.0);
    assert_eq!(rows[3]["PEHE against tau"], 0.0);
    assert!(rows[0]["PEHE against tau"].as_f64().unwrap() > 0.0);

    // With tau alone, the noisy column is empty; with neither, a line says so.
    csv::write(&files.path("test.csv"), &with(&["tau"]), concatenate![Axis(1), x, tau].view()).unwrap();
    let report: Value = serde_json::from_slice(&files.run(&args).stdout).unwrap();
    assert!(report["pehe"][0]["PEHE against y1 - y0"].is_null());
    csv::write(&files.path("test.csv"), &with(&[]), x.view()).unwrap();
    let text = String::from_utf8(files.run(&args[..8]).stdout).unwrap();
    assert!(text.contains("neither y0 and y1 nor tau"), "{text}");
}

#[test]
fn a_known_propensity_is_used_and_is_no_covariate() {
    let files = Files::new();
    let table = Table::read(&files.path("train.csv")).unwrap();
    let constant = |n: usize, e: f64| Array2::from_elem((n, 1), e);
    let header = |names: &[String]| [names, &["e".to_owned()]].concat();
    let add = |name: &str, table: &Table, e: f64| {
        let values = concatenate![Axis(1), table.values(), constant(table.n(), e)];
        csv::write(&files.path(name), &header(table.names()), values.view()).unwrap();
    };
    let test = Table::read(&files.path("test.csv")).unwrap();
    let share = table.column("drug").unwrap().mean().unwrap();
    let expected = files.effects(&["--learner", "x", "--propensity", "constant", "--fold-column", "fold"]);
    add("train.csv", &table, share);
    add("test.csv", &test, share);
    let found = files.effects(&["--learner", "x", "--propensity", "known:e", "--fold-column", "fold"]);
    assert!(largest_difference(&found, &expected) < 1e-14, "a known constant is the constant");
}

/// Each case: arguments, what the one line on standard error must contain.
#[test]
fn bad_input_is_one_line_exit_code_two_and_no_file() {
    let files = Files::new();
    let roles = ["--treatment", "drug", "--outcome", "score"];
    let cases: [(&[&str], &str); 16] = [
        (&["--learner", "z"], "no learner is called `z`; there are t, s, x, dr, r"),
        (
            &["--learner", "t", "--regressor", "lasso"],
            "no regressor is called `lasso`; there are kernel-ridge, rbf, ridge, polynomial, power",
        ),
        (
            &["--learner", "r", "--propensity", "coin"],
            "no propensity is called `coin`; there are svc, logistic, closed-form, constant, known",
        ),
        (
            &["--learner", "r", "--propensity", "known:"],
            "propensity must be one of svc, logistic, closed-form, constant, known, with a column after known",
        ),
        (&["--learner", "r", "--propensity", "known:e"], "has no column `e`"),
        (
            &["--learner", "r", "--propensity", "known:x1"],
            "column `x1`: a known propensity must lie in (0, 1), got",
        ),
        (&["--learner", "t", "--represent", "magic"], "no representation is called `magic`"),
        (
            &["--learner", "t", "--alpha", "-1"],
            "kernel-ridge: penalty alpha must be finite and not negative, got -1",
        ),
        (&["--learner", "t", "--alpha", "NaN"], "penalty alpha must be finite and not negative, got NaN"),
        (
            &["--learner", "s", "--alpha", "0", "--regressor", "ridge", "--set-aside", "fold"],
            "ridge: the 10 × 10 system is singular to rounding at penalty alpha = 0",
        ),
        (&["--learner", "r", "--fold-column", "x1"], "fold must be a whole number, got"),
        (
            &["--learner", "r", "--fold-column", "drug"],
            "column `drug` is given as both treatment and a set-aside column",
        ),
        (&["--learner", "r", "--set-aside", "fold", "--folds", "1"], "number of folds must lie in 2..="),
        (&["--learner", "dr", "--set-aside", "fold", "--folds", "150"], "number of folds must lie in 2..="),
        (&["--learner", "r", "--fold-column", "fold", "--folds", "3"], "cannot be used with"),
        (&["--learner", "t", "--svc-seed", "-1"], "--svc-seed"),
    ];
    for (args, expected) in cases {
        check_refused(&files.run(&[args, &roles[..]].concat()), expected, &files.path("effects.csv"));
    }
    let missing_role = files.run(&["--learner", "t", "--treatment", "drug"]);
    check_refused(&missing_role, "--outcome COLUMN is needed", &files.path("effects.csv"));
}

#[test]
fn an_empty_arm_is_named_also_when_it_is_empty_only_outside_a_fold() {
    let files = Files::new();
    let write =
        |rows: &str| std::fs::write(files.path("train.csv"), format!("x1,drug,score,fold\n{rows}")).unwrap();
    std::fs::write(files.path("test.csv"), "x1\n1\n").unwrap();
    let args = ["--treatment", "drug", "--outcome", "score", "--learner", "r", "--fold-column", "fold"];
    write("1,1,1,0\n2,1,1,0\n3,1,2,1\n4,1,2,1\n");
    check_refused(
        &files.run(&args),
        "every row is treated; both arms are needed",
        &files.path("effects.csv"),
    );
    write("1,1,1,0\n2,0,1,0\n3,1,2,1\n4,1,2,1\n");
    check_refused(
        &files.run(&args),
        "rows outside fold 0: every row is treated; both arms are needed",
        &files.path("effects.csv"),
    );
}

fn check_refused(output: &Output, expected: &str, written: &Path) {
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(error.contains(expected), "expected {expected:?} in {error:?}");
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert_eq!(error.trim_end().lines().count(), 1, "{error}");
    assert!(!written.exists(), "nothing is written");
}

//! `ebmbook cate` on files, as a user runs it.

use crate::support::{Ran, program, read, root};
use ebmbook::data::csv::{self, Table};
use ndarray::{Array2, Axis, concatenate};
use rstest::rstest;
use serde_json::Value;
use std::path::PathBuf;

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
        let golden: Value = serde_json::from_str(&read(root().join("tests/fixtures/learners.json"))).unwrap();
        let (x, t, y) = (matrix(&golden["X"]), matrix(&golden["T"]), matrix(&golden["Y"]));
        let mut fold = Array2::from_elem((x.nrows(), 1), 2.0);
        matrix(&golden["fold0"]).iter().for_each(|row| fold[[*row as usize, 0]] = 1.0);
        let files = Self { dir, golden };
        files.write("train.csv", &["drug", "score", "fold"], concatenate![Axis(1), x, t, y, fold]);
        files.write("test.csv", &[], matrix(&files.golden["Xt"]));
        files
    }

    /// Writes rows whose columns are x1 … x8 and these.
    fn write(&self, name: &str, more: &[&str], rows: Array2<f64>) {
        let covariates = (1..=8).map(|s| format!("x{s}"));
        let names: Vec<String> = covariates.chain(more.iter().map(|s| (*s).to_owned())).collect();
        csv::write(&self.path(name), &names, rows.view()).unwrap();
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    fn run(&self, args: &[&str]) -> Ran {
        let common = ["cate", "--train", "train.csv", "--test", "test.csv", "--out", "effects.csv"];
        Ran::of(program().args(common).args(args).current_dir(self.dir.path()))
    }

    /// A run with treatment and outcome named.
    fn run_with_roles(&self, args: &[&str]) -> Ran {
        self.run(&[args, &["--treatment", "drug", "--outcome", "score"]].concat())
    }

    /// Fails unless a run is refused with this message and writes nothing.
    fn refused(&self, ran: &Ran, message: &str) {
        ran.refused(message);
        assert!(!self.path("effects.csv").exists(), "nothing is written");
    }

    /// The effects written by a run that must succeed.
    fn effects(&self, args: &[&str]) -> Array2<f64> {
        self.run_with_roles(args).ok();
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
            let fixed =
                ["--propensity", "closed-form", "--fold-column", "fold", "--final-stage", "kernel-ridge"];
            let args = [&["--learner", learner, "--regressor", regressor][..], &fixed].concat();
            let golden = matrix(&files.golden[format!("{short}_{key}")]);
            let difference = largest_difference(&files.effects(&args), &golden);
            // The same rounding as in the library: numbers go through the files bit by bit.
            assert!(difference < 1e-10, "{learner} {regressor}: {difference:e}");
        }
    }
}

#[test]
fn the_representation_switches_move_the_effects() {
    let files = Files::new();
    let args = ["--learner", "t", "--regressor", "kernel-ridge", "--fold-column", "fold"];
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
    let args = |more: &[&'static str]| {
        [&["--learner", "r", "--propensity", "svc", "--set-aside", "fold"][..], more].concat()
    };
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
    files.write("test.csv", &["y0", "y1", "tau"], test);
    let args = ["--set-aside", "fold", "--learner", "t", "--json"];
    let report = files.run_with_roles(&args).json();
    let rows = report["pehe"].as_array().unwrap();
    let names: Vec<&str> = rows.iter().map(|r| r["predictor"].as_str().unwrap()).collect();
    assert_eq!(names, ["estimate", "zero", "constant", "oracle"]);
    // y1 − y0 = tau ± 1, so the oracle misses the noisy truth by one and the noiseless by nothing.
    assert_eq!(rows[3]["PEHE against y1 - y0"], 1.0);
    assert_eq!(rows[3]["PEHE against tau"], 0.0);
    assert!(rows[0]["PEHE against tau"].as_f64().unwrap() > 0.0);

    // With tau alone, the noisy column is empty; with neither, a line says so.
    files.write("test.csv", &["tau"], concatenate![Axis(1), x, tau]);
    assert!(files.run_with_roles(&args).json()["pehe"][0]["PEHE against y1 - y0"].is_null());
    files.write("test.csv", &[], x);
    let text = files.run_with_roles(&args[..4]).out;
    assert!(text.contains("neither y0 and y1 nor tau"), "{text}");
}

#[test]
fn a_known_propensity_is_used_and_is_no_covariate() {
    let files = Files::new();
    let table = Table::read(&files.path("train.csv")).unwrap();
    let add = |name: &str, table: &Table, e: f64| {
        let values = concatenate![Axis(1), table.values(), Array2::from_elem((table.n(), 1), e)];
        csv::write(&files.path(name), &[table.names(), &["e".to_owned()]].concat(), values.view()).unwrap();
    };
    let test = Table::read(&files.path("test.csv")).unwrap();
    let share = table.column("drug").unwrap().mean().unwrap();
    let expected = files.effects(&["--learner", "x", "--propensity", "constant", "--fold-column", "fold"]);
    add("train.csv", &table, share);
    add("test.csv", &test, share);
    let found = files.effects(&["--learner", "x", "--propensity", "known:e", "--fold-column", "fold"]);
    assert!(largest_difference(&found, &expected) < 1e-14, "a known constant is the constant");
}

/// Rows whose effect is 1: outcomes lie around 50, and x decides on the treatment as strongly as told.
fn effect_of_one(files: &Files, confounding: f64) {
    let mut rows = String::from("x1,drug,score\n");
    for i in 0..400_u32 {
        let unit = |step: u32| f64::from(i * step % 401) / 401.0;
        let x = 2.0 * unit(37) - 1.0;
        let treated = u32::from(unit(151) < 1.0 / (1.0 + (-confounding * x).exp()));
        rows += &format!("{x},{treated},{}\n", 50.0 + x + f64::from(treated) + unit(211) - 0.5);
    }
    std::fs::write(files.path("train.csv"), &rows).unwrap();
    std::fs::write(files.path("test.csv"), "x1\n0.1\n-0.2\n").unwrap();
}

const LEARNERS_MEAN: &str = "mean effect of the test rows, by the learner";
const AIPW_MEAN: &str = "mean effect of the training rows, by AIPW";

#[test]
fn an_effect_of_one_comes_out_as_one_unless_the_papers_regressor_is_asked_for() {
    let files = Files::new();
    effect_of_one(&files, 1.0);
    for learner in ["t", "s", "x", "dr", "r"] {
        let ran = files.run_with_roles(&["--learner", learner, "--json"]);
        assert_eq!(ran.err, "", "{learner}: nothing to warn of");
        let (said, mean) = (ran.json(), ran.json()[AIPW_MEAN].clone());
        assert!((said[LEARNERS_MEAN].as_f64().unwrap() - 1.0).abs() < 0.1, "{learner}: {said}");
        let at = |name: &str| mean[name].as_f64().unwrap();
        assert!(at("low") < 1.0 && 1.0 < at("high") && at("high") - at("low") < 0.3, "{learner}: {mean}");
    }
    let ran = files.run_with_roles(&["--learner", "t", "--regressor", "kernel-ridge", "--json"]);
    assert_eq!(ran.err.lines().count(), 1);
    assert!(ran.err.contains("kernel-ridge has no intercept"), "{}", ran.err);
    let said = ran.json();
    assert!((said[LEARNERS_MEAN].as_f64().unwrap() - 1.0).abs() > 0.5, "the trap: {said}");
    assert!((said[AIPW_MEAN]["estimate"].as_f64().unwrap() - 1.0).abs() < 0.1, "not in the interval: {said}");
    let column =
        files.run_with_roles(&["--learner", "t", "--regressor", "kernel-ridge", "--intercept-column"]);
    assert_eq!(column.err, "", "a constant column is an intercept");
}

#[test]
fn a_propensity_near_0_or_1_is_warned_of() {
    let files = Files::new();
    effect_of_one(&files, 8.0);
    let ran = files.run_with_roles(&["--learner", "t"]);
    assert!(ran.err.starts_with("warning: the propensity of "), "{}", ran.err);
    assert!(ran.err.contains("of 400 training rows leaves [0.05, 0.95]"), "{}", ran.err);
    let coin = files.run_with_roles(&["--learner", "t", "--propensity", "constant"]);
    assert_eq!(coin.err, "", "a known coin is never near 0 or 1");
}

#[test]
fn too_few_rows_for_an_interval_are_said_and_the_effects_are_written() {
    let files = Files::new();
    std::fs::write(files.path("train.csv"), "x1,drug,score\n1,1,2\n2,0,1\n3,0,2\n4,0,2\n").unwrap();
    std::fs::write(files.path("test.csv"), "x1\n1\n").unwrap();
    let ran = files.run_with_roles(&["--learner", "t"]);
    assert!(ran.err.starts_with("note: the mean effect has no interval: "), "{}", ran.err);
    ran.ok();
    assert!(files.path("effects.csv").exists());
}

/// Arguments, and what the one line on standard error must contain.
#[rstest]
#[case("--learner z", "no learner is called `z`; there are t, s, x, dr, r")]
#[case(
    "--learner t --regressor lasso",
    "no regressor is called `lasso`; there are kernel-ridge, rbf, ridge, polynomial, power"
)]
#[case(
    "--learner r --propensity coin",
    "no propensity is called `coin`; there are svc, logistic, closed-form, constant, known"
)]
#[case(
    "--learner r --propensity known:",
    "propensity must be one of svc, logistic, closed-form, constant, known, with a column after known"
)]
#[case("--learner r --propensity known:e", "has no column `e`")]
#[case("--learner r --propensity known:x1", "column `x1`: a known propensity must lie in (0, 1), got")]
#[case("--learner t --represent magic", "no representation is called `magic`")]
#[case("--learner t --alpha -1", "ridge: penalty alpha must be finite and not negative, got -1")]
#[case("--learner t --alpha NaN", "penalty alpha must be finite and not negative, got NaN")]
#[case(
    "--learner s --alpha 0 --regressor ridge --set-aside fold",
    "ridge: the 10 × 10 system is singular to rounding at penalty alpha = 0"
)]
#[case("--learner r --fold-column x1", "fold must be a whole number, got")]
#[case("--learner r --fold-column drug", "column `drug` is given as both treatment and a set-aside column")]
#[case("--learner r --set-aside fold --folds 1", "number of folds must lie in 2..=")]
#[case("--learner dr --set-aside fold --folds 150", "number of folds must lie in 2..=")]
#[case("--learner r --fold-column fold --folds 3", "cannot be used with")]
#[case("--learner t --svc-seed -1", "--svc-seed")]
fn bad_input_is_one_line_exit_code_two_and_no_file(#[case] args: &str, #[case] message: &str) {
    let (files, args) = (Files::new(), args.split(' ').collect::<Vec<_>>());
    files.refused(&files.run_with_roles(&args), message);
}

#[test]
fn a_missing_role_is_named() {
    let files = Files::new();
    let missing = files.run(&["--learner", "t", "--treatment", "drug"]);
    files.refused(&missing, "--outcome COLUMN is needed");
}

#[test]
fn an_empty_arm_is_named_also_when_it_is_empty_only_outside_a_fold() {
    let files = Files::new();
    std::fs::write(files.path("test.csv"), "x1\n1\n").unwrap();
    for (rows, message) in [
        ("1,1,1,0\n2,1,1,0\n3,1,2,1\n4,1,2,1\n", "every row is treated; both arms are needed"),
        (
            "1,1,1,0\n2,0,1,0\n3,1,2,1\n4,1,2,1\n",
            "rows outside fold 0: every row is treated; both arms are needed",
        ),
    ] {
        std::fs::write(files.path("train.csv"), format!("x1,drug,score,fold\n{rows}")).unwrap();
        files.refused(&files.run_with_roles(&["--learner", "r", "--fold-column", "fold"]), message);
    }
}

#[test]
fn a_mended_representation_is_cross_fitted_and_says_which_rows_made_what() {
    let files = Files::new();
    let args = ["--learner", "t", "--represent", "mended:2", "--set-aside", "fold"];
    let said = files.run_with_roles(&args).ok();
    let n = Table::read(&files.path("train.csv")).unwrap().values().nrows();
    let line =
        format!("part 1: {0} rows made folds and representation, the other {0} trained the learner", n / 2);
    assert!(said.contains(&line), "{said}");
    assert!(said.contains("effects are the mean of the parts"), "{said}");
    let effects = files.effects(&args);
    assert_eq!(largest_difference(&effects, &files.effects(&args)), 0.0, "one seed, one answer");
    assert!(largest_difference(&effects, &files.effects(&["--learner", "t", "--set-aside", "fold"])) > 0.0);
}

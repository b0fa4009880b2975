//! `ebmbook data` and `ebmbook show baselines`, as a user sees them.

use crate::support::{Ran, copy_data, ebmbook, program};
use ebmbook::data::csv::{Roles, Table};
use ebmbook::data::synthetic::Released;
use serde_json::Value;
use std::path::Path;

fn json(args: &[&str]) -> Value {
    let ran = ebmbook(&[args, &["--json"]].concat());
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    ran.json()
}

/// Runs `data synth` into a folder and returns what it said.
fn synth(protocol: &str, [d, n]: [&str; 2], out: &Path, more: &[&str]) -> String {
    let mut command = program();
    command.args(["data", "synth", "--protocol", protocol, "--d", d, "--n", n, "--out"]).arg(out);
    Ran::of(command.args(more)).ok()
}

#[test]
fn trivial_predictors_stand_beside_the_printed_numbers_in_nine_settings() {
    insta::assert_snapshot!("baselines", ebmbook(&["show", "baselines"]).ok());
    let rows = json(&["show", "baselines"]);
    assert_eq!(rows.as_array().unwrap().len(), 9);
    assert_eq!(rows[0]["zero"], 1.919);
}

#[test]
fn written_synthetic_files_read_back_as_the_generated_data() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("made/here");
    let text = synth("released", ["50", "100"], &out, &[]);
    assert!(text.contains("released"), "the output says which protocol: {text}");
    let data = Released::new(50, 100).unwrap().generate();
    let roles = Roles { treatment: Some("a".into()), outcome: Some("y".into()), ..Roles::default() };
    let train = Table::read(&out.join("train.csv")).unwrap().dataset(&roles).unwrap();
    assert_eq!(train.x(), data.train.x());
    assert_eq!(train.treatment().unwrap(), data.train.treatment().unwrap());
    assert_eq!(train.outcome().unwrap(), data.train.outcome().unwrap());
    let test = Table::read(&out.join("test.csv")).unwrap().dataset_like(&train, &Roles::default()).unwrap();
    assert_eq!(test.x(), data.test.x());
    assert_eq!(test.potential_outcomes().unwrap(), data.test.potential_outcomes().unwrap());
    assert_eq!(test.effect().unwrap(), data.test.effect().unwrap());
}

#[test]
fn a_second_run_writes_the_same_bytes() {
    let dir = tempfile::tempdir().unwrap();
    let make = |name: &str, seed: &str| {
        let out = dir.path().join(name);
        synth("paper", ["5", "20"], &out, &["--seed", seed]);
        std::fs::read(out.join("train.csv")).unwrap()
    };
    assert_eq!(make("one", "7"), make("two", "7"));
    assert_ne!(make("one", "7"), make("three", "8"));
}

#[test]
fn the_shift_moves_treated_outcomes_by_one() {
    let dir = tempfile::tempdir().unwrap();
    let effect = |shift: &str| {
        let out = dir.path().join(shift);
        synth("paper", ["2", "20"], &out, &["--shift-treated", shift]);
        let table = Table::read(&out.join("test.csv")).unwrap();
        table.column("tau").unwrap().mean().unwrap()
    };
    assert!((effect("1") - effect("0") - 1.0).abs() < 1e-12);
    assert!((effect("-1") - effect("0") + 1.0).abs() < 1e-12);
}

#[test]
fn shipped_data_are_listed_described_and_verified() {
    assert_eq!(json(&["data", "list"])[0]["name"], "twins");
    let twins = json(&["data", "describe", "twins"]);
    assert_eq!((&twins["pairs"], &twins["complete pairs"]), (&Value::from(11_984), &Value::from(4_821)));
    let ihdp = json(&["data", "describe", "ihdp"]);
    assert_eq!((&ihdp["rows after the usual exclusion"], &ihdp["treated"]), (&747.into(), &139.into()));
    let verdicts = json(&["data", "verify"]);
    assert!(verdicts.as_array().unwrap().iter().all(|row| row["verdict"] == "ok"));
}

#[test]
fn a_changed_data_file_fails_verification_with_code_one() {
    let dir = tempfile::tempdir().unwrap();
    copy_data(&["MANIFEST.toml", "twins_pairs.csv", "ihdp_sim.csv"], dir.path());
    let verify = || Ran::of(program().args(["data", "verify"]).env("EBMBOOK_DATA", dir.path())).code;
    assert_eq!(verify(), Some(0));
    let path = dir.path().join("ihdp_sim.csv");
    let text = std::fs::read_to_string(&path).unwrap().replacen("1559", "1558", 1);
    std::fs::write(&path, text).unwrap();
    assert_eq!(verify(), Some(1));
}

#[test]
fn corrupted_copies_differ_where_the_kernel_says_and_constant_columns_are_named() {
    let dir = tempfile::tempdir().unwrap();
    let (input, out) = (dir.path().join("in.csv"), dir.path().join("out.csv"));
    std::fs::write(&input, "x1,x2,a,y\n0.1,7,0,1\n0.2,7,1,2\n0.3,7,1,3\n").unwrap();
    let mut command = program();
    command.args("data corrupt --treatment a --outcome y --max-distinct 1 --q 1 --b 4".split(' '));
    let ran = Ran::of(command.arg("--train").arg(&input).arg("--out").arg(&out));
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert_eq!(ran.err, "note: constant in the training rows, never corrupted: x2\n");
    let table = Table::read(&out).unwrap();
    assert_eq!(table.names(), ["row", "copy", "log_density", "x1", "x2"]);
    assert_eq!(table.n(), 12);
    assert!(table.column("x2").unwrap().iter().all(|v| *v == 7.0));
    assert!(table.column("x1").unwrap().iter().all(|v| ![0.1, 0.2, 0.3].contains(v)));
}

#[test]
fn every_command_has_help() {
    for args in ["--help", "data --help", "data synth --help", "data describe --help", "data corrupt --help"]
    {
        let text = ebmbook(&args.split(' ').collect::<Vec<_>>()).ok();
        assert!(text.contains("Usage:"), "{args}");
    }
}

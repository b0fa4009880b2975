//! `ebmbook embed`, `ebmbook devices` and `ebmbook show`.

use ebmbook::data::csv::{Roles, Table};
use ebmbook::ebm::{Ebm, Trainer};
use ebmbook::seed::Seed;
use std::path::Path;
use std::process::{Command, Output};

fn ebmbook(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_ebmbook")).args(args).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// A small training and test file: three covariates, treatment, outcome, and truths.
fn write_files(folder: &Path) {
    let mut train = String::from("age,dose,drug,score,site\n");
    let mut test = String::from("site,dose,age,tau\n");
    for i in 0..120 {
        let (age, dose) = ((i * 37 % 101) as f64 / 10.0, (i * 53 % 97) as f64 / 10.0);
        train += &format!("{age},{dose},{},{},{}\n", i % 2, age - dose, i % 3);
        test += &format!("{},{dose},{},1.0\n", i % 3, age + 0.05);
    }
    std::fs::write(folder.join("a.csv"), train).unwrap();
    std::fs::write(folder.join("b.csv"), test).unwrap();
}

fn embed(folder: &Path, out: &str, more: &[&str]) -> Output {
    let path = |name: &str| folder.join(name).display().to_string();
    let (train, test, out) = (path("a.csv"), path("b.csv"), path(out));
    let mut args =
        vec!["embed", "--train", &train, "--test", &test, "--treatment", "drug", "--outcome", "score"];
    args.extend(["--k", "2", "--epochs", "6", "--batch", "32", "--out", &out]);
    args.extend(more);
    ebmbook(&args)
}

#[test]
fn embed_writes_representations_a_model_and_an_account() {
    let folder = tempfile::tempdir().unwrap();
    write_files(folder.path());
    let run = embed(folder.path(), "out", &[]);
    assert!(run.status.success(), "{}", text(&run.stderr));
    let read = |name: &str| std::fs::read_to_string(folder.path().join("out").join(name)).unwrap();
    for name in ["train.csv", "test.csv"] {
        let csv = read(name);
        assert_eq!(csv.lines().next(), Some("f1,f2"));
        assert_eq!(csv.lines().count(), 121);
    }
    let fit: serde_json::Value = serde_json::from_str(&read("fit.json")).unwrap();
    assert_eq!(fit["covariates"], 3, "treatment, outcome and truths are not covariates");
    assert_eq!(fit["loss_curve"].as_array().unwrap().len(), 6);
    assert!(fit["effective_rank"].as_f64().unwrap() >= 1.0);
    assert!(fit["largest_cross_correlation"].as_f64().unwrap() <= 1.0);
    assert!(fit["seconds"].as_f64().unwrap() > 0.0);
    assert_eq!(fit["limit_scale_B1"].as_array().unwrap().len(), 2);
    let model = Ebm::load(&folder.path().join("out/model.safetensors")).unwrap();
    assert_eq!((model.d(), model.k()), (3, 2));
}

#[test]
fn the_same_seed_writes_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    write_files(folder.path());
    let bytes = |out: &str, name: &str| std::fs::read(folder.path().join(out).join(name)).unwrap();
    assert!(embed(folder.path(), "one", &[]).status.success());
    assert!(embed(folder.path(), "two", &[]).status.success());
    for name in ["train.csv", "test.csv", "model.safetensors"] {
        assert_eq!(bytes("one", name), bytes("two", name), "{name}");
    }
    assert!(embed(folder.path(), "other", &["--seed", "1"]).status.success());
    assert_ne!(bytes("one", "train.csv"), bytes("other", "train.csv"));
}

#[test]
fn an_interrupted_run_is_continued_to_the_same_bytes_and_only_with_its_own_options() {
    let folder = tempfile::tempdir().unwrap();
    write_files(folder.path());
    let missing = embed(folder.path(), "out", &["--resume"]);
    assert_eq!(missing.status.code(), Some(2));
    assert!(text(&missing.stderr).contains("cannot be read"), "{}", text(&missing.stderr));

    // What a run that was killed after three epochs leaves behind.
    let roles = Roles { treatment: Some("drug".into()), outcome: Some("score".into()), ..Roles::default() };
    let data = Table::read(&folder.path().join("a.csv")).unwrap().dataset(&roles).unwrap();
    let params = Ebm::params(2).epochs(6).batch(32);
    let mut trainer = Trainer::new(&params, data.covariates(), Seed::new(0).child("embed")).unwrap();
    for _ in 0..3 {
        trainer.epoch().unwrap();
    }
    let run_file = folder.path().join("out/run.safetensors");
    trainer.save(&run_file).unwrap();

    let other = embed(folder.path(), "out", &["--resume", "--q", "0.4"]);
    assert!(text(&other.stderr).contains("was started with other options"), "{}", text(&other.stderr));
    assert!(embed(folder.path(), "out", &["--resume"]).status.success());
    assert!(!run_file.exists(), "a finished run leaves nothing to resume");
    assert!(embed(folder.path(), "whole", &[]).status.success());
    for name in ["train.csv", "test.csv", "model.safetensors"] {
        let bytes = |out: &str| std::fs::read(folder.path().join(out).join(name)).unwrap();
        assert_eq!(bytes("out"), bytes("whole"), "{name}");
    }
}

#[test]
fn a_refused_option_is_one_line_with_code_2_and_no_file() {
    let folder = tempfile::tempdir().unwrap();
    write_files(folder.path());
    for (options, message) in [
        (&["--q", "1.2"][..], "corruption probability q must lie in (0, 1], got 1.2"),
        (&["--b", "0"], "number of corrupted copies b must be at least 1, got 0"),
        (&["--hidden", "20-x"], "hidden widths must be numbers"),
        (&["--objective", "likelihood"], "objective must be `ranking`"),
        (&["--folds", "odd"], "folds must be `random`"),
        (&["--device", "gpu"], "device must be `cpu`, `cuda` or `cuda:<number>`, got `gpu`"),
        (&["--validation", "1"], "validation share must lie in [0, 1), got 1"),
        (&["--rate", "-1"], "learning rate must be positive and finite, got -1"),
        (&["--save-every", "0"], "epochs between saves must be at least 1, got 0"),
        (&["--directions", "authors"], "representation size k must be one of 3, 4, 5"),
    ] {
        let run = embed(folder.path(), "refused", options);
        let error = text(&run.stderr);
        assert_eq!(run.status.code(), Some(2), "{options:?}: {error}");
        assert!(error.contains(message), "{options:?}: {error}");
        assert_eq!(error.lines().filter(|l| l.starts_with("error")).count(), 1, "{error}");
        assert!(!folder.path().join("refused").exists(), "{options:?}");
    }
}

#[test]
fn devices_lists_the_cpu_and_cuda_says_what_is_missing() {
    let run = ebmbook(&["devices", "--json"]);
    let found: serde_json::Value = serde_json::from_slice(&run.stdout).unwrap();
    assert_eq!(found[0]["device"], "cpu");
    assert_eq!(found[0]["usable"], true);
    if cfg!(feature = "cuda") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    write_files(folder.path());
    let run = embed(folder.path(), "out", &["--device", "cuda:1"]);
    assert_eq!(run.status.code(), Some(2));
    assert_eq!(
        text(&run.stderr),
        "error: device cuda:1: this build has no CUDA support; build with `--features cuda`; `ebmbook devices` lists what is there\n"
    );
}

#[test]
fn show_prints_the_findings_as_json() {
    let run = ebmbook(&["show", "gaussian", "--draws", "2000", "--json"]);
    let rows: serde_json::Value = serde_json::from_slice(&run.stdout).unwrap();
    assert_eq!(rows.as_array().unwrap().len(), 24);
    assert!(rows[0]["s (truth 1)"].is_number());
    assert_eq!(ebmbook(&["show", "saturation", "--draws", "0"]).status.code(), Some(2));
    assert_eq!(ebmbook(&["show", "mixture", "--runs", "3"]).status.code(), Some(2));
}

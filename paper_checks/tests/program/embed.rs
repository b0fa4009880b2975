//! `ebmbook embed`, `ebmbook devices` and `ebmbook show`.

use crate::support::{Ran, ebmbook, program, read};
use ebmbook::data::csv::{Roles, Table};
use ebmbook::ebm::{Ebm, Trainer};
use ebmbook::seed::Seed;
use rstest::rstest;
use tempfile::TempDir;

/// A folder with a small training and test file: three covariates, treatment, outcome, and truths.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let mut train = String::from("age,dose,drug,score,site\n");
    let mut test = String::from("site,dose,age,tau\n");
    for i in 0..120 {
        let (age, dose) = ((i * 37 % 101) as f64 / 10.0, (i * 53 % 97) as f64 / 10.0);
        train += &format!("{age},{dose},{},{},{}\n", i % 2, age - dose, i % 3);
        test += &format!("{},{dose},{},1.0\n", i % 3, age + 0.05);
    }
    std::fs::write(folder.path().join("a.csv"), train).unwrap();
    std::fs::write(folder.path().join("b.csv"), test).unwrap();
    folder
}

fn embed(folder: &TempDir, out: &str, more: &[&str]) -> Ran {
    let mut command = program();
    command.args("embed --train a.csv --test b.csv --treatment drug --outcome score".split(' '));
    command.args(["--k", "2", "--epochs", "6", "--batch", "32", "--out", out]).args(more);
    Ran::of(command.current_dir(folder.path()))
}

/// A file of a finished run.
fn bytes(folder: &TempDir, out: &str, name: &str) -> Vec<u8> {
    std::fs::read(folder.path().join(out).join(name)).unwrap()
}

#[test]
fn embed_writes_representations_a_model_and_an_account() {
    let folder = folder();
    let said = embed(&folder, "out", &[]).ok();
    let out = folder.path().join("out");
    for name in ["train.csv", "test.csv"] {
        let csv = read(out.join(name));
        assert_eq!(csv.lines().next(), Some("f1,f2"));
        assert_eq!(csv.lines().count(), 121);
    }
    let fit: serde_json::Value = serde_json::from_str(&read(out.join("fit.json"))).unwrap();
    assert_eq!(fit["covariates"], 3, "treatment, outcome and truths are not covariates");
    assert_eq!(fit["loss_curve"].as_array().unwrap().len(), 6);
    assert!(fit["effective_rank"].as_f64().unwrap() >= 1.0);
    assert!(fit["largest_cross_correlation"].as_f64().unwrap() <= 1.0);
    assert!(fit["seconds"].as_f64().unwrap() > 0.0);
    assert_eq!(fit["limit_scale_B1"].as_array().unwrap().len(), 2);
    let carry = fit["limit_carriers"].as_u64().unwrap();
    assert!(said.contains(&format!("{carry} of 2 coordinates carry the limit")), "{said}");
    let rank = format!("effective rank {:.1} of 2", fit["effective_rank"].as_f64().unwrap());
    assert!(said.contains(&rank), "{said}");
    let model = Ebm::load(&out.join("model.safetensors")).unwrap();
    assert_eq!((model.d(), model.k()), (3, 2));
}

#[test]
fn the_same_seed_writes_the_same_bytes() {
    let folder = folder();
    embed(&folder, "one", &[]).ok();
    embed(&folder, "two", &[]).ok();
    for name in ["train.csv", "test.csv", "model.safetensors"] {
        assert_eq!(bytes(&folder, "one", name), bytes(&folder, "two", name), "{name}");
    }
    embed(&folder, "other", &["--seed", "1"]).ok();
    assert_ne!(bytes(&folder, "one", "train.csv"), bytes(&folder, "other", "train.csv"));
}

#[test]
fn an_interrupted_run_is_continued_to_the_same_bytes_and_only_with_its_own_options() {
    let folder = folder();
    embed(&folder, "out", &["--resume"]).refused("cannot be read");

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

    embed(&folder, "out", &["--resume", "--q", "0.4"]).refused("was started with other options");
    embed(&folder, "out", &["--resume"]).ok();
    assert!(!run_file.exists(), "a finished run leaves nothing to resume");
    embed(&folder, "whole", &[]).ok();
    for name in ["train.csv", "test.csv", "model.safetensors"] {
        assert_eq!(bytes(&folder, "out", name), bytes(&folder, "whole", name), "{name}");
    }
}

#[test]
fn folds_by_arm_and_outcome_are_written_modulo_b1_and_say_which_rows_made_them() {
    let folder = folder();
    let more = "--folds arm-outcome --bins 2 --modulo-b1 --pilot-noise".split(' ').collect::<Vec<_>>();
    let own = |out: &str, more: &[&str]| {
        let mut command = program();
        command
            .args("embed --train a.csv --test b.csv --treatment drug --outcome score --epochs 6".split(' '));
        Ran::of(command.args(["--batch", "32", "--out", out]).args(more).current_dir(folder.path()))
    };
    let said = own("out", &more).ok();
    assert!(said.contains("all 120 rows and their outcomes made the folds"), "{said}");
    for name in ["train.csv", "test.csv"] {
        assert_eq!(read(folder.path().join("out").join(name)).lines().next(), Some("f1,f2,f3"));
    }
    let fit: serde_json::Value = serde_json::from_str(&read(folder.path().join("out/fit.json"))).unwrap();
    let sd = fit["parameters"]["noise_sd"].as_f64().unwrap();
    assert!(
        fit["pilots"].as_array().unwrap().iter().any(|tried| tried["sd"] == sd),
        "a pilot chose the noise"
    );
    // The column `site` has three values, so that k is three; it is no covariate then.
    std::fs::write(folder.path().join("b.csv"), "dose,age\n1,2\n3,4\n").unwrap();
    own("given", &["--folds", "given:site"]).ok();
    assert_eq!(read(folder.path().join("given/test.csv")).lines().next(), Some("f1,f2,f3"));
}

#[rstest]
#[case(["--q", "1.2"], "corruption probability q must lie in (0, 1], got 1.2")]
#[case(["--b", "0"], "number of corrupted copies b must be at least 1, got 0")]
#[case(["--hidden", "20-x"], "hidden widths must be numbers")]
#[case(["--objective", "likelihood"], "objective must be `ranking`")]
#[case(["--folds", "odd"], "folds must be `random`")]
#[case(["--device", "gpu"], "device must be `cpu`, `cuda` or `cuda:<number>`, got `gpu`")]
#[case(["--validation", "1"], "validation share must lie in [0, 1), got 1")]
#[case(["--rate", "-1"], "learning rate must be positive and finite, got -1")]
#[case(["--save-every", "0"], "epochs between saves must be at least 1, got 0")]
#[case(["--directions", "authors"], "representation size k must be one of 3, 4, 5")]
fn a_refused_option_is_one_line_with_code_2_and_no_file(#[case] option: [&str; 2], #[case] message: &str) {
    let folder = folder();
    embed(&folder, "refused", &option).refused(message);
    assert!(!folder.path().join("refused").exists());
}

#[test]
fn devices_lists_the_cpu_and_cuda_says_what_is_missing() {
    let found = ebmbook(&["devices", "--json"]).json();
    assert_eq!(found[0]["device"], "cpu");
    assert_eq!(found[0]["usable"], true);
    if cfg!(feature = "cuda") {
        return;
    }
    let ran = embed(&folder(), "out", &["--device", "cuda:1"]);
    assert_eq!(ran.code, Some(2));
    assert_eq!(
        ran.err,
        "error: device cuda:1: this build has no CUDA support; build with `--features cuda`; `ebmbook devices` lists what is there\n"
    );
}

#[test]
fn show_prints_the_findings_as_json() {
    let rows = ebmbook(&["show", "gaussian", "--draws", "2000", "--json"]).json();
    assert_eq!(rows.as_array().unwrap().len(), 24);
    assert!(rows[0]["s (truth 1)"].is_number());
    assert_eq!(ebmbook(&["show", "saturation", "--draws", "0"]).code, Some(2));
    assert_eq!(ebmbook(&["show", "mixture", "--runs", "3"]).code, Some(2));
}

#[test]
fn a_processor_with_narrower_registers_gives_the_same_bits() {
    // Valgrind shows the program a processor without the widest instruction sets.
    let narrow = std::process::Command::new("valgrind").arg("--version").output();
    if narrow.is_err() {
        eprintln!("SKIPPED: no valgrind, so that bits were not compared between instruction sets");
        return;
    }
    let folder = folder();
    for objective in ["pairwise", "ranking"] {
        embed(&folder, &format!("wide-{objective}"), &["--objective", objective]).ok();
        let mut command = std::process::Command::new("valgrind");
        command.args(["--tool=none", "-q", env!("CARGO_BIN_EXE_ebmbook")]);
        command.args("embed --train a.csv --test b.csv --treatment drug --outcome score".split(' '));
        command.args(["--k", "2", "--epochs", "6", "--batch", "32", "--objective", objective]);
        command.args(["--out", &format!("narrow-{objective}")]);
        Ran::of(command.current_dir(folder.path())).ok();
        for name in ["model.safetensors", "test.csv"] {
            let (wide, narrow) = (format!("wide-{objective}"), format!("narrow-{objective}"));
            assert_eq!(bytes(&folder, &wide, name), bytes(&folder, &narrow, name), "{objective}: {name}");
        }
    }
}

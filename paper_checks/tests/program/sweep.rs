//! A sweep proposes the same trials whatever happens to it.

use crate::support::{Ran, program, read};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

const SETTINGS: [&str; 2] = ["ihdp/100", "synthetic-d100/100"];
const FILES: [&str; 2] = ["ihdp-100.jsonl", "synthetic-d100-100.jsonl"];

/// A sweep of both settings, with its values and its trials below a folder.
fn sweep(folder: &Path, more: &[&str]) -> Command {
    let mut command = program();
    command.arg("sweep").args(SETTINGS).args(["--objective", "pairwise"]).args(more);
    command.arg("--store").arg(folder.join("cells")).arg("--out").arg(folder.join("trials"));
    command
}

/// The trials so far, by file.
fn trials(folder: &Path) -> BTreeMap<&'static str, String> {
    let kept = FILES.iter().map(|name| (*name, folder.join("trials").join(name)));
    kept.filter(|(_, path)| path.is_file()).map(|(name, path)| (name, read(path))).collect()
}

#[test]
fn a_sweep_that_was_killed_and_resumed_has_the_bytes_of_one_that_was_not() {
    let [whole, killed] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let start = Instant::now();
    Ran::of(&mut sweep(whole.path(), &["--trials", "20", "--workers", "1"])).ok();
    let length = start.elapsed();
    let expected = trials(whole.path());
    assert_eq!(expected.values().map(|text| text.lines().count()).collect::<Vec<_>>(), [21, 21]);

    let mut at_work = 0;
    for share in [0.2, 0.3] {
        let mut command = sweep(killed.path(), &["--trials", "20", "--workers", "2"]);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(length.mul_f64(share));
        at_work += u32::from(child.try_wait().unwrap().is_none());
        child.kill().unwrap();
        child.wait().unwrap();
        for (name, text) in trials(killed.path()) {
            assert!(expected[name].starts_with(&text), "{name} is no beginning of the whole");
        }
    }
    assert!(at_work > 0, "every kill came after the end");
    Ran::of(&mut sweep(killed.path(), &["--trials", "20", "--workers", "2"])).ok();
    assert_eq!(trials(killed.path()), expected);
}

#[test]
fn more_trials_go_on_where_fewer_ended_and_fewer_take_none_away() {
    let folder = tempfile::tempdir().unwrap();
    Ran::of(&mut sweep(folder.path(), &["--trials", "12"])).ok();
    let few = trials(folder.path());
    Ran::of(&mut sweep(folder.path(), &["--trials", "20"])).ok();
    let many = trials(folder.path());
    assert!(FILES.iter().all(|name| many[name].starts_with(&few[name]) && many[name] != few[name]));
    Ran::of(&mut sweep(folder.path(), &["--trials", "3"])).ok();
    assert_eq!(trials(folder.path()), many);
}

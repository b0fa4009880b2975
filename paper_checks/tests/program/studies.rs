//! Studies survive being killed, do not depend on threads or order, and say what is wrong.

use crate::support::{Ran, copy_data, ebmbook, files, program, root, skipped, unfinished, values};
use ebmbook::seed::Seed;
use paper_checks::claims::Scale;
use paper_checks::study::publish::publish;
use paper_checks::study::{Cell, Provenance, Schedule, State, Store, Study, Task, Values};
use rand::Rng;
use rstest::rstest;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

/// A study of many small cells.
const STUDY: &str = "ihdp";

/// A command about a study and its store.
fn with_store(command: &str, study: &str, store: &Path, more: &[&str]) -> Ran {
    Ran::of(program().args([command, study, "--store"]).arg(store).args(more))
}

fn run(store: &Path, more: &[&str]) -> Ran {
    with_store("run", STUDY, store, more)
}

/// Fails unless a full disk ended the run with code 2, one line, and no temporary file in `store`.
fn ended_by_a_full_disk(ran: &Ran, store: &Path) {
    assert_eq!(ran.code, Some(2), "{}", ran.err);
    let errors: Vec<&str> = ran.err.lines().filter(|l| l.starts_with("error: ")).collect();
    assert_eq!(errors.len(), 1, "{}", ran.err);
    assert!(errors[0].starts_with("error: cannot write `"), "{}", ran.err);
    assert_eq!(unfinished(store), Vec::<PathBuf>::new());
}

#[test]
fn a_reader_that_leaves_does_not_disturb_the_program() {
    use std::io::Read;
    let mut child = program()
        .args(["plan", "table1", "--scale", "full", "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut start = [0; 16];
    let mut out = child.stdout.take().unwrap();
    out.read_exact(&mut start).unwrap();
    drop(out);
    let ended = Ran::from(child.wait_with_output().unwrap());
    assert_eq!((ended.code, ended.err.as_str()), (Some(0), ""));
}

#[test]
fn a_run_killed_twenty_times_ends_with_the_bytes_of_one_that_was_not() {
    let whole = tempfile::tempdir().unwrap();
    let start = Instant::now();
    run(whole.path(), &["--threads", "1"]).ok();
    let length = start.elapsed();
    let expected = values(whole.path());
    assert_eq!(expected.len(), Study::find(STUDY).unwrap().cells(Scale::Quick).len());

    let killed = tempfile::tempdir().unwrap();
    let mut before = BTreeMap::new();
    let mut at_work = 0;
    let mut moments = Seed::new(20).rng();
    for round in 0..20 {
        // Two threads, in turn with cells together that share work and in another order each time. With one thread
        // the whole takes `length`, with two about half of it; twenty rounds of 0.015 on average stay below that,
        // so that most kills meet a run at work.
        let moment = length.mul_f64(moments.random_range(0.0..0.03));
        let mut child = program()
            .args(["run", STUDY, "--threads", "2"])
            .args((round % 2 == 1).then(|| format!("--shuffle={round}")))
            .arg("--store")
            .arg(killed.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(moment);
        at_work += u32::from(child.try_wait().unwrap().is_none());
        child.kill().unwrap();
        child.wait().unwrap();
        let now = values(killed.path());
        for (name, bytes) in &before {
            assert_eq!(now.get(name), Some(bytes), "finished cell {name} is lost or changed");
        }
        for (name, bytes) in &now {
            assert_eq!(expected.get(name), Some(bytes), "{name} is not what a whole run gives");
        }
        for path in files(killed.path()).iter().filter(|p| p.extension().is_some_and(|e| e == "json")) {
            let bytes = std::fs::read(path).unwrap();
            let whole = serde_json::from_slice::<serde_json::Value>(&bytes);
            assert!(whole.is_ok(), "{} is cut off", path.display());
        }
        before = now;
    }
    assert!(!before.is_empty(), "every kill came before the first cell was finished");
    // The length was measured while other tests ran, so the last rounds may find the work done.
    assert!(at_work >= 10, "only {at_work} of 20 kills met a run that was at work");
    run(killed.path(), &["--threads", "2"]).ok();
    assert_eq!(values(killed.path()), expected);
    assert_eq!(unfinished(killed.path()), Vec::<PathBuf>::new(), "they are cleared away");
    // A second run has nothing to do and says so.
    let said = run(killed.path(), &[]).out;
    assert!(said.starts_with("0 cells ran"), "{said}");
}

#[cfg(unix)]
#[test]
fn a_disk_that_takes_no_bytes_ends_the_run_with_one_line_and_no_file() {
    let store = tempfile::tempdir().unwrap();
    // A limit of zero on file sizes, with its signal ignored, refuses every byte as a full disk does.
    let script = r#"trap "" XFSZ; ulimit -f 0; exec "$0" run ihdp --store "$1""#;
    let mut command = Command::new("sh");
    let ran = Ran::of(command.args(["-c", script, env!("CARGO_BIN_EXE_ebmbook")]).arg(store.path()));
    ended_by_a_full_disk(&ran, store.path());
    assert!(values(store.path()).is_empty());
}

#[cfg(target_os = "linux")]
#[test]
fn a_disk_that_fills_midway_keeps_what_was_finished_and_the_run_goes_on_elsewhere() {
    let (mount, kept) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    // A file system of its own with room for some of the cells; its namespace goes when the shell ends.
    let script = r#"mount -t tmpfs -o size=400k tmpfs "$1" || exit 77
        "$0" run ihdp --threads 2 --store "$1"; code=$?; cp -a "$1/." "$2"; exit $code"#;
    let output = Command::new("unshare")
        .args(["--map-root-user", "--mount", "sh", "-c", script, env!("CARGO_BIN_EXE_ebmbook")])
        .args([mount.path(), kept.path()])
        .output();
    let ran = match output {
        Ok(output) if ![Some(77), Some(1)].contains(&output.status.code()) => Ran::from(output),
        _ => return skipped("no small disk can be mounted here"),
    };
    ended_by_a_full_disk(&ran, kept.path());
    assert!(ran.err.contains("No space left"), "{}", ran.err);
    let finished = values(kept.path());
    let all = Study::find(STUDY).unwrap().cells(Scale::Quick).len();
    assert!(!finished.is_empty() && finished.len() < all, "{} of {all} cells", finished.len());
    let said = run(kept.path(), &["--threads", "2"]).ok();
    let after = values(kept.path());
    assert_eq!(after.len(), all);
    assert!(finished.iter().all(|(name, bytes)| after[name] == *bytes), "a finished cell was touched");
    assert!(
        said.starts_with(&format!("{} cells ran, {} were cached", all - finished.len(), finished.len())),
        "{said}"
    );
}

#[cfg(unix)]
#[test]
fn a_folder_that_may_only_be_read_ends_the_run_with_one_line_and_no_file() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let allow = |path: &Path, mode: u32| {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
    };
    let (store, copy) = (folder.path().join("store"), folder.path().join("ebmbook"));
    std::fs::create_dir(&store).unwrap();
    allow(folder.path(), 0o755);
    allow(&store, 0o555);
    // The rules are not for root, who may write everywhere: somebody else runs a copy of the program.
    std::fs::copy(env!("CARGO_BIN_EXE_ebmbook"), &copy).unwrap();
    let root = std::fs::write(store.join("probe"), "").is_ok();
    let mut command = if root { Command::new("setpriv") } else { Command::new(&copy) };
    if root {
        std::fs::remove_file(store.join("probe")).unwrap();
        command.args(["--reuid=65534", "--regid=65534", "--clear-groups"]).arg(&copy);
    }
    let Ok(output) = command.args(["run", STUDY, "--store"]).arg(&store).current_dir(folder.path()).output()
    else {
        return skipped("root may write anywhere, and there is no setpriv to be somebody else");
    };
    Ran::from(output).refused("error: cannot open the store `");
    assert_eq!(files(&store), Vec::<PathBuf>::new());
}

#[test]
fn a_store_that_cannot_be_made_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a-file");
    std::fs::write(&file, "not a folder").unwrap();
    run(&file.join("store"), &[]).refused("error: cannot open the store `");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "not a folder");
}

fn a_cell() -> Cell {
    Study::find(STUDY).unwrap().cells(Scale::Quick).remove(0)
}

/// A store that holds the cell with made-up values.
fn with_cell(folder: &Path, cell: &Cell) -> Store {
    let store = Store::open_to_write(folder).unwrap();
    let values = Values::from([("zero".to_owned(), 1.25)]);
    store.save(cell, &values, &Provenance::now(cell, 0.5).unwrap()).unwrap();
    store
}

#[test]
fn a_damaged_file_is_reported_and_computed_again() {
    let folder = tempfile::tempdir().unwrap();
    let cell = a_cell();
    let store = with_cell(folder.path(), &cell);
    assert!(matches!(store.state(&cell), State::Cached(v) if v["zero"] == 1.25));
    let path = folder.path().join(&cell.key().hash[..2]).join(format!("{}.json", cell.key().hash));
    let whole = std::fs::read(&path).unwrap();
    for length in [0, 1, whole.len() / 2, whole.len() - 3] {
        std::fs::write(&path, &whole[..length]).unwrap();
        assert!(matches!(store.state(&cell), State::ToRun(why) if why.starts_with("damaged")), "{length}");
    }
}

#[test]
fn the_reason_to_run_names_what_has_changed() {
    let folder = tempfile::tempdir().unwrap();
    let cell = a_cell();
    let store = with_cell(folder.path(), &cell);
    let mut other = cell.clone();
    let Task::Effects(task) = &mut other.task else { panic!("the study estimates effects") };
    task.seed += 1;
    assert_eq!(store.state(&other), State::ToRun("seed changed".into()));
    let Task::Effects(task) = &mut other.task else { panic!("the study estimates effects") };
    task.constant_column = !task.constant_column;
    assert_eq!(store.state(&other), State::ToRun("parameters, seed changed".into()));
    let fresh = Cell { replicate: 77, ..other };
    assert_eq!(store.state(&fresh), State::ToRun("not run yet".into()));
    drop(store);
    let said = with_store("plan", STUDY, folder.path(), &["--why"]).out;
    assert!(said.contains("cached") && said.contains("to run: not run yet"), "{said}");
    assert!(said.contains("1 cached"), "{said}");
}

#[test]
fn a_study_is_extended_from_committed_values_without_computing_them_again() {
    let (store, empty, results) =
        (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let imbalance =
        |command: &str, store: &Path, more: &[&str]| with_store(command, "imbalance", store, more).ok();
    let folder = results.path().to_str().unwrap();
    imbalance("run", store.path(), &[]);
    let said = imbalance("publish", store.path(), &["--to", folder, "--json"]);
    let said: serde_json::Value = serde_json::from_str(&said).unwrap();
    assert!(said.to_string().contains("imbalance"), "{said}");
    let written = || {
        let read = |name: &str| std::fs::read(results.path().join("imbalance").join(name)).unwrap();
        (read("cells.jsonl"), read("provenance.json"), read("table.csv"))
    };
    let before = written();
    assert!(imbalance("plan", empty.path(), &[]).contains("36 cells: 0 cached, 36 to run"));
    assert!(imbalance("plan", empty.path(), &["--with", folder]).contains("36 cells: 36 cached, 0 to run"));
    assert!(imbalance("run", empty.path(), &["--with", folder]).starts_with("0 cells ran"));
    imbalance("publish", empty.path(), &["--with", folder, "--to", folder]);
    assert_eq!(written(), before, "values and circumstances are those of the cells that ran");
}

#[test]
fn circumstances_that_a_killed_run_left_without_values_are_not_those_of_committed_values() {
    let (store, results) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let imbalance = Study::find("imbalance").unwrap();
    let cells = imbalance.cells(Scale::Quick);
    let first = Store::open_to_write(store.path()).unwrap();
    paper_checks::study::run(&cells, &first, Schedule::on(2), &());
    publish(&imbalance, Scale::Quick, &first, results.path()).unwrap();
    let told = || std::fs::read(results.path().join("imbalance/provenance.json")).unwrap();
    let before = told();
    // Sidecars are written first: this is what a kill may leave.
    for path in files(store.path()) {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if name.ends_with(".run.json") {
            let text = std::fs::read_to_string(&path).unwrap();
            std::fs::write(&path, text.replacen("\"revision\": \"", "\"revision\": \"killed-", 1)).unwrap();
        } else if name.ends_with(".json") {
            std::fs::remove_file(&path).unwrap();
        }
    }
    let left = Store::open(store.path()).with_committed(results.path()).unwrap();
    publish(&imbalance, Scale::Quick, &left, results.path()).unwrap();
    assert_eq!(told(), before);
}

#[test]
fn a_cell_that_fails_is_named_and_the_others_are_kept() {
    let (store, data) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    copy_data(&["MANIFEST.toml", "twins_pairs.csv"], data.path());
    let imbalance = |command: &str, folder: &Path| {
        let mut program = program();
        program.args([command, "imbalance", "--store"]).arg(store.path());
        Ran::of(program.env("EBMBOOK_DATA", folder))
    };
    let ran = imbalance("run", data.path());
    let said = ran.out;
    assert_eq!(ran.code, Some(1), "{said}");
    assert!(said.starts_with("28 cells ran, 0 were cached, 6 failed"), "{said}");
    let failed: Vec<&str> = said.lines().filter(|l| l.starts_with("FAILED  imbalance/")).collect();
    assert_eq!(failed.len(), 6, "{said}");
    assert!(
        failed.iter().all(|l| l.contains("/ihdp/") && l.contains("ihdp_sim.csv`: No such file")),
        "{said}"
    );
    // A claim that rests on them is not judged on the rest.
    let check = imbalance("check", data.path());
    assert_eq!(check.code, Some(2), "{}", check.err);
    assert!(check.err.contains("error: 6 cells failed; the first is imbalance/"), "{}", check.err);
    // With the file back only they run.
    let said = imbalance("run", &root().join("data")).ok();
    assert!(said.starts_with("6 cells ran, 28 were cached, 0 failed"), "{said}");
}

#[test]
fn cells_that_share_a_representation_have_the_bytes_they_have_alone() {
    // Two regressors on the same covariates, networks and propensities; two runs that share decision values; both
    // halves of Figure 3.
    let wanted = [
        ("table1", "released/synthetic-growing-d/d50-n100/raw/0"),
        ("table1", "released/synthetic-growing-d/d50-n100/raw/1"),
        ("table-ridge", "released/synthetic-growing-d/d50-n100/raw/1"),
        ("table1", "released/synthetic-growing-d/d50-n100/ebm-pairwise/0"),
        ("table-power", "released/synthetic-growing-d/d50-n100/ebm-pairwise/0"),
        ("figure3-mcc", "released/twins/d48-n500/ebm/0"),
        ("figure3-sd", "released/twins/d48-n500/ebm/0"),
    ];
    let find = |(study, name): (&str, &str)| {
        let cells = Study::find(study).unwrap().cells(Scale::Quick);
        let id = cells.iter().position(|c| c.name() == format!("{study}/{name}")).unwrap();
        (id, cells[id].clone())
    };
    let cells: Vec<Cell> = wanted.iter().map(|w| find(*w).1).collect();
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open_to_write(folder.path()).unwrap();
    let report = paper_checks::study::run(&cells, &store, Schedule::on(2), &());
    assert_eq!((report.ran, report.failed), (wanted.len(), vec![]));
    for (wanted, cell) in wanted.into_iter().zip(&cells) {
        let State::Cached(together) = store.state(cell) else { panic!("{} has no values", cell.name()) };
        // A process of its own has nothing in memory.
        let id = find(wanted).0.to_string();
        let said = ebmbook(&["cell", wanted.0, "--id", &id, "--json"]).json();
        assert_eq!(said["values"], serde_json::to_value(&together).unwrap(), "{}", cell.name());
    }
}

#[test]
fn one_cell_runs_alone_and_gives_the_values_of_the_study() {
    let shown = ebmbook(&["cell", STUDY, "--id", "3", "--json"]).json();
    let values: Values = serde_json::from_value(shown["values"].clone()).unwrap();
    let cell = &Study::find(STUDY).unwrap().cells(Scale::Quick)[3];
    assert_eq!(values, cell.task.compute().unwrap());
    assert_eq!(shown["key"]["hash"], cell.key().hash);
}

#[rstest]
#[case("run table9", "no study is called `table9`; there are table1")]
#[case("run", "name a study, or `all`")]
#[case("plan tabel1", "no study is called `tabel1`")]
#[case("cell ihdp --id 100000", "study `ihdp` has cells 0..400 at this scale, got 100000")]
#[case("publish table9", "no study is called `table9`")]
#[case("run ihdp --threads 0", "invalid value '0' for '--threads")]
fn bad_names_and_numbers_are_one_line_and_code_two(#[case] args: &str, #[case] rule: &str) {
    ebmbook(&args.split(' ').collect::<Vec<_>>()).refused(rule);
}

#[test]
fn the_generator_is_the_version_the_keys_name() {
    // The rows of one data set of each kind. If they change, raise GENERATOR in study/data.rs:
    // values computed from other rows must not be taken for these.
    let hash = |study: &str, of: &str| {
        let cells = Study::find(study).unwrap().cells(Scale::Quick);
        let cell = cells.iter().find(|c| c.name().contains(of)).unwrap();
        cell.task.data().rows_hash().unwrap()
    };
    let found = [
        hash("imbalance", "released/synthetic-growing-d/d50-n100"),
        hash("imbalance", "paper/synthetic-growing-d/d50-n100"),
        hash("imbalance", "released/twins/d48-n500"),
        hash("imbalance", "released/ihdp/d25-n100"),
    ];
    insta::assert_snapshot!(found.join("\n"));
}

//! Shares of a study, and many runs that write to one store.

use crate::support::{Ran, program, read, results, root, unfinished, values};
use ebmbook::data::split::permutation;
use ebmbook::seed::Seed;
use paper_checks::claims::Scale;
use paper_checks::study::{Cell, Rates, Study};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::LazyLock;
use std::time::{Duration, Instant};

/// A study of many small cells.
pub const STUDY: &str = "ihdp";

/// Longer than any of these runs takes, however busy the machine is.
pub const PATIENCE: Duration = Duration::from_secs(300);

/// The values of the study when one process computes them.
pub fn of_one_process() -> &'static BTreeMap<String, Vec<u8>> {
    static WHOLE: LazyLock<BTreeMap<String, Vec<u8>>> = LazyLock::new(|| {
        let store = tempfile::tempdir().unwrap();
        Ran::of(&mut run(store.path(), &["--threads", "1"])).ok();
        values(store.path())
    });
    &WHOLE
}

/// `ebmbook run` of the study.
pub fn run(store: &Path, more: &[&str]) -> Command {
    let mut command = program();
    command.args(["run", STUDY, "--store"]).arg(store).args(more);
    command
}

/// Waits until the store has so many cells. Fails if the child ends before.
pub fn wait_for_cells(store: &Path, cells: usize, child: &mut Child) {
    let start = Instant::now();
    while values(store).len() < cells {
        assert!(child.try_wait().unwrap().is_none(), "it ended before it had {cells} cells");
        assert!(start.elapsed() < PATIENCE, "{cells} cells are not there in time");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn eight_processes_two_of_them_killed_leave_a_store_that_one_more_run_completes_to_the_byte() {
    let store = tempfile::tempdir().unwrap();
    // Two processes for each of four shares, in orders of their own: they write the same files at the same time.
    let start = |process: usize| {
        let (share, order) = (format!("{}/4", process % 4 + 1), format!("--shuffle={process}"));
        let mut command = run(store.path(), &["--share", &share, "--threads", "1", &order]);
        command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap()
    };
    let mut processes: Vec<Child> = (0..8).map(start).collect();
    wait_for_cells(store.path(), 40, &mut processes[0]);
    // Both of the first share.
    for killed in [4, 0] {
        let mut process = processes.remove(killed);
        process.kill().unwrap();
        process.wait().unwrap();
    }
    let said: Vec<String> =
        processes.into_iter().map(|p| Ran::from(p.wait_with_output().unwrap()).ok()).collect();
    assert!(said.iter().all(|said| said.contains(" 0 failed")), "{said:?}");
    let there = values(store.path());
    assert!(there.len() < of_one_process().len(), "the killed processes had nothing left to do");
    assert!(there.iter().all(|(name, bytes)| of_one_process()[name] == *bytes));
    let said = Ran::of(&mut run(store.path(), &[])).ok();
    let missing = of_one_process().len() - there.len();
    assert!(said.starts_with(&format!("{missing} cells ran, {} were cached", there.len())), "{said}");
    assert!(values(store.path()) == *of_one_process());
    assert_eq!(unfinished(store.path()), Vec::<std::path::PathBuf>::new());
}

#[test]
fn sixteen_shares_in_any_order_are_the_study_to_the_byte() {
    let store = tempfile::tempdir().unwrap();
    let (mut cells, mut most) = (0, 0);
    for share in permutation(16, Seed::new(16)) {
        let share = format!("{}/16", share + 1);
        let said = Ran::of(&mut run(store.path(), &["--share", &share, "--json"])).json();
        assert_eq!(said["cached"], 0, "no other share has its cells");
        let ran = said["ran"].as_u64().unwrap();
        (cells, most) = (cells + ran, most.max(ran));
    }
    assert_eq!(cells as usize, of_one_process().len());
    assert!(most < cells / 8, "a share has {most} of {cells} cells");
    assert!(values(store.path()) == *of_one_process());
}

#[test]
fn names_in_a_store_are_ones_that_every_file_system_takes() {
    for cell in Study::known().iter().flat_map(|study| study.cells(Scale::Full)) {
        let name = cell.name();
        let plain = |c: char| c.is_ascii_alphanumeric() || " -+_.=,()/".contains(c);
        assert!(name.chars().all(plain), "{name}");
        assert!(name.split('/').all(|part| !part.is_empty() && part.len() < 100), "{name}");
        assert!(name.len() < 200, "{name}");
    }
}

/// What each study costs at full scale, as a table.
fn costs() -> String {
    let rates = Rates::committed(&results()).unwrap();
    let mut table =
        "| study | cells | core minutes | seconds on 16 cores | on 64 |\n|---|---|---|---|---|\n".to_owned();
    let mut row = |name: &str, cells: &[Cell]| {
        let distinct: std::collections::BTreeSet<String> = cells.iter().map(|c| c.key().hash).collect();
        let [few, many] = [16, 64].map(|cores| rates.estimate(cells, cores));
        let minutes = few.core_seconds / 60.0;
        let [few, many] = [few, many].map(|estimate| estimate.wall_seconds);
        table += &format!("| {name} | {} | {minutes:.1} | {few:.1} | {many:.1} |\n", distinct.len());
    };
    let of = |study: &Study| study.cells(Scale::Full);
    Study::all().iter().for_each(|study| row(&format!("`{}`", study.name), &of(study)));
    row("together", &Study::all().iter().flat_map(of).collect::<Vec<_>>());
    table + &format!("\nMeasured on: {}.\n", rates.processors.join("; "))
}

#[test]
fn the_guide_says_what_each_study_costs() {
    let expected = format!("<!-- costs:begin -->\n{}<!-- costs:end -->", costs());
    let path = root().join("docs/clusters.md");
    let guide = read(&path);
    if !guide.contains(&expected) && std::env::var_os("UPDATE_README").is_some() {
        let (before, rest) = guide.split_once("<!-- costs:begin -->").unwrap();
        let (_, after) = rest.split_once("<!-- costs:end -->").unwrap();
        std::fs::write(&path, format!("{before}{expected}{after}")).unwrap();
        return;
    }
    assert!(guide.contains(&expected), "docs/clusters.md is out of date: run this test with UPDATE_README=1");
}

#[test]
fn a_plan_on_many_cores_says_core_hours_and_time() {
    let empty = tempfile::tempdir().unwrap();
    let plan = |more: &[&str]| {
        let mut command = program();
        command
            .args(["plan", "all", "--scale", "full", "--on", "64", "--store"])
            .arg(empty.path())
            .args(more);
        Ran::of(&mut command)
    };
    let rows = plan(&["--json"]).json();
    let number = |row: usize, key: &str| rows[row][key].as_f64().unwrap();
    let last = Study::all().len();
    assert_eq!(rows[last]["study"], "together");
    // Sixty-four cores take at least a sixty-fourth of the time, and no core idles for long.
    let speedup = number(last, "core seconds") / number(last, "seconds");
    assert!((60.0..64.1).contains(&speedup), "{speedup}: times are rounded to a tenth of a second");
    let separately: f64 = (0..last).map(|row| number(row, "core seconds")).sum();
    assert!(number(last, "core seconds") < separately, "studies share cells");
    assert!(plan(&[]).ok().contains(" core hours, as measured on "));
}

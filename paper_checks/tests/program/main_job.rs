//! `ebmbook` with no arguments: what it prints, recomputes, keeps and leaves out when time is short.

use crate::support::{Ran, ebmbook, files_ending, program as bare, read, results};
use ebmbook::seed::Seed;
use paper_checks::claims;
use paper_checks::registry::Kind;
use paper_checks::study::{Population, Published};
use rstest::rstest;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::LazyLock;
use std::time::{Duration, Instant};
use tempfile::TempDir;

fn main_job(home: &Path, args: &[&str]) -> Ran {
    Ran::of(&mut program(home, args))
}

fn program(home: &Path, args: &[&str]) -> Command {
    let mut command = bare();
    command.args(args).env("EBMBOOK_HOME", home);
    command
}

/// A folder in which the main job has run once, with a short spot check of this seed, and what it said.
static FIRST: LazyLock<(TempDir, Ran)> = LazyLock::new(|| {
    let home = tempfile::tempdir().unwrap();
    let ran = main_job(home.path(), &["--spot-check", "1s", "--spot-check-seed", "7"]);
    (home, ran)
});

#[test]
fn the_experiments_are_judged_on_committed_cells_and_a_sample_of_them_is_equal_to_the_last_bit() {
    let (home, first) = &*FIRST;
    assert_eq!(first.code, Some(0), "{}{}", first.out, first.err);
    for part in [
        "✔",
        "✘",
        "committed cells recomputed here",
        "--spot-check-seed 7",
        "Open first: ",
        "Then: ebmbook explain",
    ] {
        assert!(first.out.contains(part), "{part}: {}", first.out);
    }
    assert!(!first.out.contains('\u{1b}'), "plain text where there is no terminal");
    // A second run keeps what was judged and takes another sample; what was recomputed adds up.
    let second = main_job(home.path(), &["--spot-check", "1s", "--json"]);
    assert_eq!(second.code, Some(0), "{}", second.err);
    let said = second.json();
    assert_eq!(said["reused"]["claims"], claims::all().len());
    let check = &said["spot check"];
    assert_eq!((&check["recomputed"], check["wrong"].as_array().unwrap().len()), (&check["equal"], 0));
    assert_ne!(check["seed"], 7);
    assert!(said["recomputed so far"].as_u64() > check["recomputed"].as_u64(), "{check}");
    for (claim, judged) in claims::all().zip(said["claims"].as_array().unwrap()) {
        assert_eq!(
            (&judged["claim"], &judged["title"]),
            (&claim.id.clone().into(), &claim.title.clone().into())
        );
        assert!(!judged["finding"].as_str().unwrap().contains('{'), "{}", judged["finding"]);
    }
    let helps = said["claims"].as_array().unwrap().iter().find(|c| c["claim"] == "table1-ebm-helps").unwrap();
    assert!(helps["printed"].as_f64().unwrap() > 0.4 && helps.get("caveat").is_some());
}

#[test]
fn a_second_run_without_a_spot_check_writes_nothing_again() {
    let home = FIRST.0.path();
    let page = || std::fs::metadata(home.join("report.html")).unwrap().modified().unwrap();
    let before = page();
    let start = Instant::now();
    let ran = main_job(home, &["--spot-check", "none"]);
    assert!(start.elapsed() < Duration::from_secs(5), "2 s on a machine that does nothing else");
    assert!(ran.out.contains("No cell recomputed in this run; "), "{}", ran.out);
    assert_eq!((ran.code, page()), (Some(0), before));
}

#[rstest]
fn one_line_per_claim_is_no_wider_than_the_terminal_and_keeps_its_words(
    #[values(80, 100, 140)] width: usize,
) {
    let home = FIRST.0.path();
    let mut command = program(home, &["--spot-check", "none"]);
    let ran =
        Ran::of(command.env("COLUMNS", width.to_string()).env("NO_COLOR", "1").env("CLICOLOR_FORCE", "1"));
    assert!(!ran.out.contains('\u{1b}'));
    let lines: Vec<&str> = ran.out.lines().filter(|line| !line.contains(home.to_str().unwrap())).collect();
    assert!(lines.iter().all(|line| line.chars().count() <= width), "{}", ran.out);
    // Each entry has a short form of its finding, which is not cut.
    let cut: Vec<&&str> = lines.iter().filter(|line| line.ends_with('…')).collect();
    assert_eq!(cut, Vec::<&&str>::new());
    let wide: Vec<String> = Ran::of(command.env("COLUMNS", "400")).out.lines().map(str::to_owned).collect();
    for claim in claims::all() {
        let of = |line: &&str| line.split("  ").any(|part| part.trim() == claim.title);
        let [short, long] = [&lines, &wide.iter().map(String::as_str).collect::<Vec<_>>()]
            .map(|lines| lines.iter().copied().find(of).unwrap_or_else(|| panic!("{}", claim.title)));
        let finding = |line: &str| line.rsplit("  ").next().unwrap().trim().to_owned();
        let (short, long) = (finding(short), finding(long));
        let kept = short.trim_end_matches('…');
        let rest = long.strip_prefix(kept).unwrap_or_else(|| panic!("{short} | {long}"));
        assert!(rest.is_empty() || !rest.starts_with(char::is_alphanumeric), "{short} | {long}");
    }
}

/// Copies the committed results of a few studies.
fn copy_results(studies: &[&str], to: &Path) {
    for study in studies {
        std::fs::create_dir(to.join(study)).unwrap();
        std::fs::copy(Published::path(&results(), study), Published::path(to, study)).unwrap();
    }
}

#[test]
fn a_wrong_cell_in_the_sample_is_found() {
    let folder = tempfile::tempdir().unwrap();
    copy_results(&["imbalance", "ihdp"], folder.path());
    let population = Population::read(folder.path()).unwrap();
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let size = population.size(Duration::from_secs(1), cores);
    let sample = population.sample(size, &Seed::new(7));
    assert!(size > 10 && size < population.len(), "{size}");
    // The last but one digit of one value of one cell.
    let planted = sample.iter().find(|c| c.cell.study == "ihdp").unwrap();
    let (name, key) = (planted.cell.name(), planted.cell.key().hash);
    let (value, number) = planted.values.iter().next().unwrap();
    let path = Published::path(folder.path(), "ihdp");
    let text = read(&path);
    let line = text.lines().find(|line| line.contains(&key)).unwrap();
    let changed =
        line.replacen(&format!("\"{value}\":{number}"), &format!("\"{value}\":{}", number * (1.0 + 1e-9)), 1);
    assert_ne!(line, changed);
    std::fs::write(&path, text.replacen(line, &changed, 1)).unwrap();
    let from = folder.path().to_str().unwrap();
    let page = folder.path().join("report.html");
    let page = page.to_str().unwrap();
    let args = ["--from", from, "--report", page, "--spot-check", "1s", "--spot-check-seed", "7"];
    let ran = main_job(FIRST.0.path(), &args);
    assert_eq!(ran.code, Some(1), "{}{}", ran.out, ran.err);
    let said = ran.out.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains(&format!("WRONG {name}: `{value}` is {number} here and ")), "{said}");
    let json = main_job(FIRST.0.path(), &[&args[..], &["--json"]].concat()).json();
    assert_eq!(json["spot check"]["wrong"][0]["cell"], name);
    assert_eq!(json["spot check"]["equal"], size - 1);
}

#[test]
fn a_sample_has_its_share_of_each_study_and_another_seed_takes_other_cells() {
    let population = Population::read(&results()).unwrap();
    let size = 500;
    let names = |seed: u64| {
        let sample = population.sample(size, &Seed::new(seed));
        assert!(sample.is_sorted_by(|a, b| a.cell.expected_seconds() >= b.cell.expected_seconds()));
        let mut names: Vec<String> = sample.iter().map(|c| c.cell.name()).collect();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), size, "each cell once");
        names
    };
    let (one, other) = (names(1), names(2));
    assert_eq!(one, names(1));
    assert!(one.iter().filter(|name| other.contains(name)).count() < size / 5);
    let everything = population.sample(population.len(), &Seed::new(1));
    for study in Published::studies(&results()) {
        let cells = everything.iter().filter(|c| c.cell.study == study.name).count();
        let taken = one.iter().filter(|name| name.starts_with(&format!("{}/", study.name))).count();
        let share = (size * cells) as f64 / population.len() as f64;
        assert!((taken as f64 - share).abs() <= 1.0, "{}: {taken}, its share is {share}", study.name);
    }
}

#[test]
fn what_does_not_fit_into_the_budget_is_inconclusive_and_says_so() {
    let home = tempfile::tempdir().unwrap();
    let args = ["--recompute", "quick", "--budget", "1s"];
    let ran = main_job(home.path(), &[&args[..], &["--json"]].concat());
    let said = ran.json();
    let judged = said["claims"].as_array().unwrap();
    assert_eq!(judged.len(), claims::all().len());
    let left = judged
        .iter()
        .filter(|c| c["findings"]["setting"].as_str().unwrap().contains("did not fit into the budget"));
    // The studies alone take minutes.
    assert!(left.clone().count() >= 15);
    assert!(left.clone().all(|c| c["verdict"] == "inconclusive" || c["verdict"] == "open"));
    assert_eq!(ran.code, Some(3), "{}", ran.err);
    let page = read(home.path().join("report.html"));
    for claim in claims::all() {
        assert!(page.contains(&format!("<article id=\"{}\"", claim.id)), "{}", claim.id);
    }
    // The page does not call an error rate zero where nothing was measured.
    assert!(page.contains("False-alarm rate of the gates: nothing was measured"));
    // JSON has what the lines show.
    assert_eq!(said["did not fit"].as_array().unwrap().len(), left.count());
    assert_eq!(
        said["counts"].as_object().unwrap().values().map(|n| n.as_u64().unwrap()).sum::<u64>(),
        claims::all().filter(|c| c.kind == Kind::Claim).count() as u64,
        "questions and theorems have no verdict to count"
    );
    // For people: what was dropped, and what to do about it.
    let text = main_job(home.path(), &args).out;
    assert!(text.contains(" claims did not fit into the budget: "), "{text}");
    assert!(text.contains("run again to go on."), "{text}");
}

#[test]
fn a_killed_run_leaves_what_it_judged_and_the_next_one_says_so() {
    let home = tempfile::tempdir().unwrap();
    let mut first = program(home.path(), &[]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let kept = || files_ending(&home.path().join("reports"), "json").len();
    let start = Instant::now();
    while kept() < 2 && start.elapsed() < Duration::from_secs(300) {
        std::thread::sleep(Duration::from_millis(20));
    }
    first.kill().unwrap();
    first.wait().unwrap();
    let there = kept();
    assert!(there >= 2, "nothing was kept in five minutes");
    assert!(!home.path().join("report.html").exists(), "it was killed on the way");
    let args = ["--spot-check", "none", "--budget", "1s"];
    let said = main_job(home.path(), &[&args[..], &["--json"]].concat()).json();
    assert!(said["reused"]["claims"].as_u64().unwrap() >= there as u64, "{}", said["reused"]);
    let text = main_job(home.path(), &args).out;
    assert!(
        text.split_whitespace().collect::<Vec<_>>().join(" ").contains("of them kept from an earlier run"),
        "{text}"
    );
    assert!(home.path().join("report.html").exists());
}

#[test]
fn a_killed_spot_check_leaves_the_cells_that_it_confirmed() {
    let (home, _) = &*FIRST;
    let counted = || {
        main_job(home.path(), &["--spot-check", "none", "--json"]).json()["recomputed so far"]
            .as_u64()
            .unwrap()
    };
    let before = counted();
    let mut run = program(home.path(), &["--spot-check", "1h"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let start = Instant::now();
    while counted() < before + 3 && start.elapsed() < Duration::from_secs(600) {
        std::thread::sleep(Duration::from_millis(100));
    }
    run.kill().unwrap();
    run.wait().unwrap();
    assert!(counted() >= before + 3);
}

#[test]
fn output_is_plain_where_colour_is_not_wanted_and_a_reader_may_leave() {
    let home = tempfile::tempdir().unwrap();
    for args in [
        &["claims"][..],
        &["--help"],
        &["plan"],
        &["nonsense"],
        &["explain", &claims::all().next().unwrap().id],
    ] {
        let ran = Ran::of(program(home.path(), args).env("NO_COLOR", "1").env("CLICOLOR_FORCE", "1"));
        assert!(!ran.out.contains('\u{1b}') && !ran.err.contains('\u{1b}'), "{args:?}");
    }
    // Nobody reads standard error: the exit code is still that of the work.
    let mut child = program(home.path(), &["--recompute", "quick", "--budget", "1s"])
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stderr.take());
    assert_eq!(child.wait().unwrap().code(), Some(3));
}

#[test]
fn help_is_a_table_of_contents() {
    let text = ebmbook(&["--help"]).out;
    for part in [
        "Check the paper:",
        "Your own data:",
        "Notebooks:",
        "Without a command",
        "Examples:",
        "Exit codes:",
        "--json",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let manual = ebmbook(&["manual", "man"]).out;
    for part in [".SH \"EBMBOOK CATE\"", ".SH \"EBMBOOK DATA SYNTH\"", "regressor", "budget"] {
        assert!(manual.contains(part), "{part}");
    }
}

#[rstest]
fn the_manual_and_the_completions_name_every_command(#[values("man", "bash", "zsh", "fish")] kind: &str) {
    let text = ebmbook(&["manual", kind]).out;
    for command in ["check", "explain", "run", "report", "notebooks"] {
        assert!(text.contains(command), "{command}");
    }
}

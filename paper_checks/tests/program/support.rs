//! What several topics need: places in the tree, runs of the program, and how snapshots are compared.

use insta::Comparator;
use insta::internals::SnapshotContents;
use paper_checks::claims::{Context, Report};
use paper_checks::registry::Claim;
use paper_checks::report::trend;
use paper_checks::tolerance::Tolerance;
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The root of the workspace.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// The committed results.
pub fn results() -> PathBuf {
    root().join("paper_checks/results")
}

pub fn read(path: impl AsRef<Path>) -> String {
    let path = path.as_ref();
    std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// Copies shipped data files to a folder.
pub fn copy_data(names: &[&str], to: &Path) {
    for name in names {
        std::fs::copy(root().join("data").join(name), to.join(name)).unwrap();
    }
}

/// Every file below a folder; none if there is no folder.
pub fn files(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return vec![] };
    let below = |path: PathBuf| if path.is_dir() { files(&path) } else { vec![path] };
    entries.flatten().flat_map(|entry| below(entry.path())).collect()
}

/// The files below a folder with this ending, in the order of their names.
pub fn files_ending(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found = files(folder);
    found.retain(|path| path.extension().is_some_and(|e| e == ending));
    found.sort();
    found
}

/// Every file with values in a store, by name.
pub fn values(store: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for path in files(store) {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let beside = path.components().any(|c| c.as_os_str() == "names") || name.ends_with(".run.json");
        if name.ends_with(".json") && !beside {
            found.insert(name, std::fs::read(&path).unwrap());
        }
    }
    found
}

/// Temporary files that a run left behind.
pub fn unfinished(store: &Path) -> Vec<PathBuf> {
    let temporary = |p: &PathBuf| p.file_name().unwrap().to_string_lossy().starts_with(".tmp");
    files(store).into_iter().filter(temporary).collect()
}

/// The program, ready for arguments.
pub fn program() -> Command {
    Command::new(env!("CARGO_BIN_EXE_ebmbook"))
}

/// Runs the program to its end.
pub fn ebmbook(args: &[&str]) -> Ran {
    Ran::of(program().args(args))
}

/// What a run of the program said.
#[derive(Clone)]
pub struct Ran {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl Ran {
    pub fn of(command: &mut Command) -> Self {
        Self::from(command.output().unwrap())
    }

    /// What a program that has ended said.
    pub fn from(output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Self { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
    }

    /// Standard output of a run that must succeed.
    pub fn ok(self) -> String {
        assert_eq!(self.code, Some(0), "{}{}", self.out, self.err);
        self.out
    }

    /// Standard output, whatever the exit code.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|e| panic!("{e}: {}{}", self.out, self.err))
    }

    /// Fails unless the run was refused with exit code 2 and one line that says this.
    pub fn refused(&self, said: &str) {
        assert_eq!(self.code, Some(2), "{}", self.err);
        assert!(self.err.contains(said), "expected {said:?} in {:?}", self.err);
        assert!(self.err.starts_with("error: ") && self.err.lines().count() == 1, "{}", self.err);
    }
}

/// Says which test did not run, past the capture of the test runner: nobody should take it for one that ran.
pub fn skipped(why: &str) {
    let _ = writeln!(std::io::stderr(), "\n*** SKIPPED: {why} ***\n");
}

/// The browser, or none; then it says loudly which test was skipped.
pub fn browser(test: &str) -> Option<&'static str> {
    let found = ["chromium", "chromium-browser", "google-chrome"]
        .into_iter()
        .find(|name| Command::new(name).arg("--version").output().is_ok_and(|o| o.status.success()));
    if found.is_none() {
        skipped(&format!("no Chromium here: {test}"));
    }
    found
}

/// A page as it is in the browser once its scripts have run, light or dark.
pub fn dom(browser: &str, page: &Path, dark: bool) -> String {
    let profile = tempfile::tempdir().unwrap();
    let mut command = Command::new(browser);
    command.args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"]);
    command.args(["--disable-background-networking", "--disable-component-update", "--disable-sync"]);
    command.args(["--allow-file-access-from-files", "--virtual-time-budget=60000", "--dump-dom"]);
    // Said for light as well, so that the machine's own setting does not matter.
    command.arg(format!("--blink-settings=preferredColorScheme={}", if dark { 0 } else { 1 }));
    command.arg(format!("--user-data-dir={}", profile.path().display()));
    let output = command.arg(format!("file://{}", page.display())).output().unwrap();
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// What a script on such a page left in the element `said`.
pub fn said(dom: &str) -> Value {
    let said = dom.split("<pre id=\"said\">").nth(1).and_then(|rest| rest.split("</pre>").next());
    let said = said.unwrap_or_else(|| panic!("the page said nothing: {dom:.400}"));
    let plain = said.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
    serde_json::from_str(&plain).unwrap()
}

/// A comparator of snapshots with numbers in them.
#[derive(Clone)]
struct Numbers(Tolerance);

impl Comparator for Numbers {
    fn matches(&self, reference: &insta::Snapshot, test: &insta::Snapshot) -> bool {
        match (reference.contents(), test.contents()) {
            (SnapshotContents::Text(one), SnapshotContents::Text(other)) => {
                self.0.difference(&one.to_string(), &other.to_string()).is_none()
            }
            _ => false,
        }
    }

    fn dyn_clone(&self) -> Box<dyn Comparator> {
        Box::new(self.clone())
    }
}

/// Settings for tables of printed decimals: a rounding flip in the last one is forgiven.
pub fn printed() -> insta::Settings {
    let mut settings = insta::Settings::clone_current();
    settings.set_comparator(Box::new(Numbers(Tolerance::with_counts(1e-6))));
    settings
}

/// Settings for snapshots in a folder of their own, which are called what they are about.
pub fn snapshots_in(folder: &Path) -> insta::Settings {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(folder);
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings
}

/// The folder of a claim.
pub fn folder_of(claim: &Claim) -> PathBuf {
    root().join("paper_checks/src/claims").join(claim.folder())
}

/// How far the numbers of a claim's snapshot may be from fresh ones.
pub fn tolerance_of(claim: &Claim) -> Tolerance {
    Tolerance::with_counts(if claim.single_precision { 0.05 } else { 1e-6 })
}

/// Compares a report at quick scale with the two snapshots in the claim's folder: what a person reads first, and every value.
pub fn assert_are_the_snapshots(claim: &Claim, report: &Report, context: &Context) {
    let mut settings = snapshots_in(&folder_of(claim));
    settings.set_comparator(Box::new(Numbers(tolerance_of(claim))));
    let first = trend::snapshot(report, context);
    assert!(first.lines().count() <= 25, "{first}");
    settings.bind(|| insta::assert_snapshot!("quick", first));
    settings.bind(|| insta::assert_snapshot!("values", report.text()));
}

//! Bad input gets one line that names the field, the value and the rule, and exit code 2; nothing
//! is written. The line ends with what to call next. Each file in `tests/bad_inputs/` is a case; its snapshot is the message.

use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    /// The rule that is broken.
    rule: String,
    args: Vec<String>,
    #[serde(default)]
    env: BTreeMap<String, String>,
    /// Files in the working folder, as text.
    #[serde(default)]
    files: BTreeMap<String, String>,
    /// Files in the working folder, in hexadecimal.
    #[serde(default)]
    bytes: BTreeMap<String, String>,
}

#[test]
fn every_bad_input_is_one_line_and_exit_code_two() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/bad_inputs");
    let mut cases: Vec<_> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "toml"))
        .collect();
    cases.sort();
    assert!(cases.len() >= 40, "only {} cases", cases.len());
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(folder.join("snapshots"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| {
        for path in cases {
            let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
            let text = std::fs::read_to_string(&path).unwrap();
            let case: Case = toml::from_str(&text).unwrap_or_else(|e| panic!("{name}: {e}"));
            insta::assert_snapshot!(name.clone(), run(&name, &case));
        }
    });
}

fn run(name: &str, case: &Case) -> String {
    let dir = tempfile::tempdir().unwrap();
    for (file, content) in &case.files {
        write(dir.path(), file, content.as_bytes());
    }
    for (file, hex) in &case.bytes {
        let bytes: Vec<u8> =
            (0..hex.len()).step_by(2).map(|i| u8::from_str_radix(&hex[i..i + 2], 16).unwrap()).collect();
        write(dir.path(), file, &bytes);
    }
    let before = listing(dir.path());
    let mut command = Command::new(env!("CARGO_BIN_EXE_ebmbook"));
    let result = command
        .args(&case.args)
        .current_dir(dir.path())
        .env_remove("EBMBOOK_DATA")
        .envs(&case.env)
        .output()
        .unwrap();
    let stderr = String::from_utf8(result.stderr).unwrap();
    assert_eq!(result.status.code(), Some(2), "{name}: {stderr}");
    assert_eq!(stderr.lines().count(), 1, "{name}: {stderr}");
    assert!(stderr.starts_with("error: ") && stderr.len() < 400, "{name}: {stderr}");
    assert!(stderr.contains("`ebmbook "), "{name} does not say what to call next: {stderr}");
    assert_eq!(String::from_utf8(result.stdout).unwrap(), "", "{name} wrote to standard output");
    assert_eq!(listing(dir.path()), before, "{name} left something behind");
    format!("rule: {}\n{}", case.rule, stderr.trim_end())
}

fn write(dir: &Path, file: &str, bytes: &[u8]) {
    let path = dir.join(file);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, bytes).unwrap();
}

/// Every file below a folder with its content.
fn listing(dir: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in std::fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(listing(&path));
        } else {
            found.insert(path.display().to_string(), std::fs::read(&path).unwrap());
        }
    }
    found
}

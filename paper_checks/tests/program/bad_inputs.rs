//! Bad input gets one line that names the field, the value and the rule, and exit code 2; nothing
//! is written. The line ends with what to call next. Each file in `paper_checks/tests/bad_inputs/` is a case; its snapshot is the message.

use crate::support::{Ran, files, files_ending, program, read, root, snapshots_in};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;

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
    let folder = root().join("paper_checks/tests/bad_inputs");
    let cases = files_ending(&folder, "toml");
    assert!(cases.len() >= 40, "only {} cases", cases.len());
    snapshots_in(&folder.join("snapshots")).bind(|| {
        for path in cases {
            let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
            let case: Case = toml::from_str(&read(&path)).unwrap_or_else(|e| panic!("{name}: {e}"));
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
    let mut command = program();
    command.args(&case.args).current_dir(dir.path()).env_remove("EBMBOOK_DATA").envs(&case.env);
    let ran = Ran::of(&mut command);
    println!("{name}");
    // It says what to call next.
    ran.refused("`ebmbook ");
    assert!(ran.err.len() < 400, "{}", ran.err);
    assert_eq!(ran.out, "", "{name} wrote to standard output");
    assert_eq!(listing(dir.path()), before, "{name} left something behind");
    format!("rule: {}\n{}", case.rule, ran.err.trim_end())
}

fn write(dir: &Path, file: &str, bytes: &[u8]) {
    let path = dir.join(file);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, bytes).unwrap();
}

/// Every file below a folder with its content.
fn listing(dir: &Path) -> BTreeMap<String, Vec<u8>> {
    files(dir).into_iter().map(|path| (path.display().to_string(), std::fs::read(path).unwrap())).collect()
}

//! Notes at build time which revision and compiler the program is from: it may run anywhere later.

use std::path::Path;
use std::process::Command;

/// What the program is made of, seen from this folder.
const SOURCES: [&str; 7] =
    ["src", "../src", "Cargo.toml", "../Cargo.toml", "../Cargo.lock", "deviations.toml", "printed"];

fn main() {
    let head = said("git", &["rev-parse", "--short=12", "HEAD"]);
    let mut status = vec!["status", "--porcelain", "--untracked-files=no", "--"];
    status.extend(SOURCES);
    let changed = !head.is_empty() && !said("git", &status).is_empty();
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".into());
    println!("cargo:rustc-env=EBMBOOK_REVISION={head}{}", if changed { "+" } else { "" });
    println!("cargo:rustc-env=EBMBOOK_RUSTC={}", said(&rustc, &["--version"]));
    println!("cargo:rerun-if-changed=build.rs");
    // Not on a commit: the sources of this build are those of the revision at the time, with its changes.
    for path in SOURCES.into_iter().filter(|path| Path::new(path).exists()) {
        println!("cargo:rerun-if-changed={path}");
    }
}

/// What a program prints, on one line; nothing if it is not there, or outside a repository.
fn said(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).output();
    let output = output.ok().filter(|o| o.status.success());
    output.map_or(String::new(), |o| String::from_utf8_lossy(&o.stdout).trim().replace('\n', " "))
}

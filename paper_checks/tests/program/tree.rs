//! The tree stays easy to find one's way in: short files, claims in one place, the paper's numbers in the code.

use crate::support::{files_ending, read, root};
use paper_checks::claims;
use paper_checks::notebooks::Notebook;
use paper_checks::study::Study;
use regex::Regex;
use std::path::Path;

fn median(mut numbers: Vec<usize>) -> usize {
    numbers.sort_unstable();
    numbers[numbers.len() / 2]
}

#[test]
fn the_median_file_of_rust_has_at_most_120_lines() {
    let folders = ["src", "paper_checks", "tests", "benches", "examples"].map(|name| root().join(name));
    let files = folders.iter().flat_map(|folder| files_ending(folder, "rs"));
    let lengths: Vec<usize> = files.map(|file| read(file).lines().count()).collect();
    let (files, lines, middle) = (lengths.len(), lengths.iter().sum::<usize>(), median(lengths));
    println!("{files} files, {lines} lines, median {middle}");
    assert!(middle <= 120, "{middle}");
}

/// The part of a file that somebody wrote: notebooks without outputs, the README without its table and what the program printed.
fn written(path: &Path) -> String {
    if path.extension().is_some_and(|e| e == "ipynb") {
        let sources: Vec<String> =
            Notebook::read(path).unwrap().cells().iter().map(|c| c.source().to_string()).collect();
        return sources.join("\n");
    }
    let text = read(path);
    let (before, rest) = text.split_once("<!-- verdicts:begin -->").unwrap_or((&text, ""));
    let prose = before.to_owned() + rest.split_once("<!-- verdicts:end -->").map_or("", |(_, after)| after);
    let captured = Regex::new(r"(?s)```text\n.*?```").unwrap();
    captured.replace_all(&prose, "").into_owned()
}

/// Files that people write, with what they wrote. Entries name each other; the inventory and the appendix of cards
/// name them all.
fn hand_written() -> Vec<(String, String)> {
    let made = [
        "target/",
        "paper_checks/results/",
        "/snapshots/",
        "CHANGELOG.md",
        "/claim.toml",
        "/inventory.toml",
        "_cards.ipynb",
    ];
    let folders = ["src", "paper_checks", "tests", "benches", "examples", "notebooks"];
    let endings = ["rs", "toml", "md", "ipynb", "html", "js", "py"];
    let below = folders.iter().flat_map(|f| endings.map(|ending| files_ending(&root().join(f), ending)));
    let top = ["README.md", "CONTRIBUTING.md", ".ci/run"].map(|name| root().join(name));
    let paths = below.flatten().chain(top).map(|path| {
        let short = path.strip_prefix(root()).unwrap().display().to_string();
        (short, path)
    });
    paths
        .filter(|(short, _)| !made.iter().any(|m| short.contains(m)))
        .map(|(s, p)| (s, written(&p)))
        .collect()
}

#[test]
fn a_claim_is_named_in_at_most_four_files_outside_its_folder() {
    let files = hand_written();
    // Studies and data sets are called `ihdp` and `imbalance`, too.
    for claim in claims::all().filter(|c| Study::find(&c.id).is_err()) {
        // An id of one word is a word of English unless it stands in quotation marks.
        let id = regex::escape(&claim.id);
        let pattern = if claim.id.contains('-') {
            format!(r"(?m)(^|[^\w-]){id}($|[^\w-])")
        } else {
            format!(r#"["`]{id}["`]"#)
        };
        let pattern = Regex::new(&pattern).unwrap();
        let folder = format!("paper_checks/src/claims/{}/", claim.folder());
        let found = files.iter().filter(|(path, text)| !path.starts_with(&folder) && pattern.is_match(text));
        let found: Vec<&str> = found.map(|(path, _)| path.as_str()).collect();
        println!("{}: {} files", claim.id, found.len());
        assert!(found.len() <= 4, "{}: {found:#?}", claim.id);
    }
}

#[test]
fn equations_and_propositions_are_found_by_their_number() {
    // The number, and a word that must stand in the same line.
    let places = [
        ("Equation (3)", "density"),
        ("Equation (4)", "densities"),
        ("Equation (5)", "constant"),
        ("Equation (6)", "posterior"),
        ("Equation (7)", "objective"),
        ("Proposition 3.1", "sufficient"),
        ("Proposition 3.3", "constant"),
        ("Proposition 3.4", "density"),
        ("Proposition 4.1", ""),
    ];
    let source: Vec<String> =
        files_ending(&root().join("src"), "rs").iter().map(|file| read(file).to_lowercase()).collect();
    for (place, word) in places {
        let names = |line: &str| line.contains(&place.to_lowercase()) && line.contains(word);
        let found = source.iter().flat_map(|text| text.lines()).any(names);
        assert!(found, "{place} with `{word}` is nowhere in src");
    }
}

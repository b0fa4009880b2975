//! The README and the guides show what the program prints today, name commands that it has, and link to files that are there.

use crate::support::{ebmbook, files_ending, read, root};
use paper_checks::claims::{self, Scale};
use paper_checks::registry::{Kind, Map, Verdict};
use paper_checks::report::map::svg;
use paper_checks::study::Study;
use regex::Regex;
use std::collections::BTreeSet;
use std::path::PathBuf;
use strum::IntoEnumIterator;

/// What is on record at full scale as a table for each kind.
fn verdict_table() -> String {
    let mut text = String::new();
    for kind in Kind::iter() {
        let mut entries: Vec<_> = claims::all().filter(|c| c.kind == kind).collect();
        entries.sort_by_key(|c| c.section());
        text += &format!("| {kind} | place | {} |\n|---|---|---|\n", kind.outcome());
        for claim in entries {
            text += &format!("| `{}` | {} | {} |\n", claim.id, claim.place, claim.recorded_at(Scale::Full));
        }
        text.push('\n');
    }
    let claims = || claims::all().filter(|c| c.kind == Kind::Claim);
    let count = |v: Verdict| claims().filter(|c| c.recorded_at(Scale::Full) == v).count();
    text + &format!(
        "{} of {} claims hold, {} hold with a caveat, {} fail and {} are inconclusive.\n",
        count(Verdict::Holds),
        claims().count(),
        count(Verdict::HoldsWithCaveat),
        count(Verdict::Fails),
        count(Verdict::Inconclusive),
    )
}

#[test]
fn the_readme_shows_the_verdicts_on_record() {
    let expected = format!("<!-- verdicts:begin -->\n{}<!-- verdicts:end -->", verdict_table());
    let path = root().join("README.md");
    let readme = read(&path);
    if !readme.contains(&expected) && std::env::var_os("UPDATE_README").is_some() {
        let (before, rest) = readme.split_once("<!-- verdicts:begin -->").unwrap();
        let (_, after) = rest.split_once("<!-- verdicts:end -->").unwrap();
        std::fs::write(&path, format!("{before}{expected}{after}")).unwrap();
        return;
    }
    assert!(readme.contains(&expected), "README.md is out of date: run this test with UPDATE_README=1");
}

#[test]
fn the_readme_shows_the_argument_map_as_it_is() {
    let map = Map::new(claims::all(), |claim| claim.recorded_at(Scale::Full));
    let (file, drawn) = (root().join("paper_checks/results/map.svg"), svg(&map));
    if std::env::var_os("UPDATE_README").is_some() {
        std::fs::write(&file, &drawn).unwrap();
    }
    assert!(read(&file) == drawn, "map.svg is out of date: run this test with UPDATE_README=1");
    assert!(read(root().join("README.md")).contains("paper_checks/results/map.svg"));
}

#[test]
fn ci_runs_the_test_command_of_the_readme_word_for_word() {
    let (readme, ci) = (read(root().join("README.md")), read(root().join(".ci/run")));
    let command = "cargo test --release";
    assert!(readme.lines().any(|line| line == command) && ci.lines().any(|line| line == command));
}

#[test]
fn the_guides_count_the_cells_of_table_1_and_of_quick_scale_as_they_are() {
    let page = read(root().join("docs/questions.md"));
    let count = |studies: &[Study], scale: Scale| {
        let cells = studies.iter().flat_map(|s| s.cells(scale));
        // Blocks and studies that share a row share its cells.
        let distinct: BTreeSet<String> = cells.map(|cell| cell.key().hash).collect();
        format!("({} {:03} cells)", distinct.len() / 1000, distinct.len() % 1000)
    };
    let table1 = format!("Table 1 {}", count(&[Study::find("table1").unwrap()], Scale::Full));
    let quick = format!("all studies at quick scale {}", count(&Study::all(), Scale::Quick));
    for counted in [table1, quick] {
        assert!(page.contains(&counted), "{counted}");
    }
}

/// The README, the guides and CONTRIBUTING.
fn guides() -> Vec<PathBuf> {
    let top = ["README.md", "CONTRIBUTING.md"].map(|name| root().join(name));
    files_ending(&root().join("docs"), "md").into_iter().chain(top).collect()
}

#[test]
fn the_captured_lines_are_titles_and_verdicts_on_record() {
    let readme = read(root().join("README.md"));
    let (_, rest) = readme.split_once("<!-- capture:begin -->").unwrap();
    let (capture, _) = rest.split_once("<!-- capture:end -->").unwrap();
    let lines: Vec<&str> = capture.lines().filter(|line| line.starts_with("  ")).collect();
    assert!(lines.len() >= 6);
    for line in lines {
        let claim = claims::all().find(|c| line[2..].starts_with(&format!("{} ", c.title)));
        let claim = claim.unwrap_or_else(|| panic!("no entry is called so: {line}"));
        let mark = claim.recorded_at(Scale::Full).mark();
        assert!(line[2 + claim.title.len()..].trim_start().starts_with(mark), "{mark} on record: {line}");
        assert!(line.chars().count() <= 80, "{line}");
    }
}

#[test]
fn every_link_of_the_guides_leads_to_a_file() {
    let link = Regex::new(r#"\]\(([^)#\s]+)[^)]*\)|src="([^"]+)""#).unwrap();
    let mut links = 0;
    for guide in guides() {
        for found in link.captures_iter(&read(&guide)) {
            let to = found.get(1).or(found.get(2)).unwrap().as_str();
            if !to.starts_with("http") {
                links += 1;
                assert!(guide.parent().unwrap().join(to).exists(), "{}: {to} is not there", guide.display());
            }
        }
    }
    assert!(links > 15, "{links}");
    for guide in files_ending(&root().join("docs"), "md") {
        let name = format!("docs/{}", guide.file_name().unwrap().to_str().unwrap());
        assert!(read(root().join("README.md")).contains(&name), "the README does not lead to {name}");
    }
}

/// The commands that the guides show: what follows `ebmbook` or `cargo run --release --`.
fn commands() -> BTreeSet<Vec<String>> {
    let shown = Regex::new(r"(?m)(?:^cargo run --release --|`ebmbook) ([^#`\n]+)").unwrap();
    let mut all = BTreeSet::new();
    for guide in guides() {
        let text = read(&guide).replace("\\\n", " ");
        all.extend(shown.captures_iter(&text).map(|c| c[1].split_whitespace().map(str::to_owned).collect()));
    }
    all
}

#[test]
fn every_command_of_the_guides_and_each_of_its_options_exist() {
    let all = commands();
    assert!(all.len() > 30, "{}", all.len());
    let help = |path: &[&str]| ebmbook(&[path, &["--help"]].concat());
    for words in all {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let mut path: Vec<&str> = Vec::new();
        let mut text = help(&[]).ok();
        for word in &words {
            // A line of the help that begins with the word names a command.
            if !text.lines().any(|line| line.trim_start().split(' ').next() == Some(word))
                || word.starts_with('-')
            {
                break;
            }
            path.push(word);
            text = help(&path).ok();
        }
        assert!(!path.is_empty() || words[0].starts_with('-'), "no command is called so: {words:?}");
        for option in words.iter().take_while(|word| **word != "--").filter(|word| word.starts_with("--")) {
            assert!(text.contains(*option), "{path:?} has no {option}: {words:?}");
        }
    }
}

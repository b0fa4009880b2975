//! The README shows what the program prints today.

use crate::support::{read, root};
use paper_checks::claims::{self, Scale};
use paper_checks::registry::{Kind, Map, Verdict};
use paper_checks::report::map::svg;
use paper_checks::study::Study;
use std::collections::BTreeSet;
use strum::IntoEnumIterator;

/// What is on record as a table for each kind; an entry with another verdict at full scale shows both.
fn verdict_table() -> String {
    let mut text = String::new();
    for kind in Kind::iter() {
        let mut entries: Vec<_> = claims::all().filter(|c| c.kind == kind).collect();
        entries.sort_by_key(|c| c.section());
        text += &format!("| {kind} | place | {} |\n|---|---|---|\n", kind.outcome());
        for claim in entries {
            text += &format!("| `{}` | {} | {} |\n", claim.id, claim.place, claim.recorded_words());
        }
        text.push('\n');
    }
    let count = |v: Verdict| claims::all().filter(|c| c.recorded == v).count();
    text + &format!(
        "At quick scale {} of {} claims hold, {} hold with a caveat, {} fail and {} are inconclusive.\n",
        count(Verdict::Holds),
        claims::all().filter(|c| c.kind == Kind::Claim).count(),
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
fn the_readme_counts_the_cells_of_table_1_and_of_quick_scale_as_they_are() {
    let readme = read(root().join("README.md"));
    let count = |studies: &[Study], scale: Scale| {
        let cells = studies.iter().flat_map(|s| s.cells(scale));
        // Blocks and studies that share a row share its cells.
        let distinct: BTreeSet<String> = cells.map(|cell| cell.key().hash).collect();
        format!("({} {:03} cells)", distinct.len() / 1000, distinct.len() % 1000)
    };
    let table1 = format!("Table 1 {}", count(&[Study::find("table1").unwrap()], Scale::Full));
    let quick = format!("all studies at quick scale {}", count(&Study::all(), Scale::Quick));
    for counted in [table1, quick] {
        assert!(readme.contains(&counted), "{counted}");
    }
}

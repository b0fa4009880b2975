//! The README shows what the program prints today.

use crate::support::{read, root};
use paper_checks::claims::{self, Scale};
use paper_checks::registry::Verdict;
use paper_checks::study::Study;
use std::collections::BTreeSet;

/// The verdicts on record as a table; a claim with another verdict at full scale shows both.
fn verdict_table() -> String {
    let mut table = String::from("| claim | place | verdict |\n|---|---|---|\n");
    for claim in claims::all() {
        let full = claim.recorded_full.map_or(String::new(), |v| format!(" (full scale: {v})"));
        table += &format!("| `{}` | {} | {}{full} |\n", claim.id, claim.place, claim.recorded);
    }
    let count = |v: Verdict| claims::all().filter(|c| c.recorded == v).count();
    table += &format!(
        "\nAt quick scale {} of {} claims hold, {} hold with a caveat, {} fail and {} are inconclusive.\n",
        count(Verdict::Holds),
        claims::all().len(),
        count(Verdict::HoldsWithCaveat),
        count(Verdict::Fails),
        count(Verdict::Inconclusive),
    );
    table
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

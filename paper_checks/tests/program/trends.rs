//! `ebmbook trends`: the committed numbers as JSON and CSV, and those of another program beside them.

use crate::support::{Ran, ebmbook};
use std::path::Path;

const TWINS: &str = "table1/released/twins/ebm-pairwise/r kernel-ridge";

/// The committed trend of R on the EBM on Twins, as the form that `--out` writes.
fn form(folder: &Path) -> String {
    let file = folder.join("form.csv");
    ebmbook(&["trends", TWINS, "--out", file.to_str().unwrap()]).ok();
    std::fs::read_to_string(file).unwrap()
}

fn compare(folder: &Path, text: &str) -> Ran {
    let file = folder.join("mine.csv");
    std::fs::write(&file, text).unwrap();
    ebmbook(&["trends", "--compare", file.to_str().unwrap(), "--json"])
}

#[test]
fn trends_are_told_in_json_with_their_settings_intervals_and_printed_values() {
    let all = ebmbook(&["trends", "--json"]).json();
    let all = all.as_array().unwrap();
    assert!(all.len() > 300, "{}", all.len());
    let twins = all.iter().find(|t| t["id"] == TWINS).unwrap();
    let points = twins["points"].as_array().unwrap();
    let n: Vec<u64> = points.iter().map(|p| p["n"].as_u64().unwrap()).collect();
    assert!(n.len() > 3 && n.is_sorted(), "{n:?}");
    assert!(points.iter().all(|p| p["printed"].is_number() && p["interval"][0].is_number()));
    let text = ebmbook(&["trends", TWINS]).ok();
    assert_eq!(text.lines().count(), 1);
    assert!(text.contains(" → "), "{text}");
}

#[test]
fn a_form_filled_with_our_numbers_agrees_and_one_with_others_differs() {
    let folder = tempfile::tempdir().unwrap();
    let form = form(folder.path());
    let said = compare(folder.path(), &form);
    assert_eq!(said.code, Some(0), "{}{}", said.out, said.err);
    assert_eq!(said.json()[0]["verdict"], "agrees");
    // Another mean in one line, far beyond its runs.
    let mut lines: Vec<String> = form.lines().map(str::to_owned).collect();
    let mut cells: Vec<String> = lines[1].split(',').map(str::to_owned).collect();
    cells[3] = (3.0 * cells[3].parse::<f64>().unwrap()).to_string();
    lines[1] = cells.join(",");
    let said = compare(folder.path(), &lines.join("\n"));
    assert_eq!(
        (said.code, &said.json()[0]["verdict"]),
        (Some(1), &format!("differs in 1 of {}", lines.len() - 1).into())
    );
    // Some of the rows, and no spread.
    let few = format!("trend,d,n,mean\n{}", lines[2].split(',').take(4).collect::<Vec<_>>().join(","));
    assert_eq!(compare(folder.path(), &few).code, Some(0));
}

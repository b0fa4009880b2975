//! The report in a real browser: it opens without an error or an outside request, its anchors exist,
//! it sorts and filters, its formulas are drawn, nothing overflows on a phone, and text can be read.

use crate::support::{Ran, browser, dom, program, read, results, said};
use paper_checks::claims::{self, Context, Record, Report, Scale};
use paper_checks::registry::{Baseline, Claim, Kind, Part, Scope, Verdict, verdict};
use paper_checks::report::{self, Shown};
use paper_checks::study::Studies;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::LazyLock;

/// The experiments on the committed results, at full scale.
fn committed() -> Context {
    Context { scale: Scale::Full, studies: Studies::Published(results()), ..Context::default() }
}

/// Every claim, at full scale: the theory on its committed findings, the experiments on theirs.
static REPORTS: LazyLock<Vec<Report>> = LazyLock::new(|| {
    let folder = results().join(Record::FOLDER);
    let run = |claim: &Claim| match claim.part {
        Part::Theory => Record::read(&folder, claim).unwrap().expect("committed findings").report(claim),
        Part::Experiments => claims::run(claim, &committed()).unwrap(),
    };
    claims::all().map(run).collect()
});

/// Their page.
static PAGE: LazyLock<String> = LazyLock::new(|| report::page(&REPORTS, &committed()).unwrap());

/// Errors are collected from before the first line of the page.
const LISTEN: &str = "<script>window.problems = []; window.addEventListener('error', (e) => window.problems.push(String(e.message || e.target.src))); const old = console.error; console.error = (...a) => { window.problems.push(a.join(' ')); old(...a); };</script>";

/// Loads a page at a width, light or dark, and returns what it says of itself.
fn ask(browser: &str, html: &str, width: u32, dark: bool) -> Value {
    let probe = include_str!("probe.js");
    let probed = html
        .replacen("<head>", &format!("<head>{LISTEN}"), 1)
        .replace("</body>", &format!("<script>{probe}</script></body>"));
    // A frame has the width it is given; a headless window is never narrower than 500.
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("probe.html"), probed).unwrap();
    let outer: PathBuf = folder.path().join("frame.html");
    let frame = format!(
        "<!doctype html><iframe id=f src=\"probe.html\" style=\"width:{width}px;height:900px;border:0\"></iframe><script>\
         f.onload = () => setTimeout(() => document.body.append(f.contentDocument.getElementById('said')), 300);</script>",
    );
    std::fs::write(&outer, frame).unwrap();
    let dom = dom(browser, &outer, dark);
    said(&dom)
}

#[test]
fn the_page_works_in_a_browser_on_a_desk_and_on_a_phone() {
    let Some(browser) = browser("the page works in a browser on a desk and on a phone") else { return };
    for (width, dark) in [(1200, false), (1200, true), (390, false)] {
        let said = ask(browser, &PAGE, width, dark);
        assert_eq!(said["errors"], json!([]));
        assert_eq!(said["requests"], json!([]), "nothing is asked for");
        let mut order: Vec<&Claim> = claims::all().collect();
        order.sort_by_key(|c| (c.kind, c.section()));
        let expected: Vec<&str> = order.iter().map(|c| c.id.as_str()).collect();
        assert_eq!(said["anchors"], json!(expected), "the anchors are the ids, in the paper's order");
        the_map_leads_somewhere(&said, width);
        assert_eq!(said["lost"], json!([]), "every link leads somewhere");
        assert_eq!(said["formulas"], expected.len(), "every formula is drawn");
        assert_eq!(said["width"], width);
        assert!(said["overflow"].as_i64().unwrap() <= 0, "at {width}: {}", said["overflow"]);
        if width == 1200 {
            assert!(
                said["hidden"].as_i64().unwrap() <= 0,
                "{} pixels of the table are hidden",
                said["hidden"]
            );
        }
        sorts(&said["sorted"]);
        filters(&said);
        assert_eq!(said["reloads"], false, "Enter in the filters does not load the page again");
        assert!(said["closed"].as_u64().unwrap() > expected.len() as u64, "most parts are closed at first");
        assert_eq!([&said["closedOnPaper"], &said["closedAfter"]], [&json!(0), &said["closed"]]);
        let unnamed = said["unnamed"].as_object().unwrap();
        assert!(unnamed.values().all(|count| *count == 0), "{unnamed:?}");
        // Dark is dark: the browser says so, and the ground is.
        assert_eq!(said["dark"], dark);
        assert_eq!(said["ground"].as_f64().unwrap() < 0.1, dark);
        for kind in ["label", "select", "output", "span", "figcaption"] {
            assert!(said["looked"].as_array().unwrap().contains(&json!(kind)), "{kind}");
        }
        // WCAG AA for text of normal size.
        assert!(said["contrast"].as_f64().unwrap() >= 4.5, "{} {}", said["contrast"], said["where"]);
    }
}

/// The map comes first: each node is a link to an entry, which opens; it fits the window and its words can be read.
fn the_map_leads_somewhere(said: &Value, width: u32) {
    let nodes: BTreeSet<&str> = said["nodes"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    let beside = |c: &&Claim| c.kind == Kind::Claim && c.used_nowhere.is_none();
    let expected: BTreeSet<&str> = claims::all().filter(beside).map(|c| c.id.as_str()).collect();
    assert_eq!(nodes, expected, "the map has every claim that another one rests on");
    assert_eq!(said["opens"], true, "a click on a node opens its entry");
    assert!(said["mapWidth"].as_f64().unwrap() <= f64::from(width));
    assert!(said["textSize"].as_f64().unwrap() >= 8.0, "at {width}: {}", said["textSize"]);
    assert_eq!(said["wide"], json!([]), "at {width}");
    assert!(said["figures"].as_u64().unwrap() > 50);
}

/// Numbers rise and fall as numbers, words as words; each column has something to sort.
fn sorts(sorted: &Value) {
    let columns = sorted.as_object().unwrap();
    assert_eq!(columns.len(), 7);
    for (name, order) in columns {
        let [up, down] = ["up", "down"].map(|way| order[way].as_array().unwrap());
        assert_eq!(up.len(), down.len());
        if up[0].is_number() {
            let [up, down] = [up, down].map(|c| c.iter().map(|v| v.as_f64().unwrap()).collect::<Vec<_>>());
            assert!(up.is_sorted() && down.iter().rev().is_sorted(), "{name}: {up:?}");
            assert!(up.first() < up.last(), "{name} has one value only");
        } else {
            let key = |v: &Value| v.as_str().unwrap().to_lowercase().replace(['-', '+', ' '], "");
            let reversed: Vec<&Value> = down.iter().rev().collect();
            assert!(key(&up[0]) < key(&up[up.len() - 1]), "{name}: {up:?}");
            let distinct = |column: Vec<&Value>| {
                let mut names: Vec<Value> = column.into_iter().cloned().collect();
                names.dedup();
                names
            };
            let (up, reversed) = (distinct(up.iter().collect()), distinct(reversed));
            assert_eq!(up, reversed, "{name}: down is up the other way round");
            let mut once = up.clone();
            once.sort_by_key(key);
            once.dedup();
            assert_eq!(once.len(), up.len(), "{name}: equal words stand together");
        }
    }
}

/// Each choice leaves its own rows, and together they are all rows.
fn filters(said: &Value) {
    let total = said["total"].as_u64().unwrap();
    assert!(total > 500, "{total}");
    for (name, least) in [("protocol", 2), ("data set", 4), ("learner", 4)] {
        let choices = said["filters"][name].as_array().unwrap();
        assert!(choices.len() >= least, "{name}: {choices:?}");
        for choice in choices {
            assert_eq!(choice["left"], json!([choice["choice"]]), "{name}");
            assert_eq!(choice["said"], format!("{} of {total} rows", choice["rows"]));
        }
        let rows: u64 = choices.iter().map(|c| c["rows"].as_u64().unwrap()).sum();
        assert_eq!(rows, total, "{name}");
    }
}

#[test]
fn a_page_with_a_broken_script_or_a_picture_from_outside_is_caught() {
    let Some(browser) = browser("a page with a broken script or a picture from outside is caught") else {
        return;
    };
    let broken = PAGE.replacen(
        "</main>",
        "<img src=\"http://127.0.0.1:9/x.png\"><script>nothing.there()</script><p style=\"width:3000px;color:#999;background:#aaa\">x</p></main>",
        1,
    );
    let said = ask(browser, &broken, 1200, false);
    assert!(!said["errors"].as_array().unwrap().is_empty());
    assert!(!said["requests"].as_array().unwrap().is_empty());
    assert!(said["overflow"].as_i64().unwrap() > 0);
    assert!(said["contrast"].as_f64().unwrap() < 2.0);
}

#[test]
fn the_page_is_small_enough_to_be_sent_and_shows_each_figure_of_a_study_once() {
    assert!(PAGE.len() < 1_500_000, "{} bytes", PAGE.len());
    let first = claims::all().filter(|c| c.first_screen.is_some()).count();
    assert!((2..=3).contains(&first) && PAGE.matches("class=\"highlight\"").count() == first);
    assert!(!PAGE.contains("figure-data"), "the data of a figure are committed beside it");
    for entry in claims::all() {
        for (study, figure) in entry.figures() {
            let file = format!("file <code>{study}/{figure}.svg</code>");
            assert_eq!(PAGE.matches(&file).count(), 1, "{file}");
        }
    }
}

#[test]
fn the_page_holds_every_part_and_no_machine_path() {
    // The template escapes slashes.
    let page = PAGE.replace("&#x2f;", "/");
    let parts =
        ["summary", "how", "glossary", "claims", "tables", "ledger", "data", "environment", "limitations"];
    for part in parts {
        assert!(page.contains(&format!("<section id=\"{part}\"")), "{part}");
    }
    for said in ["AISTATS 2022", "Berrevoets", "How to get it again", "id=\"origins\"", "AMD EPYC"] {
        assert!(page.contains(said), "{said}");
    }
    assert!(page.contains("check seed-dependence --from paper_checks/results"));
    for path in [env!("CARGO_MANIFEST_DIR"), "/home/", "/root/", "/tmp/"] {
        assert!(!page.contains(path), "{path}");
    }
    assert!(!page.contains("not on this page"));
}

#[test]
fn the_committed_results_are_rendered_whole_and_told_in_json() {
    let folder = tempfile::tempdir().unwrap();
    let to = folder.path().join("page.html");
    let mut command = program();
    command.args(["report", "--json", "--to"]).arg(&to).env("EBMBOOK_HOME", folder.path());
    let ran = Ran::of(&mut command);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let said = ran.json();
    assert_eq!(said["claims"].as_array().unwrap().len(), claims::all().len());
    assert_eq!((&said["left out"], &said["report"]), (&json!([]), &json!(to)));
    // Nothing had to be measured: the findings about the theory are committed, too.
    assert!(!folder.path().join("reports").exists());
    assert_eq!(read(&to), *PAGE);
}

#[test]
fn every_claim_shows_a_baseline_that_is_not_its_own_value() {
    for report in REPORTS.iter() {
        let claim = claims::find(&report.claim).unwrap();
        let shown = Shown::new(report);
        let (Some(ours), baseline) = (shown.measured, shown.baseline) else { continue };
        let baseline = baseline.unwrap_or_else(|| panic!("{}: no baseline", claim.id));
        assert_ne!(baseline.label, ours.label, "{}", claim.id);
        assert_ne!(baseline.estimate, ours.estimate, "{}: {}", claim.id, baseline.label);
        match &claim.baseline {
            Some(Baseline::Like(name)) => assert_eq!(baseline.key.name(), name, "{}", claim.id),
            Some(Baseline::Value(key)) => assert_eq!(baseline.key, *key, "{}", claim.id),
            Some(Baseline::Control(id)) => {
                let control = claim.controls.iter().find(|c| c.id == *id).unwrap();
                assert_eq!(baseline.label, control.breaks, "{}", claim.id)
            }
            None => assert_eq!(baseline.key, ours.key, "{}", claim.id),
        }
    }
}

#[test]
fn a_failing_claim_shows_a_number_that_breaks_it_an_open_one_what_is_open_and_the_others_their_first() {
    for report in REPORTS.iter() {
        let claim = claims::find(&report.claim).unwrap();
        // One waits for a sweep that has not been run.
        let Some(ours) = Shown::new(report).measured else {
            assert!(report.verdict.is_open(), "{}", claim.id);
            continue;
        };
        if report.verdict.is_broken() {
            let broken = claim.criteria.iter().any(|c| {
                c.value == ours.key
                    && verdict(&report.findings.values, std::slice::from_ref(c), 1.0) == Verdict::Fails
            });
            assert!(broken, "{}: {} breaks nothing", claim.id, ours.label);
        } else if report.verdict.is_open() {
            assert!(report.open.iter().any(|open| open.value.as_ref() == Some(&ours.key)), "{}", claim.id);
        } else {
            assert_eq!(ours.key, report.findings.values[0].key, "{}", claim.id);
        }
    }
}

#[test]
fn a_claim_with_a_weaker_form_names_the_deviation_that_describes_it() {
    for claim in claims::all() {
        let weaker = claim.criteria.iter().any(|c| c.scope == Scope::Repaired);
        assert_eq!(claim.caveat.is_some(), weaker, "{}", claim.id);
        if let Some(caveat) = &claim.caveat {
            assert!(claim.deviations.contains(caveat), "{}: {caveat} is not one of its deviations", claim.id);
        }
    }
}

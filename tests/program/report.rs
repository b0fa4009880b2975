//! The report in a real browser: it opens without an error or an outside request, its anchors exist,
//! it sorts and filters, its formulas are drawn, nothing overflows on a phone, and text can be read.

use paper_checks::checks::{self, Context};
use paper_checks::claim::{Part, registry};
use paper_checks::report;
use paper_checks::study::{Store, Studies, Study, run};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A page with a few judged claims of each kind and the cells of one small study.
fn page(folder: &Path) -> PathBuf {
    let store = Store::open_to_write(&folder.join("cells")).unwrap();
    let cells = Study::find("ihdp").unwrap().cells(checks::Scale::Quick);
    run(&cells, &store, 2, None, &()).unwrap();
    drop(store);
    let context = Context { studies: Studies::Store(folder.join("cells")), ..Context::default() };
    let quick = [
        "cross-entropy-lemma",
        "partition-cancels",
        "minimality",
        "shift-indifference",
        "ihdp",
        "printed-consistency",
    ];
    let reports: Vec<_> = registry()
        .iter()
        .filter(|c| quick.contains(&c.id.as_str()))
        .map(|c| checks::run(c, &context).unwrap())
        .collect();
    assert_eq!(reports.len(), quick.len());
    let path = folder.join("report.html");
    std::fs::write(&path, report::page(&reports, &context).unwrap()).unwrap();
    path
}

/// The browser, or none; then the test says loudly that it was skipped.
fn browser() -> Option<&'static str> {
    ["chromium", "chromium-browser", "google-chrome"]
        .into_iter()
        .find(|name| Command::new(name).arg("--version").output().is_ok_and(|o| o.status.success()))
}

/// What the page says of itself once its own script has run: appended to a copy of the page, read
/// back from the document the browser prints.
const PROBE: &str = r#"<script>
window.addEventListener('load', () => {
  const said = { errors: window.problems, requests: performance.getEntriesByType('resource').map((e) => e.name) };
  said.anchors = [...document.querySelectorAll('article')].map((a) => a.id);
  said.formulas = [...document.querySelectorAll('article math')].filter((m) => m.getBoundingClientRect().width > 20).length;
  said.overflow = document.documentElement.scrollWidth - window.innerWidth;
  said.width = window.innerWidth;
  const table = document.getElementById('cells'), column = (i) => [...table.tBodies[0].rows].filter((r) => !r.hidden).map((r) => r.cells[i].textContent.trim());
  const head = table.tHead.rows[0].cells[4];
  head.click();
  said.up = column(4).map(Number);
  head.click();
  said.down = column(4).map(Number);
  const select = document.querySelector('select[data-column="6"]');
  select.value = 'R';
  select.dispatchEvent(new Event('input', { bubbles: true }));
  said.learners = [...new Set(column(6))];
  said.shown = document.getElementById('shown').textContent;
  const light = (c) => { const v = c.match(/[\d.]+/g).slice(0, 3).map((x) => x / 255).map((x) => x <= 0.03928 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4); return 0.2126 * v[0] + 0.7152 * v[1] + 0.0722 * v[2]; };
  const ground = (e) => { for (; e; e = e.parentElement) { const c = getComputedStyle(e).backgroundColor; if (c !== 'rgba(0, 0, 0, 0)') return c; } return 'rgb(255, 255, 255)'; };
  let worst = 99, where = '';
  for (const e of document.querySelectorAll('p, li, td, th, a, span, h1, h2, h3, summary, code, b')) {
    if (!e.textContent.trim() || e.closest('svg')) continue;
    const [a, b] = [light(getComputedStyle(e).color), light(ground(e))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < worst) { worst = ratio; where = e.tagName + ' ' + e.className; }
  }
  said.contrast = worst;
  said.where = where;
  const out = document.createElement('pre');
  out.id = 'said';
  out.textContent = JSON.stringify(said);
  document.body.append(out);
});
</script>"#;

/// Errors are collected from before the first line of the page.
const LISTEN: &str = "<script>window.problems = []; window.addEventListener('error', (e) => window.problems.push(String(e.message || e.target.src))); const old = console.error; console.error = (...a) => { window.problems.push(a.join(' ')); old(...a); };</script>";

/// Loads the page at a width, light or dark, and returns what it says.
fn ask(browser: &str, page: &Path, width: u32, dark: bool) -> serde_json::Value {
    let html = std::fs::read_to_string(page).unwrap();
    let probed =
        html.replacen("<head>", &format!("<head>{LISTEN}"), 1).replace("</body>", &format!("{PROBE}</body>"));
    // A frame has the width it is given; a headless window is never narrower than 500.
    let folder = page.parent().unwrap();
    let inner = folder.join(format!("probe-{width}-{dark}.html"));
    std::fs::write(&inner, probed).unwrap();
    let outer = folder.join(format!("frame-{width}-{dark}.html"));
    let frame = format!(
        "<!doctype html><iframe id=f src=\"{}\" style=\"width:{width}px;height:900px;border:0\"></iframe><script>\
         f.onload = () => setTimeout(() => document.body.append(f.contentDocument.getElementById('said')), 300);</script>",
        inner.file_name().unwrap().to_string_lossy()
    );
    std::fs::write(&outer, frame).unwrap();
    let profile = tempfile::tempdir().unwrap();
    let mut command = Command::new(browser);
    command.args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"]);
    command.args(["--disable-background-networking", "--disable-component-update", "--disable-sync"]);
    command.args(["--allow-file-access-from-files", "--virtual-time-budget=20000", "--dump-dom"]);
    if dark {
        command.arg("--blink-settings=preferredColorScheme=0");
    }
    command.arg(format!("--user-data-dir={}", profile.path().display()));
    let output = command.arg(format!("file://{}", outer.display())).output().unwrap();
    let dom = String::from_utf8_lossy(&output.stdout).into_owned();
    let said = dom.split("<pre id=\"said\">").nth(1).and_then(|rest| rest.split("</pre>").next());
    let said = said.unwrap_or_else(|| panic!("the page said nothing: {dom:.400}"));
    let plain = said.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
    serde_json::from_str(&plain).unwrap()
}

#[test]
fn the_page_works_in_a_browser_on_a_desk_and_on_a_phone() {
    let folder = tempfile::tempdir().unwrap();
    let page = page(folder.path());
    let Some(browser) = browser() else {
        eprintln!("\n*** SKIPPED: no Chromium here, the report was not opened in a browser ***\n");
        return;
    };
    for (width, dark) in [(1200, false), (1200, true), (390, false)] {
        let said = ask(browser, &page, width, dark);
        assert_eq!(said["errors"], serde_json::json!([]), "{said}");
        assert_eq!(said["requests"], serde_json::json!([]), "nothing is asked for: {said}");
        let anchors: Vec<&str> =
            said["anchors"].as_array().unwrap().iter().map(|a| a.as_str().unwrap()).collect();
        let claims: Vec<&str> =
            registry().iter().map(|c| c.id.as_str()).filter(|id| anchors.contains(id)).collect();
        assert_eq!(anchors, claims, "the anchors are the ids, in their order");
        assert_eq!(said["formulas"].as_u64().unwrap() as usize, anchors.len(), "every formula is drawn");
        assert_eq!(said["width"], width);
        assert!(said["overflow"].as_i64().unwrap() <= 0, "at {width}: {said}");
        let numbers = |name: &str| -> Vec<f64> {
            said[name].as_array().unwrap().iter().map(|v| v.as_f64().unwrap()).collect()
        };
        let (up, down) = (numbers("up"), numbers("down"));
        assert!(up.len() > 10 && up.is_sorted() && down.iter().rev().is_sorted(), "{up:?} {down:?}");
        assert_eq!(said["learners"], serde_json::json!(["R"]));
        assert!(said["shown"].as_str().unwrap().contains(" of "), "{said}");
        // WCAG AA for text of normal size.
        assert!(said["contrast"].as_f64().unwrap() >= 4.5, "{} {}", said["contrast"], said["where"]);
    }
}

#[test]
fn a_page_with_a_broken_script_or_a_picture_from_outside_is_caught() {
    let Some(browser) = browser() else { return };
    let folder = tempfile::tempdir().unwrap();
    let page = page(folder.path());
    let html = std::fs::read_to_string(&page).unwrap();
    let broken = html.replacen(
        "</main>",
        "<img src=\"http://127.0.0.1:9/x.png\"><script>nothing.there()</script></main>",
        1,
    );
    std::fs::write(&page, broken).unwrap();
    let said = ask(browser, &page, 1200, false);
    assert!(!said["errors"].as_array().unwrap().is_empty(), "{said}");
    assert!(!said["requests"].as_array().unwrap().is_empty(), "{said}");
}

#[test]
fn the_page_holds_every_part_and_no_machine_path() {
    let folder = tempfile::tempdir().unwrap();
    let html = std::fs::read_to_string(page(folder.path())).unwrap();
    for part in ["summary", "claims", "tables", "ledger", "data", "environment", "limitations"] {
        assert!(html.contains(&format!("<section id=\"{part}\">")), "{part}");
    }
    assert!(
        !html.contains(folder.path().to_str().unwrap())
            && !html.contains("/home/")
            && !html.contains("/root/")
    );
    let theory = registry().iter().filter(|c| c.part == Part::Theory).count();
    assert!(theory > 10);
}

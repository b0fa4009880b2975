//! The notebooks as pages in a real browser: at the width of a desk and of a phone nothing scrolls sideways, no code is cut, and
//! links lead somewhere.

use crate::support::{browser, dom, ebmbook, files_ending, said};
use serde_json::{Value, json};
use std::path::Path;

/// What each page says of itself at each width.
fn ask(browser: &str, folder: &Path, widths: &[u32]) -> Vec<Value> {
    let name = |path: &Path| path.file_name().unwrap().to_string_lossy().into_owned();
    let pages: Vec<String> = files_ending(folder, "html").iter().map(|path| name(path)).collect();
    let frame = folder.join("frame.htm");
    let script = include_str!("site.js");
    let data = format!("const PAGES = {}, WIDTHS = {};", json!(pages), json!(widths));
    std::fs::write(&frame, format!("<!doctype html><body><script>{data}\n{script}</script></body>")).unwrap();
    let said = said(&dom(browser, &frame, false)).as_array().unwrap().clone();
    assert_eq!(said.len(), pages.len() * widths.len());
    said
}

#[test]
fn pages_of_notebooks_fit_a_desk_and_a_phone_and_cut_no_code() {
    let Some(browser) = browser("pages of notebooks fit a desk and a phone and cut no code") else { return };
    let folder = tempfile::tempdir().unwrap();
    ebmbook(&["notebooks", "html", "--out", folder.path().to_str().unwrap()]).ok();
    let all = ask(browser, folder.path(), &[1200, 390]);
    assert!(all.iter().filter(|said| said["code"].as_u64() > Some(10)).count() > 20);
    for said in &all {
        let at = format!("{} at {}", said["page"], said["frame"]);
        assert!(said["overflow"].as_i64().unwrap() <= 0, "{at}: {}", said["overflow"]);
        for what in ["beyond", "cut", "lost"] {
            assert_eq!(said[what], json!([]), "{at}: {what}");
        }
        // The words of the map can be read.
        let boxes: Vec<f64> = said["boxes"].as_array().unwrap().iter().filter_map(Value::as_f64).collect();
        assert!(boxes.iter().all(|height| *height >= 8.0), "{at}: {boxes:?}");
        assert!(boxes.len() > 20 || said["page"] != "index.html", "{at}");
    }
    // The test sees a page that is too wide, and a line of code that is cut.
    let page = folder.path().join("02_an_ebm_from_scratch.html");
    let text = std::fs::read_to_string(&page).unwrap();
    let long = format!("<p style=\"width:2000px\">x</p><pre>{}</pre></main>", "x".repeat(300));
    std::fs::write(&page, text.replacen("</main>", &long, 1)).unwrap();
    let all = ask(browser, folder.path(), &[1200]);
    let said = all.iter().find(|said| said["page"] == "02_an_ebm_from_scratch.html").unwrap();
    assert!(said["overflow"].as_i64().unwrap() > 0 && said["beyond"] != json!([]));
    assert_eq!(said["cut"].as_array().unwrap().len(), 1);
}

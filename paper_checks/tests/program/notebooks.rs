//! The notebooks without Jupyter: their code cells, in order, compile and run as one program and
//! print what the committed outputs say; the committed files are clean; pages and copies can be made.

use crate::support::{Ran, ebmbook, files};
use paper_checks::notebooks::compare::{differences, tolerance_of};
use paper_checks::notebooks::{Cell, Notebook, Place, html, lint, literate, prose, student, verdict};
use quote::ToTokens;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

fn place() -> Place {
    Place::find().unwrap()
}

fn notebooks() -> Vec<Notebook> {
    let place = place();
    place.names().unwrap().iter().map(|n| Notebook::read(&place.file(n)).unwrap()).collect()
}

#[test]
fn committed_notebooks_are_executed_in_order_and_clean() {
    for notebook in notebooks() {
        let wrong = lint::problems(&notebook);
        assert!(wrong.is_empty(), "{}:\n{}", notebook.name(), wrong.join("\n"));
    }
}

#[test]
fn every_number_in_the_text_comes_out_of_a_cell() {
    for notebook in notebooks() {
        let wrong = prose::unsupported(&notebook);
        assert!(wrong.is_empty(), "{}:\n{}", notebook.name(), wrong.join("\n"));
    }
}

/// The solutions of a notebook's exercises; none for the appendix.
fn solutions(name: &str) -> BTreeMap<String, String> {
    let file = place().notebooks.join("solutions").join(format!("{name}.rs"));
    std::fs::read_to_string(file).map_or_else(|_| BTreeMap::new(), |text| student::solutions(&text))
}

fn exercise(cell: &Cell) -> Option<String> {
    Some(cell.metadata(student::EXERCISE)?.as_str()?.to_owned())
}

#[test]
fn every_notebook_becomes_a_page_and_a_copy_for_students() {
    for notebook in notebooks() {
        html::page(&notebook, &[], &place().notebooks).unwrap_or_else(|e| panic!("{}: {e}", notebook.name()));
        let copy = student::copy(&notebook);
        assert!(copy.code().all(|c| c.outputs().is_empty()));
        let asked: Vec<String> = notebook.code().filter_map(exercise).collect();
        let solved: Vec<String> = solutions(notebook.name()).into_keys().collect();
        assert_eq!(asked, solved, "{}: exercises, and solutions", notebook.name());
        let wanted = if lint::is_appendix(&notebook) { 0..=0 } else { 1..=4 };
        assert!(wanted.contains(&asked.len()), "{}: {} exercises", notebook.name(), asked.len());
    }
}

#[test]
fn the_work_stands_in_the_cells() {
    let names = literate::Names::read(&place().root).unwrap();
    let mut all = literate::Counts::default();
    for notebook in notebooks().iter().filter(|n| !lint::is_appendix(n)) {
        let counts = names.count(notebook);
        println!("{}: {counts:?}", notebook.name());
        all.code += counts.code;
        all.calls += counts.calls;
        all.works += counts.works;
    }
    assert!(10 * all.calls >= 7 * all.code, "at least 70 % of the code cells call the library: {all:?}");
    assert!(4 * all.works >= all.code, "at least a quarter of the code cells define or compute: {all:?}");
}

#[test]
fn every_entry_is_settled_in_the_notebook_it_names_as_it_is_on_record() {
    let notebooks = notebooks();
    let mut settled = std::collections::BTreeSet::new();
    for notebook in &notebooks {
        for line in verdict::stated(notebook) {
            let claim = paper_checks::claims::find(&line.id);
            let claim = claim.unwrap_or_else(|| panic!("{}: no entry `{}`", notebook.name(), line.id));
            let words = claim.recorded_at(paper_checks::claims::Scale::Full).words();
            assert_eq!(line.words, words, "{} on {}", notebook.name(), line.id);
            settled.insert((notebook.name().to_owned(), line.id));
        }
    }
    let cards = notebooks.iter().find(|n| lint::is_appendix(n)).expect("there is an appendix");
    let mut missing = Vec::new();
    for claim in paper_checks::claims::all() {
        if !settled.contains(&(claim.notebook.clone(), claim.id.clone())) {
            missing.push(format!("{} has no verdict line for {}", claim.notebook, claim.id));
        }
        let text = format!("[{}] ", claim.id);
        if !cards.code().flat_map(|c| c.outputs()).any(|o| o.text().starts_with(&text)) {
            missing.push(format!("{} has no card for {}", cards.name(), claim.id));
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

#[test]
fn every_verdict_card_has_a_number() {
    let value = |line: &str| {
        // One has nothing but numbers beside it: what it demands has not been run.
        let said = line.strip_prefix("value: ").or_else(|| line.strip_prefix("beside it: "));
        let number = said.and_then(|l| l.rsplit_once(" = "));
        number.is_some_and(|(_, n)| n.starts_with(|c: char| c.is_ascii_digit() || c == '-'))
    };
    for notebook in notebooks().iter().filter(|n| lint::is_appendix(n)) {
        for output in notebook.code().flat_map(|c| c.outputs()).filter(|o| o.text().starts_with('[')) {
            let first = output.text().lines().next().unwrap_or_default();
            assert!(output.text().lines().any(value), "{}: no number on {first}", notebook.name());
        }
    }
}

#[test]
fn a_spoiled_copy_of_a_real_notebook_is_found() {
    let place = place();
    let good = Notebook::read(&place.file("04_identifiability")).unwrap();
    assert!(differences(&good, &good).is_empty());
    let spoil = |from: &str, to: &str| {
        let text = good.to_text();
        assert!(text.contains(from), "{from}");
        Notebook::parse("04_identifiability", &text.replacen(from, to, 1)).unwrap()
    };
    // Another number in an output, another verdict, and a panic that the kernel calls a success.
    assert!(
        !differences(&good, &spoil("1600 points; the densities", "1500 points; the densities")).is_empty()
    );
    let [before, after] =
        [&good, &spoil("> **holds** · [identifiability]", "> **fails** · [identifiability]")]
            .map(verdict::stated);
    assert_ne!(before, after);
    let panic =
        r#""outputs": [{"output_type": "stream", "name": "stderr", "text": "thread panicked at lib.rs"}]"#;
    let panicked = spoil(r#""outputs": []"#, panic);
    assert!(differences(&good, &panicked).iter().any(|d| d.contains("thread panicked")));
    assert!(lint::problems(&panicked).iter().any(|d| d.contains("thread panicked")));
    // A number in the text that nothing has measured.
    let text = spoil("Scaling is not shifting.", "Scaling is not shifting: 0.12599.");
    assert_eq!(prose::unsupported(&text).len(), 1);
}

/// Shows a value the way the kernel does: by its own method if it has one, else by `Debug`.
const PRELUDE: &str = r#"#![allow(unused, clippy::all)]
use paper_checks::ebmbook;
struct Wrap<'a, T>(&'a T);
trait ByShow { fn show(&self); }
impl<T: paper_checks::ebmbook::show::Show> ByShow for Wrap<'_, T> { fn show(&self) { self.0.display(); } }
trait ByDebug { fn show(&self); }
impl<T: std::fmt::Debug> ByDebug for &Wrap<'_, T> {
    fn show(&self) { println!("EVCXR_BEGIN_CONTENT text/plain\n{:?}\nEVCXR_END_CONTENT", self.0); }
}
"#;

/// What a solution prints is filed under the number of its cell plus this.
const SOLVED: usize = 1_000;

/// All notebooks as one program, a function each; the argument says which one to run.
fn program(notebooks: &[Notebook]) -> String {
    let mut text = PRELUDE.to_owned();
    let mut arms = String::new();
    for (i, notebook) in notebooks.iter().enumerate() {
        let solved = solutions(notebook.name());
        text += &format!("// {}\nfn notebook_{i}() {{\n", notebook.name());
        for (c, cell) in notebook.code().enumerate() {
            text += &format!("println!(\"@@ {c}\");\n{}\n", statements(&cell.source(), notebook.name()));
            // The solution runs where the question stands, and must be right.
            if let Some(solution) = exercise(cell).and_then(|number| solved.get(&number)) {
                text += &format!(
                    "println!(\"@@ {}\");\n{{ {} }}\n",
                    c + SOLVED,
                    statements(solution, notebook.name())
                );
            }
        }
        text += "}\n";
        arms += &format!("        \"{}\" => notebook_{i}(),\n", notebook.name());
    }
    text + &format!(
        "fn main() {{\n    match std::env::args().nth(1).unwrap().as_str() {{\n{arms}        _ => panic!(),\n    }}\n}}\n"
    )
}

/// The cell without kernel commands, its last expression shown.
fn statements(source: &str, name: &str) -> String {
    let rust: String = source.lines().filter(|l| !l.starts_with(':')).map(|l| l.to_owned() + "\n").collect();
    let parse = |input: syn::parse::ParseStream| input.call(syn::Block::parse_within);
    let parsed = syn::parse::Parser::parse_str(parse, &rust);
    let mut statements = parsed.unwrap_or_else(|e| panic!("{name}: {e} in\n{rust}"));
    let last = match statements.pop() {
        Some(syn::Stmt::Expr(value, None)) => {
            format!("(&Wrap(&{{ {} }})).show();", value.to_token_stream())
        }
        Some(other) => other.to_token_stream().to_string(),
        None => String::new(),
    };
    let before: Vec<String> = statements.iter().map(|s| s.to_token_stream().to_string()).collect();
    format!("{}\n{last}", before.join("\n"))
}

/// The library this test was linked with: the newest one that is not newer than the test.
fn library() -> (PathBuf, PathBuf) {
    let test = std::env::current_exe().unwrap();
    let modified = |path: &Path| path.metadata().unwrap().modified().unwrap();
    let folder = test.parent().unwrap().to_owned();
    let libraries = files(&folder).into_iter().filter(|path| {
        let name = path.file_name().unwrap().to_string_lossy();
        name.starts_with("libpaper_checks-") && name.ends_with(".rlib") && modified(path) <= modified(&test)
    });
    (libraries.max_by_key(|path| modified(path)).expect("the library was built before its test"), folder)
}

/// Compiles the program against the library that cargo has built; nothing is built twice.
fn compile(source: &str, folder: &Path) -> PathBuf {
    let (library, dependencies) = library();
    let (file, binary) = (folder.join("notebooks.rs"), folder.join("notebooks"));
    std::fs::write(&file, source).unwrap();
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".into());
    let output = Command::new(rustc)
        .args(["--edition", "2024", "--crate-type", "bin", "-C", "opt-level=1", "--cap-lints", "allow"])
        .arg("--extern")
        .arg(format!("paper_checks={}", library.display()))
        .arg("-L")
        .arg(format!("dependency={}", dependencies.display()))
        .arg("-o")
        .args([&binary, &file])
        .current_dir(place().root)
        .output()
        .expect("rustc is there: it built this test");
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "a code cell does not compile:\n{errors}");
    binary
}

/// What each cell printed: texts of shown values and plain lines.
fn printed(output: &str) -> BTreeMap<usize, String> {
    let mut cells: BTreeMap<usize, String> = BTreeMap::new();
    let (mut cell, mut kind) = (0, None);
    for line in output.lines() {
        if let Some(number) = line.strip_prefix("@@ ") {
            cell = number.parse().unwrap();
        } else if let Some(found) = line.strip_prefix("EVCXR_BEGIN_CONTENT ") {
            kind = Some(found.to_owned());
        } else if line == "EVCXR_END_CONTENT" {
            kind = None;
        } else if kind.as_deref().is_none_or(|k| k == "text/plain") {
            *cells.entry(cell).or_default() += &format!("{line}\n");
        }
    }
    cells
}

#[test]
fn code_cells_compile_and_print_what_is_committed() {
    let notebooks = notebooks();
    let folder = tempfile::tempdir().unwrap();
    let binary = compile(&program(&notebooks), folder.path());
    let run = |notebook: &Notebook| {
        let mut command = Command::new(&binary);
        let ran = Ran::of(command.arg(notebook.name()).current_dir(place().notebooks));
        let cells = printed(&ran.ok());
        let mut wrong = Vec::new();
        for (c, cell) in notebook.code().enumerate() {
            let committed: String = cell.outputs().iter().map(|o| o.text().to_owned() + "\n").collect();
            let fresh = cells.get(&c).map_or("", String::as_str);
            if let Some(what) = tolerance_of(cell).difference(&committed, fresh) {
                wrong.push(format!("{}, code cell {}: {what}", notebook.name(), c + 1));
            }
            if let Some(number) = exercise(cell) {
                let answer = cells.get(&(c + SOLVED)).map_or("", String::as_str);
                if !answer.starts_with("Right") {
                    wrong.push(format!("{}, solution of exercise {number}: {answer}", notebook.name()));
                }
            }
        }
        wrong
    };
    let wrong: Vec<String> = std::thread::scope(|scope| {
        let (even, odd): (Vec<_>, Vec<_>) = notebooks.iter().enumerate().partition(|(i, _)| i % 2 == 0);
        let halves = [even, odd]
            .map(|half| scope.spawn(move || half.iter().flat_map(|(_, n)| run(n)).collect::<Vec<_>>()));
        halves.into_iter().flat_map(|h| h.join().unwrap()).collect()
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_notebook_nobody_wrote_is_named_in_one_line() {
    let ran = ebmbook(&["notebooks", "check", "99"]);
    ran.refused("error: no notebook is called `99`; there are 00_is_it_better_than_nothing");
}

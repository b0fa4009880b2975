//! `ebmbook notebooks`: open, run, check, export and hand out the Rust notebooks.

use super::{Outcome, Output, Problem};
use crate::claims;
use crate::notebooks::{
    Notebook, NotebookError, Place, Progress, Tools, compare, execute, html, lint, literate, prose, student,
    warm,
};
use crate::registry::{Map, Scale};
use indicatif::{ProgressBar, ProgressStyle};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Where copies for students go.
const STUDENTS: &str = "student_notebooks";

/// Subcommands of `ebmbook notebooks`.
#[derive(clap::Subcommand)]
pub(super) enum Command {
    /// Start JupyterLab on the notebooks; the first use prepares everything under target/notebooks.
    Open {
        /// Open copies without outputs, in `student_notebooks`; what is there stays.
        #[arg(long)]
        student: bool,
        /// Passed on to `jupyter lab`.
        #[arg(last = true)]
        arguments: Vec<String>,
    },
    /// Execute notebooks and write their outputs; one with a cell that fails stays as it was.
    Run {
        /// Which (03 or 03_identifiability); all if none is named.
        names: Vec<String>,
    },
    /// Execute notebooks and compare with the committed outputs.
    Check {
        /// Which (03 or 03_identifiability); all if none is named.
        names: Vec<String>,
        /// Only look at the committed files: order, errors, numbers in the text.
        #[arg(long)]
        static_only: bool,
    },
    /// Write offline HTML with rendered math.
    Html {
        /// Which (03 or 03_identifiability); all if none is named.
        names: Vec<String>,
        /// Where to.
        #[arg(long, default_value = "target/ebmbook/notebooks")]
        out: PathBuf,
    },
    /// Write copies without outputs; solutions stay in `notebooks/solutions`.
    Student {
        /// Which (03 or 03_identifiability); all if none is named.
        names: Vec<String>,
        /// Where to; beside `notebooks/`, so that the cells find the workbook.
        #[arg(long, default_value = STUDENTS)]
        out: PathBuf,
    },
}

impl From<NotebookError> for Problem {
    fn from(error: NotebookError) -> Self {
        Self::new(error.to_string())
    }
}

impl Command {
    pub fn run(self, output: &Output) -> Result<Outcome, Problem> {
        let place = Place::find()?;
        match self {
            Self::Open { student, arguments } => open(&place, student, &arguments, output),
            Self::Run { names } => run(&place, &names, output),
            Self::Check { names, static_only } => check(&place, &names, static_only, output),
            Self::Html { names, out } => write_html(&place, &names, &out, output),
            Self::Student { names, out } => write_student(&place, &names, &out, output),
        }
    }
}

fn open(place: &Place, student: bool, arguments: &[String], output: &Output) -> Result<Outcome, Problem> {
    let tools = Tools::prepare(place, true, &|step| output.say(step))?;
    output.say("meanwhile `ebmbook notebooks html` has the notebooks as pages that need no kernel");
    warm(&tools, place, &|step| output.say(step))?;
    let mut lab = tools.python_command();
    if student {
        // Beside `notebooks/`, so that the cells find the workbook; work that a student has begun stays.
        let folder = place.root.join(STUDENTS);
        let names: Vec<String> =
            place.names()?.into_iter().filter(|n| !folder.join(format!("{n}.ipynb")).exists()).collect();
        if !names.is_empty() {
            write_student(place, &names, &folder, output)?;
        }
        lab.current_dir(folder);
    }
    output.say("starting JupyterLab; stop it with Ctrl-C");
    lab.args(["-m", "jupyterlab", "--ServerApp.root_dir=."]).args(arguments);
    let status = lab.status().map_err(|e| Problem::new(format!("cannot start JupyterLab: {e}")))?;
    if status.success() {
        Ok(Outcome::Fine)
    } else {
        // The likeliest reason in a container, and JupyterLab's own message drowns in its log.
        let root = "as root it takes `ebmbook notebooks open -- --allow-root`";
        Err(Problem::new(format!("JupyterLab ended with {status}; {root}")))
    }
}

/// Executes one notebook with a progress bar.
fn executed(tools: &Tools, place: &Place, name: &str) -> Result<(Notebook, f64), Problem> {
    let start = Instant::now();
    let bar = ProgressBar::new(1);
    let style = ProgressStyle::with_template("{msg} {bar:30} {pos}/{len} cells, {elapsed}");
    bar.set_style(style.expect("the template is valid"));
    bar.set_message(name.to_owned());
    let fresh = execute(tools, place, name, |Progress { done, total }| {
        bar.set_length(total as u64);
        bar.set_position(done as u64);
    });
    bar.finish_and_clear();
    Ok((fresh?, start.elapsed().as_secs_f64()))
}

fn run(place: &Place, names: &[String], output: &Output) -> Result<Outcome, Problem> {
    let names = place.select(names)?;
    let tools = Tools::prepare(place, false, &|step| output.say(step))?;
    let mut fine = true;
    for name in &names {
        let (fresh, seconds) = executed(&tools, place, name)?;
        let failed = failures(&fresh);
        // Outputs behind a failed cell mean nothing; they must not replace good ones.
        let file = if failed.is_empty() {
            place.file(name)
        } else {
            place.target.join("failed").join(format!("{name}.ipynb"))
        };
        fresh.write(&file)?;
        // Where a cell failed, numbers without a source are no news.
        let mut wrong = failed;
        if wrong.is_empty() {
            wrong = [lint::problems(&fresh), prose::unsupported(&fresh)].concat();
        } else {
            wrong.push(format!("left as it was; this execution is in {}", within(place, &file)));
        }
        fine &= wrong.is_empty();
        tell(name, &wrong, &format!("written in {seconds:.0} s"), output);
    }
    Ok(if fine { Outcome::Fine } else { Outcome::CheckFailed })
}

/// A file of the workbook as its readers would type it.
fn within(place: &Place, file: &Path) -> String {
    file.strip_prefix(&place.root).unwrap_or(file).display().to_string()
}

fn check(place: &Place, names: &[String], static_only: bool, output: &Output) -> Result<Outcome, Problem> {
    let names = place.select(names)?;
    let mut fine = true;
    let names_of_library = literate::Names::read(&place.root)?;
    let tools =
        if static_only { None } else { Some(Tools::prepare(place, false, &|step| output.say(step))?) };
    for name in &names {
        let committed = Notebook::read(&place.file(name))?;
        let mut wrong = [lint::problems(&committed), prose::unsupported(&committed)].concat();
        let literate::Counts { code, calls, works } = names_of_library.count(&committed);
        let mut took = format!(
            "looks as it should; of {code} code cells {calls} call the library, {works} define or compute"
        );
        if let Some(tools) = &tools {
            let (fresh, seconds) = executed(tools, place, name)?;
            wrong.extend(compare::differences(&committed, &fresh));
            took = format!("agrees, {seconds:.0} s");
        }
        wrong.dedup();
        fine &= wrong.is_empty();
        tell(name, &wrong, &took, output);
    }
    Ok(if fine { Outcome::Fine } else { Outcome::CheckFailed })
}

fn failures(notebook: &Notebook) -> Vec<String> {
    let of_cell = |(i, c): (usize, &crate::notebooks::Cell)| {
        compare::failures(&c.outputs())
            .into_iter()
            .map(move |f| format!("cell {}: {f}", i + 1))
            .collect::<Vec<_>>()
    };
    notebook.cells().iter().enumerate().flat_map(of_cell).collect()
}

fn tell(name: &str, wrong: &[String], good: &str, output: &Output) {
    if output.is_json() {
        output.line(serde_json::json!({ "notebook": name, "problems": wrong }));
    } else if wrong.is_empty() {
        output.say(format!("{name}: {good}"));
    } else {
        output.say(format!("{name}: {} problem{}", wrong.len(), if wrong.len() == 1 { "" } else { "s" }));
        wrong.iter().for_each(|w| output.say(format!("  {w}")));
    }
}

fn write_html(place: &Place, names: &[String], out: &Path, output: &Output) -> Result<Outcome, Problem> {
    let all: Result<Vec<Notebook>, NotebookError> =
        place.names()?.iter().map(|n| Notebook::read(&place.file(n))).collect();
    let all = all?;
    let titles: Vec<(String, String)> = all.iter().map(|n| (n.name().to_owned(), n.title())).collect();
    let write = |path: &Path, text: &str| {
        ebmbook::files::write_atomically(path, |w| w.write_all(text.as_bytes())).map_err(NotebookError::from)
    };
    let chosen = place.select(names)?;
    for notebook in all.iter().filter(|n| chosen.iter().any(|c| c == n.name())) {
        write(
            &out.join(format!("{}.html", notebook.name())),
            &html::page(notebook, &titles, &place.notebooks)?,
        )?;
    }
    let map = Map::new(claims::all(), |claim| claim.recorded_at(Scale::Full));
    write(&out.join("index.html"), &html::index(&all, &map)?)?;
    output.say(format!("open {}", out.join("index.html").display()));
    Ok(Outcome::Fine)
}

fn write_student(place: &Place, names: &[String], out: &Path, output: &Output) -> Result<Outcome, Problem> {
    for name in place.select(names)? {
        student::copy(&Notebook::read(&place.file(&name))?).write(&out.join(format!("{name}.ipynb")))?;
    }
    let settings = place.notebooks.join("evcxr.toml");
    let text = std::fs::read(&settings)
        .map_err(|e| Problem::new(format!("cannot read `{}`: {e}", settings.display())))?;
    ebmbook::files::write_atomically(&out.join("evcxr.toml"), |w| w.write_all(&text))?;
    output.say(format!("copies for students are in {}", out.display()));
    Ok(Outcome::Fine)
}

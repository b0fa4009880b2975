//! Where notebooks live and what runs them: a Python environment, the Rust kernel and the kernel's
//! description, all under `target/notebooks/`, made on first use.

use super::NotebookError;
use ebmbook::files::write_atomically;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The kernel that the notebooks are written for.
const KERNEL_VERSION: &str = "0.22.0";
/// What that kernel calls the version of its own description.
const DESCRIPTION_VERSION: &[u8] = b"1";
/// What executes notebooks, and what people edit them in.
const CLIENT: [&str; 2] = ["nbclient==0.10.2", "nbformat==5.10.4"];
const EDITOR: &str = "jupyterlab>=4.2,<5";

/// The folders of the workbook that notebooks need.
#[derive(Clone, Debug)]
pub struct Place {
    /// The workbook.
    pub root: PathBuf,
    /// `notebooks/` with the `.ipynb` files.
    pub notebooks: PathBuf,
    /// `target/notebooks/` with everything that can be made again.
    pub target: PathBuf,
}

impl Place {
    /// The workbook around the current folder, else the one this program was built from.
    pub fn find() -> Result<Self, NotebookError> {
        let here = std::env::current_dir().unwrap_or_default();
        let built = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let root = here
            .ancestors()
            .map(Path::to_owned)
            .chain([built])
            .find(|folder| folder.join("notebooks/evcxr.toml").is_file())
            .and_then(|folder| folder.canonicalize().ok())
            .ok_or(NotebookError::NoFolder)?;
        Ok(Self { notebooks: root.join("notebooks"), target: root.join("target/notebooks"), root })
    }

    /// The names of all notebooks, in order.
    pub fn names(&self) -> Result<Vec<String>, NotebookError> {
        let files =
            std::fs::read_dir(&self.notebooks).map_err(|e| NotebookError::unreadable(&self.notebooks, e))?;
        let mut names: Vec<String> = files
            .filter_map(|f| Some(f.ok()?.file_name().to_str()?.strip_suffix(".ipynb")?.to_owned()))
            .collect();
        names.sort();
        Ok(names)
    }

    /// The notebooks asked for, by full name or by number; all if none is.
    pub fn select(&self, asked: &[String]) -> Result<Vec<String>, NotebookError> {
        let names = self.names()?;
        if asked.is_empty() {
            return Ok(names);
        }
        let find = |name: &String| {
            let wanted = name.trim_end_matches(".ipynb");
            let wanted = wanted.rsplit('/').next().unwrap_or(wanted);
            let number = |n: &&String| n.split('_').next() == Some(wanted);
            let found = names.iter().find(|n| *n == wanted).or_else(|| names.iter().find(number));
            let unknown = || NotebookError::Unknown { name: name.clone(), known: names.join(", ") };
            found.cloned().ok_or_else(unknown)
        };
        asked.iter().map(find).collect()
    }

    /// The file of a notebook.
    pub fn file(&self, name: &str) -> PathBuf {
        self.notebooks.join(format!("{name}.ipynb"))
    }
}

/// The tools, ready to use.
#[derive(Clone, Debug)]
pub struct Tools {
    place: Place,
}

impl Tools {
    /// Makes what is missing; `say` hears what is being made.
    pub fn prepare(place: &Place, editor: bool, say: &dyn Fn(&str)) -> Result<Self, NotebookError> {
        let tools = Self { place: place.clone() };
        tools.python(editor, say)?;
        tools.kernel(say)?;
        tools.describe_kernel()?;
        tools.share_versions()?;
        Ok(tools)
    }

    fn python(&self, editor: bool, say: &dyn Fn(&str)) -> Result<(), NotebookError> {
        let python = self.python_path();
        if !python.is_file() {
            say("making a Python environment in target/notebooks/venv");
            let python3 = std::env::var("PYTHON").unwrap_or_else(|_| "python3".into());
            run(
                "python3 -m venv",
                Command::new(python3).args(["-m", "venv"]).arg(self.place.target.join("venv")),
            )?;
        }
        let has = |module: &str| {
            let mut import = Command::new(&python);
            import.args(["-c", &format!("import {module}")]).stdout(Stdio::null()).stderr(Stdio::null());
            import.status().is_ok_and(|s| s.success())
        };
        let install = || {
            let mut pip = Command::new(&python);
            pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]);
            pip
        };
        if !has("nbclient") {
            say("installing a notebook client (nbclient)");
            run("pip install nbclient", install().args(CLIENT))?;
        }
        if editor && !has("jupyterlab") {
            say("installing JupyterLab");
            run("pip install jupyterlab", install().arg(EDITOR))?;
        }
        Ok(())
    }

    fn kernel(&self, say: &dyn Fn(&str)) -> Result<(), NotebookError> {
        if self.kernel_path().is_file() {
            return Ok(());
        }
        if let Some(installed) = installed_kernel() {
            let bin = self.place.target.join("kernel/bin");
            std::fs::create_dir_all(&bin).map_err(|e| setup("mkdir", e))?;
            std::fs::copy(installed, self.kernel_path()).map_err(|e| setup("cp evcxr_jupyter", e))?;
            return Ok(());
        }
        say("building the Rust kernel evcxr_jupyter; this takes 10 to 20 minutes, once");
        let mut cargo = Command::new(std::env::var("CARGO").unwrap_or_else(|_| "cargo".into()));
        cargo.args(["install", "evcxr_jupyter", "--version", KERNEL_VERSION, "--locked", "--root"]);
        cargo.arg(self.place.target.join("kernel"));
        // A target folder set for the workbook is not the kernel's.
        cargo.env_remove("CARGO_TARGET_DIR").current_dir(&self.place.root);
        let status = cargo.status().map_err(|e| setup("cargo install evcxr_jupyter", e))?;
        if status.success() { Ok(()) } else { Err(setup("cargo install evcxr_jupyter", status)) }
    }

    /// `kernel.json`: which program, and the environment it builds cells in.
    fn describe_kernel(&self) -> Result<(), NotebookError> {
        let mut rustc = Command::new("rustc");
        let libdir = rustc.args(["--print", "target-libdir"]).current_dir(&self.place.root).output();
        let libdir = libdir.map_err(|e| setup("rustc --print target-libdir", e))?;
        let description = json!({
            "argv": [self.kernel_path(), "--control_file", "{connection_file}"],
            "display_name": "Rust",
            "language": "rust",
            "interrupt_mode": "message",
            "env": {
                // Without it the kernel can die at start, not finding the standard library.
                "LD_LIBRARY_PATH": String::from_utf8_lossy(&libdir.stdout).trim(),
                // Checks in dependencies that cost a factor of two.
                "CARGO_PROFILE_DEV_DEBUG_ASSERTIONS": "false",
                "CARGO_PROFILE_DEV_OVERFLOW_CHECKS": "false",
                "CARGO_PROFILE_DEV_DEBUG": "0",
                "RUST_BACKTRACE": "0",
            },
        });
        let folder = self.share().join("kernels/rust");
        // Without this file the kernel takes the description for an old one and writes its own over it at its
        // first start. The next notebook would then be built all over again, in another environment.
        write_atomically(&folder.join("version.txt"), |w| w.write_all(DESCRIPTION_VERSION))?;
        Ok(write_atomically(&folder.join("kernel.json"), |w| write!(w, "{description:#}"))?)
    }

    /// The kernel makes a package of its own; it shall build the same versions as the workbook.
    fn share_versions(&self) -> Result<(), NotebookError> {
        let lock = self.place.root.join("target/evcxr/Cargo.lock");
        let ours = self.place.root.join("Cargo.lock");
        if !lock.is_file() && ours.is_file() {
            let text = std::fs::read(&ours).map_err(|e| NotebookError::unreadable(&ours, e))?;
            write_atomically(&lock, |w| w.write_all(&text))?;
        }
        Ok(())
    }

    fn share(&self) -> PathBuf {
        self.place.target.join("share/jupyter")
    }

    fn kernel_path(&self) -> PathBuf {
        self.place.target.join("kernel/bin/evcxr_jupyter")
    }

    fn python_path(&self) -> PathBuf {
        self.place.target.join("venv/bin/python")
    }

    /// Python with everything Jupyter reads or writes kept under `target/notebooks/`.
    pub fn python_command(&self) -> Command {
        let mut python = Command::new(self.python_path());
        python
            .env("JUPYTER_PATH", self.share())
            .env("JUPYTER_DATA_DIR", self.share())
            .env("JUPYTER_CONFIG_DIR", self.place.target.join("config"))
            .env("JUPYTER_RUNTIME_DIR", self.place.target.join("runtime"))
            .env("IPYTHONDIR", self.place.target.join("ipython"))
            .env("PYTHONUNBUFFERED", "1")
            .current_dir(&self.place.notebooks);
        python
    }
}

/// The kernel that cargo has installed for the user, if it is of the version we need.
fn installed_kernel() -> Option<PathBuf> {
    let list = Command::new("cargo").args(["install", "--list"]).output().ok()?;
    let wanted = format!("evcxr_jupyter v{KERNEL_VERSION}:");
    let bin = std::env::home_dir()?.join(".cargo/bin/evcxr_jupyter");
    let here = String::from_utf8_lossy(&list.stdout).lines().any(|line| line == wanted);
    (here && bin.is_file()).then_some(bin)
}

fn setup(step: &'static str, reason: impl ToString) -> NotebookError {
    NotebookError::Setup { step, reason: reason.to_string() }
}

/// Runs a step; if it fails, the last line it printed is the reason.
fn run(step: &'static str, command: &mut Command) -> Result<(), NotebookError> {
    let output = command.output().map_err(|e| setup(step, e))?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    Err(setup(step, said.lines().rev().find(|l| !l.trim().is_empty()).unwrap_or("it says nothing")))
}

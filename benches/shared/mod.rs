//! What benchmarks that run beside a Python reference have in common.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// A Python process that answers a line of words with a line of numbers.
pub struct Reference {
    child: Child,
    questions: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Reference {
    /// Starts a script of this folder, on one thread, if the environment variable PYTHON names a
    /// Python that has what the script needs; says which version it runs.
    pub fn start(script: &str) -> Option<Self> {
        let python = std::env::var("PYTHON").ok()?;
        let mut command = Command::new(python);
        command.arg(format!("{}/benches/{script}", env!("CARGO_MANIFEST_DIR")));
        for variable in ["OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"] {
            command.env(variable, "1");
        }
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().ok()?;
        let questions = child.stdin.take()?;
        let mut answers = BufReader::new(child.stdout.take()?);
        let mut ready = String::new();
        answers.read_line(&mut ready).ok()?;
        println!("reference: {}", ready.strip_prefix("ready ")?.trim());
        Some(Self { child, questions, answers })
    }

    /// The numbers it answers a question with.
    pub fn ask(&mut self, question: &str) -> Vec<f64> {
        writeln!(self.questions, "{question}").expect("it listens");
        let mut answer = String::new();
        self.answers.read_line(&mut answer).expect("it answers");
        answer.split_whitespace().map(|number| number.parse().expect("a number")).collect()
    }
}

impl Drop for Reference {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

/// The peak resident memory of this process in MiB, where the system says.
pub fn peak_memory() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    peak.trim().trim_end_matches(" kB").parse().ok().map(|kib: f64| kib / 1024.0)
}

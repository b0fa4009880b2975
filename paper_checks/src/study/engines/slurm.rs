//! Slurm's commands: what is asked, and what they answer.

use super::EngineError;
use std::io::{Seek, Write};
use std::path::Path;
use std::process::{Command, Stdio};

/// The commands that are needed.
const COMMANDS: [&str; 4] = ["sbatch", "squeue", "scancel", "sinfo"];
/// Seconds after which a command that does not answer is ended.
const PATIENCE: &str = "60";

/// The commands of Slurm on this machine.
#[derive(Clone, Copy, Debug)]
pub struct Slurm(());

/// A job array that is to be submitted.
#[derive(Clone, Debug)]
pub(super) struct Submission<'a> {
    /// Its name, by which a later run finds it.
    pub name: &'a str,
    /// What each task runs, as lines of a shell script.
    pub script: &'a str,
    /// The numbers of its tasks.
    pub tasks: &'a [usize],
    /// Processors for each task.
    pub cores: usize,
    /// Folder of what tasks print.
    pub folder: &'a Path,
    pub partition: Option<&'a str>,
    pub time: Option<&'a str>,
}

/// A task that the controller knows of, at work or over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Queued {
    /// Number of the job array.
    pub job: String,
    pub task: usize,
    state: String,
    exit_code: String,
    reason: String,
}

impl Queued {
    /// Whether it is over, well or not.
    pub fn is_over(&self) -> bool {
        const OVER: [&str; 10] = [
            "BOOT_FAIL",
            "CANCELLED",
            "COMPLETED",
            "DEADLINE",
            "FAILED",
            "NODE_FAIL",
            "OUT_OF_MEMORY",
            "PREEMPTED",
            "REVOKED",
            "TIMEOUT",
        ];
        OVER.contains(&self.state.as_str())
    }

    /// Whether it ended with exit code 0.
    pub fn is_completed(&self) -> bool {
        self.state == "COMPLETED"
    }

    /// Whether it has a processor.
    pub fn is_running(&self) -> bool {
        self.state == "RUNNING"
    }

    /// Why it waits; nothing if the controller does not say.
    pub fn waits_for(&self) -> &str {
        if self.reason == "None" { "" } else { &self.reason }
    }

    /// How it ended, for people.
    pub fn end(&self) -> String {
        let state = self.state.to_lowercase().replace('_', " ");
        match self.exit_code.parse::<u32>() {
            // As wait(2) tells it: the signal in the low bits, the exit code above them.
            Ok(status) if status & 127 != 0 => format!("{state}, signal {}", status & 127),
            Ok(status) if status != 0 => format!("{state}, exit code {}", status >> 8),
            _ => state,
        }
    }

    fn parse(line: &str) -> Option<Self> {
        let mut words = line.split_whitespace();
        let job = words.next()?.to_owned();
        let task = words.next()?.parse().ok()?;
        let [state, exit_code] = [words.next()?, words.next()?].map(str::to_owned);
        Some(Self { job, task, state, exit_code, reason: words.collect::<Vec<_>>().join(" ") })
    }
}

impl Slurm {
    /// The commands, if all of them are on the PATH.
    pub fn find() -> Result<Self, EngineError> {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let there =
            |command: &&str| std::env::split_paths(&path).any(|folder| folder.join(command).is_file());
        match COMMANDS.into_iter().find(|command| !there(command)) {
            Some(missing) => Err(EngineError::NotInstalled(missing)),
            None => Ok(Self(())),
        }
    }

    /// Name and version.
    pub fn version(self) -> Result<String, EngineError> {
        ask("sinfo", &["--version"], "")
    }

    /// The names of the partitions; an error if no controller answers.
    pub fn partitions(self) -> Result<Vec<String>, EngineError> {
        let said = ask("sinfo", &["--noheader", "--format=%R"], "").map_err(|error| match error {
            EngineError::Failed { reason, .. } => EngineError::NoController(reason),
            other => other,
        })?;
        let mut names: Vec<String> = said.lines().map(|line| line.trim().to_owned()).collect();
        names.sort();
        names.dedup();
        Ok(names)
    }

    /// Fails unless a controller answers and, if one is named, knows the partition.
    pub fn check(self, partition: Option<&str>) -> Result<(), EngineError> {
        let known = self.partitions()?;
        match partition.filter(|name| !known.iter().any(|known| known == name)) {
            Some(name) => Err(EngineError::NoPartition { name: name.to_owned(), known: known.join(", ") }),
            None => Ok(()),
        }
    }

    /// Submits a job array and returns its number.
    pub(super) fn submit(self, job: &Submission) -> Result<String, EngineError> {
        let tasks = job.tasks.iter().map(usize::to_string).collect::<Vec<_>>().join(",");
        let file = |ending: &str| job.folder.join(format!("%A_%a.{ending}")).display().to_string();
        let mut arguments = vec![
            // It is us who requeue a lost task, and count how often.
            "--parsable".to_owned(),
            "--no-requeue".to_owned(),
            format!("--job-name={}", job.name),
            format!("--array={tasks}"),
            "--ntasks=1".to_owned(),
            format!("--cpus-per-task={}", job.cores),
            format!("--output={}", file("out")),
            format!("--error={}", file("err")),
        ];
        arguments.extend(job.partition.map(|name| format!("--partition={name}")));
        arguments.extend(job.time.map(|time| format!("--time={time}")));
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let said = ask("sbatch", &arguments, job.script)?;
        // NUMBER, or NUMBER;CLUSTER
        Ok(said.split(';').next().unwrap_or_default().trim().to_owned())
    }

    /// This user's tasks of that job name, those that ended a short while ago included.
    pub(super) fn tasks(self, name: &str) -> Result<Vec<Queued>, EngineError> {
        let format = "--Format=ArrayJobID:24,ArrayTaskID:24,State:24,exit_code:24,Reason:120";
        let name = format!("--name={name}");
        let said = ask("squeue", &["--me", "--noheader", "--array", "--states=all", &name, format], "")?;
        Ok(said.lines().filter_map(Queued::parse).collect())
    }

    /// Ends job arrays.
    pub(super) fn cancel(self, jobs: &[String]) -> Result<(), EngineError> {
        ask("scancel", &jobs.iter().map(String::as_str).collect::<Vec<_>>(), "").map(drop)
    }
}

/// What a command prints. `timeout` ends one that does not answer, and keeps it away from a Ctrl-C, which is for us.
fn ask(command: &'static str, arguments: &[&str], input: &str) -> Result<String, EngineError> {
    let failed = |reason: String| EngineError::Failed { command, reason };
    let output = || {
        let mut file = tempfile::tempfile()?;
        file.write_all(input.as_bytes())?;
        file.rewind()?;
        let mut asked = Command::new("timeout");
        asked.args(["--kill-after=5", PATIENCE, command]).args(arguments).stdin(Stdio::from(file)).output()
    };
    let output = output().map_err(|error| failed(error.to_string()))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let last = said.lines().map(str::trim).rfind(|line| !line.is_empty());
    Err(failed(match (last, output.status.code()) {
        (_, Some(124)) => format!("no answer within {PATIENCE} s"),
        (Some(line), _) => line.to_owned(),
        (None, _) => output.status.to_string(),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_the_queue_says_which_task_it_is_and_how_it_ended() {
        let of = |line: &str| Queued::parse(line).unwrap();
        let waiting = of("12   3   PENDING   0   (Nodes required for job are DOWN)");
        assert!(!waiting.is_over() && !waiting.is_running() && waiting.waits_for().contains("are DOWN"));
        assert_eq!((waiting.job.as_str(), waiting.task), ("12", 3));
        assert_eq!(of("12 4 FAILED 9 RaisedSignal:9(Killed)").end(), "failed, signal 9");
        assert_eq!(of("12 4 FAILED 512 NonZeroExitCode").end(), "failed, exit code 2");
        assert_eq!(of("12 4 OUT_OF_MEMORY 0 OutOfMemory").end(), "out of memory");
        assert!(of("12 5 COMPLETED 0 None").is_completed() && of("12 5 COMPLETED 0 None").is_over());
        assert_eq!(of("12 5 RUNNING 0 None").waits_for(), "");
        assert_eq!(Queued::parse("slurm_load_jobs error"), None);
    }
}

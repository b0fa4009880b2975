//! A study as a Slurm job array: shares are tasks, the store says how far they are. A task that is lost is submitted again,
//! at most twice; what it had computed is kept.

use super::slurm::{Queued, Submission};
use super::{EngineError, Slurm};
use crate::study::{Cell, RunProgress, RunReport, State, Store, share_numbers};
use itertools::Itertools;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How often a task may be lost before it is given up.
const TRIES: usize = 3;
/// The pause between two looks at the queue grows from the first to the second.
const PAUSES: [Duration; 2] = [Duration::from_millis(500), Duration::from_secs(10)];
/// How long a shared folder may take to show what another machine wrote.
const FOLDER_LAG: Duration = Duration::from_secs(90);
/// How long the controller may be away.
const CONTROLLER_AWAY: Duration = Duration::from_secs(600);
/// How long cancelled tasks may take to end.
const TO_END: Duration = Duration::from_secs(60);

/// What to submit.
#[derive(Clone, Debug)]
pub struct Array {
    /// The program, where every node finds it.
    pub program: PathBuf,
    /// What it is told, besides which share.
    pub arguments: Vec<String>,
    /// Number of shares.
    pub tasks: usize,
    /// Threads of each task.
    pub threads: usize,
    /// The partition; the cluster's own choice if none.
    pub partition: Option<String>,
    /// Limit of a task's time, as Slurm writes it.
    pub time: Option<String>,
}

/// How a job array ended.
#[derive(Debug, Default)]
pub struct ArrayReport {
    /// Cells. Among those that failed are shares whose task was lost too often.
    pub run: RunReport,
    /// Job arrays that were submitted, or found at work.
    pub jobs: Vec<String>,
    /// Tasks that were submitted again, with the reason.
    pub requeued: Vec<String>,
    /// Whether it was cancelled.
    pub cancelled: bool,
}

/// A share with cells to compute.
struct Task<'a> {
    share: usize,
    missing: Vec<&'a Cell>,
    /// The job that computes it.
    job: String,
    tries: usize,
    /// When it was first seen to be over.
    over_since: Option<Instant>,
    open: bool,
}

/// What a task prints at its end.
#[derive(serde::Deserialize)]
struct Printed {
    failed: Vec<FailedCell>,
}

#[derive(serde::Deserialize)]
struct FailedCell {
    cell: String,
    why: String,
}

impl Array {
    /// Computes the cells that have no values yet, and waits until all tasks are over or `cancel` is set.
    pub fn run(
        &self,
        slurm: Slurm,
        cells: &[Cell],
        store: &Store,
        cancel: &AtomicBool,
        progress: &dyn RunProgress,
    ) -> Result<ArrayReport, EngineError> {
        let folder = store.folder().join("slurm");
        let problem = |reason| EngineError::Folder { path: folder.display().to_string(), reason };
        std::fs::create_dir_all(&folder).map_err(problem)?;
        let mut report = ArrayReport::default();
        let mut tasks = self.missing(cells, store);
        let to_run: Vec<&Cell> = tasks.iter().flat_map(|task| &task.missing).copied().collect();
        report.run.cached = cells.iter().unique_by(|cell| cell.key().hash).count() - to_run.len();
        let name = self.name(store);
        let mut queue = slurm.tasks(&name)?;
        for task in &mut tasks {
            let at_work = |q: &&Queued| q.task == task.share && !q.is_over();
            if let Some(found) = queue.iter().find(at_work) {
                (task.job, task.tries) = (found.job.clone(), 1);
            }
        }
        report.jobs = tasks.iter().map(|t| t.job.clone()).filter(|job| !job.is_empty()).unique().collect();
        if !report.jobs.is_empty() {
            progress.say(&format!("job {} is at work on these cells", report.jobs.join(", ")));
        }
        self.submit(slurm, &name, &folder, &mut tasks, &mut report, progress)?;
        progress.start(&to_run, report.run.cached);

        let mut failed_cells = 0;
        let mut pause = PAUSES[0];
        let mut answered = Instant::now();
        while tasks.iter().any(|task| task.open) {
            if !sleep(pause, cancel) {
                report.cancelled = true;
                progress.say("cancelling the tasks");
                slurm.cancel(&report.jobs)?;
                wait_for_the_end(slurm, &name)?;
                break;
            }
            pause = PAUSES[1].min(pause.mul_f64(1.2));
            look(&mut tasks, store, progress);
            match slurm.tasks(&name) {
                Ok(now) => (queue, answered) = (now, Instant::now()),
                Err(error) if answered.elapsed() > CONTROLLER_AWAY => return Err(error),
                Err(_) => continue,
            }
            progress.status(&in_words(&queue));
            for task in tasks.iter_mut().filter(|task| task.open) {
                let queued = queue.iter().find(|q| q.job == task.job && q.task == task.share);
                if queued.is_none_or(Queued::is_over) {
                    failed_cells += self.end(task, queued, &folder, &mut report, progress);
                }
            }
            self.submit(slurm, &name, &folder, &mut tasks, &mut report, progress)?;
        }
        look(&mut tasks, store, progress);
        report.run.left = tasks.iter().map(|task| task.missing.len()).sum();
        report.run.ran = to_run.len() - report.run.left - failed_cells;
        report.run.failed.sort();
        Ok(report)
    }

    /// The shares that have cells without values.
    fn missing<'a>(&self, cells: &'a [Cell], store: &Store) -> Vec<Task<'a>> {
        let mut tasks: BTreeMap<usize, Vec<&Cell>> = BTreeMap::new();
        let numbered =
            cells.iter().zip(share_numbers(cells, self.tasks)).unique_by(|(cell, _)| cell.key().hash);
        for (cell, share) in numbered.filter(|(cell, _)| matches!(store.state(cell), State::ToRun(_))) {
            tasks.entry(share).or_default().push(cell);
        }
        let task = |(share, missing)| Task {
            share,
            missing,
            job: String::new(),
            tries: 0,
            over_since: None,
            open: true,
        };
        tasks.into_iter().map(task).collect()
    }

    /// The name of its jobs: equal for equal work on one store, so that a run that lost its terminal finds them.
    fn name(&self, store: &Store) -> String {
        let folder = store.folder().canonicalize().unwrap_or_default();
        let work = format!("{} {:?} {}", folder.display(), self.arguments, self.tasks);
        format!("ebmbook-{}", &blake3::hash(work.as_bytes()).to_hex()[..12])
    }

    /// Submits the open tasks that no job computes, all in one array.
    fn submit(
        &self,
        slurm: Slurm,
        name: &str,
        folder: &Path,
        tasks: &mut [Task],
        report: &mut ArrayReport,
        progress: &dyn RunProgress,
    ) -> Result<(), EngineError> {
        let idle = |task: &&mut Task| task.open && task.job.is_empty();
        let shares: Vec<usize> = tasks.iter_mut().filter(idle).map(|task| task.share).collect();
        if shares.is_empty() {
            return Ok(());
        }
        let words = [self.program.display().to_string()].into_iter().chain(self.arguments.iter().cloned());
        let command = words.map(|word| format!("'{}'", word.replace('\'', r"'\''"))).join(" ");
        let (threads, of) = (self.threads, self.tasks);
        let script = format!(
            "#!/bin/sh\nexec {command} --json --threads {threads} --share \"$SLURM_ARRAY_TASK_ID/{of}\"\n"
        );
        let job = slurm.submit(&Submission {
            name,
            script: &script,
            tasks: &shares,
            cores: threads,
            folder,
            partition: self.partition.as_deref(),
            time: self.time.as_deref(),
        })?;
        progress.say(&format!("job {job}: {} of {of} shares submitted", shares.len()));
        for task in tasks.iter_mut().filter(idle) {
            task.job.clone_from(&job);
            task.tries += 1;
        }
        report.jobs.push(job);
        Ok(())
    }

    /// A task is over: it said how, or all its cells are there, or it was lost. Returns how many cells it says failed.
    fn end(
        &self,
        task: &mut Task,
        queued: Option<&Queued>,
        folder: &Path,
        report: &mut ArrayReport,
        progress: &dyn RunProgress,
    ) -> usize {
        let file = |ending: &str| folder.join(format!("{}_{}.{ending}", task.job, task.share));
        let since = *task.over_since.get_or_insert_with(Instant::now);
        let in_time = since.elapsed() < FOLDER_LAG;
        let printed = std::fs::read(file("out")).ok();
        if let Some(printed) = printed.and_then(|bytes| serde_json::from_slice::<Printed>(&bytes).ok()) {
            let missing = task.missing.len();
            for FailedCell { cell, why } in printed.failed {
                if let Some(at) = task.missing.iter().position(|c| c.name() == cell) {
                    task.missing.remove(at);
                    report.run.failed.push((cell, why));
                }
            }
            // What it computed may show late.
            task.open = !task.missing.is_empty() && in_time;
            return missing - task.missing.len();
        }
        task.open = !task.missing.is_empty();
        // A task that ended well has said so, but this machine may not see it yet.
        if !task.open || (queued.is_none_or(Queued::is_completed) && in_time) {
            return 0;
        }
        let how = queued.map_or("it is gone from the queue".to_owned(), Queued::end);
        let said = std::fs::read_to_string(file("err")).unwrap_or_default();
        let said = said.lines().rfind(|line| line.starts_with("error: ")).map(|line| format!(" ({line})"));
        let how = format!("{how}{}", said.unwrap_or_default());
        let share = format!("share {}/{}", task.share, self.tasks);
        if task.tries < TRIES {
            let line = format!("{share} was lost: {how}");
            progress.say(&format!("{line}; it is submitted again"));
            report.requeued.push(line);
            task.job.clear();
            task.over_since = None;
        } else {
            let why = format!("lost {TRIES} times, at last: {how}; see `{}`", file("err").display());
            report.run.failed.push((share, why));
            task.open = false;
        }
        0
    }
}

/// Notes which cells have values by now.
fn look(tasks: &mut [Task], store: &Store, progress: &dyn RunProgress) {
    for task in tasks {
        task.missing.retain(|cell| {
            let there = store.has(cell);
            if there {
                progress.finished(cell, 0.0);
            }
            !there
        });
    }
}

/// Waits so long, or until `cancel` is set; says whether it is not.
fn sleep(length: Duration, cancel: &AtomicBool) -> bool {
    let end = Instant::now() + length;
    while Instant::now() < end && !cancel.load(Ordering::Relaxed) {
        std::thread::sleep(Duration::from_millis(50));
    }
    !cancel.load(Ordering::Relaxed)
}

fn wait_for_the_end(slurm: Slurm, name: &str) -> Result<(), EngineError> {
    let end = Instant::now() + TO_END;
    while Instant::now() < end && !slurm.tasks(name)?.iter().all(Queued::is_over) {
        std::thread::sleep(PAUSES[0]);
    }
    Ok(())
}

/// The queue in a few words: 2 running, 5 waiting (Resources).
fn in_words(queue: &[Queued]) -> String {
    let running = queue.iter().filter(|task| task.is_running()).count();
    let waiting: Vec<&Queued> = queue.iter().filter(|task| !task.is_running() && !task.is_over()).collect();
    let why = waiting.iter().map(|task| task.waits_for()).filter(|why| !why.is_empty()).unique().join(", ");
    let why = if why.is_empty() { why } else { format!(" ({why})") };
    format!("{running} running, {} waiting{why}", waiting.len())
}

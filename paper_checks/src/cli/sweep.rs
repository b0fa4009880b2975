//! `ebmbook sweep SETTING…`: search hyper-parameters as the paper did, and keep every trial.

use super::fill::cores;
use super::output::{Output, rounded};
use super::progress::Bar;
use super::{Outcome, Problem};
use crate::study::plans::{SEED, Setting};
use crate::study::publish::write_text;
use crate::study::sweep::{BATCH, Point, Score, Sweep, Trial};
use crate::study::{Store, StudyError};
use ebmbook::ebm::Objective;
use ebmbook::show::format_number;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::path::PathBuf;

#[derive(clap::Args)]
pub(super) struct Args {
    /// Rows of the paper's tables: block (`twins`, `ihdp`, `synthetic-d100`, `synthetic-growing-d`) and training rows, such
    /// as `twins/1500`.
    #[arg(required = true, value_name = "SETTING")]
    settings: Vec<String>,
    /// Trials in each setting.
    #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u16).range(1..=10_000))]
    trials: u16,
    /// What the optimiser goes by.
    #[arg(long, value_enum, default_value_t = Score::Validation)]
    score: Score,
    /// What training minimises; the printed one is `ranking`.
    #[arg(long, default_value = "ranking")]
    objective: Objective,
    /// Master seed of the optimiser.
    #[arg(long, default_value_t = SEED)]
    seed: u64,
    /// Trials at a time [default: one per core]; it changes no trial. Trials run in batches of five, so more than five stay idle.
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..))]
    workers: Option<u16>,
    /// Folder of the values [default: target/ebmbook/cells]. A sweep that was killed goes on with what is there.
    #[arg(long)]
    store: Option<PathBuf>,
    /// Folder for the trials: JSON lines, a file for each setting.
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
}

/// The first line of a file of trials: what they depend on.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Head {
    setting: String,
    objective: String,
    score: String,
    seed: u64,
    batch: usize,
}

impl Args {
    pub fn run(&self, output: &Output) -> Result<Outcome, Problem> {
        let sweeps: Result<Vec<Sweep>, StudyError> =
            self.settings.iter().map(|name| self.sweep(name)).collect();
        let sweeps = sweeps?;
        let journals = sweeps.iter().map(|sweep| self.journal(sweep)).collect::<Result<Vec<_>, Problem>>()?;
        let store = Store::open_to_write(&self.store.clone().unwrap_or_else(Store::default_folder))?;
        let workers = self.workers.map_or_else(cores, usize::from);
        let mut found = Vec::new();
        for (sweep, journal) in sweeps.iter().zip(&journals) {
            let bar = Bar::of("trials");
            bar.begin(sweep.trials, sweep.trials as f64);
            let mut done = 0;
            let trials = sweep.run(&store, workers, |trials| {
                trials[done..].iter().for_each(|_| bar.step(&sweep.setting.name(), 1.0));
                done = trials.len();
                journal.as_ref().map_or(Ok(()), |journal| journal.keep(trials))
            })?;
            drop(bar);
            found.push(json!({ "setting": sweep.setting.name(), "trials": trials }));
            show(sweep, &trials, output);
        }
        if output.is_json() {
            output.value(&Value::from(found));
        }
        Ok(Outcome::Fine)
    }

    fn sweep(&self, setting: &str) -> Result<Sweep, StudyError> {
        let setting = Setting::find(setting)?;
        let Self { objective, score, seed, .. } = *self;
        Ok(Sweep { setting, objective, score, trials: usize::from(self.trials), seed })
    }

    /// Where the trials of a sweep are kept, if they are. A file of another sweep stays as it is.
    fn journal(&self, sweep: &Sweep) -> Result<Option<Journal>, Problem> {
        let Some(folder) = &self.out else { return Ok(None) };
        let path = folder.join(format!("{}.jsonl", sweep.setting.name().replace('/', "-")));
        let head = Head {
            setting: sweep.setting.name(),
            objective: sweep.objective.to_string(),
            score: sweep.score.to_string(),
            seed: sweep.seed,
            batch: BATCH,
        };
        let before = std::fs::read_to_string(&path).unwrap_or_default();
        if let Some(line) = before.lines().next()
            && serde_json::from_str(line).ok().as_ref() != Some(&head)
        {
            return Err(Problem::new(format!(
                "`{}` must hold trials of this sweep, its first line is {line}; name another folder with --out",
                path.display()
            )));
        }
        Ok(Some(Journal { path, head, before }))
    }
}

/// A file of trials.
struct Journal {
    path: PathBuf,
    head: Head,
    before: String,
}

impl Journal {
    /// Writes the trials so far, unless the file has them and more.
    fn keep(&self, trials: &[Trial]) -> Result<(), StudyError> {
        let mut text = line(&self.head);
        trials.iter().for_each(|trial| text += &line(trial));
        if self.before.starts_with(&text) { Ok(()) } else { write_text(&self.path, &text) }
    }
}

fn line(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("plain data") + "\n"
}

/// The best trials of a sweep for people.
fn show(sweep: &Sweep, trials: &[Trial], output: &Output) {
    const SHOWN: usize = 5;
    if output.is_json() {
        return;
    }
    let mut best: Vec<(usize, &Trial)> = trials.iter().enumerate().collect();
    best.sort_by(|(_, one), (_, other)| one.score.total_cmp(&other.score));
    let row = |(number, trial): &(usize, &Trial)| {
        let Point { b, k, layers, q } = trial.point;
        let scores = [Score::Validation, Score::OutcomeCv, Score::PeheTest]
            .map(|of| json!(format_number(of.of(&trial.values))));
        [vec![json!(number), json!(b), json!(k), json!(layers), rounded(q, 2)], scores.to_vec()].concat()
    };
    let Sweep { setting, objective, score, .. } = sweep;
    output.say(format!(
        "{}, {objective} objective: the best of {} trials by {score}",
        setting.name(),
        trials.len()
    ));
    let header = ["trial", "b", "k", "layers", "q", "held-out loss", "outcome error", "PEHE, R"];
    output.table(&header, &best.iter().take(SHOWN).map(row).collect::<Vec<_>>());
    let (b, k, layers, q) = setting.hyperparameters();
    output.say(format!("printed: b = {b}, k = {k}, {layers} layers, q = {q}"));
}

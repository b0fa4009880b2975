//! The spot check of the main job: a random sample of the committed cells is computed again here.

use super::Problem;
use super::fill::cores;
use super::kept::{hash_of_cells, home, key_of};
use super::progress::{Bar, note};
use super::text::{count, lasting};
use crate::study::{Agreement, Population, Recomputed, least_found, recompute};
use ebmbook::seed::Seed;
use ebmbook::show::format_number;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs::OpenOptions;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How long to recompute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Length {
    /// Not at all.
    None,
    /// About so long, on every core.
    About(Duration),
}

impl Default for Length {
    fn default() -> Self {
        Self::About(Duration::from_secs(60))
    }
}

/// How a spot check went.
pub(super) struct SpotCheck {
    seed: u64,
    /// Committed cells that can be computed here.
    population: usize,
    /// Cells that were to be recomputed.
    sample: usize,
    done: Vec<Recomputed>,
    /// Cells that this program has confirmed on this machine, those of earlier runs included.
    so_far: usize,
    seconds: f64,
}

/// Probability with which wrong cells would have been found, for the sentence that says how many.
const SURE: f64 = 0.99;

/// A seed that no earlier run had, short enough to be typed.
pub(super) fn fresh_seed() -> u64 {
    RandomState::new().build_hasher().finish() % 1_000_000_000
}

/// Recomputes a sample of the committed cells in a folder. Each cell that comes out as committed is noted at once.
pub(super) fn run(
    folder: &Path,
    length: Duration,
    seed: u64,
    deadline: Option<Instant>,
) -> Result<SpotCheck, Problem> {
    let start = Instant::now();
    let population = Population::read(folder)?;
    let sample = population.sample(population.size(length, cores()), &Seed::new(seed));
    let confirmed = Confirmed::of(folder);
    let weight = |r: &crate::study::Cell| r.expected_seconds();
    note(format_args!(
        "spot check: {} of {} committed cells, about {} (seed {seed})",
        count(sample.len()),
        count(population.len()),
        lasting(length.as_secs_f64())
    ));
    let bar = Bar::of("cells recomputed");
    bar.begin(sample.len(), sample.iter().map(|c| weight(&c.cell)).sum());
    let done = recompute(&sample, cores(), deadline, &|r| {
        if r.difference.is_none() {
            confirmed.add(r);
        }
        bar.step(&r.cell.study, weight(&r.cell));
    });
    // Whether a rounded value is good enough is known when the whole sample is.
    Agreement::of(&done).rounded.iter().for_each(|r| confirmed.add(r));
    Ok(SpotCheck {
        seed,
        population: population.len(),
        sample: sample.len(),
        so_far: confirmed.count(),
        done,
        seconds: start.elapsed().as_secs_f64(),
    })
}

/// The cells that this program has confirmed on this machine, one hash per line. A run that is killed leaves its lines.
pub(super) struct Confirmed(Option<PathBuf>);

impl Confirmed {
    /// Of the committed cells of a folder, as they are now.
    pub fn of(folder: &Path) -> Self {
        let key = key_of(&hash_of_cells(folder));
        Self(key.map(|key| home().join("recomputed").join(format!("{key}.txt"))))
    }

    fn add(&self, recomputed: &Recomputed) {
        let Some(path) = &self.0 else { return };
        let append = || {
            std::fs::create_dir_all(path.parent().unwrap_or(Path::new(".")))?;
            let mut file = OpenOptions::new().create(true).append(true).open(path)?;
            file.write_all(format!("{}\n", recomputed.cell.key().hash).as_bytes())
        };
        // What cannot be noted is not counted; the check itself goes on.
        let _: Result<(), std::io::Error> = append();
    }

    /// How many.
    pub fn count(&self) -> usize {
        let text = self.0.as_ref().and_then(|path| std::fs::read_to_string(path).ok()).unwrap_or_default();
        let whole = |line: &&str| line.len() == 32;
        text.lines().filter(whole).collect::<BTreeSet<_>>().len()
    }
}

impl SpotCheck {
    /// Whether a cell did not come out as committed.
    pub fn found_a_wrong_cell(&self) -> bool {
        !Agreement::of(&self.done).wrong.is_empty()
    }

    /// What came out, in sentences.
    pub fn sentences(&self) -> Vec<String> {
        let Agreement { equal, rounded, wrong } = Agreement::of(&self.done);
        let all = self.done.len();
        let mut said = Vec::new();
        let recomputed = format!(
            "{} of {} committed cells recomputed here in {}",
            count(all),
            count(self.population),
            lasting(self.seconds)
        );
        if all == equal.len() && all > 0 {
            said.push(format!("{recomputed}, all equal to the last bit: {}.", self.rules_out(all)));
        } else {
            said.push(format!("{recomputed}: {} equal to the last bit.", count(equal.len())));
        }
        if let Some(worst) = farthest(&rounded) {
            said.push(format!(
                "{} differ as another processor rounds, by at most {} ({} allowed: {}).",
                count(rounded.len()),
                per_cent(worst.difference.as_ref().map_or(0.0, |d| d.apart)),
                per_cent(worst.allowed().apart),
                worst.allowed().reason
            ));
        }
        for r in &wrong {
            said.push(format!("WRONG  {}: {}", r.cell.name(), described(r)));
        }
        if self.done.len() < self.sample {
            said.push(format!("{} cells did not fit into the budget.", count(self.sample - self.done.len())));
        }
        if self.so_far > all {
            said.push(format!(
                "So far on this machine {}: {}.",
                count(self.so_far),
                self.rules_out(self.so_far)
            ));
        }
        said.push(format!("The same sample again: ebmbook --spot-check-seed {}", self.seed));
        said
    }

    /// What so many confirmed cells rule out.
    fn rules_out(&self, confirmed: usize) -> String {
        let share = least_found(self.population, confirmed, SURE) as f64 / self.population as f64;
        format!(
            "were {} of the cells wrong, this would have found one with {}",
            per_cent(share),
            per_cent(SURE)
        )
    }

    /// For programs.
    pub fn json(&self) -> Value {
        let Agreement { equal, rounded, wrong } = Agreement::of(&self.done);
        let cell = |r: &&Recomputed| json!({ "cell": r.cell.name(), "difference": r.difference });
        json!({
            "seed": self.seed,
            "population": self.population,
            "recomputed": self.done.len(),
            "equal": equal.len(),
            "rounded": rounded.iter().map(cell).collect::<Vec<_>>(),
            "wrong": wrong.iter().map(cell).collect::<Vec<_>>(),
            "so far": self.so_far,
            "found with 99 %": least_found(self.population, self.done.len(), SURE),
            "seconds": self.seconds,
        })
    }
}

fn farthest<'a>(cells: &[&'a Recomputed]) -> Option<&'a Recomputed> {
    let apart = |r: &Recomputed| r.difference.as_ref().map_or(0.0, |d| d.apart);
    cells.iter().copied().max_by(|a, b| apart(a).total_cmp(&apart(b)))
}

/// How a cell differs from what is committed.
fn described(r: &Recomputed) -> String {
    match &r.difference {
        Some(d) if d.committed.is_nan() && d.here.is_nan() => format!("failed here: {}", d.value),
        Some(d) => format!("`{}` is {} here and {} as committed", d.value, d.here, d.committed),
        None => String::new(),
    }
}

/// Two digits of a share.
fn per_cent(share: f64) -> String {
    let value = 100.0 * share;
    let digits = if value < 0.095 {
        3
    } else if value < 0.95 {
        2
    } else {
        1
    };
    let text = format!("{value:.digits$}");
    if value < 1e-3 {
        format!("{} %", format_number(value))
    } else {
        format!("{} %", text.trim_end_matches(".0"))
    }
}

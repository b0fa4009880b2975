//! The spot check: a random sample of committed cells is computed again and held against what is committed.
//!
//! ```text
//! committed cells ──seed──▶ sample ──compute──▶ equal to the last bit? ──▶ what that rules out
//! ```
//!
//! Within each study cells are shuffled; the studies then stand one after the other and every (N/n)-th cell is taken
//! from a random start. So every cell is as likely to be taken as any other, and each study has its share.

mod outcome;

pub use outcome::{Agreement, Allowed, found_with, least_found};

use super::run::attempt;
use super::{Cell, Published, Scale, Source, StudyError, Values, npci_at_hand};
use ebmbook::seed::Seed;
use rand::Rng;
use rand::seq::SliceRandom;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// A cell with the values that are committed for it.
#[derive(Clone, Debug)]
pub struct CommittedCell {
    /// The cell.
    pub cell: Cell,
    /// Its committed values.
    pub values: Values,
}

/// The committed cells that can be computed here, each once, study by study.
#[derive(Clone, Debug)]
pub struct Population {
    cells: Vec<CommittedCell>,
}

/// How one cell of the sample came out.
#[derive(Clone, Debug)]
pub struct Recomputed {
    /// The cell.
    pub cell: Cell,
    /// How long it took.
    pub seconds: f64,
    /// The value that is farthest from the committed one; none if every value is equal to the last bit.
    pub difference: Option<Difference>,
}

/// A value that did not come out as it is committed.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Difference {
    /// The name of the value, or why there is none.
    pub value: String,
    /// What is committed.
    pub committed: f64,
    /// What came out here.
    pub here: f64,
    /// The difference as a share of the larger of the two, or of a tenth where both are less: errors and correlations are
    /// of order one, and what is much smaller is a difference of such. Infinite where one is missing.
    pub apart: f64,
}

impl Population {
    /// Reads the committed cells of a folder. Cells whose data do not ship are left out where the files are not at
    /// hand, and so are cells that are planned in another way by now.
    pub fn read(folder: &Path) -> Result<Self, StudyError> {
        let published = Published::load_all(folder)?;
        let mut seen = BTreeSet::new();
        let planned = Published::studies(folder).into_iter().flat_map(|study| study.cells(Scale::Full));
        let at_hand = |cell: &Cell| cell.task.data().source != Source::Npci || npci_at_hand();
        let mut all = Self { cells: Vec::new() };
        for cell in planned.filter(at_hand).filter(|cell| seen.insert(cell.key().hash)) {
            if let Some(values) = published.values(&cell) {
                all.cells.push(CommittedCell { values: values.clone(), cell });
            }
        }
        Ok(all)
    }

    /// Number of cells.
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// How many cells take about so long on so many cores; at least one, if there are any.
    pub fn size(&self, length: Duration, cores: usize) -> usize {
        let all: f64 = self.cells.iter().map(|c| c.cell.expected_seconds()).sum();
        let share = length.as_secs_f64() * cores as f64 / all;
        ((share * self.len() as f64) as usize).clamp(1.min(self.len()), self.len())
    }

    /// So many cells, the slowest first.
    pub fn sample(&self, size: usize, seed: &Seed) -> Vec<&CommittedCell> {
        let mut rng = seed.child("spot check").rng();
        let mut studies: BTreeMap<&str, Vec<&CommittedCell>> = BTreeMap::new();
        for cell in &self.cells {
            studies.entry(&cell.cell.study).or_default().push(cell);
        }
        let shuffled = studies.into_values().flat_map(|mut cells| {
            cells.shuffle(&mut rng);
            cells
        });
        let shuffled: Vec<&CommittedCell> = shuffled.collect();
        let start: f64 = seed.child("start").rng().random();
        let step = self.len() as f64 / size as f64;
        let mut taken: Vec<&CommittedCell> =
            (0..size).map(|i| shuffled[((start + i as f64) * step) as usize]).collect();
        taken.sort_by(|a, b| b.cell.expected_seconds().total_cmp(&a.cell.expected_seconds()));
        taken
    }
}

/// Computes these cells again, in this order, on so many threads; none is begun after the deadline. Whoever listens is
/// told of each cell as it is done.
pub fn recompute(
    sample: &[&CommittedCell],
    threads: usize,
    deadline: Option<Instant>,
    told: &(dyn Fn(&Recomputed) + Sync),
) -> Vec<Recomputed> {
    let left = Mutex::new(sample.iter());
    let done = Mutex::new(Vec::new());
    let work = || {
        while deadline.is_none_or(|end| Instant::now() < end) {
            let Some(next) = left.lock().expect("nothing panics while it is held").next() else { return };
            let recomputed = next.recompute();
            told(&recomputed);
            done.lock().expect("nothing panics while it is held").push(recomputed);
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            scope.spawn(work);
        }
    });
    done.into_inner().expect("nothing panics while it is held")
}

impl CommittedCell {
    /// Computes it again.
    pub fn recompute(&self) -> Recomputed {
        let start = Instant::now();
        let difference = match attempt(&self.cell) {
            Ok(values) => farthest(&self.values, &values),
            Err(why) => {
                Some(Difference { value: why, committed: f64::NAN, here: f64::NAN, apart: f64::INFINITY })
            }
        };
        Recomputed { cell: self.cell.clone(), seconds: start.elapsed().as_secs_f64(), difference }
    }
}

/// The value that is farthest from the committed one, if any differs in a bit.
fn farthest(committed: &Values, here: &Values) -> Option<Difference> {
    let names: BTreeSet<&String> = committed.keys().chain(here.keys()).collect();
    let differences = names.into_iter().filter_map(|name| {
        let [old, new] = [committed, here].map(|values| values.get(name).copied().unwrap_or(f64::NAN));
        let apart = (old - new).abs() / old.abs().max(new.abs()).max(0.1);
        let apart = if apart.is_nan() { f64::INFINITY } else { apart };
        (old.to_bits() != new.to_bits()).then(|| Difference {
            value: name.clone(),
            committed: old,
            here: new,
            apart,
        })
    });
    differences.max_by(|a, b| a.apart.total_cmp(&b.apart))
}

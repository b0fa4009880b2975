//! The values of a study, ready to be asked.

use super::{Arm, Cell, Published, Quantity, Scale, State, Store, Study, StudyError, Values};
use crate::printed::TablePlace;
use itertools::Itertools;
use std::path::PathBuf;
use std::sync::Arc;

/// Cells with their values, in the order of the plan.
#[derive(Clone, Debug, Default)]
pub struct Results {
    /// Shared, because a check asks for many parts of the same results.
    rows: Vec<Arc<(Cell, Values)>>,
}

/// Where the values of studies are.
#[derive(Clone, Debug)]
pub enum Studies {
    /// In a store that `ebmbook run` fills.
    Store(PathBuf),
    /// In a folder of committed results.
    Published(PathBuf),
}

impl Default for Studies {
    fn default() -> Self {
        Self::Store(Store::default_folder())
    }
}

impl Studies {
    /// The values of a study; an error says how many cells are missing.
    pub fn results(&self, study: &str, scale: Scale) -> Result<Results, StudyError> {
        let cells = Study::find(study)?.cells(scale);
        match self {
            Self::Store(folder) => Results::from_store(cells, &Store::open(folder)),
            Self::Published(folder) => Results::from_published(cells, &Published::load(folder, study)?),
        }
    }
}

/// Mean and spread over replicates.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct Summary {
    /// Number of replicates.
    pub runs: usize,
    /// Mean.
    pub mean: f64,
    /// Median, which a single run cannot spoil.
    pub median: f64,
    /// Standard deviation; 0 for a single run.
    pub sd: f64,
}

impl Summary {
    /// Of these numbers; none of nothing.
    pub fn of(numbers: &[f64]) -> Option<Self> {
        let runs = numbers.len();
        if runs == 0 {
            return None;
        }
        let mean = numbers.iter().sum::<f64>() / runs as f64;
        let squares = numbers.iter().map(|v| (v - mean).powi(2)).sum::<f64>();
        let sd = if runs > 1 { (squares / (runs - 1) as f64).sqrt() } else { 0.0 };
        let mut sorted = numbers.to_vec();
        sorted.sort_unstable_by(f64::total_cmp);
        let median = (sorted[(runs - 1) / 2] + sorted[runs / 2]) / 2.0;
        Some(Self { runs, mean, median, sd })
    }

    /// Standard error of the mean.
    pub fn se(&self) -> f64 {
        self.sd / (self.runs as f64).sqrt()
    }
}

impl Results {
    /// The values of these cells in a store; an error says how many are missing.
    pub fn from_store(cells: Vec<Cell>, store: &Store) -> Result<Self, StudyError> {
        Self::collect(cells, |cell| match store.state(cell) {
            State::Cached(values) => Some(values),
            State::ToRun(_) => None,
        })
    }

    /// The committed values of these cells.
    pub fn from_published(cells: Vec<Cell>, published: &Published) -> Result<Self, StudyError> {
        Self::collect(cells, |cell| published.values(cell).cloned())
    }

    pub(super) fn collect(
        cells: Vec<Cell>,
        values: impl Fn(&Cell) -> Option<Values>,
    ) -> Result<Self, StudyError> {
        let planned = cells.len();
        let study = cells.first().map_or(String::new(), |c| c.study.clone());
        let rows: Vec<Arc<(Cell, Values)>> =
            cells.into_iter().filter_map(|cell| values(&cell).map(|v| Arc::new((cell, v)))).collect();
        let missing = planned - rows.len();
        if missing > 0 {
            return Err(StudyError::Missing { study, missing, cells: planned });
        }
        Ok(Self { rows })
    }

    /// Every cell with its values.
    pub fn rows(&self) -> impl Iterator<Item = (&Cell, &Values)> {
        self.rows.iter().map(|row| (&row.0, &row.1))
    }

    /// Number of cells.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// These cells with every value changed: for controls that plant an effect.
    pub fn planted(&self, change: impl Fn(&Cell, f64) -> f64) -> Self {
        let row = |(cell, values): (&Cell, &Values)| {
            let values = values.iter().map(|(name, v)| (name.clone(), change(cell, *v))).collect();
            Arc::new((cell.clone(), values))
        };
        Self { rows: self.rows().map(row).collect() }
    }

    /// The distinct settings in the order of the plan.
    pub fn settings(&self) -> Vec<TablePlace> {
        self.rows().map(|(cell, _)| cell.place()).unique().collect()
    }

    /// The distinct arms in the order of the plan.
    pub fn arms(&self) -> Vec<Arm> {
        self.rows().map(|(cell, _)| cell.arm).unique().collect()
    }

    /// The cells for which this is true.
    pub fn only(&self, keep: impl Fn(&Cell) -> bool) -> Self {
        Self { rows: self.rows.iter().filter(|row| keep(&row.0)).cloned().collect() }
    }

    /// A value in every cell that has it, by replicate.
    pub fn values(&self, of: Quantity) -> Vec<f64> {
        let name = of.to_string();
        let found = self.rows().filter_map(|(cell, v)| v.get(&name).map(|v| (cell.replicate, *v)));
        found.sorted_by_key(|(replicate, _)| *replicate).map(|(_, value)| value).collect()
    }

    /// One arm of one setting.
    pub fn at(&self, place: TablePlace, arm: Arm) -> Self {
        self.only(|c| c.place() == place && c.arm == arm)
    }

    /// A value in one arm of one setting, over replicates.
    pub fn summary(&self, place: TablePlace, arm: Arm, of: Quantity) -> Option<Summary> {
        Summary::of(&self.at(place, arm).values(of))
    }
}

//! One share of a study's cells, for machines that compute a study together. In: cells. Out: those of one share.
//!
//! Every cell is in one share, whoever asks and in whatever order shares run. Cells that share a representation are
//! in one share, so that it is trained once. Shares take about equally long.

use super::Cell;
use super::cost::Parts;
use super::queues::{Group, groups};
use itertools::Itertools;
use std::cmp::Reverse;
use std::fmt::{Display, Formatter};
use std::str::FromStr;

/// A share: which one, of how many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// Counted from one.
    number: usize,
    of: usize,
}

/// A share that there cannot be.
#[derive(Debug, thiserror::Error)]
#[error("must be NUMBER/OF with 1 ≤ NUMBER ≤ OF, such as 3/100, got `{0}`")]
pub struct NoShare(String);

impl FromStr for Share {
    type Err = NoShare;

    fn from_str(text: &str) -> Result<Self, NoShare> {
        let parts = text.split_once('/').map(|(number, of)| (number.parse(), of.parse()));
        match parts {
            Some((Ok(number), Ok(of))) if (1..=of).contains(&number) => Ok(Self { number, of }),
            _ => Err(NoShare(text.to_owned())),
        }
    }
}

impl Display for Share {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

impl Share {
    /// All shares, when there are so many.
    pub fn all(of: usize) -> impl Iterator<Item = Self> {
        (1..=of).map(move |number| Self { number, of })
    }

    /// The cells of this share, in the order in which they are given.
    ///
    /// ```
    /// use paper_checks::study::{Scale, Share, Study};
    /// let cells = Study::find("table2")?.cells(Scale::Quick);
    /// let sizes: Vec<usize> = Share::all(3).map(|share| share.of(&cells).len()).collect();
    /// assert_eq!(sizes.iter().sum::<usize>(), cells.len());
    /// # Ok::<(), paper_checks::study::StudyError>(())
    /// ```
    pub fn of(&self, cells: &[Cell]) -> Vec<Cell> {
        let numbers = share_numbers(cells, self.of);
        let mine = cells.iter().zip(numbers).filter(|(_, number)| *number == self.number);
        mine.map(|(cell, _)| cell.clone()).collect()
    }
}

/// The number of the share that each cell is in, from one, when there are so many shares.
pub fn share_numbers(cells: &[Cell], of: usize) -> Vec<usize> {
    let groups = groups(cells);
    let costs: Vec<f64> = groups.iter().map(|group| seconds(group, Cell::expected_parts)).collect();
    let (places, _) = spread(&costs, of);
    let place_of = |cell: &Cell| std::ptr::from_ref(cell);
    let pairs = groups.iter().zip(places).flat_map(|(g, place)| g.iter().map(move |c| (place_of(c), place)));
    let numbers: std::collections::HashMap<_, _> = pairs.collect();
    cells.iter().map(|cell| numbers[&place_of(cell)] + 1).collect()
}

/// Seconds for a group on one core: what its cells have in common counts once, and so does a cell that stands in
/// two studies.
pub(super) fn seconds(group: &Group, parts: impl Fn(&Cell) -> Parts) -> f64 {
    let distinct = group.iter().unique_by(|cell| cell.key().hash);
    let sum = |(common, sum): (f64, f64), Parts { shared, own }| (f64::max(common, shared), sum + own);
    let (common, own) = distinct.map(|cell| parts(cell)).fold((0.0, 0.0), sum);
    common + own
}

/// Puts pieces of work into bins: the largest first, each into the bin that has least. Returns the bin of each piece and
/// what each bin has in the end.
pub(super) fn spread(costs: &[f64], bins: usize) -> (Vec<usize>, Vec<f64>) {
    let mut largest_first: Vec<usize> = (0..costs.len()).collect();
    // By whole microseconds, so that the order does not hang on how a sum is rounded.
    let micros = |cost: f64| (1e6 * cost).round() as u64;
    largest_first.sort_by_key(|i| Reverse(micros(costs[*i])));
    let (mut places, mut loads) = (vec![0; costs.len()], vec![0_u64; bins]);
    for i in largest_first {
        let (bin, load) =
            loads.iter_mut().enumerate().min_by_key(|(_, load)| **load).expect("at least one bin");
        (places[i], *load) = (bin, *load + micros(costs[i]));
    }
    (places, loads.into_iter().map(|load| load as f64 / 1e6).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::{Scale, Study};
    use std::collections::{BTreeMap, BTreeSet};

    fn names(cells: &[Cell]) -> BTreeSet<String> {
        cells.iter().map(Cell::name).collect()
    }

    #[test]
    fn every_cell_of_a_study_is_in_one_share_and_a_representation_too() {
        for study in Study::known() {
            let cells = study.cells(Scale::Quick);
            for of in [1, 2, 7] {
                let (mut seen, mut homes) = (BTreeSet::new(), BTreeMap::new());
                for share in Share::all(of) {
                    for cell in share.of(&cells) {
                        assert!(seen.insert(cell.name()), "{} is in two shares", cell.name());
                        let home = *homes.entry(cell.task.shared()).or_insert(share);
                        assert_eq!(home, share, "{} is trained in two shares", cell.name());
                    }
                }
                assert_eq!(seen, names(&cells), "{} in {of} shares", study.name);
            }
        }
    }

    #[test]
    fn shares_of_a_large_study_are_within_a_tenth_of_each_other() {
        let cells = Study::find("table1").unwrap().cells(Scale::Full);
        let cost = |share: Share| {
            groups(&share.of(&cells)).iter().map(|g| seconds(g, Cell::expected_parts)).sum::<f64>()
        };
        let costs: Vec<f64> = Share::all(16).map(cost).collect();
        let (least, most) = costs.iter().copied().minmax().into_option().unwrap();
        assert!(most < 1.1 * least, "{costs:.0?}");
    }

    #[test]
    fn a_share_does_not_depend_on_which_others_are_asked_for_and_more_shares_than_work_are_empty() {
        let cells = Study::find("imbalance").unwrap().cells(Scale::Quick);
        let of = |text: &str| text.parse::<Share>().unwrap().of(&cells);
        assert_eq!(names(&of("3/7")), names(&of("3/7")));
        assert!(of("1000/1000").is_empty());
        assert_eq!(of("1/1").len(), cells.len());
    }

    #[test]
    fn a_share_is_written_as_it_is_read_and_what_is_none_says_the_rule() {
        assert_eq!("3/100".parse::<Share>().unwrap().to_string(), "3/100");
        for text in ["0/4", "5/4", "3", "3/", "/3", "-1/3", "a/b", "1/2/3", "1.5/3", ""] {
            let error = text.parse::<Share>().unwrap_err().to_string();
            assert!(
                error.starts_with("must be NUMBER/OF") && error.ends_with(&format!("`{text}`")),
                "{error}"
            );
        }
    }
}

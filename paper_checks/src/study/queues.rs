//! What runs next. In: cells. Out: groups that share work, in an order that repeats and waits for little.

use super::Cell;
use super::data::KEPT;
use std::collections::{HashMap, VecDeque};

/// Cells that share work: one run of a representation and the propensities on it. One thread runs them one after
/// the other, because a second one would have to wait for the first.
pub(super) type Group<'a> = Vec<&'a Cell>;

/// Cells that share work together. Groups stand where their first cell stood.
pub(super) fn groups<'a>(cells: impl IntoIterator<Item = &'a Cell>) -> Vec<Group<'a>> {
    let mut places = HashMap::new();
    let mut groups: Vec<Group> = Vec::new();
    for cell in cells {
        let place = *places.entry(cell.task.shared()).or_insert(groups.len());
        if place == groups.len() {
            groups.push(Vec::new());
        }
        groups[place].push(cell);
    }
    groups
}

/// Groups by data set. A thread stays with a data set until nothing is left of it, then begins one that no
/// other thread is at (two that begin the same one would wait for its rows), and at the end helps out.
pub(super) struct Queues<'a>(Vec<Queue<'a>>);

#[derive(Default)]
struct Queue<'a> {
    groups: VecDeque<Group<'a>>,
    threads: usize,
}

impl<'a> Queues<'a> {
    /// One cell after the other, as they are given.
    pub fn given(cells: Vec<&'a Cell>) -> Self {
        Self(vec![Queue { groups: cells.into_iter().map(|cell| vec![cell]).collect(), threads: 0 }])
    }

    /// Cells that share work together. Groups and data sets stand where their first cell stood.
    pub fn sharing(cells: Vec<&'a Cell>) -> Self {
        let mut sets = HashMap::new();
        let mut queues: Vec<Queue> = Vec::new();
        for group in groups(cells) {
            let set = *sets.entry(group[0].task.rows()).or_insert(queues.len());
            if set == queues.len() {
                queues.push(Queue::default());
            }
            queues[set].groups.push_back(group);
        }
        Self(queues)
    }

    /// The next group for a thread that is at this queue, and the queue it is at then.
    pub fn next(&mut self, at: &mut Option<usize>) -> Option<Group<'a>> {
        if let Some(group) = at.and_then(|queue| self.0[queue].groups.pop_front()) {
            return Some(group);
        }
        if let Some(left) = at.take() {
            self.0[left].threads -= 1;
        }
        let begun = self.0.iter().filter(|q| q.threads > 0).count();
        let has_groups = |queue: &usize| !self.0[*queue].groups.is_empty();
        let untouched = (0..self.0.len()).find(|q| has_groups(q) && self.0[*q].threads == 0);
        // More data sets than memory has room for would be made again and again.
        let untouched = untouched.filter(|_| begun < KEPT);
        let fullest = || (0..self.0.len()).filter(has_groups).max_by_key(|q| self.0[*q].groups.len());
        let queue = untouched.or_else(fullest)?;
        self.0[queue].threads += 1;
        *at = Some(queue);
        self.0[queue].groups.pop_front()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::Scale;
    use crate::study::Study;
    use std::collections::BTreeSet;

    fn quick(studies: &[Study]) -> Vec<Cell> {
        studies.iter().flat_map(|s| s.cells(Scale::Quick)).collect()
    }

    #[test]
    fn every_cell_comes_once_and_cells_of_a_group_share_their_representation() {
        let cells = quick(&Study::all());
        for mut queues in [Queues::sharing(cells.iter().collect()), Queues::given(cells.iter().collect())] {
            // Three threads in turn.
            let (mut at, mut groups) = ([None; 3], Vec::new());
            while let Some(group) = queues.next(&mut at[groups.len() % 3]) {
                assert!(group.iter().all(|c| c.task.shared() == group[0].task.shared()));
                groups.push(group);
            }
            assert!(queues.0.iter().all(|q| q.groups.is_empty()));
            let mut names: Vec<String> = groups.iter().flatten().map(|c| c.name()).collect();
            names.sort();
            let mut all: Vec<String> = cells.iter().map(Cell::name).collect();
            all.sort();
            assert_eq!(names, all);
        }
    }

    #[test]
    fn no_run_of_a_representation_is_in_two_groups() {
        let cells = quick(&Study::all());
        let queues = Queues::sharing(cells.iter().collect());
        let shared: Vec<String> =
            queues.0.iter().flat_map(|q| &q.groups).map(|g| g[0].task.shared()).collect();
        assert_eq!(shared.iter().collect::<BTreeSet<_>>().len(), shared.len());
    }

    #[test]
    fn threads_begin_with_different_data_and_stay_with_them() {
        let cells = quick(&[Study::find("seeds").unwrap()]);
        let mut queues = Queues::sharing(cells.iter().collect());
        let (mut one, mut other) = (None, None);
        let data = |group: Option<Group<'_>>| group.unwrap()[0].task.rows();
        let (first, second) = (data(queues.next(&mut one)), data(queues.next(&mut other)));
        assert_ne!(first, second);
        assert_eq!((data(queues.next(&mut one)), data(queues.next(&mut other))), (first, second));
    }

    #[test]
    fn tables_that_differ_in_the_regressor_alone_and_both_halves_of_figure_3_train_once() {
        let together = |one: &str, other: &str, arm: &str| {
            let of = |study: &str| {
                let cells = quick(&[Study::find(study).unwrap()]);
                let here = cells.iter().filter(|c| c.arm.to_string() == arm);
                here.map(|c| c.task.shared()).collect::<BTreeSet<_>>()
            };
            let (one, other) = (of(one), of(other));
            !other.is_empty() && other.is_subset(&one)
        };
        assert!(together("table1", "table-power", "ebm-pairwise"));
        assert!(together("table1", "table-ridge", "raw"));
        assert!(together("figure3-mcc", "figure3-sd", "ebm"));
        assert!(!together("figure3-mcc", "splitting", "all rows"), "another method");
    }
}

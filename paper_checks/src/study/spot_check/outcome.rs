//! What a sample of recomputed cells says: which came out as committed, and what that rules out.

use super::super::{RepresentationKind, RepresentationSpec, Task};
use super::Recomputed;

/// The cells of a sample, sorted by how they came out.
#[derive(Debug, Default)]
pub struct Agreement<'a> {
    /// Equal to the last bit.
    pub equal: Vec<&'a Recomputed>,
    /// Different within what another processor's rounding does.
    pub rounded: Vec<&'a Recomputed>,
    /// Different beyond that, or without values.
    pub wrong: Vec<&'a Recomputed>,
}

/// How far a value may be from the committed one where this processor rounds in another way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Allowed {
    /// As a share of the larger value.
    pub apart: f64,
    /// Why.
    pub reason: &'static str,
}

/// For cells in double precision throughout.
const DOUBLE: Allowed = Allowed {
    apart: 1e-5,
    reason: "double precision: sums in another order move the last digits, and an ill-conditioned solve magnifies them",
};

/// For cells that train a network: twice the largest difference that was seen. Of 107 EBM cells that the other engine trained,
/// which sums in another order, half moved by less than 0.4 % and nineteen in twenty by less than 9 %. The farthest moved by
/// 26 %, in its effective rank.
const SINGLE: Allowed = Allowed {
    apart: 0.5,
    reason: "in single precision another order of sums can stop a run at another epoch",
};

impl<'a> Agreement<'a> {
    /// Sorts the cells of a sample. Rounding is a matter of the processor: it moves most cells of a kind or none. So a
    /// tolerance is granted only where fewer than half of the kind are equal to the last bit.
    pub fn of(done: &'a [Recomputed]) -> Self {
        let mut sorted = Self::default();
        for (trains, allowed) in [(false, DOUBLE), (true, SINGLE)] {
            let kind: Vec<&Recomputed> = done.iter().filter(|r| r.trains_a_network() == trains).collect();
            let (equal, different): (Vec<&Recomputed>, Vec<&Recomputed>) =
                kind.iter().partition(|r| r.difference.is_none());
            let rounds = 2 * equal.len() < kind.len();
            let within =
                |r: &&Recomputed| rounds && r.difference.as_ref().is_none_or(|d| d.apart <= allowed.apart);
            let (rounded, wrong): (Vec<&Recomputed>, Vec<&Recomputed>) =
                different.into_iter().partition(within);
            sorted.equal.extend(equal);
            sorted.rounded.extend(rounded);
            sorted.wrong.extend(wrong);
        }
        sorted
    }

    /// Cells that came out as committed.
    pub fn confirmed(&self) -> impl Iterator<Item = &'a Recomputed> + '_ {
        self.equal.iter().chain(&self.rounded).copied()
    }
}

impl Recomputed {
    /// What another processor's rounding may do to its values.
    pub fn allowed(&self) -> Allowed {
        if self.trains_a_network() { SINGLE } else { DOUBLE }
    }

    fn trains_a_network(&self) -> bool {
        let of = |representation: &RepresentationSpec| match representation {
            RepresentationSpec::Ebm { .. } => true,
            RepresentationSpec::Named { name, .. } => *name == RepresentationKind::Autoencoder,
            _ => false,
        };
        match &self.cell.task {
            Task::Effects(task) => of(&task.representation),
            Task::Supervised(task) => task.has_network(),
            Task::Stability(task) => of(&task.representation),
            Task::Overlap(_) => false,
        }
    }
}

/// The probability that a random sample of so many cells has at least one of the wrong ones:
/// 1 − C(N − w, n) / C(N, n). With a share for each study it is no less.
///
/// ```
/// use paper_checks::study::found_with;
/// assert_eq!(found_with(10, 10, 1), 1.0);
/// assert!((found_with(10, 1, 5) - 0.5).abs() < 1e-12);
/// ```
pub fn found_with(population: usize, sample: usize, wrong: usize) -> f64 {
    // Each wrong cell in turn is outside the sample, given that those before it are.
    let outside =
        (0..wrong).map(|i| (population - sample).saturating_sub(i) as f64 / (population - i) as f64);
    1.0 - outside.product::<f64>()
}

/// The smallest number of wrong cells that such a sample would have found with this probability.
///
/// ```
/// use paper_checks::study::{found_with, least_found};
/// let wrong = least_found(27_071, 96, 0.99);
/// assert!(found_with(27_071, 96, wrong) >= 0.99 && found_with(27_071, 96, wrong - 1) < 0.99);
/// ```
pub fn least_found(population: usize, sample: usize, probability: f64) -> usize {
    let mut outside = 1.0;
    let more = |wrong: &usize| {
        outside *= (population - sample).saturating_sub(*wrong) as f64 / (population - wrong) as f64;
        1.0 - outside < probability
    };
    1 + (0..population).take_while(more).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::{Cell, Difference, Scale, Study};

    fn done(cell: &Cell, apart: f64) -> Recomputed {
        let difference = Difference { value: "zero".into(), committed: 1.0, here: 1.0 + apart, apart };
        let difference = (apart > 0.0).then_some(difference);
        Recomputed { cell: cell.clone(), seconds: 1.0, difference }
    }

    #[test]
    fn a_tolerance_is_granted_only_where_the_processor_rounds_in_another_way() {
        let cells = Study::find("table1").unwrap().cells(Scale::Quick);
        let of = |arm: &str| cells.iter().find(|c| c.arm.to_string() == arm).unwrap();
        let counts = |done: &[Recomputed]| {
            let Agreement { equal, rounded, wrong } = Agreement::of(done);
            (equal.len(), rounded.len(), wrong.len())
        };
        let (raw, ebm) = (of("raw"), of("ebm-pairwise"));
        assert_eq!(
            counts(&[done(raw, 0.0), done(ebm, 0.0), done(ebm, 1e-3)]),
            (2, 0, 1),
            "one alone is a wrong cell"
        );
        assert_eq!(counts(&[done(raw, 0.0), done(ebm, 1e-3), done(ebm, 1e-2)]), (1, 2, 0));
        assert_eq!(counts(&[done(ebm, 1e-3), done(ebm, 0.9)]), (0, 1, 1));
        assert_eq!(
            counts(&[done(raw, 1e-3), done(raw, 1e-9)]),
            (0, 1, 1),
            "double precision keeps more digits"
        );
        assert_eq!(counts(&[done(raw, f64::INFINITY)]), (0, 0, 1), "a value that is missing");
    }
}

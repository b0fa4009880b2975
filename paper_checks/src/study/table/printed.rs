//! What the paper prints for a number of a study, and how ours compares.

use super::super::Summary;
use super::{DIVERGED, FAR, TEN_BEST, UNIT, UNIT_OF_SD};
use crate::printed::{LearnerCell, Printed, REDUCTIONS, ReductionCell};
use ebmbook::data::Protocol;

/// Whose rows our numbers are from, where the paper prints one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rows {
    /// The authors' own: synthetic data follow from their program.
    Same,
    /// The authors' outcomes, another split into training and test rows.
    OtherSplit,
    /// Another cut of the file or another draw of the outcomes.
    Other,
}

impl Rows {
    pub(super) fn of(study: &str, block: &str) -> Self {
        match (study, block) {
            (_, block) if block.starts_with("synthetic") => Self::Same,
            ("ihdp-npci", _) => Self::OtherSplit,
            _ => Self::Other,
        }
    }

    /// As the tables call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Same => "same",
            Self::OtherSplit => "other split",
            Self::Other => "other rows",
        }
    }
}

/// Printed mean and standard deviation of a number.
pub(super) fn find(
    printed: &Printed,
    study: &str,
    protocol: Protocol,
    (block, d, n): &(String, usize, usize),
    arm: &str,
    value: &str,
) -> Option<(f64, f64)> {
    // The text's protocol has other data: nothing printed belongs beside it.
    if protocol == Protocol::Paper {
        return None;
    }
    let (learner, regressor) = value.split_once(' ')?;
    if matches!(study, "table2" | "table-a1") {
        let mut known = REDUCTIONS.into_iter().chain([("ebm-pairwise", "EBM")]);
        let (_, name) = known.find(|(ours, _)| *ours == arm)?;
        let same = |c: &&ReductionCell| (&c.dataset, c.d, c.n) == (block, *d, *n) && c.reduction == name;
        return printed
            .reductions
            .iter()
            .find(|c| same(c) && value == "r kernel-ridge")
            .map(|c| (c.pehe_mean, c.pehe_sd));
    }
    if study == "selection" {
        // The EBM's printed cell was chosen, too: the chosen runs of every method are held against it.
        let cell = printed.table1(*d, *n, "R", true).filter(|_| arm.contains(TEN_BEST));
        return cell.map(|c| (c.pehe_mean, c.pehe_sd));
    }
    if !matches!(study, "table1" | "table-power" | "table-polynomial" | "table-ridge" | "ihdp" | "ihdp-npci")
    {
        return None;
    }
    let with_ebm = match arm {
        "raw" => false,
        // A constant column beside the EBM is ours.
        arm if arm.starts_with("ebm-") && !arm.ends_with("+1") => true,
        _ => return None,
    };
    let table = if regressor == "power" { "power-transform" } else { regressor };
    let same = |c: &&LearnerCell| {
        c.regressor == table
            && (&c.dataset, c.d, c.n) == (block, *d, *n)
            && c.learner.eq_ignore_ascii_case(learner)
            && c.with_ebm == with_ebm
    };
    printed.learners.iter().find(same).map(|c| (c.pehe_mean, c.pehe_sd))
}

/// z and what it says. Both means have a standard error, over runs; the printed one is over ten. What other
/// rows would give is not in it: where rows are not the authors', see [`Rows`], a large z may be theirs.
pub(super) fn compare(printed: Option<(f64, f64)>, ours: &Summary) -> (Option<f64>, &'static str) {
    let Some((mean, sd)) = printed else { return (None, "not printed") };
    // A run that is many times the others makes a mean that says nothing, and a z that is small.
    if ours.mean > 2.0 * ours.median {
        return (None, DIVERGED);
    }
    let difference = ours.mean - mean;
    // What is printed is rounded: uniform within half a unit, variance unit²/12. So a printed sd of 0.00 may be
    // one of 0.005.
    let rounding = UNIT * UNIT / 12.0;
    let variance = (sd * sd + UNIT_OF_SD * UNIT_OF_SD / 12.0) / 10.0;
    let z = difference / (ours.se().powi(2) + variance + rounding).sqrt();
    // Rounded to three decimals it is the printed one. The last bits of a binary number are not a digit.
    let same_digits = difference.abs() <= UNIT / 2.0 + 1e-9;
    // Runs that differ by more than a digit have the printed ones by chance.
    let verdict = if same_digits && ours.sd < UNIT {
        "same digits"
    } else if same_digits || z.abs() <= FAR {
        "agrees"
    } else if difference < 0.0 {
        "ours is lower"
    } else {
        "ours is higher"
    };
    (Some(z), verdict)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_the_same_where_every_run_has_them_and_not_by_chance() {
        let ours = |sd: f64| Summary { runs: 10, mean: 2.0004, median: 2.0004, sd };
        assert_eq!(compare(Some((2.0, 0.0)), &ours(0.0)).1, "same digits");
        assert_eq!(compare(Some((2.0, 0.0)), &ours(0.01)).1, "agrees", "a chance hit");
        assert_eq!(compare(Some((2.1, 0.0)), &ours(0.01)).1, "ours is lower");
        assert_eq!(compare(Some((2.001, 0.0)), &ours(0.0)).1, "agrees", "2.0004 rounds to 2.000");
    }

    #[test]
    fn nothing_is_printed_beside_a_constant_column_or_the_text_s_protocol() {
        let (printed, twins) = (Printed::load(), ("twins".to_owned(), 48, 500));
        let of = |protocol, arm| find(&printed, "table1", protocol, &twins, arm, "r kernel-ridge").is_some();
        assert!(of(Protocol::Released, "ebm-pairwise") && of(Protocol::Released, "raw"));
        assert!(!of(Protocol::Released, "ebm-pairwise+1") && !of(Protocol::Paper, "ebm-pairwise"));
    }

    #[test]
    fn only_synthetic_rows_are_the_authors_own() {
        assert_eq!(Rows::of("table1", "synthetic-d100"), Rows::Same);
        assert_eq!(Rows::of("table2", "twins"), Rows::Other);
        assert_eq!(Rows::of("ihdp-npci", "ihdp"), Rows::OtherSplit);
    }
}

//! What the paper prints for a number of a study, and how ours compares.

use super::super::{Arm, Fit, Quantity, RegressorKind, Summary};
use super::CHOSEN_BY;
use crate::printed::{Block, LearnerCell, Printed, REDUCTIONS, ReductionCell, TablePlace};
use ebmbook::data::Protocol;
use strum::{Display, EnumIter};

/// Whose rows our numbers are from, where the paper prints one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Display)]
pub enum Whose {
    /// The authors' own: synthetic data follow from their program.
    #[strum(serialize = "same")]
    Same,
    /// The authors' outcomes, another split into training and test rows.
    #[strum(serialize = "other split")]
    OtherSplit,
    /// Another cut of the file or another draw of the outcomes.
    #[strum(serialize = "other rows")]
    Other,
}

impl Whose {
    pub(super) fn of(study: &str, block: Block) -> Self {
        match study {
            _ if block.is_synthetic() => Self::Same,
            "ihdp-npci" => Self::OtherSplit,
            _ => Self::Other,
        }
    }
}

/// How a number compares with the printed one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Display, EnumIter)]
pub enum Comparison {
    /// Every run rounds to the printed digits.
    #[strum(serialize = "same digits")]
    SameDigits,
    /// Within a few standard errors.
    #[strum(serialize = "agrees")]
    Agrees,
    /// Ours is beyond them, below.
    #[strum(serialize = "ours is lower")]
    Lower,
    /// Ours is beyond them, above.
    #[strum(serialize = "ours is higher")]
    Higher,
    /// One of our runs is many times the others.
    #[strum(serialize = "a run diverged")]
    Diverged,
    /// Runs that were chosen by their test error: nothing is compared.
    #[strum(serialize = "chosen")]
    Chosen,
    /// The paper has no such number.
    #[strum(serialize = "not printed")]
    NotPrinted,
}

/// Printed means have three decimals.
const UNIT: f64 = 0.001;
/// Printed standard deviations have two.
const UNIT_OF_SD: f64 = 0.01;
/// Beyond so many standard errors two means of ten runs differ; by chance one pair in 130 (Student's t with 18
/// degrees of freedom).
const FAR: f64 = 3.0;

/// Printed mean and standard deviation of a number.
pub(super) fn find(
    printed: &Printed,
    study: &str,
    protocol: Protocol,
    (block, d, n): TablePlace,
    arm: Arm,
    value: Quantity,
) -> Option<(f64, f64)> {
    // The text's protocol has other data: nothing printed belongs beside it.
    let fit = match value {
        Quantity::Pehe(_) if protocol == Protocol::Released => value.fit()?,
        _ => return None,
    };
    if matches!(study, "table2" | "table-a1") {
        let cell = reduction_cell(printed, (block, d, n), arm).filter(|_| value == CHOSEN_BY);
        return cell.map(|c| (c.pehe_mean, c.pehe_sd));
    }
    if study == "selection" {
        // The EBM's printed cell was chosen, too, and stands beside its runs that were chosen.
        let cell = printed.table1(d, n, "R", true).filter(|_| arm.is_ebm() && arm.ten_best_of.is_some());
        return cell.map(|c| (c.pehe_mean, c.pehe_sd));
    }
    if !matches!(study, "table1" | "table-power" | "table-polynomial" | "table-ridge" | "ihdp" | "ihdp-npci")
    {
        return None;
    }
    let with_ebm = match arm {
        Arm::RAW => false,
        // A constant column beside the EBM is ours.
        arm if arm.is_ebm() && !arm.constant => true,
        _ => return None,
    };
    learner_cell(printed, (block, d, n), fit, with_ebm).map(|c| (c.pehe_mean, c.pehe_sd))
}

/// The cell of a table over reductions in which an arm stands.
pub(in crate::study) fn reduction_cell(
    printed: &Printed,
    place: TablePlace,
    arm: Arm,
) -> Option<&ReductionCell> {
    let mut known = REDUCTIONS.into_iter().chain([("ebm-pairwise", "EBM")]);
    let (_, name) = known.find(|(ours, _)| *ours == arm.to_string())?;
    printed.reductions.iter().find(|c| (c.dataset, c.d, c.n) == place && c.reduction == name)
}

/// The cell of a table over learners.
pub(in crate::study) fn learner_cell(
    printed: &Printed,
    place: TablePlace,
    fit: Fit,
    with_ebm: bool,
) -> Option<&LearnerCell> {
    let regressor = match fit.regressor {
        RegressorKind::Power => "power-transform".to_owned(),
        other => other.to_string(),
    };
    let same = |c: &&LearnerCell| {
        c.regressor == regressor
            && (c.dataset, c.d, c.n) == place
            && c.learner.eq_ignore_ascii_case(&fit.learner.to_string())
            && c.with_ebm == with_ebm
    };
    printed.learners.iter().find(same)
}

/// z and what it says. Both means have a standard error, over runs; the printed one is over ten. What other
/// rows would give is not in it: where rows are not the authors', see [`Whose`], a large z may be theirs.
pub(super) fn compare(printed: Option<(f64, f64)>, ours: &Summary) -> (Option<f64>, Comparison) {
    let Some((mean, sd)) = printed else { return (None, Comparison::NotPrinted) };
    // A run that is many times the others makes a mean that says nothing, and a z that is small.
    if ours.mean > 2.0 * ours.median {
        return (None, Comparison::Diverged);
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
        Comparison::SameDigits
    } else if same_digits || z.abs() <= FAR {
        Comparison::Agrees
    } else if difference < 0.0 {
        Comparison::Lower
    } else {
        Comparison::Higher
    };
    (Some(z), verdict)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_the_same_where_every_run_has_them_and_not_by_chance() {
        let ours = |sd: f64| Summary { runs: 10, mean: 2.0004, median: 2.0004, sd };
        assert_eq!(compare(Some((2.0, 0.0)), &ours(0.0)).1, Comparison::SameDigits);
        assert_eq!(compare(Some((2.0, 0.0)), &ours(0.01)).1, Comparison::Agrees, "a chance hit");
        assert_eq!(compare(Some((2.1, 0.0)), &ours(0.01)).1, Comparison::Lower);
        assert_eq!(compare(Some((2.001, 0.0)), &ours(0.0)).1, Comparison::Agrees, "2.0004 rounds to 2.000");
    }

    #[test]
    fn nothing_is_printed_beside_a_constant_column_or_the_text_s_protocol() {
        let (printed, twins) = (Printed::load(), (Block::Twins, 48, 500));
        let of = |protocol, arm| find(&printed, "table1", protocol, twins, arm, CHOSEN_BY).is_some();
        assert!(of(Protocol::Released, Arm::EBM) && of(Protocol::Released, Arm::RAW));
        assert!(!of(Protocol::Released, Arm::EBM.plus_constant()) && !of(Protocol::Paper, Arm::EBM));
    }

    #[test]
    fn only_synthetic_rows_are_the_authors_own() {
        assert_eq!(Whose::of("table1", Block::SyntheticD100), Whose::Same);
        assert_eq!(Whose::of("table2", Block::Twins), Whose::Other);
        assert_eq!(Whose::of("ihdp-npci", Block::Ihdp), Whose::OtherSplit);
    }
}

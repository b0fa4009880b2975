//! Do the printed tables agree with the printed statements, and with one another?
//!
//! Every comparison is between numbers printed to the same three decimals, so that equal means
//! equal.

use super::{Block, LearnerCell, Printed, ReductionCell};

/// What a disagreement is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum DisagreementKind {
    /// One cell is printed twice, with two numbers.
    Repeated,
    /// The EBM with the R-learner, in a table over learners and in one over reductions.
    AcrossTables,
    /// Bold although the other of the pair, or of the row, is lower; or lower but not bold.
    Bold,
    /// Marked as best of its row although another is lower.
    Best,
}

impl DisagreementKind {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Repeated, Self::AcrossTables, Self::Bold, Self::Best];

    /// In words.
    pub fn describe(self) -> &'static str {
        match self {
            Self::Repeated => "cells printed twice with two numbers",
            Self::AcrossTables => "R with EBM printed differently by learner and by reduction",
            Self::Bold => "bold that does not mark the lower number",
            Self::Best => "best of row that is not the lowest",
        }
    }
}

/// Two places of the paper that do not agree.
#[derive(Clone, Debug, serde::Serialize)]
pub struct Disagreement {
    /// What it is about.
    pub kind: DisagreementKind,
    /// Where, and the two numbers.
    pub what: String,
    /// Data set, d, n and learner or reduction: disagreements of one place may all come from one slip.
    pub place: String,
    /// A cell that takes part.
    #[serde(skip)]
    cell: At,
}

/// Position of a cell in a table over learners, or over reductions.
#[derive(Clone, Copy, Debug, PartialEq)]
enum At {
    Learners(usize),
    Reductions(usize),
}

impl Disagreement {
    fn of_learner(kind: DisagreementKind, what: String, cells: &[LearnerCell], i: usize) -> Self {
        let c = &cells[i];
        let place = place(c.dataset, c.d, c.n, &format!("{} {}", c.learner, c.regressor));
        Self { kind, what, place, cell: At::Learners(i) }
    }

    fn of_reduction(kind: DisagreementKind, what: String, cells: &[ReductionCell], i: usize) -> Self {
        let c = &cells[i];
        // Tables over reductions have the R-learner with kernel ridge.
        let method = if c.reduction == "EBM" { "R kernel-ridge" } else { &c.reduction };
        Self { kind, what, place: place(c.dataset, c.d, c.n, method), cell: At::Reductions(i) }
    }
}

/// Blocks of synthetic data share settings.
fn place(dataset: Block, d: usize, n: usize, method: &str) -> String {
    format!("{} d={d} n={n} {method}", dataset.data())
}

/// Every disagreement, in the order of the tables.
///
/// ```
/// use paper_checks::printed::{Printed, consistency::{DisagreementKind, disagreements}};
/// let found = disagreements(&Printed::load());
/// assert!(found.iter().any(|d| d.kind == DisagreementKind::AcrossTables && d.what.contains("ihdp")));
/// ```
pub fn disagreements(printed: &Printed) -> Vec<Disagreement> {
    let mut found = Vec::new();
    repeated_learners(&printed.learners, &mut found);
    repeated_reductions(&printed.reductions, &mut found);
    across_tables(printed, &mut found);
    marks_of_learners(&printed.learners, &mut found);
    marks_of_reductions(&printed.reductions, &mut found);
    found
}

/// The tables without the cells that disagree: nothing is left to find in them.
pub fn reconciled(printed: &Printed) -> Printed {
    let mut left = printed.clone();
    loop {
        let found = disagreements(&left);
        if found.is_empty() {
            return left;
        }
        let stays = |at: At| !found.iter().any(|d| d.cell == at);
        left.learners = kept(left.learners, |i| stays(At::Learners(i)));
        left.reductions = kept(left.reductions, |i| stays(At::Reductions(i)));
    }
}

fn kept<T>(cells: Vec<T>, stays: impl Fn(usize) -> bool) -> Vec<T> {
    cells.into_iter().enumerate().filter(|(i, _)| stays(*i)).map(|(_, cell)| cell).collect()
}

fn name(c: &LearnerCell) -> String {
    let with = if c.with_ebm { "with" } else { "without" };
    format!("{}, {} d={} n={} {} {with} EBM", c.table, c.dataset, c.d, c.n, c.learner)
}

/// Table 1 is printed again in the appendix; d = 100, n = 250 stands in two blocks of each table.
fn repeated_learners(cells: &[LearnerCell], found: &mut Vec<Disagreement>) {
    let cell = |c: &LearnerCell| (c.dataset.data(), c.d, c.n, c.with_ebm);
    let names = |c: &LearnerCell| (c.regressor.clone(), c.learner.clone());
    for (i, c) in cells.iter().enumerate() {
        let twice = |o: &&LearnerCell| cell(o) == cell(c) && names(o) == names(c);
        if let Some(other) = cells[..i].iter().find(|o| twice(o) && o.pehe_mean != c.pehe_mean) {
            let what = format!("{}: {} but {} in {}", name(c), c.pehe_mean, other.pehe_mean, name(other));
            found.push(Disagreement::of_learner(DisagreementKind::Repeated, what, cells, i));
        }
    }
}

fn repeated_reductions(cells: &[ReductionCell], found: &mut Vec<Disagreement>) {
    for (i, c) in cells.iter().enumerate() {
        let cell = |c: &ReductionCell| (c.dataset.data(), c.d, c.n, c.reduction.clone());
        if let Some(other) = cells[..i].iter().find(|o| cell(o) == cell(c) && o.pehe_mean != c.pehe_mean) {
            let what = format!(
                "{}, {} d={} n={} {}: {} but {} in {}",
                c.table, c.dataset, c.d, c.n, c.reduction, c.pehe_mean, other.pehe_mean, other.table
            );
            found.push(Disagreement::of_reduction(DisagreementKind::Repeated, what, cells, i));
        }
    }
}

/// The EBM column of a table over reductions is the R-learner with EBM of a table over learners.
fn across_tables(printed: &Printed, found: &mut Vec<Disagreement>) {
    for (i, c) in printed.reductions.iter().enumerate().filter(|(_, c)| c.reduction == "EBM") {
        let same = |l: &&LearnerCell| {
            l.regressor == "kernel-ridge"
                && l.learner == "R"
                && l.with_ebm
                && (l.dataset, l.d, l.n) == (c.dataset, c.d, c.n)
        };
        if let Some(l) = printed.learners.iter().find(|l| same(l) && l.pehe_mean != c.pehe_mean) {
            let what = format!(
                "{} d={} n={} R with EBM: {} in {}, {} in {}",
                c.dataset, c.d, c.n, l.pehe_mean, l.table, c.pehe_mean, c.table
            );
            found.push(Disagreement::of_reduction(
                DisagreementKind::AcrossTables,
                what,
                &printed.reductions,
                i,
            ));
        }
    }
}

fn marks_of_learners(cells: &[LearnerCell], found: &mut Vec<Disagreement>) {
    for (i, c) in cells.iter().enumerate() {
        let row = |o: &&LearnerCell| (&o.table, o.dataset, o.d, o.n) == (&c.table, c.dataset, c.d, c.n);
        let mut report = |kind, what: String| {
            found.push(Disagreement::of_learner(kind, what, cells, i));
        };
        let partner = cells.iter().find(|o| row(o) && o.learner == c.learner && o.with_ebm != c.with_ebm);
        if let Some(p) = partner {
            if c.printed_bold && c.pehe_mean > p.pehe_mean {
                report(
                    DisagreementKind::Bold,
                    format!("{}: {} is bold, {} is not", name(c), c.pehe_mean, p.pehe_mean),
                );
            } else if !c.printed_bold && c.pehe_mean < p.pehe_mean {
                report(
                    DisagreementKind::Bold,
                    format!("{}: {} is not bold, {} is higher", name(c), c.pehe_mean, p.pehe_mean),
                );
            }
        }
        let lowest = cells.iter().filter(row).map(|o| o.pehe_mean).fold(f64::MAX, f64::min);
        if c.printed_best_of_row && c.pehe_mean > lowest {
            report(
                DisagreementKind::Best,
                format!("{}: {} is marked, {lowest} is lower", name(c), c.pehe_mean),
            );
        }
    }
}

fn marks_of_reductions(cells: &[ReductionCell], found: &mut Vec<Disagreement>) {
    for (i, c) in cells.iter().enumerate().filter(|(_, c)| c.printed_bold) {
        let row = |o: &&ReductionCell| (&o.table, o.dataset, o.d, o.n) == (&c.table, c.dataset, c.d, c.n);
        let lowest = cells.iter().filter(row).map(|o| o.pehe_mean).fold(f64::MAX, f64::min);
        if c.pehe_mean > lowest {
            let what = format!(
                "{}, {} d={} n={} {}: {} is bold, {lowest} is lower",
                c.table, c.dataset, c.d, c.n, c.reduction, c.pehe_mean
            );
            found.push(Disagreement::of_reduction(DisagreementKind::Bold, what, cells, i));
        }
    }
}

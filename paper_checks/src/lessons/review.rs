//! Notebook 10: what holds, what does not, and on which choices it rests.

use crate::checks::{self, Context};
use crate::claim::{self, Claim};
use crate::deviation::{self, Deviation};
use crate::verdict::Verdict;
use ebmbook::show::{Answer, Card, Table, table};

pub use super::start::{counts, verdicts};

fn verdict(name: &str) -> Verdict {
    match name {
        "holds" => Verdict::Holds,
        "holds-with-caveat" => Verdict::HoldsWithCaveat,
        "fails" => Verdict::Fails,
        "inconclusive" => Verdict::Inconclusive,
        other => panic!("no verdict is called `{other}`"),
    }
}

fn with(part: &str, name: &str) -> Vec<&'static Claim> {
    let (part, wanted) = (super::start::part(part), verdict(name));
    claim::registry().iter().filter(|c| c.part == part && c.recorded == wanted).collect()
}

/// The claims of one part with one verdict, in our words.
pub fn claims_that(part: &str, name: &str) -> Table {
    with(part, name)
        .into_iter()
        .fold(table(format!("Claims on record as `{name}`"), &["claim", "statement"]), |t, c| {
            t.row(&[c.id.as_str(), c.statement.as_str()])
        })
}

/// What each of these verdicts means.
pub fn meanings(part: &str, name: &str) -> Table {
    with(part, name).into_iter().fold(table("What it means", &["claim", "meaning"]), |t, c| {
        t.row(&[c.id.as_str(), c.meaning.as_str()])
    })
}

/// The ledger: every choice the workbook had to make, by the words its place begins with.
pub fn ledger(place: &str) -> Table {
    let of = |d: &&Deviation| d.place.starts_with(place);
    deviation::ledger()
        .iter()
        .filter(of)
        .fold(table(format!("Deviations, {place}"), &["id", "the paper", "here"]), |t, d| {
            t.row(&[&d.id, &d.paper, &d.choice])
        })
}

/// How many choices there are.
pub fn choices() -> usize {
    deviation::ledger().len()
}

/// One deviation in full.
///
/// # Panics
/// If there is no such deviation.
pub fn deviation(id: &str) -> Card {
    let all = deviation::ledger();
    let d = all.iter().find(|d| d.id == id).unwrap_or_else(|| panic!("no deviation is called `{id}`"));
    let card = Card::new(&d.id, &d.place, ebmbook::show::Tone::Open)
        .line("the paper", &d.paper)
        .line("here", &d.choice)
        .line("because", &d.reason);
    match &d.parameter {
        Some(parameter) => card.line("change it", parameter),
        None => card,
    }
}

/// The verdict on a claim at half, at once and at twice its tolerances.
///
/// # Panics
/// If a claim cannot be measured.
pub fn sensitivity(ids: &[&str], context: &Context) -> Table {
    let header = ["claim", "half the tolerance", "as stated", "twice the tolerance"];
    ids.iter().fold(table("How much a verdict depends on its tolerance", &header), |t, id| {
        let claim = claim::find(id).unwrap_or_else(|| panic!("no claim is called `{id}`"));
        let report = checks::run(claim, context).expect("a measurement");
        let [half, twice] = report.at_half_and_double.map(|v| v.to_string());
        t.row(&[(*id).to_owned(), half, report.verdict.to_string(), twice])
    })
}

/// The controls of a claim: what is broken on purpose, and what the check must say.
///
/// # Panics
/// If there is no such claim.
pub fn controls(id: &str) -> Table {
    let claim = claim::find(id).unwrap_or_else(|| panic!("no claim is called `{id}`"));
    claim
        .controls
        .iter()
        .fold(table(format!("Controls of {id}"), &["control", "what it does", "must say"]), |t, c| {
            t.row(&[c.id.as_str(), c.breaks.as_str(), &c.expect.to_string()])
        })
}

/// Exercise 1: the verdict for a proposition that is right with a wrong proof.
pub fn exercise_proof(proposition: &str, proof: &str) -> Answer {
    let right = claim::find("approximation").map(|c| c.recorded.to_string()) == Some(proposition.into())
        && claim::find("approximation-linear-proof").map(|c| c.recorded.to_string()) == Some(proof.into());
    Answer::new(
        right,
        format!("{proposition}, {proof}"),
        "Look for `approximation` and `approximation-linear-proof` in the tables.",
    )
}

/// Exercise 2: which claim, if it held, would rescue the promise of the abstract?
pub fn exercise_promise(id: &str) -> Answer {
    Answer::word(
        id,
        "cate-consistency",
        "The abstract promises consistent effect estimates. Which claim says that?",
    )
}

/// Exercise 3: is a recorded `fails` a red test?
pub fn exercise_red(answer: &str) -> Answer {
    Answer::word(answer, "no", "Red is a verdict that differs from the one on record.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_exercise_can_be_right_and_wrong() {
        assert!(exercise_proof("holds", "fails").is_right() && !exercise_proof("holds", "holds").is_right());
        assert!(
            exercise_promise("cate-consistency").is_right() && !exercise_promise("sufficiency").is_right()
        );
        assert!(exercise_red("no").is_right() && !exercise_red("yes").is_right());
    }
}

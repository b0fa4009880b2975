//! Notebook 10: what holds, what does not, and on which choices it rests.

use super::{Judged, judged};
use crate::claims::{self, Context, Scale};
use crate::pictures::committed;
use crate::printed::{Block, Printed, consistency};
use crate::registry::{self, Claim, Deviation, Kind, Verdict};
use crate::study::Quantity;
use crate::study::table::{Comparison, Row, Whose};
use ebmbook::show::{Answer, Card, Figure, Table, format_number, table};
use strum::IntoEnumIterator;

pub use super::start::{counts, gate};

/// # Panics
/// If no verdict has this name.
fn verdict(name: &str) -> Verdict {
    Verdict::iter().find(|v| v.to_string() == name).unwrap_or_else(|| panic!("no verdict is called `{name}`"))
}

/// By the verdict at full scale: quick scale leaves open what is decided there.
fn with(part: &str, name: &str) -> Vec<&'static Claim> {
    let (part, wanted) = (super::start::part(part), verdict(name));
    let of = |c: &&Claim| c.part == part && c.recorded_at(Scale::Full) == wanted;
    claims::all().filter(of).collect()
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

/// Questions that a reviewer would ask with their answers at full scale, and the theorems.
pub fn answers() -> Table {
    let beside = claims::all().filter(|c| c.kind != Kind::Claim);
    let start = table("Beside the claims", &["entry", "on record", "question or theorem", "what it means"]);
    beside.fold(start, |t, c| {
        let word = c.recorded_at(Scale::Full).to_string();
        t.row(&[c.id.as_str(), &word, c.statement.as_str(), c.meaning.as_str()])
    })
}

/// The ledger: every choice the workbook had to make, by the words its place begins with.
pub fn ledger(place: &str) -> Table {
    let of = |d: &&Deviation| d.place.starts_with(place);
    registry::ledger()
        .iter()
        .filter(of)
        .fold(table(format!("Deviations, {place}"), &["id", "the paper", "here"]), |t, d| {
            t.row(&[&d.id, &d.paper, &d.choice])
        })
}

/// How many choices there are.
pub fn choices() -> usize {
    registry::ledger().len()
}

/// One deviation in full.
///
/// # Panics
/// If there is no such deviation.
pub fn deviation(id: &str) -> Card {
    let all = registry::ledger();
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

/// Claims about the experiments that the full-scale results leave open, and what would decide them.
///
/// # Panics
/// If there are no committed results.
pub fn open(context: &Context) -> Table {
    let start = table("Not decided", &["claim", "what is missing"]);
    with("experiments", "inconclusive").into_iter().fold(start, |t, c| {
        let lacking: Vec<String> =
            judged(&c.id, context).report().open.iter().map(ToString::to_string).collect();
        t.row(&[c.id.clone(), lacking.join("; ")])
    })
}

/// Several claims, each measured and judged once.
#[derive(Clone, Debug)]
pub struct Verdicts {
    all: Vec<Judged>,
}

/// Judges these claims.
///
/// # Panics
/// If a claim cannot be measured.
pub fn judge(ids: &[&str], context: &Context) -> Verdicts {
    Verdicts { all: ids.iter().map(|id| judged(id, context)).collect() }
}

/// Judges every claim about the experiments on the committed results.
///
/// # Panics
/// If there are no committed results.
pub fn judge_experiments(context: &Context) -> Verdicts {
    let of = claims::all().filter(|c| c.part == super::start::part("experiments"));
    Verdicts { all: of.map(|c| judged(&c.id, context)).collect() }
}

impl Verdicts {
    /// The card of one of them.
    ///
    /// # Panics
    /// If it was not asked for.
    pub fn card(&self, id: &str) -> Card {
        let found = self.all.iter().find(|j| j.id() == id);
        found.unwrap_or_else(|| panic!("`{id}` was not judged here")).card()
    }

    /// Those whose verdict changes at half or at twice the tolerances, and how many there are in all.
    pub fn that_move(&self) -> Table {
        let header = ["claim", "half the tolerance", "as stated", "twice the tolerance"];
        let moving = self.all.iter().filter(|j| {
            let [half, stated, twice] = j.at_tolerances();
            half != stated || twice != stated
        });
        let title = format!("Verdicts that hang on their tolerance, of {}", self.all.len());
        moving.fold(table(title, &header), |t, j| {
            t.row(&[&[j.id().to_owned()], &j.at_tolerances().map(|v| v.to_string())[..]].concat())
        })
    }
}

/// Places of the paper that contradict one another, by kind.
pub fn disagreements() -> Table {
    let found = consistency::disagreements(&Printed::load());
    let header = ["what disagrees", "how often", "for example"];
    consistency::DisagreementKind::ALL.iter().fold(
        table("The printed tables against themselves", &header),
        |t, kind| {
            let of: Vec<_> = found.iter().filter(|d| d.kind == *kind).collect();
            let example = of.first().map_or("", |d| d.what.as_str());
            t.row(&[kind.describe(), &of.len().to_string(), example])
        },
    )
}

/// Printed cells without EBM that we do not get, by table and learner: how many of how many lie more than
/// three standard errors from ours, what the paper prints there and what we find.
///
/// # Panics
/// If there are no committed results.
pub fn not_reproduced() -> Table {
    let header = ["study", "learner", "cells", "far from ours", "printed", "ours"];
    let start = table("Without EBM, printed and not reproduced", &header);
    ["table1", "table-power", "table-polynomial", "table-ridge", "ihdp-npci"].iter().fold(
        start,
        |t, study| {
            let rows = committed::rows(&[study]);
            rows.values_of("raw")
                .into_iter()
                .filter(|v| !matches!(v.parse(), Ok(Quantity::Noiseless(_))))
                .fold(t, |t, value| {
                    let printed = |r: &&&Row| r.block != Block::Twins && r.printed.is_some();
                    let all = rows.of("raw", &value);
                    let known: Vec<&&Row> = all.iter().filter(printed).collect();
                    let far: Vec<&&Row> = known.iter().copied().filter(|r| is_far(r)).collect();
                    if far.is_empty() {
                        return t;
                    }
                    let range = |of: &dyn Fn(&Row) -> f64| {
                        let (low, high) = far.iter().fold((f64::INFINITY, 0.0_f64), |(l, h), r| {
                            let v = of(r);
                            (l.min(v), h.max(v))
                        });
                        format!("{} to {}", format_number(low), format_number(high))
                    };
                    t.row(&[
                        (*study).to_owned(),
                        value.clone(),
                        known.len().to_string(),
                        far.len().to_string(),
                        range(&|r| r.printed.unwrap_or(f64::NAN)),
                        range(&|r| r.ours),
                    ])
                })
        },
    )
}

/// More than three standard errors apart; where the cut of the rows is not the authors', by a factor of
/// two.
fn is_far(row: &Row) -> bool {
    let ratio = row.printed.map_or(1.0, |printed| printed / row.ours);
    let counts = row.rows == Some(Whose::Same) && row.z.is_some();
    if counts {
        [Comparison::Lower, Comparison::Higher].contains(&row.verdict)
    } else {
        !(0.5..=2.0).contains(&ratio)
    }
}

/// The fair ladder: noiseless truth, a regression with an intercept (`ridge` or `rbf`), fresh draws of the
/// data, one dot for each representation.
///
/// # Panics
/// If there are no committed results.
pub fn ladder(regressor: &str) -> Figure {
    let rows = committed::rows(&["fair-ladder"]);
    let (settings, value) = (rows.settings("synthetic"), format!("t {regressor}, noiseless"));
    let names = [
        ("raw", "covariates"),
        ("pca", "PCA"),
        ("latent", "latent U"),
        ("kmeans-distances", "k-means distances"),
        ("ebm random folds", "EBM, random folds"),
        ("ebm k-means folds", "EBM, k-means folds"),
        ("ebm soft folds", "EBM, soft folds"),
    ];
    let figure = Figure::new(format!("The fair ladder, released: T-learner, {regressor}, noiseless truth"))
        .size(720, 420)
        .x("PEHE, outcome units (95 % interval over draws of the data)")
        .y_categories(&committed::names(&settings))
        .dots("one constant", &rows.constant(&settings, "raw", &value));
    names.iter().fold(figure, |f, (arm, name)| f.dots(name, &rows.ours(&settings, arm, &value)))
}

/// The controls of a claim: what is broken on purpose, and what the check must say.
///
/// # Panics
/// If there is no such claim.
pub fn controls(id: &str) -> Table {
    let claim = claims::find(id).unwrap_or_else(|| panic!("no claim is called `{id}`"));
    claim
        .controls
        .iter()
        .fold(table(format!("Controls of {id}"), &["control", "what it does", "must say"]), |t, c| {
            t.row(&[c.id.as_str(), c.breaks.as_str(), &c.expect.to_string()])
        })
}

/// Exercise 1: how many times the runs does it take to decide a value that is two standard errors from its
/// bound, if nothing else changes?
pub fn exercise_runs(times: f64) -> Answer {
    let hint = "A standard error falls like one over the root of the number of runs.";
    Answer::close(times, (gate() / 2.0).powi(2), 0.05, hint)
}

/// Exercise 2: which claim, if it held, would rescue the promise of the abstract?
pub fn exercise_promise(id: &str) -> Answer {
    let hint = "The abstract promises consistent effect estimates. Which claim says that?";
    Answer::word(id, "cate-consistency", hint)
}

/// Exercise 3: the control of a claim that is mended rather than broken.
///
/// # Panics
/// If there is no such claim.
pub fn exercise_mended(claim: &str, control: &str) -> Answer {
    let claim = claims::find(claim).unwrap_or_else(|| panic!("no claim is called `{claim}`"));
    let mended = claim.controls.iter().any(|c| c.id == control && c.expect.is_met());
    Answer::new(
        mended,
        control,
        "Call `lesson::controls` with this claim. Of which control must the check say `holds`?",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_exercise_can_be_right_and_wrong() {
        assert!(exercise_runs(4.54).is_right() && !exercise_runs(2.0).is_right());
        assert!(exercise_promise("cate-consistency").is_right() && !exercise_promise("rate-in-d").is_right());
        let has_one = |c: &&Claim| c.controls.iter().any(|c| c.expect.is_met());
        let claim = claims::all().find(has_one).unwrap();
        let mended = |control| exercise_mended(&claim.id, control).is_right();
        assert!(claim.controls.iter().any(|c| mended(&c.id)) && !mended("nothing"));
    }
}

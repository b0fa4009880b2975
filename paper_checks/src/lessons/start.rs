//! Notebook 00: does everything run, and what came out in short.

use crate::claim::{self, Part};
use crate::printed::Printed;
use crate::verdict::Verdict;
use ebmbook::cate::Baselines;
use ebmbook::data::TrainTest;
use ebmbook::data::manifest::Manifest;
use ebmbook::data::synthetic::{Released, SETTINGS};
use ebmbook::show::{Answer, Figure, Table, format_number, table};

/// The workbook's version and whether each data file that ships is what it should be.
///
/// # Panics
/// If the data folder is missing.
pub fn environment() -> Table {
    let manifest = Manifest::find().expect("the data folder is part of the workbook");
    let start = table("Environment", &["what", "state"]).row(&["workbook", env!("CARGO_PKG_VERSION")]);
    manifest.entries().iter().fold(start, |t, entry| {
        let state = if manifest.read(&entry.name).is_ok() { "ok, the hash agrees" } else { "damaged" };
        t.row(&[format!("data: {}", entry.name), state.to_owned()])
    })
}

/// The eleven notebooks and their questions.
pub fn map() -> Table {
    let rows = [
        ("00", "What does the paper claim, and what came out?"),
        ("01", "Which data, and which noise?"),
        ("02", "Does f keep what matters, and only that?"),
        ("03", "What do the densities say about f?"),
        ("04", "Which densities can the model imitate?"),
        ("05", "Does training reach the truth?"),
        ("06", "What does f become with endless data?"),
        ("07", "Are effects estimated better with f? (Table 1)"),
        ("08", "Better than with other reductions? (Table 2)"),
        ("09", "Do runs agree, and on what? (Figure 3)"),
        ("10", "What holds, what does not?"),
    ];
    rows.iter().fold(table("The notebooks", &["notebook", "question"]), |t, (n, q)| t.row(&[*n, *q]))
}

/// Every claim of one part with the verdict on record.
///
/// # Panics
/// If the part is neither `theory` nor `experiments`.
pub fn verdicts(part: &str) -> Table {
    let part = self::part(part);
    let of = claim::registry().iter().filter(|c| c.part == part);
    of.fold(table("Verdicts on record", &["claim", "place", "verdict", "notebook"]), |t, c| {
        let number = c.notebook.split('_').next().unwrap_or_default();
        t.row(&[c.id.as_str(), c.place.as_str(), &super::cards::both(c), number])
    })
}

pub(super) fn part(name: &str) -> Part {
    match name {
        "theory" => Part::Theory,
        "experiments" => Part::Experiments,
        other => panic!("no part is called `{other}`; there are theory, experiments"),
    }
}

/// How many claims have each verdict.
pub fn counts() -> Figure {
    let all = [Verdict::Holds, Verdict::HoldsWithCaveat, Verdict::Fails, Verdict::Inconclusive];
    let count = |v: Verdict| claim::registry().iter().filter(|c| c.recorded == v).count() as f64;
    let bars: Vec<(f64, f64, f64, f64)> =
        all.iter().enumerate().map(|(i, v)| (i as f64, count(*v), count(*v), count(*v))).collect();
    Figure::new("Verdicts on record")
        .x("verdict")
        .y("claims")
        .x_categories(&all.map(|v| v.to_string()))
        .bars("claims of the registry", &bars)
}

/// One setting of the authors' synthetic data.
///
/// # Panics
/// If the setting is too large.
pub fn released(d: usize, n: usize) -> TrainTest {
    Released::new(d, n).expect("a sensible setting").generate()
}

/// The trivial predictors on one setting, beside what the paper prints.
///
/// # Panics
/// If the data have no truths.
pub fn baselines(data: &TrainTest) -> Table {
    let truth = data.test.noisy_effect().expect("potential outcomes");
    let errors = Baselines::new(&data.train, &data.test).map(|b| b.pehe(truth.view()));
    let errors = errors.expect("a training set").expect("finite effects");
    let (d, n) = (data.train.d(), data.train.n());
    let printed = Printed::load();
    let cell = |with_ebm: bool| printed.table1(d, n, "R", with_ebm).map_or(f64::NAN, |c| c.pehe_mean);
    let t = errors
        .iter()
        .fold(table(format!("PEHE, d = {d}, n = {n}"), &["predictor", "PEHE"]), |t, (name, e)| {
            t.numbers(format!("{name} (ours)"), &[*e])
        });
    t.numbers("R-learner with EBM (printed)", &[cell(true)])
        .numbers("R-learner without EBM (printed)", &[cell(false)])
}

/// The printed EBM beside predicting zero, in all nine settings.
///
/// # Panics
/// Never: the settings are fixed.
pub fn all_settings() -> Figure {
    let printed = Printed::load();
    let names: Vec<String> = SETTINGS.iter().map(|(d, n)| format!("d = {d}, n = {n}")).collect();
    let (mut zero, mut oracle, mut ebm) = (vec![], vec![], vec![]);
    for (i, (d, n)) in SETTINGS.iter().enumerate() {
        let data = released(*d, *n);
        let truth = data.test.noisy_effect().expect("potential outcomes");
        let errors =
            Baselines::new(&data.train, &data.test).expect("arms").pehe(truth.view()).expect("finite");
        let i = i as f64;
        let dot = |e: f64| (i, e, e, e);
        zero.push(dot(errors[0].1));
        oracle.push(dot(errors[2].1));
        let cell = printed.table1(*d, *n, "R", true).expect("every setting is printed");
        let half = 2.262 * cell.pehe_sd / 10_f64.sqrt();
        ebm.push((i, cell.pehe_mean, cell.pehe_mean - half, cell.pehe_mean + half));
    }
    Figure::new("Printed EBM, and what it stands next to")
        .size(680, 460)
        .x("PEHE, outcome units")
        .y_categories(&names)
        .dots("predicting zero", &zero)
        .dots("R-learner with EBM, printed", &ebm)
        .dots("true effect (oracle)", &oracle)
}

/// Exercise 1: the number of claims about the theory that are on record as failing.
pub fn exercise_fails(count: usize) -> Answer {
    let fails = |c: &&claim::Claim| c.part == Part::Theory && c.recorded == Verdict::Fails;
    let truth = claim::registry().iter().filter(fails).count();
    Answer::new(
        count == truth,
        count.to_string(),
        "Count the rows with `fails` in the table about the theory.",
    )
}

/// Exercise 2: the verdict on one claim.
pub fn exercise_verdict(id: &str, answer: &str) -> Answer {
    let truth = claim::find(id).map_or(String::new(), |c| c.recorded.to_string());
    Answer::word(answer, &truth, "Look it up in the table of verdicts.")
}

/// Exercise 3: the PEHE of predicting zero at d = 50, n = 100.
///
/// # Panics
/// Never: the setting is fixed.
pub fn exercise_zero(pehe: f64) -> Answer {
    let data = released(50, 100);
    let truth = data.test.noisy_effect().expect("potential outcomes");
    let zero =
        ebmbook::metrics::pehe(ndarray::Array1::zeros(truth.len()).view(), truth.view()).expect("finite");
    let hint = format!("It is in the table of trivial predictors; you said {}.", format_number(pehe));
    Answer::close(pehe, zero, 5e-4, &hint)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_exercise_can_be_right_and_wrong() {
        assert!(!exercise_fails(1000).is_right());
        assert!(exercise_verdict("sufficiency", "holds").is_right());
        assert!(!exercise_verdict("sufficiency", "fails").is_right());
        assert!(exercise_zero(1.919).is_right() && !exercise_zero(0.0).is_right());
    }
}

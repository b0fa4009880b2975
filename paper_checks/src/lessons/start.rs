//! Notebook 00: does everything run, and what came out in short.

use crate::claims::{self, Context, Scale};
use crate::printed::Printed;
use crate::registry::Part;
use crate::registry::Verdict;
use ebmbook::cate::Baselines;
use ebmbook::data::manifest::Manifest;
use ebmbook::data::synthetic::SETTINGS;
use ebmbook::data::{Covariates, TrainTest};
use ebmbook::ebm::{Ebm, Keep};
use ebmbook::metrics::t_half_width;
use ebmbook::seed::Seed;
use ebmbook::show::{Answer, Figure, Table, table};
use ebmbook::theory::mixture;

pub use crate::pictures::effects::{baselines, released};

/// The compiler, the data and one small training run: all that the notebooks need.
///
/// # Panics
/// If the data folder is missing or training fails.
pub fn environment(context: &Context) -> Table {
    let manifest = Manifest::find().expect("the data folder is part of the workbook");
    let asked = include_str!("../../../rust-toolchain.toml");
    let asked = asked.lines().find_map(|l| l.strip_prefix("channel = ")).unwrap_or("").trim_matches('"');
    let found = crate::study::Provenance::here().rustc;
    let compiler = if found.contains(asked) { "ok, the one that is asked for" } else { "another one" };
    let start = table("Environment", &["what", "state"])
        .row(&["workbook", env!("CARGO_PKG_VERSION")])
        .row(&[format!("compiler {asked}"), compiler.to_owned()]);
    let with_data = manifest.entries().iter().fold(start, |t, entry| {
        let state = if manifest.read(&entry.name).is_ok() { "ok, the hash agrees" } else { "damaged" };
        t.row(&[format!("data: {}", entry.name), state.to_owned()])
    });
    let seed = context.seed.child("environment");
    let (once, first, last) = tiny_run(seed);
    let learns = if last < first { "ok, the loss falls" } else { "the loss does not fall" };
    let same = |equal: bool| if equal { "ok, the same bits" } else { "other bits" };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().expect("three threads");
    let other = if tiny_run(seed.index(1)).0 == once { "the same bits" } else { "ok, other bits" };
    with_data
        .row(&["a small training run", learns])
        .row(&["the same seed again", same(tiny_run(seed).0 == once)])
        .row(&["the same seed with three threads", same(pool.install(|| tiny_run(seed).0) == once)])
        .row(&["another seed", other])
}

/// Weights after a few epochs, and the loss of the first and of the last.
fn tiny_run(seed: Seed) -> (Vec<f64>, f64, f64) {
    let train = Covariates::continuous(mixture::sample(200, seed.child("rows"))).expect("finite rows");
    let params =
        Ebm::params(2).hidden(&[8]).epochs(20).rate(1e-2).validation(0.0).patience(None).keep(Keep::Last);
    let ebm = Ebm::fit(&params, &train, seed.child("run")).expect("a small network can be trained");
    let loss: Vec<f64> = ebm.history().epochs.iter().map(|e| e.train).collect();
    (ebm.theta().to_vec(), loss[0], loss[loss.len() - 1])
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
    let of = claims::all().filter(|c| c.part == part);
    of.fold(table("Verdicts on record", &["claim", "place", "verdict", "notebook"]), |t, c| {
        let number = c.notebook.split('_').next().unwrap_or_default();
        t.row(&[c.id.as_str(), c.place.as_str(), &c.recorded_words(), number])
    })
}

pub(super) fn part(name: &str) -> Part {
    match name {
        "theory" => Part::Theory,
        "experiments" => Part::Experiments,
        other => panic!("no part is called `{other}`; there are theory, experiments"),
    }
}

/// How many claims have each verdict at full scale.
pub fn counts() -> Figure {
    let all = [Verdict::Holds, Verdict::HoldsWithCaveat, Verdict::Fails, Verdict::Inconclusive];
    let count = |v: Verdict| claims::all().filter(|c| c.recorded_at(Scale::Full) == v).count() as f64;
    let bars: Vec<(f64, f64, f64, f64)> =
        all.iter().enumerate().map(|(i, v)| (i as f64, count(*v), count(*v), count(*v))).collect();
    Figure::new("Verdicts on record at full scale")
        .x("verdict")
        .y("claims")
        .x_categories(&all.map(|v| v.to_string()))
        .bars("claims of the registry", &bars)
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
        let half = t_half_width(cell.pehe_sd / 10_f64.sqrt(), 10);
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

/// Exercise 1: the root mean square of the true effect at d = 50, n = 100, from the two PEHEs
/// of the table: noise and effect are independent, so their squares add up.
///
/// # Panics
/// If the data have no truths.
pub fn exercise_effect(data: &TrainTest, size: f64) -> Answer {
    let effect = data.test.effect().expect("effects");
    let truth = (effect.mapv(|t| t * t).mean().expect("rows")).sqrt();
    let hint = "Against noisy outcomes zero errs by effect and noise, the true effect by the noise alone. \
                Errors add up in squares.";
    // The sample correlation of effect and noise moves the difference of squares by about a hundredth.
    Answer::close(size, truth, 0.03, hint)
}

/// Exercise 2: is the printed R-learner with EBM better than predicting zero in this setting?
///
/// # Panics
/// If the setting is not printed.
pub fn exercise_better(data: &TrainTest, answer: &str) -> Answer {
    let (d, n) = (data.train.d(), data.train.n());
    let truth = data.test.noisy_effect().expect("potential outcomes");
    let zero = ebmbook::metrics::pehe(ndarray::Array1::zeros(truth.len()).view(), truth.view());
    let ebm = Printed::load().table1(d, n, "R", true).expect("a printed setting").pehe_mean;
    let better = if ebm < zero.expect("finite") { "yes" } else { "no" };
    Answer::word(answer, better, "Call `lesson::baselines` with data of this setting and compare two rows.")
}

/// Standard errors between a value and its bound that a gate asks for, with very many runs behind it.
///
/// ```
/// assert!((paper_checks::lessons::start::gate() - 4.265).abs() < 1e-3);
/// ```
pub fn gate() -> f64 {
    crate::registry::Value::estimated("gate", 0.0, 1.0).quantile(GATE)
}

/// The usual error rate of a gate.
const GATE: f64 = 1e-5;

/// Exercise 3: the verdict on a claim that demands at most 1 where 0.8 ± 0.1 was measured.
pub fn exercise_gate(answer: &str) -> Answer {
    use crate::registry::{Criterion, Rule, Scope, Value, verdict};
    let gate = Criterion {
        value: "v".into(),
        rule: Rule::AtMost,
        target: 0.0,
        tolerance: 1.0,
        reason: "an exercise".into(),
        alpha: GATE,
        scope: Scope::Stated,
    };
    let said = verdict(&[Value::estimated("v", 0.8, 0.1)], &[gate], 1.0);
    let hint =
        "How many standard errors lie between the value and the bound, and how many does a gate ask for?";
    Answer::word(answer, &said.to_string(), hint)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_exercise_can_be_right_and_wrong() {
        let (small, large) = (released(50, 100), released(100, 1_000));
        assert!(exercise_effect(&small, 1.31).is_right() && !exercise_effect(&small, 1.9).is_right());
        assert!(exercise_better(&large, "yes").is_right() && exercise_better(&small, "no").is_right());
        assert!(exercise_gate("inconclusive").is_right() && !exercise_gate("holds").is_right());
    }
}

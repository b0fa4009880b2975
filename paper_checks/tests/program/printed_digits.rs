//! The paper's cells without EBM, recomputed on the regenerated data, beside what it prints.
//!
//! T and X have nothing random in them but the seed of the classifier's probabilities, so they
//! must reproduce. DR and R draw folds without a seed: in Table 1 they agree in distribution. What
//! is printed for R in the other tables is not reproduced by any folds, and the snapshot says so
//! with both numbers.

use crate::support;
use ebmbook::cate::{DrLearner, Folding, Learner, Propensity, RLearner, Rows, Sample, TLearner, XLearner};
use ebmbook::data::TrainTest;
use ebmbook::data::synthetic::{Released, SETTINGS};
use ebmbook::metrics::pehe;
use ebmbook::regress::{self, KernelRidge, Regressor, Svc};
use ndarray::Array1;
use paper_checks::printed::Printed;
use std::fmt::Write;
use std::sync::Arc;

/// Seed of the classifier's probabilities and of the cross-fitting folds.
const SEED: u32 = 42;
/// Penalty of every outcome regression.
const ALPHA: f64 = 1.0;

/// One cell: what the paper prints and what we get.
struct Cell {
    regressor: &'static str,
    d: usize,
    n: usize,
    learner: &'static str,
    printed: f64,
    ours: f64,
}

impl Cell {
    fn difference(&self) -> f64 {
        (self.ours - self.printed).abs()
    }
}

/// The mean a table prints for a learner without EBM.
fn printed(table: &str, d: usize, n: usize, learner: &str) -> f64 {
    let printed = Printed::load();
    let cells: Vec<f64> = printed
        .learners
        .iter()
        .filter(|c| c.table == table && c.dataset.is_synthetic() && (c.d, c.n) == (d, n))
        .filter(|c| c.learner == learner && !c.with_ebm)
        .map(|c| c.pehe_mean)
        .collect();
    *cells.first().unwrap_or_else(|| panic!("{table} has no {learner} cell for d = {d}, n = {n}"))
}

/// Table of the paper and regressor, and which of X and R are recomputed besides T.
const TABLES: [(&str, &str, &[&str]); 4] = [
    ("main-table-1", "kernel-ridge", &["T", "X"]),
    ("ridge", "ridge", &["T", "X", "R"]),
    ("power-transform", "power", &["T", "X", "R"]),
    ("polynomial", "polynomial", &["T", "X", "R"]),
];

/// All cells of one setting; the classifier is fitted once for X and once a fold for R.
fn cells(d: usize, n: usize) -> Vec<Cell> {
    let TrainTest { train, test, .. } = Released::new(d, n).unwrap().generate();
    let sample = Sample::from_dataset(&train).unwrap();
    let truth = test.noisy_effect().unwrap();
    let svc = Propensity::model(Svc::new(SEED));
    let e_test = svc.fit(&sample).unwrap().of(test.x().into()).unwrap();
    let folding = Folding::ScikitLearn { k: 2, seed: SEED };
    let folds = folding.folds(sample.treated()).unwrap();
    let e_train = folds.propensity(&sample, &svc).unwrap();

    let estimate = |learner: &str, regressor: Arc<dyn Regressor>| -> Array1<f64> {
        let rows = Rows { x: test.x(), propensity: Some(e_test.view()) };
        match learner {
            "T" => TLearner::new(regressor).fit(&sample),
            "X" => XLearner::new(regressor, Propensity::Known).fit(&sample),
            _ => RLearner::new(regressor, svc.clone(), folding.clone()).fit_given(
                &sample,
                &folds,
                e_train.view(),
            ),
        }
        .unwrap()
        .at(rows)
        .unwrap()
    };
    let mut cells = Vec::new();
    for (table, name, learners) in TABLES {
        for learner in learners {
            let effects = estimate(learner, regress::by_name(name, ALPHA).unwrap());
            let ours = pehe(effects.view(), truth.view()).unwrap();
            cells.push(Cell { regressor: name, d, n, learner, printed: printed(table, d, n, learner), ours });
        }
    }
    cells
}

#[test]
fn printed_and_reproduced_stand_side_by_side() {
    let mut all: Vec<Cell> = SETTINGS.iter().flat_map(|(d, n)| cells(*d, *n)).collect();
    let order = |c: &Cell| TABLES.iter().position(|(_, name, _)| *name == c.regressor);
    all.sort_by_key(|c| (order(c), c.learner != "T", c.learner));
    let mut text = String::from("regressor     learner    d     n   printed  reproduced  verdict\n");
    for c in &all {
        let verdict = match (c.learner, c.difference()) {
            ("T", difference) if difference <= 0.001 => "reproduces",
            ("X", difference) if difference <= 0.002 => "reproduces",
            _ => "does not reproduce",
        };
        let Cell { regressor, d, n, learner, printed, ours } = c;
        writeln!(text, "{regressor:13} {learner:7} {d:4} {n:5} {printed:9.3} {ours:11.3}  {verdict}")
            .unwrap();
    }
    support::printed().bind(|| insta::assert_snapshot!(text));

    // Printed to three digits; the X-learner's classifier had a seed that nobody knows.
    let worst = |regressor: &str, learner: &str| {
        let of = |c: &&Cell| c.regressor == regressor && c.learner == learner;
        let differences: Vec<f64> = all.iter().filter(of).map(Cell::difference).collect();
        assert_eq!(differences.len(), SETTINGS.len());
        differences.into_iter().fold(0.0, f64::max)
    };
    for regressor in ["kernel-ridge", "ridge", "power", "polynomial"] {
        assert!(worst(regressor, "T") <= 0.001, "T with {regressor}: {}", worst(regressor, "T"));
    }
    for regressor in ["kernel-ridge", "ridge"] {
        assert!(worst(regressor, "X") <= 0.002, "X with {regressor}: {}", worst(regressor, "X"));
    }
}

/// PEHE of DR and R with kernel ridge over ten seeds of folds and classifier.
fn random_folds(d: usize, n: usize) -> [Vec<f64>; 2] {
    let TrainTest { train, test, .. } = Released::new(d, n).unwrap().generate();
    let (sample, truth) = (Sample::from_dataset(&train).unwrap(), test.noisy_effect().unwrap());
    let mut errors = [vec![], vec![]];
    for seed in 0..10 {
        let svc = Propensity::model(Svc::new(seed));
        let folding = Folding::ScikitLearn { k: 2, seed };
        let folds = folding.folds(sample.treated()).unwrap();
        let e = folds.propensity(&sample, &svc).unwrap();
        let dr = DrLearner::new(KernelRidge::default(), svc.clone(), folding.clone());
        let r = RLearner::new(KernelRidge::default(), svc, folding);
        let fitted = [dr.fit_given(&sample, &folds, e.view()), r.fit_given(&sample, &folds, e.view())];
        for (errors, fitted) in errors.iter_mut().zip(fitted) {
            let effects = fitted.unwrap().at(test.x().into()).unwrap();
            errors.push(pehe(effects.view(), truth.view()).unwrap());
        }
    }
    errors
}

#[test]
fn dr_and_r_of_table_1_agree_with_ten_runs_on_other_folds() {
    let mut text = String::from("learner    d     n   printed, ten runs   reproduced, ten seeds    z\n");
    let mut scores = Vec::new();
    for (d, n) in SETTINGS {
        for (learner, errors) in ["DR", "R"].into_iter().zip(random_folds(d, n).map(Array1::from_vec)) {
            let cell = Printed::load().table1(d, n, learner, false).unwrap().clone();
            let (runs, mean, sd_ours) = (errors.len() as f64, errors.mean().unwrap(), errors.std(1.0));
            // Two means of ten runs each: z = difference / √((s² + s²_printed)/10)
            let z = (mean - cell.pehe_mean) / ((sd_ours.powi(2) + cell.pehe_sd.powi(2)) / runs).sqrt();
            scores.push(z);
            let (printed, sd) = (cell.pehe_mean, cell.pehe_sd);
            writeln!(
                text,
                "{learner:7} {d:4} {n:5}   {printed:8.3} ± {sd:5.2}   {mean:12.3} ± {sd_ours:5.2}  {z:5.1}"
            )
            .unwrap();
        }
    }
    support::printed().bind(|| insta::assert_snapshot!(text));
    // Eighteen scores with t's 18 degrees of freedom: one beyond 3.5 happens by chance in one of
    // twenty sets of seeds, and these are pinned.
    assert!(scores.iter().all(|z| z.abs() < 3.5), "{text}");
}

//! Not claimed, but done: the ten runs with the smallest test error are reported. Does the printed
//! EBM beat untrained networks that are chosen the same way?

use super::compare::mean;
use crate::checks::{Context, Findings};
use crate::printed::Printed;
use crate::study::{Cell, Results, StudyError};
use crate::verdict::Value;

const VALUE: &str = "r kernel-ridge";
/// Runs that are reported.
const KEPT: usize = 10;

pub(super) fn check(context: &Context) -> Result<Findings, StudyError> {
    let results = context.results("selection")?;
    let mut findings = Findings {
        values: vec![beaten(&results, "untrained", KEPT)],
        setting: format!(
            "{} settings, released data, R-learner; ten best of all runs of a method",
            results.settings().len()
        ),
        ..Findings::default()
    };
    let counts = results.arms().into_iter().flat_map(|arm| {
        results.settings().into_iter().map(|s| runs(&results, &s, &arm).len()).collect::<Vec<_>>()
    });
    let fewest = counts.min().unwrap_or(0);
    for arm in results.arms() {
        findings.baselines.push(optimism(&results, &arm, fewest));
    }
    findings.controls.insert("pca-chosen".into(), vec![beaten(&results, "pca+1", KEPT)]);
    // All untrained runs instead of the best: what a report without selection would show.
    let all = beaten(&results, "untrained", usize::MAX);
    findings.baselines.push(Value { name: "the same against all untrained networks".into(), ..all });
    findings.controls.insert("covariates-chosen".into(), vec![beaten(&results, "raw", KEPT)]);
    Ok(findings)
}

fn unsorted(results: &Results, (block, d, n): &(String, usize, usize), arm: &str) -> Vec<f64> {
    results.only(|c: &Cell| c.block == *block && (c.d, c.n) == (*d, *n) && c.arm == arm).values(VALUE)
}

fn runs(results: &Results, setting: &(String, usize, usize), arm: &str) -> Vec<f64> {
    let mut runs = unsorted(results, setting, arm);
    runs.sort_by(f64::total_cmp);
    runs
}

/// Share of settings in which the `kept` best runs of `arm` do no better than the printed EBM.
fn beaten(results: &Results, arm: &str, kept: usize) -> Value {
    let printed = Printed::load();
    let settings = results.settings();
    let won = settings.iter().filter(|setting| {
        let cell = printed.table1(setting.1, setting.2, "R", true).expect("every setting is printed");
        let mut best = runs(results, setting, arm);
        best.truncate(kept);
        cell.pehe_mean <= mean(&best)
    });
    let share = won.count() as f64 / settings.len() as f64;
    Value::exact("share of settings in which the printed EBM is better", share)
}

/// Mean of the first `of` runs minus mean of the ten best of them: what choosing gains by itself. The
/// number of runs is the same for every method, because choosing among more gains more.
fn optimism(results: &Results, arm: &str, of: usize) -> Value {
    let gains: Vec<f64> = results
        .settings()
        .iter()
        .map(|setting| {
            let mut all = unsorted(results, setting, arm);
            all.truncate(of);
            all.sort_by(f64::total_cmp);
            mean(&all) - mean(&all[..KEPT.min(all.len())])
        })
        .collect();
    Value::exact(&format!("gain by choosing ten of {of}, {arm}"), mean(&gains))
}

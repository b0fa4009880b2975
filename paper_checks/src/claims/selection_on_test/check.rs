//! Not claimed, but done: the ten runs with the smallest test error are reported. Does the printed
//! EBM beat untrained networks that are chosen the same way?

use crate::claims::compare::{SHARE_ALPHA, mean};
use crate::claims::{Check, Context, Findings};
use crate::printed::{LearnerCell, Printed, TablePlace};
use crate::registry::{Key, Value};
use crate::study::{Arm, Fit, LearnerKind, Quantity, Results, StudyError, Summary, plans::SEED};
use ebmbook::seed::Seed;
use rand::Rng;

pub const CHECK: Check = Check::new(measure);

const VALUE: Quantity = Fit::kernel_ridge(LearnerKind::R).pehe();
/// Runs that are reported.
const KEPT: usize = 10;
/// Runs behind a printed cell.
const PRINTED_RUNS: f64 = 10.0;

fn measure(context: &Context) -> Result<Findings, StudyError> {
    let results = context.results("selection")?;
    let mut findings = Findings {
        values: vec![ratio(&results, Arm::UNTRAINED, KEPT, "ratio")],
        setting: format!(
            "{} settings, released data, R-learner; ten best of all runs of a method",
            results.settings().len()
        ),
        ..Findings::default()
    };
    let counts = results.arms().into_iter().flat_map(|arm| {
        results.settings().into_iter().map(|s| unsorted(&results, s, arm).len()).collect::<Vec<_>>()
    });
    let fewest = counts.min().unwrap_or(0);
    for arm in results.arms() {
        findings.baselines.push(optimism(&results, arm, fewest));
    }
    findings.baselines.push(share(&results, Arm::UNTRAINED));
    // All untrained runs instead of the best: what a report without selection would show.
    findings.baselines.push(ratio(&results, Arm::UNTRAINED, usize::MAX, "all-untrained"));
    findings
        .controls
        .insert("pca-chosen".into(), vec![ratio(&results, Arm::PCA.plus_constant(), KEPT, "ratio")]);
    findings.controls.insert("covariates-chosen".into(), vec![ratio(&results, Arm::RAW, KEPT, "ratio")]);
    Ok(findings)
}

fn unsorted(results: &Results, setting: TablePlace, arm: Arm) -> Vec<f64> {
    results.at(setting, arm).values(VALUE)
}

/// log₂ (PEHE of the `kept` best runs of `arm` / printed PEHE of the EBM) in each setting.
fn margins(results: &Results, arm: Arm, kept: usize) -> Vec<Value> {
    let printed = Printed::load();
    let of_setting = |setting: &TablePlace| {
        let (block, d, n) = *setting;
        let cell = printed.table1(d, n, "R", true).expect("every setting is printed");
        let seed = Seed::new(SEED).child("chosen").child(&format!("(\"{block}\", {d}, {n})"));
        margin(cell, &unsorted(results, *setting, arm), kept, seed)
    };
    results.settings().iter().map(of_setting).collect()
}

fn margin(printed: &LearnerCell, runs: &[f64], kept: usize, seed: Seed) -> Value {
    const RESAMPLES: usize = 400;
    let chosen = |mut runs: Vec<f64>| {
        runs.sort_by(f64::total_cmp);
        mean(&runs[..kept.min(runs.len())])
    };
    // Choosing again among runs drawn again says how sure ours is.
    let mut rng = seed.rng();
    let again: Vec<f64> = (0..RESAMPLES)
        .map(|_| chosen(runs.iter().map(|_| runs[rng.random_range(0..runs.len())]).collect()))
        .collect();
    let (ours, ours_se) = (chosen(runs.to_vec()), Summary::of(&again).map_or(f64::NAN, |s| s.sd));
    // The printed runs are the best of many: the mean of ten chosen ones has up to twice the variance that
    // their spread suggests. Their standard deviation is printed to two decimals, so it may be 0.005 larger.
    let printed_variance = 2.0 * (printed.pehe_sd + 0.005).powi(2) / PRINTED_RUNS;
    // Var log₂ v ≈ Var v / (v ln 2)²
    let relative = |variance: f64, v: f64| variance / (v * std::f64::consts::LN_2).powi(2);
    let variance = relative(printed_variance, printed.pehe_mean) + relative(ours_se.powi(2), ours);
    let ratio = (ours / printed.pehe_mean).log2();
    Value::estimated("ratio", ratio, variance.sqrt()).with_effective_freedom(PRINTED_RUNS - 1.0)
}

/// The mean over the settings.
fn ratio(results: &Results, arm: Arm, kept: usize, name: &str) -> Value {
    let margins = margins(results, arm, kept);
    Value::combination(name, &vec![1.0 / margins.len() as f64; margins.len()], &margins)
}

/// In how many settings the printed EBM has the lower error, and in how many that is certain.
fn share(results: &Results, arm: Arm) -> Value {
    let margins = margins(results, arm, KEPT);
    let won = margins.iter().filter(|m| m.estimate >= 0.0).count();
    let below = |m: &Value| m.probability_below(0.0).unwrap_or(f64::NAN);
    let tests: Vec<[f64; 2]> = margins.iter().map(|m| [1.0 - below(m), below(m)]).collect();
    Value::share_of_tests("share-better", won, &tests, SHARE_ALPHA)
}

/// Mean of the first `of` runs minus mean of the ten best of them: what choosing gains by itself. The
/// number of runs is the same for every method, because choosing among more gains more.
fn optimism(results: &Results, arm: Arm, of: usize) -> Value {
    let gains: Vec<f64> = results
        .settings()
        .iter()
        .map(|setting| {
            let mut all = unsorted(results, *setting, arm);
            all.truncate(of);
            all.sort_by(f64::total_cmp);
            mean(&all) - mean(&all[..KEPT.min(all.len())])
        })
        .collect();
    Value::exact(Key::new("optimism").of(of).of(arm), mean(&gains))
}

//! b and the architecture matter little, q and k matter: range of PEHE over each one's values.

use super::compare::mean;
use crate::checks::{Context, Findings};
use crate::study::{Cell, Results, StudyError, Summary};
use crate::verdict::Value;

const VALUE: &str = "r kernel-ridge";

pub(super) fn check(context: &Context) -> Result<Findings, StudyError> {
    let results = context.results("sensitivity")?;
    let mut findings = Findings {
        values: values(&results, ["b ", "layers "], ["q ", "k "]),
        setting: "R-learner, one hyper-parameter at a time around the printed setting".into(),
        ..Findings::default()
    };
    // An effect of half a unit of PEHE, planted where the paper sees none, and where it sees one.
    let planted = |prefixes: [&str; 2]| {
        let results = results.planted(|cell, value| {
            let touched = prefixes.iter().any(|p| cell.arm.starts_with(p));
            // Every other value of the hyper-parameter, told apart by its last digit.
            let odd = cell.arm.bytes().last().is_some_and(|digit| digit % 2 == 1);
            if touched && odd { value + 0.5 } else { value }
        });
        values(&results, ["b ", "layers "], ["q ", "k "])
    };
    findings.controls.insert("planted-in-b-and-depth".into(), planted(["b ", "layers "]));
    findings.controls.insert("planted-in-q-and-k".into(), planted(["q ", "k "]));
    for prefix in ["b ", "layers ", "q ", "k ", "noise "] {
        findings.baselines.push(effect(&results, prefix, &format!("range over {}", prefix.trim())));
    }
    Ok(findings)
}

fn values(results: &Results, little: [&str; 2], much: [&str; 2]) -> Vec<Value> {
    let of = |prefix: &str| effect(results, prefix, "");
    // The more influential of the first two against the less influential of the second two.
    let larger = little.map(of).into_iter().max_by(|a, b| a.estimate.total_cmp(&b.estimate)).expect("two");
    let smaller = much.map(of).into_iter().min_by(|a, b| a.estimate.total_cmp(&b.estimate)).expect("two");
    let se = (larger.se.unwrap_or(0.0).powi(2) + smaller.se.unwrap_or(0.0).powi(2)).sqrt();
    let difference =
        Value::estimated("effect of q, k minus that of b, depth", smaller.estimate - larger.estimate, se);
    vec![Value { freedom: larger.freedom, ..difference }]
}

/// Standard deviation of the mean PEHE over the values of one hyper-parameter, with the noise of
/// the means taken off, averaged over settings.
fn effect(results: &Results, prefix: &str, name: &str) -> Value {
    let mut effects = Vec::new();
    let (mut noise, mut freedom) = (0.0, 0);
    for (block, d, n) in results.settings() {
        let here =
            results.only(|c: &Cell| c.block == block && (c.d, c.n) == (d, n) && c.arm.starts_with(prefix));
        let means: Vec<Summary> = here
            .arms()
            .iter()
            .filter_map(|arm| Summary::of(&here.only(|c| c.arm == *arm).values(VALUE)))
            .collect();
        let Some(between) = Summary::of(&means.iter().map(|s| s.mean).collect::<Vec<_>>()) else { continue };
        let within = means.iter().map(|s| s.se().powi(2)).sum::<f64>() / means.len() as f64;
        // σ² between values = s² of the means − their mean squared standard error
        effects.push((between.sd.powi(2) - within).max(0.0).sqrt());
        noise += within;
        freedom += means.iter().map(|s| s.runs - 1).sum::<usize>();
    }
    let count = effects.len() as f64;
    Value::estimated(name, mean(&effects), noise.sqrt() / count).with_freedom(freedom.max(1))
}

//! The picture of a claim: where the value lies, where the broken variants lie, and the bound.

use super::shown::worst;
use crate::claims::Report;
use crate::registry::Claim;
use crate::registry::{Criterion, Rule, Scope, Value};
use ebmbook::show::Figure;

/// The value of a criterion, the worst of a failing claim, for the claim and for each control, with the bound. None if
/// nothing was measured.
pub fn claim_figure(claim: &Claim, report: &Report) -> Option<Figure> {
    let criterion = worst(claim, report).or_else(|| telling(claim, report))?;
    let named = |values: &[Value]| Value::find(values, &criterion.value).cloned();
    let form = match criterion.scope {
        Scope::Stated => "as the paper has it",
        Scope::Repaired => "the weaker form",
    };
    let mut rows = vec![(form.to_owned(), named(&report.findings.values)?)];
    for (control, values) in &report.findings.controls {
        rows.extend(named(values).map(|value| (format!("control: {control}"), value)));
    }
    rows.retain(|(_, v)| v.estimate.is_finite());
    let bounds = criterion.bounds();
    let names: Vec<&String> = rows.iter().map(|(name, _)| name).collect();
    let mut points: Vec<(f64, f64, f64, f64)> = Vec::new();
    for (i, (_, value)) in rows.iter().enumerate() {
        let [low, high] = value.interval().unwrap_or([value.estimate; 2]);
        points.push((i as f64, value.estimate, low, high));
    }
    let height = 130 + 44 * rows.len() as u32;
    let rule = match criterion.rule {
        Rule::AtMost => "must lie at or below the dashed line",
        Rule::AtLeast => "must lie at or above the dashed line",
        Rule::Within => "must lie between the dashed lines",
    };
    let figure = Figure::new(format!("{}: {rule}", claim.id))
        .x(&claim.label(&criterion.value))
        .y_categories(&names)
        .size(760, height);
    // Many orders of magnitude lie between rounding and a broken variant.
    let all: Vec<f64> = rows.iter().map(|(_, v)| v.estimate).chain(bounds.clone()).collect();
    let (low, high) = all.iter().fold((f64::MAX, f64::MIN), |(l, h), v| (l.min(*v), h.max(*v)));
    let logarithmic = low > 0.0 && high / low > 1e3;
    // An interval that reaches zero has no end on such an axis: it runs a decade beyond all others.
    let edge = low / 10.0;
    let figure = if logarithmic {
        for (_, _, low, _) in points.iter_mut().filter(|(_, _, low, _)| *low <= 0.0) {
            *low = edge;
        }
        figure.log_x()
    } else {
        figure
    };
    let figure = figure.dots("measured, 95 % interval (of a share: what is certain)", &points);
    Some(bounds.into_iter().fold(figure, |figure, bound| figure.upright("bound", bound)))
}

/// The criterion to show: one that the controls tell apart, else the first that was measured.
fn telling<'a>(claim: &'a Claim, report: &Report) -> Option<&'a Criterion> {
    let measured = |c: &&Criterion| report.findings.values.iter().any(|v| v.key == c.value);
    let moves = |c: &&Criterion| {
        let of = |values: &[Value]| Value::find(values, &c.value).map(|v| v.estimate);
        let ours = of(&report.findings.values);
        report.findings.controls.values().any(|values| of(values) != ours)
    };
    let mut all = claim.criteria.iter().filter(measured);
    claim.criteria.iter().filter(measured).find(moves).or_else(|| all.next())
}

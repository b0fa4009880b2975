//! Pictures that stand with the claims of the theory: the ones of the notebooks, and curves of what
//! the check itself measured.

use crate::checks::{Context, Report, Scale};
use crate::lessons::{approximation, consistency, effects, identifiability, intercept, limit, sufficiency};
use crate::verdict::Value;
use ebmbook::show::Figure;

/// The pictures of a claim; none where the figure of value, controls and bound says it all.
pub fn pictures(report: &Report, context: &Context) -> Vec<Figure> {
    // A picture illustrates; it needs no more than the notebooks show.
    let context = &Context { scale: Scale::Quick, ..context.clone() };
    match report.claim.as_str() {
        "sufficiency" => {
            vec![sufficiency::train_plane(context).figure(), sufficiency::walks(context).figure()]
        }
        "minimality" => vec![sufficiency::columns(5, 1).figure()],
        "random-directions" => vec![limit::scales(10)],
        "identifiability-forward" => vec![identifiability::train(context).figure()],
        "identifiability-converse" => {
            let trained = identifiability::train(context);
            vec![trained.before(), trained.after()]
        }
        "approximation" => vec![approximation::picture("bimodal"), approximation::errors(context).figure()],
        "approximation-linear-proof" => {
            let errors = approximation::errors(context);
            vec![approximation::tilts(), errors.against_linear(&approximation::linear())]
        }
        "cross-entropy-lemma" => vec![consistency::lemma_figure(0.3)],
        "population-optimum" => vec![consistency::Finite::new().figure(2)],
        "population-optimum-continuous" => vec![consistency::gaussian_figure(context)],
        "signal-in-high-d" => vec![consistency::saturation_map(context)],
        "consistency" => vec![consistency::agreement_figure(&by_n(report, "MCC")), distances(report)],
        "limit-rank-one" => {
            let largest = report.findings.n.last().copied().unwrap_or(2_500);
            vec![limit::train(largest, "random", context).against_log_density()]
        }
        "cate-consistency" => vec![limit::bins(5)],
        "shift-indifference" => vec![intercept::shift_figure(context)],
        "rate-in-d" => vec![effects::rate_figure(context)],
        "dr-rate" => vec![effects::double_robustness()],
        _ => Vec::new(),
    }
}

/// Whether the pictures of a claim show what its check measured; the others illustrate.
pub(super) fn shows_findings(claim: &str) -> bool {
    claim == "consistency"
}

pub(crate) fn distances(report: &Report) -> Figure {
    Figure::new("The learned log-densities approach that of X")
        .x("n, training rows")
        .log_x()
        .y("distance to the limit, nats, 95 % interval")
        .log_y()
        .line_with_band("sup", &by_n(report, "sup distance to the limit"))
        .line_with_band("L2", &by_n(report, "L2 distance to the limit"))
}

/// What the check measured under `NAME at n = …`: n, estimate, interval.
pub(crate) fn by_n(report: &Report, name: &str) -> Vec<(f64, f64, f64, f64)> {
    let at = |n: &usize| -> Option<(f64, f64, f64, f64)> {
        let wanted = format!("{name} at n = {n}");
        let value: &Value = report.findings.baselines.iter().find(|v| v.name == wanted)?;
        let [low, high] = value.interval().unwrap_or([value.estimate; 2]);
        Some((*n as f64, value.estimate, low, high))
    };
    report.findings.n.iter().filter_map(at).collect()
}

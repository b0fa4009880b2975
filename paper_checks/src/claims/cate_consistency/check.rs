//! Abstract, sections 3 and 7: the representation keeps effect estimates consistent.
//!
//! Twice: with the exact limiting representation, by quadrature, so that no training error enters, and inside the
//! paper's own assumptions, X compact and .1 ≤ π ≤ .9; and with a trained one in finite samples of X ~ N(0, I₂), beside
//! the same learner on the limit and on x.

use crate::claims::{Check, Context, Findings, Pictures, Report, data_hash};
use crate::pictures::limit;
use crate::registry::{Key, Value};
use crate::study::StudyError;
use ebmbook::seed::Seed;
use ebmbook::show::Figure;
use ebmbook::theory::effects::{Estimates, estimates};
use ebmbook::theory::limit::compact::{disc_error, disc_quadrature_error, square_estimate};
use ebmbook::theory::limit::{Design, error_given_x, error_of_zero, estimates_by_bin};
use ndarray::Array1;
use rayon::prelude::*;

pub const CHECK: Check = Check {
    calibration: Some(include_str!("../../../results/calibration/cate-consistency.toml")),
    pictures: Pictures::Illustrate(pictures),
    ..Check::new(measure)
};

const DESIGNS: [(Design, &str); 3] = [
    (Design::CONFOUNDED_CONSTANT, "confounded, effect 1 for everybody"),
    (Design::RANDOMISED_LINEAR, "randomised, effect varies on level sets of p_X"),
    (Design::RANDOMISED_RADIAL, "randomised, effect a function of p_X"),
];

/// The radius of a compact X.
const RADIUS: f64 = 2.0;

/// A design with the propensity held between .1 and .9, as the paper assumes.
fn compact(design: &Design) -> Design {
    let confounded = (design.propensity)(1.0, 0.0) != (design.propensity)(-1.0, 0.0);
    if confounded { Design { propensity: Design::POSITIVE_CONSTANT.propensity, ..*design } } else { *design }
}

/// The largest n decides; the smaller ones beside it say where the error is going.
fn sizes(context: &Context) -> Vec<usize> {
    context.size(vec![200], vec![250, 500, 1000], vec![250, 1000, 4000])
}

/// Estimates of independent runs at sample size n, each on a fresh sample.
fn runs(context: &Context, n: usize, seed: Seed) -> ebmbook::Result<Vec<Vec<Estimates>>> {
    let designs = DESIGNS.map(|(design, _)| design);
    let run = |r: usize| estimates(&designs, n, seed.index(r));
    (0..context.size(8, 20, 20)).into_par_iter().map(run).collect()
}

/// PEHE over the runs for each design, by a learner that sees one of three things.
fn pehes(
    context: &Context,
    runs: &[Vec<Estimates>],
    key: impl Into<Key>,
    of: fn(&Estimates) -> Array1<f64>,
) -> ebmbook::Result<Vec<Value>> {
    let key = key.into();
    DESIGNS
        .iter()
        .enumerate()
        .map(|(i, (_, design))| {
            let each: Vec<f64> = runs
                .iter()
                .map(|run| context.pehe(of(&run[i]).view(), run[i].truth.view()))
                .collect::<ebmbook::Result<_>>()?;
            Ok(Value::mean(key.clone().of(design), &each))
        })
        .collect()
}

const TRAINED: &str = "trained";

fn measure(context: &Context) -> Result<Findings, StudyError> {
    // What is left of each design on the disc, and of an estimate on the square where f is constant.
    let exact = |of: fn(&Design) -> f64, on_square: f64| {
        let on_disc =
            DESIGNS.map(|(design, name)| Value::exact(Key::new("limit").of(name), of(&compact(&design))));
        on_disc.into_iter().chain([Value::exact("square", on_square)]).collect::<Vec<_>>()
    };
    let square = (square_estimate(&Design::POSITIVE_CONSTANT, 1.0) - 1.0).abs();
    let sizes = sizes(context);
    let largest = sizes[sizes.len() - 1];
    let by_size = |n: usize| runs(context, n, context.seed.child("runs").index(n));
    let runs = runs(context, largest, context.seed.child("runs"))?;
    let with_trained = |mut exact: Vec<Value>, trained: Vec<Value>| {
        exact.extend(trained);
        exact
    };
    let trained = pehes(context, &runs, TRAINED, |e| e.trained.clone())?;
    let bins = estimates_by_bin(&Design::CONFOUNDED_CONSTANT, 3);
    let mut baselines: Vec<Value> = ["inner", "middle", "outer"]
        .iter()
        .zip(&bins)
        .map(|(third, estimate)| Value::exact(Key::new("third").of(third), *estimate))
        .collect();
    baselines.extend(pehes(context, &runs, "on-limit", |e| e.limit.clone())?);
    baselines.extend(pehes(context, &runs, "on-x", |e| e.covariates.clone())?);
    for n in &sizes[..sizes.len() - 1] {
        let key = Key::new("trained-at").of(n);
        baselines.extend(pehes(context, &by_size(*n)?, key, |e| e.trained.clone())?);
    }
    let error = DESIGNS
        .map(|(design, _)| disc_quadrature_error(&compact(&design), RADIUS))
        .into_iter()
        .fold(0.0, f64::max);
    baselines.push(Value::exact("quadrature", error));
    Ok(Findings {
        values: with_trained(exact(|d| disc_error(d, RADIUS).pehe, square), trained),
        baselines,
        controls: [
            // The bias alone, without what randomised designs lose, already breaks the claim. A trained
            // representation has no such part of its own, so the gates on it have nothing to say.
            ("confounding-only".to_owned(), exact(|d| disc_error(d, RADIUS).bias, square)),
            // Only what is learned from samples is broken: it sees the limit, everything else sees x.
            (
                "limit-for-trained".to_owned(),
                with_trained(exact(error_given_x, 0.0), pehes(context, &runs, TRAINED, |e| e.limit.clone())?),
            ),
            // Breaks every gate: each design has a mean effect of 1.
            (
                "no-effect".to_owned(),
                with_trained(
                    exact(error_of_zero, 1.0),
                    pehes(context, &runs, TRAINED, |e| Array1::zeros(e.truth.len()))?,
                ),
            ),
            // Conditioning on x itself keeps ignorability and loses nothing.
            (
                "x-itself".to_owned(),
                with_trained(
                    exact(error_given_x, 0.0),
                    pehes(context, &runs, TRAINED, |e| e.covariates.clone())?,
                ),
            ),
        ]
        .into(),
        setting: format!(
            "limit f = -log p_X B1 + c by quadrature, X ~ N(0, I_2) on the disc of radius {RADIUS} or uniform on [-1, 1]^2, .1 <= pi <= .9; X ~ N(0, I_2) in {} runs, each with a fresh sample and a T-learner with RBF kernel ridge",
            runs.len()
        ),
        n: sizes,
        data: data_hash([runs[0][0].truth.view()]),
    })
}

fn pictures(_: &Report, _: &Context) -> Vec<Figure> {
    vec![limit::bins(5)]
}

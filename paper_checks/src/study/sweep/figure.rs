//! Every score against every hyper-parameter, the printed choices marked.

use super::{Point, Score};
use crate::study::plans::Setting;
use crate::study::plans::sweep::{PRINTED, drawn, trials};
use crate::study::{Base, Results, Summary};
use ebmbook::metrics::t_half_width;
use ebmbook::show::Figure;
use itertools::Itertools;
use strum::IntoEnumIterator;

/// A hyper-parameter: its letter, its name, its value at a point.
type Axis = (&'static str, &'static str, fn(&Point) -> f64);

const AXES: [Axis; 4] = [
    ("b", "b, corrupted copies", |p| p.b as f64),
    ("k", "k, coordinates", |p| p.k as f64),
    ("layers", "hidden layers", |p| p.layers as f64),
    ("q", "q, corruption probability", |p| p.q),
];

/// What training minimises, as it is called in a figure.
const OBJECTIVES: [(Base, &str); 2] =
    [(Base::EbmRanking, "printed objective"), (Base::EbmPairwise, "pairwise objective")];

/// The share of others that is smaller; what is equal counts half.
///
/// ```
/// use paper_checks::study::sweep::rank;
/// assert_eq!(rank(2.0, &[1.0, 2.0, 3.0, 4.0]), 0.375);
/// ```
pub fn rank(value: f64, others: &[f64]) -> f64 {
    let weight = |other: &f64| if *other < value { 1.0 } else { f64::from(u8::from(*other == value)) / 2.0 };
    others.iter().map(weight).sum::<f64>() / others.len() as f64
}

/// The names of the figures, by score and hyper-parameter.
pub fn names() -> impl Iterator<Item = (Score, Axis, String)> {
    let pairs = Score::iter().cartesian_product(AXES);
    pairs.map(|(score, axis)| (score, axis, format!("{score}-{}-released", axis.0)))
}

/// Each figure with the name of its file.
pub(in crate::study) fn figures(results: &Results) -> Vec<(String, Figure)> {
    names().map(|(score, axis, name)| (name, figure(results, score, axis))).collect()
}

fn figure(results: &Results, score: Score, (letter, label, of): Axis) -> Figure {
    let settings = Setting::all();
    let title = format!("{score}: each setting's points by rank, against {letter}");
    let mut figure = Figure::new(title).x(label).y("rank of the score, 0 is best").y_range(0.0, 1.0);
    for (base, objective) in OBJECTIVES {
        let (mut points, mut printed) = (Vec::new(), Vec::new());
        for setting in results.settings() {
            let mean = |runs: Vec<f64>| Summary::of(&runs).map_or(f64::NAN, |s| s.mean);
            let values = |number| mean(trials(results, setting, base, number).values(score.quantity()));
            let drawn: Vec<(Point, f64)> =
                drawn(results).map(|(number, point)| (point, values(number))).collect();
            let all: Vec<f64> = drawn.iter().map(|(_, value)| *value).collect();
            points.extend(drawn.iter().map(|(point, value)| (of(point), rank(*value, &all))));
            let place = settings.iter().find(|s| (s.block, s.d, s.n) == setting);
            printed.extend(place.map(|s| (of(&s.printed()), rank(values(PRINTED), &all))));
        }
        points.sort_by(|(one, _), (other, _)| one.total_cmp(other));
        let band = |(at, here): (f64, Vec<f64>)| {
            let s = Summary::of(&here).expect("there is a point");
            let half = t_half_width(s.se(), s.runs);
            (at, s.mean, s.mean - half, s.mean + half)
        };
        let groups = points.into_iter().chunk_by(|(at, _)| *at);
        let line: Vec<_> =
            groups.into_iter().map(|(at, here)| band((at, here.map(|(_, rank)| rank).collect()))).collect();
        figure = figure
            .line_with_band(objective, &line)
            .scatter(&format!("printed choice, {objective}"), &printed);
    }
    figure
}

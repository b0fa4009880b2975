//! How often one series of a figure lies above another, so that the text can say it in numbers.

use super::{Figure, Table, table};
use ebmbook::show::Layer;

/// In how many categories the dots of one series lie above those of another.
///
/// ```
/// use paper_checks::lessons::{Figure, above};
/// let dots = |values: [f64; 2]| [(0.0, values[0], 0.0, 0.0), (1.0, values[1], 0.0, 0.0)];
/// let figure = Figure::new("").dots("ours", &dots([3.0, 1.0])).dots("theirs", &dots([2.0, 2.0]));
/// assert_eq!(above(&figure, "ours", "theirs").rows()[0][1], "1 of 2");
/// ```
///
/// # Panics
/// If the figure has no dots of that name.
pub fn above(figure: &Figure, series: &str, other: &str) -> Table {
    let dots = |wanted: &str| {
        let of = |layer: &Layer| match layer {
            Layer::Dots { name, dots, .. } if name == wanted => Some(dots.clone()),
            _ => None,
        };
        figure.layers.iter().find_map(of).unwrap_or_else(|| panic!("the figure has no `{wanted}`"))
    };
    let (ours, theirs) = (dots(series), dots(other));
    let pairs: Vec<(f64, f64)> = ours
        .iter()
        .filter_map(|dot| theirs.iter().find(|t| t.at == dot.at).map(|t| (dot.value, t.value)))
        .collect();
    let count = pairs.iter().filter(|(ours, theirs)| ours > theirs).count();
    table("Counted in the figure", &["", "settings"])
        .row(&[format!("{series} above {other}"), format!("{count} of {}", pairs.len())])
}

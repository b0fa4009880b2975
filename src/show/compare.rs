//! Pictures compared by their data.

use super::Figure;
use serde_json::Value;

/// Where two figures differ, in words.
pub type Difference = String;

impl Figure {
    /// The figure whose data an SVG of ours carries; none if it carries none.
    pub fn from_svg(svg: &str) -> Option<Self> {
        const OPEN: &str = "<metadata class=\"figure-data\">";
        let data = svg.split_once(OPEN)?.1.split_once("</metadata>")?.0;
        let data =
            data.replace("&quot;", "\"").replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
        serde_json::from_str(&data).ok()
    }

    /// The first difference from another figure: labels and shapes must be equal, numbers within
    /// `tolerance` of the largest number of their series.
    ///
    /// ```
    /// use ebmbook::show::Figure;
    /// let figure = |y| Figure::new("f").line("a", &[(0.0, 1.0), (1.0, y)]);
    /// assert_eq!(figure(2.0).difference(&figure(2.001), 1e-2), None);
    /// assert!(figure(2.0).difference(&figure(3.0), 1e-2).unwrap().contains("layers[0].dots"));
    /// ```
    pub fn difference(&self, other: &Self, tolerance: f64) -> Option<Difference> {
        let value = |f: &Self| serde_json::to_value(f).expect("a figure is numbers and text");
        differ(&value(self), &value(other), tolerance, 0.0, "figure")
    }
}

/// Whether two printed numbers differ by more than a share of the larger one. Numbers at the
/// rounding level of doubles, below 1e-9, are alike whatever they are.
///
/// ```
/// use ebmbook::show::different_numbers;
/// assert!(!different_numbers(2.2e-16, 4.4e-16, 1e-3));
/// assert!(different_numbers(1.0, 1.1, 1e-3));
/// ```
pub fn different_numbers(a: f64, b: f64, tolerance: f64) -> bool {
    let size = a.abs().max(b.abs());
    if a == b || (a.is_nan() && b.is_nan()) || size < 1e-9 {
        return false;
    }
    // A difference that is no number counts as one.
    let difference = (a - b).abs();
    difference.is_nan() || difference > tolerance * size
}

/// `scale` is the largest number of the list that the values stand in.
fn differ(a: &Value, b: &Value, tolerance: f64, scale: f64, path: &str) -> Option<Difference> {
    match (a, b) {
        (Value::Number(x), Value::Number(y)) => {
            let (x, y) = (x.as_f64()?, y.as_f64()?);
            let near = (x - y).abs() <= tolerance * scale || !different_numbers(x, y, tolerance);
            (!near).then(|| format!("{path}: {x} against {y}"))
        }
        (Value::Array(xs), Value::Array(ys)) => {
            if xs.len() != ys.len() {
                return Some(format!("{path}: {} entries against {}", xs.len(), ys.len()));
            }
            let scale = scale.max(largest(a));
            let mut pairs = xs.iter().zip(ys).enumerate();
            pairs.find_map(|(i, (x, y))| differ(x, y, tolerance, scale, &format!("{path}[{i}]")))
        }
        (Value::Object(xs), Value::Object(ys)) => {
            if xs.keys().ne(ys.keys()) {
                return Some(format!("{path}: other fields"));
            }
            xs.iter().find_map(|(key, x)| differ(x, &ys[key], tolerance, scale, &format!("{path}.{key}")))
        }
        _ => (a != b).then(|| format!("{path}: {a} against {b}")),
    }
}

/// The largest number in a list of numbers, of lists or of dots; layers and axes start anew.
fn largest(list: &Value) -> f64 {
    match list {
        Value::Number(n) => n.as_f64().unwrap_or(0.0).abs(),
        Value::Array(items) => items.iter().map(largest).fold(0.0, f64::max),
        Value::Object(fields) if fields.contains_key("value") && !fields.contains_key("name") => {
            ["value", "low", "high"].iter().filter_map(|k| fields.get(*k)).map(largest).fold(0.0, f64::max)
        }
        _ => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::show::Grid;

    fn figure() -> Figure {
        Figure::new("a < b & \"c\"")
            .x("x")
            .y("y")
            .line_with_band("l", &[(1.0, 2.0, 1.5, 2.5), (2.0, 3.0, 2.0, 4.0)])
            .scatter("s", &[(1.0, 2.5)])
            .heat("h", Grid::square(0.0, 3.0, 4, |x, y| x * y))
            .contour("c", Grid::square(0.0, 3.0, 4, |x, y| x * y), &[2.0])
            .level("z", 0.0)
            .upright("u", 1.5)
    }

    #[test]
    fn the_data_come_back_out_of_the_picture() {
        let figure = figure();
        assert_eq!(Figure::from_svg(&figure.svg()), Some(figure));
        assert_eq!(Figure::from_svg("<svg></svg>"), None);
    }

    #[test]
    fn every_change_of_the_data_is_seen() {
        let figure = figure();
        assert_eq!(figure.difference(&figure, 0.0), None);
        let mut other = figure.clone();
        other.title = "another".into();
        assert!(figure.difference(&other, 0.1).unwrap().contains("title"));
        let other = figure.clone().level("one more", 1.0);
        assert!(figure.difference(&other, 0.1).unwrap().contains("6 entries against 7"));
        let mut other = figure.clone();
        if let crate::show::Layer::Heat { grid, .. } = &mut other.layers[2] {
            grid.z[3][3] = 12.0;
        }
        assert!(figure.difference(&other, 0.1).unwrap().contains("grid.z[3][3]"));
    }

    #[test]
    fn small_numbers_beside_large_ones_are_judged_by_the_large_ones() {
        let figure = |small: f64| Figure::new("f").line("a", &[(0.0, small), (1.0, 100.0)]);
        assert_eq!(figure(1e-3).difference(&figure(2e-3), 1e-3), None);
    }
}

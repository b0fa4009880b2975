//! From values to pixels: number lines, logarithmic lines and named positions behind one type.

use super::{Axis, format_number};
use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter};
use std::ops::Range;

/// An axis with its range settled.
#[derive(Clone, Debug)]
pub(super) struct Scale {
    low: f64,
    high: f64,
    log: bool,
    /// The first category is at the far end: the top of a y axis.
    reversed: bool,
    categories: Vec<String>,
    ticks: Vec<f64>,
}

impl Scale {
    /// The scale of an axis for data between `low` and `high`.
    pub fn new(axis: &Axis, (low, high): (f64, f64), vertical: bool) -> Self {
        if !axis.categories.is_empty() {
            let count = axis.categories.len();
            return Self {
                low: -0.5,
                high: count as f64 - 0.5,
                log: false,
                reversed: vertical,
                categories: axis.categories.clone(),
                ticks: (0..count).map(|i| i as f64).collect(),
            };
        }
        let [low, high] = axis.range.unwrap_or_else(|| padded(low, high, axis.log));
        let ticks = if axis.log { decades(low, high) } else { steps(low, high) };
        Self { low, high, log: axis.log, reversed: false, categories: vec![], ticks }
    }

    /// Width in pixels of the longest tick label at 12 px.
    pub fn label_width(&self) -> u32 {
        self.ticks.iter().map(|t| 7 * self.format_ext(t).chars().count() as u32).max().unwrap_or(0)
    }

    /// The lower end, where bars and areas stand.
    pub fn floor(&self) -> f64 {
        if self.log { self.low } else { self.low.max(0.0).min(self.high) }
    }

    fn share(&self, value: f64) -> f64 {
        let share = if self.log {
            (value.max(f64::MIN_POSITIVE).ln() - self.low.ln()) / (self.high.ln() - self.low.ln())
        } else {
            (value - self.low) / (self.high - self.low)
        };
        if self.reversed { 1.0 - share } else { share }
    }
}

/// A twentieth more than the data at either end; something around a single value.
fn padded(low: f64, high: f64, log: bool) -> [f64; 2] {
    if !(low.is_finite() && high.is_finite()) {
        return if log { [0.1, 1.0] } else { [0.0, 1.0] };
    }
    if log {
        let low = low.max(f64::MIN_POSITIVE);
        let room = (high.max(low) / low).powf(0.05).max(1.1);
        return [low / room, high.max(low) * room];
    }
    let room = if high > low { 0.05 * (high - low) } else { 0.5 * high.abs().max(1.0) };
    [low - room, high + room]
}

/// About six round numbers.
fn steps(low: f64, high: f64) -> Vec<f64> {
    let raw = (high - low) / 6.0;
    let power = 10_f64.powf(raw.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|m| m * power).into_iter().find(|s| *s >= raw).unwrap_or(raw);
    let first = (low / step).ceil() as i64;
    let last = (high / step).floor() as i64;
    // i·step carries rounding like 0.30000000000000004; ten digits are enough for a label.
    (first..=last)
        .map(|i| (i as f64 * step * 1e10).round() / 1e10)
        .filter(|t| step > 1e-8 || *t != 0.0)
        .collect()
}

/// Powers of ten, and 2 and 5 between them where there is room.
fn decades(low: f64, high: f64) -> Vec<f64> {
    let (first, last) = (low.log10().floor() as i32, high.log10().ceil() as i32);
    let every = ((last - first) / 8).max(1);
    let between: &[f64] = if last - first <= 3 { &[1.0, 2.0, 5.0] } else { &[1.0] };
    (first..=last)
        .filter(|power| power.rem_euclid(every) == 0)
        .flat_map(|power| between.iter().map(move |m| m * 10_f64.powi(power)))
        .filter(|t| (low..=high).contains(t))
        .collect()
}

impl Ranged for Scale {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, (from, to): (i32, i32)) -> i32 {
        // Far outside values are cut so that they do not overflow a pixel number.
        let share = self.share(*value).clamp(-2.0, 3.0);
        from + (share * f64::from(to - from)).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, _: Hint) -> Vec<f64> {
        self.ticks.clone()
    }

    fn range(&self) -> Range<f64> {
        self.low..self.high
    }
}

impl ValueFormatter<f64> for Scale {
    fn format_ext(&self, value: &f64) -> String {
        if self.categories.is_empty() {
            return format_number(*value);
        }
        self.categories.get(value.round() as usize).cloned().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_inside() {
        assert_eq!(steps(0.0, 1.0), [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]);
        assert_eq!(decades(90.0, 2100.0), [100.0, 200.0, 500.0, 1000.0, 2000.0]);
        assert!(decades(1e-40, 1.0).len() <= 10);
    }

    #[test]
    fn a_log_axis_maps_decades_evenly() {
        let axis = Axis { log: true, range: Some([1.0, 100.0]), ..Axis::default() };
        let scale = Scale::new(&axis, (1.0, 100.0), false);
        assert_eq!(scale.map(&10.0, (0, 200)), 100);
        assert_eq!(scale.map(&0.0, (0, 200)), -400, "zero has no place on a log axis and is cut");
    }

    #[test]
    fn the_first_category_is_at_the_top() {
        let axis = Axis { categories: vec!["a".into(), "b".into()], ..Axis::default() };
        let scale = Scale::new(&axis, (0.0, 1.0), true);
        // On a y axis plotters maps the low end to the larger pixel number.
        assert!(scale.map(&0.0, (300, 0)) < scale.map(&1.0, (300, 0)));
    }
}

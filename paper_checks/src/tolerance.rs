//! Texts with numbers in them, compared: words must be equal, numbers close.
//!
//! Runs on one machine agree to the bit; another processor sums in another order, which training in
//! single precision carries to the third digit. The notebooks' check and the snapshots of the tests
//! forgive that, and nothing else.

use ebmbook::show::different_numbers;
use regex::Regex;
use std::sync::LazyLock;

/// How far two printed numbers may be apart. A difference of one unit in the last printed digit is a
/// rounding flip and is always forgiven.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tolerance {
    /// Share of the larger number, or of the larger end of the interval that stands behind it.
    pub relative: f64,
    /// For trained values around zero, such as a correlation of things that have nothing in common: their
    /// error is that of the values they are differences of.
    pub absolute: f64,
    /// The share for two whole numbers. Zero where these are counts.
    pub whole: f64,
}

impl Default for Tolerance {
    fn default() -> Self {
        Self { relative: 5e-3, absolute: 0.0, whole: 5e-3 }
    }
}

/// A number that does not belong to a word such as `x1` or a hash.
const NUMBER: &str = r"[-−+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?\b";

fn regex(pattern: &str) -> Regex {
    Regex::new(pattern).expect("the pattern is valid")
}

impl Tolerance {
    /// For texts in which whole numbers are counts and must be equal.
    pub fn with_counts(relative: f64) -> Self {
        Self { relative, absolute: 0.0, whole: 0.0 }
    }

    /// The first difference between two texts, line by line. Numbers may differ by the tolerance, timings by
    /// anything, spaces by how many there are; blank lines do not count. What is demanded of a number is not
    /// measured: from that word on a line must be equal.
    ///
    /// ```
    /// use paper_checks::tolerance::Tolerance;
    /// let differ = |a, b| Tolerance { relative: 1e-4, ..Tolerance::default() }.difference(a, b);
    /// assert_eq!(differ("PEHE 1.919 in 3.2 s", "PEHE  1.918 in 14.0 s"), None);
    /// assert_eq!(differ("gap 2.2e-16", "gap 4.4e-16"), None);
    /// assert!(differ("PEHE 1.919", "PEHE 1.950").is_some());
    /// assert!(differ("holds", "fails").is_some());
    /// // Zeros at the end are not printed: 0.9 is 0.9000, and 0.99 is far away.
    /// assert_eq!(differ("MCC 0.9", "MCC 0.9001"), None);
    /// assert!(differ("MCC 0.9", "MCC 0.99").is_some());
    /// ```
    pub fn difference(self, old: &str, new: &str) -> Option<String> {
        let lines =
            |text: &'_ str| text.lines().filter(|l| !l.trim().is_empty()).map(Line::read).collect::<Vec<_>>();
        let (old, new) = (lines(old), lines(new));
        let differs = old.iter().zip(&new).find_map(|(a, b)| self.line(a, b));
        let counts = || format!("{} lines against {}", old.len(), new.len());
        differs.or_else(|| (old.len() != new.len()).then(counts))
    }

    fn line(self, old: &Line, new: &Line) -> Option<String> {
        if old.words != new.words {
            let at = old.words.chars().zip(new.words.chars()).take_while(|(a, b)| a == b).count();
            let around = |text: &str| text.chars().skip(at.saturating_sub(20)).take(60).collect::<String>();
            return Some(format!("text `…{}` against `…{}`", around(&old.words), around(&new.words)));
        }
        let mut pairs = old.numbers.iter().zip(&new.numbers);
        let pair = pairs.find(|(a, b)| a != b && self.numbers_differ(a, b, old.scale));
        pair.map(|(a, b)| format!("number {a} against {b}"))
    }

    fn numbers_differ(self, a: &str, b: &str, scale: f64) -> bool {
        let (x, y) = (value(a), value(b));
        let (relative, unit) = match (last_digit(a), last_digit(b)) {
            (None, None) => (self.whole, 0.0),
            // Either may have lost zeros at its end: the smaller unit is the one that was rounded to.
            (a, b) => (self.relative, 10_f64.powi(a.into_iter().chain(b).min().unwrap_or(0))),
        };
        let allowed = (relative * scale).max(self.absolute).max(1.01 * unit);
        different_numbers(x, y, relative) && (x - y).abs() > allowed
    }
}

/// A line taken apart.
struct Line {
    /// With `#` for each measured number.
    words: String,
    numbers: Vec<String>,
    /// The larger end of an interval: the number in front of it is known to the size of the interval.
    scale: f64,
}

impl Line {
    fn read(line: &str) -> Self {
        static TOKEN: LazyLock<Regex> = LazyLock::new(|| regex(&format!(r"(?<number>{NUMBER})|\w+")));
        static INTERVAL: LazyLock<Regex> = LazyLock::new(|| regex(&format!(r": \[({NUMBER}), ({NUMBER})\]")));
        static TIMING: LazyLock<Regex> =
            LazyLock::new(|| regex(r"\d+(\.\d+)?\s?(µs|ms|s|seconds|minutes)\b"));
        // A bar of characters is drawn from the number beside it.
        let line = &line.replace('█', "");
        let (measured, demanded) = line.split_at(line.find("demanded").unwrap_or(line.len()));
        let measured = &*TIMING.replace_all(measured, "(a while)");
        let mut numbers = Vec::new();
        let words = TOKEN.replace_all(measured, |token: &regex::Captures| match token.name("number") {
            Some(number) => {
                numbers.push(number.as_str().to_owned());
                "#".to_owned()
            }
            None => token[0].to_owned(),
        });
        let words = format!("{words}{demanded}").split_whitespace().collect::<Vec<_>>().join(" ");
        let ends = INTERVAL.captures_iter(measured).flat_map(|ends| [value(&ends[1]), value(&ends[2])]);
        let scale = ends.fold(0.0, |most: f64, end| most.max(end.abs()));
        Self { words, numbers, scale }
    }
}

fn value(number: &str) -> f64 {
    number.replace('−', "-").parse().unwrap_or(f64::NAN)
}

/// The power of ten of the last printed digit; none for a whole number.
fn last_digit(number: &str) -> Option<i32> {
    let (mantissa, power) = number.split_once(['e', 'E']).map_or((number, None), |(m, p)| (m, Some(p)));
    let decimals = mantissa.split_once('.').map(|(_, tail)| tail.len() as i32);
    (decimals.is_some() || power.is_some())
        .then(|| power.and_then(|p| p.parse().ok()).unwrap_or(0) - decimals.unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn same(tolerance: Tolerance, one: &str, other: &str) -> bool {
        tolerance.difference(one, other).is_none()
    }

    #[test]
    fn values_around_zero_have_an_absolute_tolerance() {
        let near_zero = |absolute| Tolerance { relative: 0.1, absolute, whole: 0.1 };
        assert!(!same(near_zero(0.0), "corr -0.04", "corr 0.01"));
        assert!(same(near_zero(0.06), "corr -0.04", "corr 0.01"));
        assert!(!same(Tolerance { relative: 1e-4, absolute: 0.0, whole: 1e-4 }, "n 1024", "n 1025"));
    }

    #[test]
    fn the_last_digits_are_forgiven_and_nothing_else() {
        let fine = |one: &str, other: &str| same(Tolerance::with_counts(1e-6), one, other);
        assert!(fine("error = 1.000000e0", "error = 1.0000001e0"));
        assert!(fine("error = 3e-16", "error = 8e-15"));
        assert!(fine("PEHE 2.441", "PEHE 2.442"));
        assert!(!fine("PEHE 2.441", "PEHE 2.444"));
        assert!(!fine("n = 100", "n = 101"));
        assert!(!fine("error = 1.000000e0", "error = 1.00001e0"));
        assert!(!fine("verdict: holds", "verdict: fails"));
        assert!(!fine("a b", "a b c"));
        assert!(!fine("a\nb", "a b"));
        assert!(fine("n = 100  0.3000  ███", "n = 100  0.3000  ████"));
        assert!(!fine("a\nb", "a\nb\nc"));
        // A hash is a word.
        assert!(!fine("seed: 9647a85e87cfa2ec", "seed: 9647a85e88cfa2ec"));
        // Punctuation around a number does not make it a word, and has to be the same.
        let error = "error = 1.000000e0, (95 %: [0.9, 1.1])";
        assert!(fine(error, "error = 1.0000001e0, (95 %: [0.9, 1.1])"));
        assert!(!fine("error = 1.000000e0,", "error = 1.00001e0,"));
        assert!(!fine("error = 1.000000e0,", "error = 1.000000e0"));
        let share = "share = 5e-1 (certain: [0.250, 1.000])";
        assert!(fine(share, "share = 5e-1 (certain: [0.251, 1.000])"));
        assert!(!fine(share, "share = 5e-1 (certain: [0.750, 1.000])"));
    }

    #[test]
    fn an_estimate_near_zero_is_known_to_the_size_of_its_interval_and_a_count_exactly() {
        let coarse = |one: &str, other: &str| same(Tolerance::with_counts(0.05), one, other);
        let slope = |estimate, end| format!("slope = {estimate} (95 %: [-{end}, {end}])");
        assert!(coarse(&slope("1.0e-3", "2.1e-1"), &slope("2.0e-3", "2.1e-1")));
        assert!(!coarse(&slope("1.0e-3", "2.1e-3"), &slope("2.0e-3", "2.1e-3")));
        assert!(!coarse("[42, 20, 14] runs, n = 100", "[42, 20, 15] runs, n = 100"));
        assert!(!coarse("n = 100", "n = 101"));
    }

    #[test]
    fn bounds_are_part_of_the_claim_however_small() {
        let fine = |one: &str, other: &str| same(Tolerance::with_counts(1e-6), one, other);
        assert!(fine("gap = 1.6e-13 ; demanded ≤ 1e-12", "gap = 2.7e-13 ; demanded ≤ 1e-12"));
        assert!(!fine("gap = 1.6e-13 ; demanded ≤ 1e-12", "gap = 1.6e-13 ; demanded ≤ 1e-11"));
    }
}

//! How snapshots are compared: the one place that knows what may differ.

use insta::Comparator;
use insta::internals::SnapshotContents;

/// Numbers below this are rounding errors, whose digits mean nothing.
const ROUNDING: f64 = 1e-9;

/// Text is compared word by word: numbers up to a tolerance, everything else exactly.
///
/// Equal seeds give equal bits on one machine; another instruction set may round the last bits of a
/// long sum differently. So numbers may differ by this relative tolerance, or by one unit in the last
/// decimal that is printed (a rounding flip).
#[derive(Clone)]
pub struct Numbers {
    /// Relative tolerance.
    pub relative: f64,
}

/// Settings for tables of printed decimals: a rounding flip in the last one is forgiven.
#[allow(dead_code)] // each test file uses its part of this module
pub fn printed() -> insta::Settings {
    let mut settings = insta::Settings::clone_current();
    settings.set_comparator(Box::new(Numbers { relative: 1e-6 }));
    settings
}

impl Comparator for Numbers {
    fn matches(&self, reference: &insta::Snapshot, test: &insta::Snapshot) -> bool {
        match (reference.contents(), test.contents()) {
            (SnapshotContents::Text(one), SnapshotContents::Text(other)) => {
                self.same_text(&one.to_string(), &other.to_string())
            }
            _ => false,
        }
    }

    fn dyn_clone(&self) -> Box<dyn Comparator> {
        Box::new(self.clone())
    }
}

impl Numbers {
    /// Whether two texts say the same, measured numbers up to the tolerance. What is demanded of a
    /// number is not measured: from that word on a line must be the same.
    pub fn same_text(&self, one: &str, other: &str) -> bool {
        let (one, other): (Vec<&str>, Vec<&str>) =
            (one.trim().lines().collect(), other.trim().lines().collect());
        one.len() == other.len() && one.iter().zip(&other).all(|(a, b)| self.same_line(a, b))
    }

    fn same_line(&self, one: &str, other: &str) -> bool {
        let split = |line: &'_ str| -> (String, String) {
            let (measured, demanded) = line.split_once("demanded").unwrap_or((line, ""));
            (measured.to_owned(), demanded.to_owned())
        };
        let ((one, demanded), (other, demanded_too)) = (split(one), split(other));
        let (one, other): (Vec<&str>, Vec<&str>) =
            (one.split_whitespace().collect(), other.split_whitespace().collect());
        // A number that comes with an interval is known to the size of the interval.
        let ends = one.iter().filter(|w| w.contains(['[', ']'])).filter_map(|w| decimal(bare(w)));
        let scale = ends.fold(0.0, |m: f64, end| m.max(end.abs()));
        demanded == demanded_too
            && one.len() == other.len()
            && one.iter().zip(&other).all(|(a, b)| self.same_word(a, b, scale))
    }

    fn same_word(&self, one: &str, other: &str, scale: f64) -> bool {
        if one == other {
            return true;
        }
        let same_marks = one.replacen(bare(one), "", 1) == other.replacen(bare(other), "", 1);
        let (one, other) = (bare(one), bare(other));
        let (Some(a), Some(b), true) = (decimal(one), decimal(other), same_marks) else { return false };
        let size = a.abs().max(b.abs()).max(scale);
        let allowed = (self.relative * size).max(1.01 * last_unit(one));
        (a.abs() < ROUNDING && b.abs() < ROUNDING) || (a - b).abs() <= allowed
    }
}

/// A word without the punctuation around it.
fn bare(word: &str) -> &str {
    word.trim_matches([',', ';', ':', '(', ')', '[', ']'])
}

/// A number with decimals; whole numbers are counts and have to be the same.
fn decimal(word: &str) -> Option<f64> {
    word.contains(['.', 'e', 'E']).then(|| word.parse().ok()).flatten()
}

/// The unit of the last decimal that is printed, 10^(exponent − decimals).
fn last_unit(word: &str) -> f64 {
    let (mantissa, exponent) = word.split_once(['e', 'E']).unwrap_or((word, "0"));
    let decimals = mantissa.split_once('.').map_or(0, |(_, decimals)| decimals.len() as i32);
    10_f64.powi(exponent.parse().unwrap_or(0) - decimals)
}

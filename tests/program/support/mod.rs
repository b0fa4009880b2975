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
    /// Whether two texts say the same, numbers up to the tolerance.
    pub fn same_text(&self, one: &str, other: &str) -> bool {
        let (one, other): (Vec<&str>, Vec<&str>) =
            (one.split_whitespace().collect(), other.split_whitespace().collect());
        one.len() == other.len() && one.iter().zip(&other).all(|(a, b)| self.same_word(a, b))
    }

    fn same_word(&self, one: &str, other: &str) -> bool {
        if one == other {
            return true;
        }
        let (Ok(a), Ok(b)) = (one.parse::<f64>(), other.parse::<f64>()) else { return false };
        let allowed = (self.relative * a.abs().max(b.abs())).max(1.01 * last_unit(one));
        (a.abs() < ROUNDING && b.abs() < ROUNDING) || (a - b).abs() <= allowed
    }
}

/// 10^−decimals of a number in fixed notation; 0 for whole numbers and for scientific notation.
fn last_unit(word: &str) -> f64 {
    match word.split_once('.') {
        Some((_, decimals)) if !word.contains(['e', 'E']) => 10_f64.powi(-(decimals.len() as i32)),
        _ => 0.0,
    }
}

//! How snapshots are compared: the one place that knows what may differ.

use insta::Comparator;
use insta::internals::SnapshotContents;

/// Relative tolerance of numbers. Equal seeds give equal bits on one machine; another instruction
/// set may round the last bits of a long sum differently, and a training run amplifies that.
const RELATIVE: f64 = 1e-6;
/// Numbers below this are rounding errors, whose digits mean nothing.
const ROUNDING: f64 = 1e-9;

/// Text is compared word by word: numbers up to a relative tolerance, everything else exactly.
#[derive(Clone)]
pub struct Numbers;

impl Comparator for Numbers {
    fn matches(&self, reference: &insta::Snapshot, test: &insta::Snapshot) -> bool {
        match (reference.contents(), test.contents()) {
            (SnapshotContents::Text(one), SnapshotContents::Text(other)) => {
                same_text(&one.to_string(), &other.to_string())
            }
            _ => false,
        }
    }

    fn dyn_clone(&self) -> Box<dyn Comparator> {
        Box::new(self.clone())
    }
}

/// Whether two texts say the same, numbers up to the tolerance.
pub fn same_text(one: &str, other: &str) -> bool {
    let (one, other): (Vec<&str>, Vec<&str>) =
        (one.split_whitespace().collect(), other.split_whitespace().collect());
    one.len() == other.len() && one.iter().zip(&other).all(|(a, b)| same_word(a, b))
}

fn same_word(a: &str, b: &str) -> bool {
    if a == b {
        return true;
    }
    match (a.parse::<f64>(), b.parse::<f64>()) {
        (Ok(a), Ok(b)) => {
            (a.abs() < ROUNDING && b.abs() < ROUNDING) || (a - b).abs() <= RELATIVE * a.abs().max(b.abs())
        }
        _ => false,
    }
}

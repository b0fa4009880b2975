//! Numbers for people.

use super::Show;

/// A number with the digits a reader can use: four significant ones, powers of ten where it is
/// very small or very large.
///
/// ```
/// use ebmbook::show::format_number;
/// assert_eq!(format_number(1.91949), "1.919");
/// assert_eq!(format_number(20_000.0), "20000");
/// assert_eq!(format_number(3.33e-16), "3.33e-16");
/// assert_eq!(format_number(0.0), "0");
/// ```
pub fn format_number(v: f64) -> String {
    if v == 0.0 {
        return "0".into();
    }
    if !v.is_finite() {
        return v.to_string();
    }
    let size = v.abs();
    if !(1e-3..1e6).contains(&size) {
        // Two decimals of the mantissa, without a trailing .00
        let text = format!("{v:.2e}");
        return text.replace(".00e", "e");
    }
    if v.fract() == 0.0 {
        return format!("{v:.0}");
    }
    // Four significant digits, at most four decimals.
    let decimals = (3.0 - size.log10().floor()).clamp(0.0, 4.0) as usize;
    let text = format!("{v:.decimals$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

/// One named number.
#[derive(Clone, Debug, PartialEq)]
pub struct Number {
    name: String,
    value: f64,
}

/// A number with its name, for a cell that ends in one.
///
/// ```
/// use ebmbook::show::{Show, number};
/// assert_eq!(number("largest change", 2.5e-16).text(), "largest change: 2.50e-16");
/// ```
pub fn number(name: impl Into<String>, value: impl Into<f64>) -> Number {
    Number { name: name.into(), value: value.into() }
}

impl Show for Number {
    fn text(&self) -> String {
        format!("{}: {}", self.name, format_number(self.value))
    }
}

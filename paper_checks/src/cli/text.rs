//! Text fitted to the terminal: words are never broken.

use console::measure_text_width;
use itertools::Itertools;
use std::sync::LazyLock;

/// Columns where there is no terminal to ask and `COLUMNS` does not say.
const WIDTH: usize = 100;
/// Fewer columns than this have no room for a line.
const LEAST: usize = 40;

/// Columns of the terminal.
pub(super) fn width() -> usize {
    let asked = console::Term::stdout().size_checked().map(|(_, columns)| usize::from(columns));
    let said = || std::env::var("COLUMNS").ok()?.parse().ok();
    asked.or_else(said).unwrap_or(WIDTH).max(LEAST)
}

/// Whether text may have colours: on a terminal, unless `NO_COLOR` is set.
pub(super) fn colours() -> bool {
    static WANTED: LazyLock<bool> = LazyLock::new(|| {
        let unwanted = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        !unwanted && console::colors_enabled()
    });
    *WANTED
}

/// The text, or as many of its words as fit with an ellipsis behind them.
pub(super) fn shorten(text: &str, width: usize) -> String {
    if measure_text_width(text) <= width {
        return text.to_owned();
    }
    let mut kept = String::new();
    for word in text.split(' ') {
        let longer = if kept.is_empty() { word.to_owned() } else { format!("{kept} {word}") };
        if measure_text_width(&longer) + 1 > width {
            break;
        }
        kept = longer;
    }
    format!("{}…", kept.trim_end_matches([',', ';', ':', '.', '(']))
}

/// The text on lines of at most this width.
pub(super) fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if measure_text_width(line) + 1 + measure_text_width(word) <= width => {
                *line += " ";
                *line += word;
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// The text filled up with blanks to this width.
pub(super) fn pad(text: &str, width: usize) -> String {
    let missing = width.saturating_sub(measure_text_width(text));
    format!("{text}{}", " ".repeat(missing))
}

/// A count with a blank between thousands: 27 071. The blank does not break a line.
pub(super) fn count(number: usize) -> String {
    let digits = number.to_string();
    let groups = digits.as_bytes().rchunks(3).rev().map(|group| String::from_utf8_lossy(group));
    groups.collect::<Vec<_>>().iter().join("\u{a0}")
}

/// A length of time for people: 42 s, 1 min 50 s, 2 h 5 min.
pub(super) fn lasting(seconds: f64) -> String {
    match seconds.round() as u64 {
        _ if seconds < 9.95 => format!("{seconds:.1} s"),
        s @ 0..60 => format!("{s} s"),
        s @ 60..3600 => format!("{} min {} s", s / 60, s % 60),
        s => format!("{} h {} min", s / 3600, s / 60 % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_word_is_broken_and_no_line_too_wide() {
        assert_eq!(shorten("f recovered from its densities", 16), "f recovered…");
        assert_eq!(shorten("f recovered", 11), "f recovered");
        assert_eq!(shorten("one, two three", 8), "one…");
        assert_eq!(wrap("aa bb  cc d", 5), ["aa bb", "cc d"]);
        assert_eq!((pad("ß", 3), pad("long", 2)), ("ß  ".to_owned(), "long".to_owned()));
    }

    #[test]
    fn counts_and_lengths_of_time_read_well() {
        assert_eq!([96, 1_000, 27_071].map(count), ["96", "1\u{a0}000", "27\u{a0}071"]);
        assert_eq!([1.84, 42.2, 110.0, 7_500.0].map(lasting), ["1.8 s", "42 s", "1 min 50 s", "2 h 5 min"]);
    }
}

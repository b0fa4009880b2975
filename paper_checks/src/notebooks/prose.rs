//! Every measured number in the text must come out of a cell of the same notebook.
//!
//! Exempt are references to the paper (sections, tables, equations), years, and declared
//! parameters: numbers that a code cell of the notebook contains. Code and displayed
//! equations are not prose; in inline math whole numbers up to ten are part of the formula. A count ("three of the nine")
//! is measured in words, too, and must occur as such ("3 of 9").

use super::{Kind, Notebook};
use regex::Regex;
use std::sync::LazyLock;

macro_rules! pattern {
    ($name:ident, $text:expr) => {
        static $name: LazyLock<Regex> = LazyLock::new(|| Regex::new($text).expect("it is valid"));
    };
}

pattern!(FENCE, r"(?s)```.*?```");
pattern!(CODE, r"`[^`]*`");
pattern!(DISPLAY, r"(?s)\$\$.*?\$\$");
pattern!(MATH, r"\$[^$]+\$");
pattern!(LINK, r"\[\d+\]\([^)]*\)|\]\([^)]*\)");
pattern!(
    REFERENCE,
    r"(?i)\b(sections?|tables?|figures?|fig\.|propositions?|assumptions?|prop\.|lemma|appendix|equations?|eq\.|steps?|notebooks?|exercises?|§|claim|chapter|part)\s*\(?([A-Z]\.?)?\d+(\.\d+)*\)?(\s*(,|and|to|–|-|or)\s*\(?([A-Z]\.)?\d+(\.\d+)*\)?)*"
);
pattern!(APPENDIX, r"\b[A-Z]\.\d+\b");
pattern!(YEAR, r"\b(19|20)\d\d\b");
pattern!(LIST, r"(?m)^\s*\d+\.\s");
pattern!(TITLE, r"(?m)^# \d+ · ");
// A number that is not glued to a letter, a subscript or an identifier.
pattern!(NUMBER, r"(^|[^\w.\\^_{-])[-−]?(\d{1,3}(?:[  ]\d{3})+|\d+)(\.\d+)?(e[-−]?\d+)?");

// "3 of 9", "three of the nine".
pattern!(COUNT, r"(?i)\b([a-z]+|\d+)\s+of\s+(?:the\s+|its\s+|our\s+)?([a-z]+|\d+)\b");

/// Number words, in order from one.
const WORDS: [&str; 20] = [
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
    "twenty",
];

/// Numbers of the text that no output and no parameter accounts for, with the cell they are in.
pub fn unsupported(notebook: &Notebook) -> Vec<String> {
    let code: String = notebook.code().map(|c| c.source() + "\n").collect();
    let outputs: String =
        notebook.code().flat_map(|c| c.outputs()).map(|o| o.text().to_owned() + "\n").collect();
    let (declared, measured) = (numbers(&code.replace('_', "")), numbers(&outputs));
    let mut found = Vec::new();
    for (i, cell) in notebook.cells().iter().enumerate().filter(|(_, c)| c.kind() == Kind::Markdown) {
        for number in claimed(&cell.source()) {
            if !measured.iter().any(|m| accounts_for(*m, &number)) && !declared.contains(&number.value) {
                found.push(format!("cell {}: the text says {}, and no output does", i + 1, number.text));
            }
        }
        for [count, all] in counts(&cell.source()) {
            if !counts(&outputs).contains(&[count, all]) {
                found.push(format!("cell {}: the text counts {count} of {all}, and no output does", i + 1));
            }
        }
    }
    found
}

/// The counts of a text, in figures or in words.
fn counts(text: &str) -> Vec<[usize; 2]> {
    let number = |word: &str| {
        let word = word.to_lowercase();
        word.parse().ok().or_else(|| WORDS.iter().position(|w| *w == word).map(|place| place + 1))
    };
    COUNT.captures_iter(text).filter_map(|c| Some([number(&c[1])?, number(&c[2])?])).collect()
}

/// A number as the text writes it.
#[derive(Clone, Debug, PartialEq)]
pub struct Claimed {
    /// As written.
    pub text: String,
    /// Its value, without sign.
    pub value: f64,
    /// Half a unit of its last digit.
    pub half_unit: f64,
}

/// The numbers of a text that need a source.
///
/// ```
/// use paper_checks::notebooks::prose::claimed;
/// let text = "In Table 1 (2022) the error is 1.919 with $k = 3$; `let n = 500` and $$e = 2.718$$ are not prose.";
/// let numbers: Vec<String> = claimed(text).into_iter().map(|n| n.text).collect();
/// assert_eq!(numbers, ["1.919"]);
/// ```
pub fn claimed(markdown: &str) -> Vec<Claimed> {
    let mut text = markdown.to_owned();
    for pattern in [&FENCE, &DISPLAY, &CODE] {
        text = pattern.replace_all(&text, " ").into_owned();
    }
    let math: String = MATH.find_iter(&text).map(|m| m.as_str().to_owned() + " ").collect();
    text = MATH.replace_all(&text, " ").into_owned();
    for pattern in [&TITLE, &LINK, &REFERENCE, &APPENDIX, &YEAR, &LIST] {
        text = pattern.replace_all(&text, " ").into_owned();
    }
    let small = |n: &Claimed| n.value <= 10.0 && n.value.fract() == 0.0;
    found(&text).into_iter().chain(found(&math).into_iter().filter(|n| !small(n))).collect()
}

fn found(text: &str) -> Vec<Claimed> {
    let number = |c: regex::Captures| {
        let part = |i: usize| c.get(i).map_or("", |m| m.as_str());
        let whole: String = part(2).chars().filter(char::is_ascii_digit).collect();
        let power = part(4).replace('−', "-");
        let value = format!("{whole}{}{power}", part(3)).parse::<f64>().unwrap_or(f64::NAN);
        let decimals = part(3).len().saturating_sub(1) as i32;
        let exponent: i32 = power.trim_start_matches('e').parse().unwrap_or(0);
        let text = format!("{}{}{}", part(2), part(3), part(4));
        Claimed { text, value, half_unit: 0.5 * 10_f64.powi(exponent - decimals) }
    };
    NUMBER.captures_iter(text).map(number).collect()
}

fn numbers(text: &str) -> Vec<f64> {
    found(text).into_iter().map(|n| n.value).collect()
}

/// Whether a measured number rounds to the claimed one, as it is or as a percentage. A claimed
/// whole number must be met exactly: it is a count.
fn accounts_for(measured: f64, claimed: &Claimed) -> bool {
    let near = |m: f64| (m - claimed.value).abs() <= claimed.half_unit * (1.0 + 1e-9);
    let whole = claimed.half_unit == 0.5;
    if whole {
        measured == claimed.value || near(100.0 * measured) && measured < 1.0
    } else {
        near(measured) || near(100.0 * measured)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn notebook(prose: &str) -> Notebook {
        let prose = serde_json::to_string(prose).unwrap();
        let text = format!(
            r#"{{"cells": [
              {{"cell_type": "markdown", "metadata": {{}}, "source": {prose}}},
              {{"cell_type": "code", "execution_count": 1, "metadata": {{}}, "source": "let n = 500; error(n)",
               "outputs": [{{"output_type": "execute_result", "data": {{"text/plain": "PEHE: 1.9194, share 0.874, 3 of 9"}}, "metadata": {{}}}}]}}
            ], "metadata": {{}}, "nbformat": 4, "nbformat_minor": 5}}"#
        );
        Notebook::parse("example", &text).unwrap()
    }

    #[test]
    fn measured_numbers_parameters_and_references_pass() {
        for prose in [
            "The error is 1.92.",
            "The error is 1.919 in all 9 settings.",
            "With n = 500 rows, 87 % are right.",
            "See Section 3.2, Tables 1 and 2, Proposition 3.4, Appendix B.4, equation (5) and the text of 2022.",
            "1. first\n2. second",
            "Three of the nine settings, 3 of 9; one of them, part of the data.",
            "The kernel $\\tilde p$ with $x_{12}^2 / 2$ and x1.",
        ] {
            assert_eq!(unsupported(&notebook(prose)), Vec::<String>::new(), "{prose}");
        }
    }

    #[test]
    fn a_wrong_count_is_found_in_words_too() {
        for prose in ["in four of the nine settings", "three of ten"] {
            assert_eq!(unsupported(&notebook(prose)).len(), 1, "{prose}");
        }
    }

    #[test]
    fn a_wrong_number_is_found_wherever_it_stands() {
        for prose in
            ["The error is 1.93.", "in 8 of them", "about 88 %", "with $s = 0.78$", "2.2e-16", "20 000 rows"]
        {
            assert_eq!(unsupported(&notebook(prose)).len(), 1, "{prose}");
        }
    }
}

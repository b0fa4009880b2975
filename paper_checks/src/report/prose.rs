//! Sentences as HTML: code between backticks, subscripts and powers as such.

use regex::Regex;
use std::sync::LazyLock;

/// A plain sentence as HTML.
///
/// A single letter with a short subscript (`p_X`, `r_mu`) and a power in brackets (`n^(-1/2)`) are symbols;
/// anything longer, such as `with_ebm`, is a name and stays.
pub(super) fn prose(text: &str) -> String {
    static SUBSCRIPT: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"(^|[^\w])(\p{L})_([\p{L}\d]{1,3})\b").expect("a valid pattern"));
    static POWER: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"\^\(((?:[^()]|\([^()]*\))*)\)").expect("a valid pattern"));
    let mut html = String::new();
    for (i, part) in text.split('`').enumerate() {
        let part = ebmbook::show::escape(part);
        if i % 2 == 1 {
            html += &format!("<code>{part}</code>");
            continue;
        }
        let part = SUBSCRIPT.replace_all(&part, "$1<i>$2</i><sub>$3</sub>");
        html += &POWER.replace_all(&part, "<sup>$1</sup>");
    }
    html
}

#[cfg(test)]
mod tests {
    use super::prose;

    #[test]
    fn symbols_code_and_powers_are_set_as_such_and_names_are_left() {
        assert_eq!(prose("level sets of p_X"), "level sets of <i>p</i><sub>X</sub>");
        assert_eq!(prose("n_t << n_c"), "<i>n</i><sub>t</sub> &lt;&lt; <i>n</i><sub>c</sub>");
        assert_eq!(prose("the `paper` protocol"), "the <code>paper</code> protocol");
        assert_eq!(prose("like n^(-2α/(2α+d)): slow"), "like n<sup>-2α/(2α+d)</sup>: slow");
        assert_eq!(prose("Paper::with_hidden"), "Paper::with_hidden");
    }
}

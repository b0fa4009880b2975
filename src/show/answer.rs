//! Answers to exercises: right, or wrong with a hint.

use super::{Card, Show, Tone, format_number};

/// What a check function says of a student's answer.
///
/// ```
/// use ebmbook::show::{Answer, Show};
/// let judge = |answer: f64| Answer::close(answer, 2.0, 0.01, "how many sides has a coin?");
/// assert_eq!(judge(2.0).text(), "Right: 2.");
/// assert_eq!(judge(3.0).text(), "Not yet: 3. Hint: how many sides has a coin?");
/// assert!(!judge(f64::NAN).is_right());
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    right: bool,
    given: String,
    hint: String,
}

impl Answer {
    /// Right or not, with the answer that was given and a hint for those who are not there yet.
    pub fn new(right: bool, given: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { right, given: given.into(), hint: hint.into() }
    }

    /// Right if within `tolerance` of the truth.
    pub fn close(given: f64, truth: f64, tolerance: f64, hint: &str) -> Self {
        Self::new((given - truth).abs() <= tolerance, format_number(given), hint)
    }

    /// Right if the words are the same, whatever their case.
    pub fn word(given: &str, truth: &str, hint: &str) -> Self {
        Self::new(given.trim().eq_ignore_ascii_case(truth), given.trim(), hint)
    }

    /// Whether the answer is right.
    pub fn is_right(&self) -> bool {
        self.right
    }
}

impl Show for Answer {
    fn text(&self) -> String {
        if self.right {
            format!("Right: {}.", self.given)
        } else {
            format!("Not yet: {}. Hint: {}", self.given, self.hint)
        }
    }

    fn rich(&self) -> Vec<(&'static str, String)> {
        let card = if self.right {
            Card::new(format!("your answer: {}", self.given), "right", Tone::Good)
        } else {
            Card::new(format!("your answer: {}", self.given), "not yet", Tone::Open).line("hint", &self.hint)
        };
        vec![("image/svg+xml", card.svg())]
    }
}

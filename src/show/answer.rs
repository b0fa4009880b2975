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
/// // A likely mistake has a hint of its own.
/// let answer = judge(4.0).mistake(4.0, "both coins?");
/// assert_eq!(answer.text(), "Not yet: 4. Hint: both coins?");
/// // Nobody needs a hint before the first try.
/// assert_eq!(judge(f64::NAN).text(), "Not answered yet.");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    right: bool,
    given: String,
    hint: String,
    /// A number that was given, and how close is close.
    number: Option<(f64, f64)>,
}

impl Answer {
    /// Right or not, with the answer that was given and a hint for those who are not there yet.
    pub fn new(right: bool, given: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { right, given: given.into(), hint: hint.into(), number: None }
    }

    /// Right if within `tolerance` of the truth.
    pub fn close(given: impl Into<f64>, truth: impl Into<f64>, tolerance: f64, hint: &str) -> Self {
        let (given, truth) = (given.into(), truth.into());
        let answer = Self::new((given - truth).abs() <= tolerance, format_number(given), hint);
        Self { number: Some((given, tolerance)), ..answer }
    }

    /// Gives this hint to whoever answered this number.
    pub fn mistake(mut self, value: impl Into<f64>, hint: &str) -> Self {
        let value = value.into();
        if self.number.is_some_and(|(given, tolerance)| (given - value).abs() <= tolerance) {
            self.hint = hint.into();
        }
        self
    }

    /// Gives this hint to whoever answered this word.
    pub fn mistaken_word(mut self, word: &str, hint: &str) -> Self {
        if self.given.eq_ignore_ascii_case(word) {
            self.hint = hint.into();
        }
        self
    }

    /// Right if the words are the same, whatever their case.
    pub fn word(given: &str, truth: &str, hint: &str) -> Self {
        Self::new(given.trim().eq_ignore_ascii_case(truth), given.trim(), hint)
    }

    /// Whether an answer was given: a number, or a word.
    fn is_given(&self) -> bool {
        !self.given.is_empty() && self.number.is_none_or(|(given, _)| !given.is_nan())
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
        } else if !self.is_given() {
            "Not answered yet.".into()
        } else {
            format!("Not yet: {}. Hint: {}", self.given, self.hint)
        }
    }

    fn rich(&self) -> Vec<(&'static str, String)> {
        let card = if self.right {
            Card::new(format!("your answer: {}", self.given), "right", Tone::Good)
        } else if !self.is_given() {
            Card::new("your answer", "not answered yet", Tone::Open)
        } else {
            Card::new(format!("your answer: {}", self.given), "not yet", Tone::Open).line("hint", &self.hint)
        };
        vec![("image/svg+xml", card.svg())]
    }
}

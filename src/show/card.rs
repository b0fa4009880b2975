//! Verdict cards: one claim on one card.

use super::wrap::wrap;
use super::{Show, escape};

/// How a verdict is coloured. The word stands beside it, so nothing hangs on the colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// It holds.
    Good,
    /// It holds with a caveat.
    Caveat,
    /// It fails.
    Bad,
    /// Not decided.
    Open,
}

impl Tone {
    fn colour(self) -> &'static str {
        match self {
            Self::Good => "#00765a",
            Self::Caveat => "#8a5a00",
            Self::Bad => "#b03a00",
            Self::Open => "#555555",
        }
    }

    fn mark(self) -> &'static str {
        match self {
            Self::Good => "✓",
            Self::Caveat => "◐",
            Self::Bad => "✗",
            Self::Open => "?",
        }
    }
}

/// A claim, what was found, and what stands beside it.
///
/// ```
/// use ebmbook::show::{Card, Show, Tone};
/// let card = Card::new("a claim", "holds", Tone::Good)
///     .line("claim", "f is a sufficient statistic")
///     .line("measured", "largest change 2e-16");
/// assert!(card.text().starts_with("[a claim] holds\n"));
/// assert!(card.svg().contains("a claim"));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Card {
    title: String,
    verdict: String,
    tone: Tone,
    lines: Vec<(String, String)>,
}

const WIDTH: usize = 720;
const LINE: usize = 19;
/// Characters that fit beside the labels.
const CHARACTERS: usize = 84;

impl Card {
    /// A card with a title and a verdict.
    pub fn new(title: impl Into<String>, verdict: impl Into<String>, tone: Tone) -> Self {
        Self { title: title.into(), verdict: verdict.into(), tone, lines: Vec::new() }
    }

    /// One more line with a label.
    pub fn line(mut self, label: impl Into<String>, text: impl Into<String>) -> Self {
        self.lines.push((label.into(), text.into()));
        self
    }

    /// The verdict.
    pub fn verdict(&self) -> &str {
        &self.verdict
    }

    /// The card as a picture.
    pub fn svg(&self) -> String {
        let wrapped: Vec<(&str, Vec<String>)> =
            self.lines.iter().map(|(label, text)| (label.as_str(), wrap(text, CHARACTERS))).collect();
        let rows: usize = wrapped.iter().map(|(_, lines)| lines.len()).sum();
        let height = 52 + rows * LINE + wrapped.len() * 5 + 6;
        let colour = self.tone.colour();
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" \
             viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" font-family=\"sans-serif\">\n\
             <title>{}</title>\n\
             <rect x=\"1\" y=\"1\" width=\"{}\" height=\"{}\" rx=\"6\" fill=\"#ffffff\" stroke=\"{colour}\" stroke-width=\"2\"/>\n\
             <rect x=\"1\" y=\"1\" width=\"{}\" height=\"34\" rx=\"6\" fill=\"{colour}\"/>\n\
             <text x=\"14\" y=\"24\" font-size=\"16\" font-weight=\"bold\" fill=\"#ffffff\">{}</text>\n\
             <text x=\"{}\" y=\"24\" font-size=\"16\" font-weight=\"bold\" fill=\"#ffffff\" text-anchor=\"end\">{} {}</text>\n",
            escape(&format!("{}: {}", self.title, self.verdict)),
            WIDTH - 2,
            height - 2,
            WIDTH - 2,
            escape(&self.title),
            WIDTH - 14,
            self.tone.mark(),
            escape(&self.verdict),
        );
        let mut y = 58;
        for (label, lines) in wrapped {
            svg += &format!(
                "<text x=\"14\" y=\"{y}\" font-size=\"13\" fill=\"#555555\">{}</text>\n",
                escape(label)
            );
            for line in lines {
                svg += &format!(
                    "<text x=\"130\" y=\"{y}\" font-size=\"13\" fill=\"#111111\">{}</text>\n",
                    escape(&line)
                );
                y += LINE;
            }
            y += 5;
        }
        svg + "</svg>"
    }
}

impl Show for Card {
    fn text(&self) -> String {
        let mut lines = vec![format!("[{}] {}", self.title, self.verdict)];
        lines.extend(self.lines.iter().map(|(label, text)| format!("{label}: {text}")));
        lines.join("\n")
    }

    fn rich(&self) -> Vec<(&'static str, String)> {
        vec![("image/svg+xml", self.svg())]
    }
}

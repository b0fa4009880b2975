//! The finding of an entry: one sentence, whose numbers are measured and never typed.

use super::Key;
use ebmbook::show::format_number;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A sentence with places for measured values: `{KEY}`, `{KEY:FORMAT}` or, for a value of a control,
/// `{KEY in CONTROL:FORMAT}`.
///
/// | format | 0.0234 becomes | |
/// |---|---|---|
/// | none | `0.0234` | three or four digits |
/// | `.2` | `0.02` | so many decimals |
/// | `%`, `.1%` | `2 %`, `2.3 %` | per cent |
/// | `e` | `2e-2` | one digit and a power of ten |
/// | `2^.1`, `2^-.1` | `1.0`, `1.0` | two to this power, or one over it: the ratio behind a log2 ratio |
///
/// ```
/// use paper_checks::registry::Template;
/// let template: Template = "gain {gain@released:2^.1}× over {share:%} of the cells".parse().unwrap();
/// let filled = template.fill(|key, _| Some(if key.name() == "gain" { 1.07 } else { 0.946 }));
/// assert_eq!(filled.unwrap(), "gain 2.1× over 95 % of the cells");
/// assert_eq!(template.fill(|_, _| None).unwrap_err().to_string(), "gain@released");
/// assert!("{gain:huge}".parse::<Template>().unwrap_err().to_string().contains("`huge`"));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Template {
    text: String,
    pieces: Vec<Piece>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    Words(String),
    Number { key: Key, control: Option<String>, format: Format },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    Plain,
    Decimals(usize),
    PerCent(usize),
    Power,
    TwoToThe(usize),
    OneOverTwoToThe(usize),
}

/// A sentence with a place that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the place `{{{place}}}` of a finding cannot be filled: {reason}")]
pub struct TemplateError {
    place: String,
    reason: String,
}

impl Template {
    /// The sentence as it is written, with its places.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What is not measured: the words between the places.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        self.pieces.iter().filter_map(|piece| match piece {
            Piece::Words(words) => Some(words.as_str()),
            Piece::Number { .. } => None,
        })
    }

    /// The sentence with the values that `find` knows, by key and control; an error is the first key that it does not
    /// know.
    pub fn fill(&self, find: impl Fn(&Key, Option<&str>) -> Option<f64>) -> Result<String, Key> {
        let piece = |piece: &Piece| match piece {
            Piece::Words(words) => Ok(words.clone()),
            Piece::Number { key, control, format } => {
                find(key, control.as_deref()).map(|value| format.apply(value)).ok_or_else(|| key.clone())
            }
        };
        self.pieces.iter().map(piece).collect()
    }
}

impl Format {
    fn parse(text: &str) -> Option<Self> {
        let decimals = |text: &str| match text {
            "" => Some(0),
            _ => text.strip_prefix('.')?.parse().ok(),
        };
        match text {
            "e" => Some(Self::Power),
            _ => match (text.strip_suffix('%'), text.strip_prefix("2^-"), text.strip_prefix("2^")) {
                (Some(digits), _, _) => decimals(digits).map(Self::PerCent),
                (_, Some(digits), _) => decimals(digits).map(Self::OneOverTwoToThe),
                (_, _, Some(digits)) => decimals(digits).map(Self::TwoToThe),
                _ => decimals(text).map(Self::Decimals),
            },
        }
    }

    fn apply(self, value: f64) -> String {
        let text = match self {
            Self::Plain => format_number(value),
            Self::Decimals(digits) => format!("{value:.digits$}"),
            Self::PerCent(digits) => format!("{:.digits$} %", 100.0 * value),
            Self::Power => format!("{value:.0e}"),
            Self::TwoToThe(digits) => format!("{:.digits$}", value.exp2()),
            Self::OneOverTwoToThe(digits) => format!("{:.digits$}", (-value).exp2()),
        };
        // The sign of a number; powers keep their hyphen, as everywhere.
        text.strip_prefix('-').map_or_else(|| text.clone(), |rest| format!("−{rest}"))
    }
}

impl std::str::FromStr for Template {
    type Err = TemplateError;

    fn from_str(text: &str) -> Result<Self, TemplateError> {
        let (mut pieces, mut rest) = (Vec::new(), text);
        while let Some((words, after)) = rest.split_once('{') {
            let wrong = |place: &str, reason: String| TemplateError { place: place.to_owned(), reason };
            let (place, after) =
                after.split_once('}').ok_or_else(|| wrong(after, "it has no end".to_owned()))?;
            let (of, format) = match place.rsplit_once(':') {
                Some((of, format)) => {
                    let known = "must be .N, N%, e or 2^.N";
                    let format = Format::parse(format)
                        .ok_or_else(|| wrong(place, format!("its format {known}, got `{format}`")))?;
                    (of, format)
                }
                None => (place, Format::Plain),
            };
            let (key, control) =
                of.rsplit_once(" in ").map_or((of, None), |(key, id)| (key, Some(id.to_owned())));
            let key = key.parse().map_err(|error: super::key::KeyError| wrong(place, error.to_string()))?;
            pieces.push(Piece::Words(words.to_owned()));
            pieces.push(Piece::Number { key, control, format });
            rest = after;
        }
        pieces.push(Piece::Words(rest.to_owned()));
        Ok(Self { text: text.to_owned(), pieces })
    }
}

impl Serialize for Template {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text)
    }
}

impl<'de> Deserialize<'de> for Template {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

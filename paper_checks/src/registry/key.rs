//! The key of a measured quantity: what code and criteria share.

use ebmbook::data::Protocol;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::str::FromStr;

/// A quantity's name, what it is taken of, and the protocol it follows: `gain`, `slope(twins)`,
/// `gain(ridge; untrained)@released`.
///
/// ```
/// use ebmbook::data::Protocol;
/// use paper_checks::registry::Key;
/// let key = Key::new("gain").of("ridge").under(Protocol::Released);
/// assert_eq!(key.to_string(), "gain(ridge)@released");
/// assert_eq!("gain(ridge)@released".parse(), Ok(key));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Key {
    name: String,
    of: Vec<String>,
    protocol: Option<Protocol>,
}

/// A text that is no key.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a key must read `name`, `name(part; part)` or `name(part)@protocol`, got `{0}`")]
pub struct KeyError(String);

impl Key {
    /// A quantity of which there is one.
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), of: Vec::new(), protocol: None }
    }

    /// Adds what it is taken of: a data set, a regressor, a number of rows.
    pub fn of(mut self, part: impl ToString) -> Self {
        self.of.push(part.to_string());
        self
    }

    /// Says which protocol it follows.
    pub fn under(self, protocol: Protocol) -> Self {
        Self { protocol: Some(protocol), ..self }
    }

    /// Its name, which the claim's labels list.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it is taken of.
    pub fn parts(&self) -> &[String] {
        &self.of
    }

    /// The protocol it follows, if it follows one.
    pub fn protocol(&self) -> Option<Protocol> {
        self.protocol
    }

    /// Another quantity of the same parts under the same protocol.
    ///
    /// ```
    /// use paper_checks::registry::Key;
    /// let shown: Key = "gain(ridge)@paper".parse().unwrap();
    /// assert_eq!(shown.counterpart("untrained").to_string(), "untrained(ridge)@paper");
    /// ```
    pub fn counterpart(&self, name: &str) -> Self {
        Self { name: name.to_owned(), ..self.clone() }
    }

    /// The label that a template gives it: each `{}` is a part, `{protocol}` the protocol, which otherwise comes last.
    ///
    /// ```
    /// use paper_checks::registry::Key;
    /// let key: Key = "gain(ridge)@paper".parse().unwrap();
    /// assert_eq!(key.label("log2 PEHE ratio, {}"), "log2 PEHE ratio, ridge, paper");
    /// assert_eq!(key.label("{protocol}: ratio, {}"), "paper: ratio, ridge");
    /// ```
    pub fn label(&self, template: &str) -> String {
        let filled = self.of.iter().fold(template.to_owned(), |text, part| text.replacen("{}", part, 1));
        match self.protocol {
            Some(protocol) if template.contains("{protocol}") => {
                filled.replace("{protocol}", &protocol.to_string())
            }
            Some(protocol) => format!("{filled}, {protocol}"),
            None => filled,
        }
    }
}

/// Reads a key that stands in the code.
///
/// # Panics
/// If it is no key: a value under it would never meet its criterion.
impl From<&str> for Key {
    fn from(text: &str) -> Self {
        text.parse().unwrap_or_else(|error| panic!("{error}"))
    }
}

impl From<&Self> for Key {
    fn from(key: &Self) -> Self {
        key.clone()
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        if !self.of.is_empty() {
            write!(f, "({})", self.of.join("; "))?;
        }
        self.protocol.map_or(Ok(()), |protocol| write!(f, "@{protocol}"))
    }
}

impl FromStr for Key {
    type Err = KeyError;

    fn from_str(text: &str) -> Result<Self, KeyError> {
        let wrong = || KeyError(text.to_owned());
        let (rest, protocol) = match text.rsplit_once('@') {
            Some((rest, protocol)) => (rest, Some(protocol.parse().map_err(|_| wrong())?)),
            None => (text, None),
        };
        let (name, of) = match rest.split_once('(') {
            Some((name, parts)) => {
                let parts = parts.strip_suffix(')').ok_or_else(wrong)?;
                (name, parts.split("; ").map(str::to_owned).collect())
            }
            None => (rest, Vec::new()),
        };
        let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        if name.is_empty() || !name.chars().all(plain) || of.iter().any(String::is_empty) {
            return Err(wrong());
        }
        Ok(Self { name: name.to_owned(), of, protocol })
    }
}

impl Serialize for Key {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Key {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_read_as_it_is_written() {
        for text in ["mcc", "sd(ebm, fresh samples)", "gain(ridge; untrained)@released", "share@paper"] {
            assert_eq!(text.parse::<Key>().unwrap().to_string(), text);
        }
        for text in ["", "A label", "gain(", "gain()", "gain@nobody", "gain(a"] {
            assert_eq!(text.parse::<Key>(), Err(KeyError(text.to_owned())));
        }
    }
}

//! What an entry is, and the words it is judged with.

use serde::{Deserialize, Serialize};
use strum::{Display, EnumIter};

/// Whose words an entry has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, Display, EnumIter)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Kind {
    /// The paper says it. It has a quotation and a verdict.
    Claim,
    /// A reviewer would ask it; the paper does not claim it. It has an answer.
    Question,
    /// Ours. It has a proof and a numerical certificate.
    Theorem,
}

impl Kind {
    /// What its outcome is called.
    pub fn outcome(self) -> &'static str {
        match self {
            Self::Claim => "verdict",
            Self::Question => "answer",
            Self::Theorem => "certificate",
        }
    }
}

/// What the workbook says of an entry. Each kind has words of its own: nothing that the authors did not say can fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, Display, EnumIter)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum Verdict {
    /// Of a claim: every demand is met.
    Holds,
    /// Of a claim: not as stated, but in the weaker form that the caveat describes.
    HoldsWithCaveat,
    /// Of a claim: a demand is broken.
    Fails,
    /// Of a claim: the values do not decide it.
    Inconclusive,
    /// Of a question: every demand is met.
    Yes,
    /// Of a question: only the weaker demands are met.
    Partly,
    /// Of a question: a demand is broken.
    No,
    /// Of a theorem: the numbers agree with it.
    Certified,
    /// Of a theorem: a number contradicts it.
    Refuted,
    /// Of a question or a theorem: the values do not decide it.
    Open,
}

impl Verdict {
    /// The word that an entry of a kind has for a verdict on its criteria.
    ///
    /// ```
    /// use paper_checks::registry::{Kind, Verdict};
    /// assert_eq!(Verdict::Fails.of(Kind::Question), Verdict::No);
    /// assert_eq!(Verdict::Holds.of(Kind::Theorem), Verdict::Certified);
    /// ```
    pub fn of(self, kind: Kind) -> Self {
        match (kind, self) {
            (Kind::Claim, word) => word,
            (Kind::Question, Self::Holds) => Self::Yes,
            (Kind::Question, Self::HoldsWithCaveat) => Self::Partly,
            (Kind::Question, Self::Fails) => Self::No,
            (Kind::Theorem, Self::Holds) => Self::Certified,
            (Kind::Theorem, Self::HoldsWithCaveat | Self::Fails) => Self::Refuted,
            (Kind::Question | Kind::Theorem, _) => Self::Open,
        }
    }

    /// The kind that has this word.
    pub fn kind(self) -> Option<Kind> {
        match self {
            Self::Holds | Self::HoldsWithCaveat | Self::Fails | Self::Inconclusive => Some(Kind::Claim),
            Self::Yes | Self::Partly | Self::No => Some(Kind::Question),
            Self::Certified | Self::Refuted => Some(Kind::Theorem),
            Self::Open => None,
        }
    }

    /// Whether every demand is met.
    pub fn is_met(self) -> bool {
        matches!(self, Self::Holds | Self::Yes | Self::Certified)
    }

    /// Whether only the weaker form stands.
    pub fn is_weaker(self) -> bool {
        matches!(self, Self::HoldsWithCaveat | Self::Partly)
    }

    /// Whether a demand is broken and no weaker form stands.
    pub fn is_broken(self) -> bool {
        matches!(self, Self::Fails | Self::No | Self::Refuted)
    }

    /// Whether the values do not decide.
    pub fn is_open(self) -> bool {
        matches!(self, Self::Inconclusive | Self::Open)
    }

    /// A mark that says it without colour; an answer is neither good nor bad.
    pub fn mark(self) -> char {
        match self {
            Self::Yes | Self::Partly | Self::No => '•',
            _ if self.is_met() => '✔',
            _ if self.is_weaker() => '~',
            _ if self.is_broken() => '✘',
            _ => '?',
        }
    }

    /// The word as people say it.
    pub fn words(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::HoldsWithCaveat => "holds with a caveat",
            Self::Fails => "fails",
            Self::Inconclusive => "inconclusive",
            Self::Yes => "yes",
            Self::Partly => "partly",
            Self::No => "no",
            Self::Certified => "certified",
            Self::Refuted => "refuted",
            Self::Open => "open",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use strum::IntoEnumIterator;

    #[test]
    fn every_word_is_exactly_one_of_met_weaker_broken_and_open() {
        for word in Verdict::iter() {
            let is = [word.is_met(), word.is_weaker(), word.is_broken(), word.is_open()];
            assert_eq!(is.iter().filter(|is| **is).count(), 1, "{word}");
        }
    }

    #[test]
    fn nothing_that_the_authors_did_not_say_can_fail() {
        for kind in Kind::iter() {
            for word in Verdict::iter().filter(|word| word.kind() == Some(Kind::Claim)) {
                let said = word.of(kind);
                assert!(said.kind().is_none_or(|of| of == kind), "{kind}: {said}");
            }
        }
    }
}

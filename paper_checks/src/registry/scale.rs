//! How large a study or a check is.

use clap::builder::Resettable;

/// How much work may be done.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    Hash,
    serde::Serialize,
    serde::Deserialize,
    clap::ValueEnum,
    strum::Display,
)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Scale {
    #[value(help = Resettable::Reset)]
    /// Seconds for each claim.
    #[default]
    Quick,
    #[value(help = Resettable::Reset)]
    /// As much as the claim deserves.
    Full,
}

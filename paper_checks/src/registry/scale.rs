//! How large a study or a check is.

use clap::{ValueEnum, builder::Resettable};
use serde::{Deserialize, Serialize};
use strum::Display;

/// How much work may be done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, ValueEnum, Display)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Scale {
    /// Seconds for each claim.
    #[default]
    #[value(help = Resettable::Reset)]
    Quick,
    /// As much as the claim deserves.
    #[value(help = Resettable::Reset)]
    Full,
}

//! Checks of the experiments: each reads the values of studies and returns named numbers.
//!
//! Settings are fixed, runs are random: a standard error is that of the mean over the settings at
//! hand, from the spread between runs. Whether a conclusion carries over to other draws of the
//! data is a claim of its own, `seed-dependence`.

mod autoencoder_baseline;
mod compare;
mod curves;
mod fig3_cate_sd;
mod fig3_mcc;
mod hyperparameters;
mod ihdp;
mod imbalance;
mod printed_consistency;
mod rare_rows;
mod reduction_helps;
mod regressor_agnostic;
mod seed_dependence;
mod selection_on_test;
mod splitting_variance;
mod table1_ebm_helps;
mod table1_gain_shrinks;
mod table1_gaps_shrink;
mod table1_printed_digits;
mod table1_r_best;
mod table2_ebm_beats_reductions;

pub use compare::SHARE_ALPHA;
pub(crate) use compare::one_experiment_each;

use super::{Context, Findings};
use crate::study::StudyError;

/// A function that measures one claim about the experiments.
pub type Experiment = fn(&Context) -> Result<Findings, StudyError>;

/// The claim, the studies whose values it needs, and its check.
pub const EXPERIMENTS: [(&str, &[&str], Experiment); 18] = [
    ("table1-ebm-helps", &["table1"], table1_ebm_helps::check),
    ("table1-printed-digits", &["table1", "seeds"], table1_printed_digits::check),
    ("table1-gain-shrinks", &["table1", "seeds"], table1_gain_shrinks::check),
    ("table1-gaps-shrink", &["table1"], table1_gaps_shrink::check),
    ("table1-r-best", &["table1"], table1_r_best::check),
    ("table2-ebm-beats-reductions", &["table2", "table-a1"], table2_ebm_beats_reductions::check),
    (
        "regressor-agnostic",
        &["table1", "table-power", "table-polynomial", "table-ridge"],
        regressor_agnostic::check,
    ),
    ("ihdp", &["ihdp"], ihdp::check),
    ("selection-on-test", &["selection"], selection_on_test::check),
    ("seed-dependence", &["seeds"], seed_dependence::check),
    ("autoencoder-baseline", &["table2", "table-a1"], autoencoder_baseline::check),
    ("imbalance", &["imbalance"], imbalance::check),
    ("fig3-cate-sd", &["figure3-sd"], fig3_cate_sd::check),
    ("fig3-mcc", &["figure3-mcc"], fig3_mcc::check),
    ("splitting-variance", &["splitting"], splitting_variance::check),
    ("hyperparameters", &["sensitivity"], hyperparameters::check),
    ("printed-consistency", &[], printed_consistency::check),
    ("reduction-helps", &["fair-ladder"], reduction_helps::check),
];

/// The studies a claim needs; none for a claim about the theory.
///
/// ```
/// assert_eq!(paper_checks::checks::studies_of("ihdp"), ["ihdp"]);
/// assert!(paper_checks::checks::studies_of("sufficiency").is_empty());
/// ```
pub fn studies_of(claim: &str) -> &'static [&'static str] {
    EXPERIMENTS.iter().find(|(id, _, _)| *id == claim).map_or(&[], |(_, studies, _)| *studies)
}

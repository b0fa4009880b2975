//! The claims of the paper, one folder per claim.
//!
//! A folder has `claim.toml`: the words, the criteria with the reason of each tolerance, the controls, the labels of what is
//! measured. It has `check.rs`, which measures the claim as printed and each broken variant, and two snapshots of what came
//! out: `quick.snap` for the eye, with the trend first, and `values.snap` with every number. A check measures and judges nothing: the verdict follows from its values and the criteria, by
//! [`verdict`](crate::registry::verdict).
//!
//! A share of cells is judged by the cells whose sign is certain: t-tests with Holm's procedure, [`SHARE_ALPHA`] per share
//! if runs are normal, on the draw of the data at hand. "Every cell" holds if all are gained beyond doubt, and is broken by
//! one that is lost beyond doubt.

pub mod calibration;
mod check;
mod compare;
mod curves;
mod findings;
mod printed_rows;
mod record;
mod report;
pub mod signs;
mod supports;

pub use crate::context::{Context, Mutation};
pub use crate::registry::Scale;
pub use check::{Check, Measure, OfPrinted, Pictures, Repeat, Replicates};
pub use compare::SHARE_ALPHA;
pub use findings::Findings;
pub(crate) use findings::data_hash;
pub use record::Record;
pub use report::{Report, run};
pub use signal_in_high_d::check::{Signal, signal_at_printed_settings};

use crate::registry::{Claim, Kind};
use std::sync::LazyLock;

/// A claim and its check.
struct Entry {
    claim: Claim,
    check: Check,
}

/// Registers the folders of claims.
macro_rules! claims {
    ($($folder:ident),* $(,)?) => {
        $(mod $folder {
            pub(super) mod check;
        })*

        static ENTRIES: LazyLock<Vec<Entry>> = LazyLock::new(|| vec![$(Entry {
            claim: read(stringify!($folder), include_str!(concat!(stringify!($folder), "/claim.toml"))),
            check: $folder::check::CHECK,
        }),*]);
    };
}

// The two claims of Section 6, then the order of the paper: the theory, and the experiments.
claims![
    claim_1,
    claim_2,
    rate_in_d,
    dr_rate,
    assumption_low_dimension,
    sufficiency,
    minimality,
    random_directions,
    identifiability,
    identifiability_shift,
    stronger_than_ice_beem,
    approximation,
    approximation_linear_proof,
    orthogonality_is_key,
    partition_cancels,
    cross_entropy_lemma,
    noise_kernel,
    population_optimum,
    population_optimum_continuous,
    consistency,
    probability_one,
    noise_inside,
    contrast_implies_density,
    manifold_and_density,
    limit_rank_one,
    modulo_b1_constant,
    mended_probabilities,
    mended_balancing,
    mended_exact_effects,
    mended_bins,
    mended_in_samples,
    mended_and_ice_beem,
    signal_in_high_d,
    sweep_score_comparable,
    predictive_of_outcome,
    assumptions_compatible,
    cate_consistency,
    shift_indifference,
    table1_ebm_helps,
    table1_printed_digits,
    table1_gain_shrinks,
    table1_gaps_shrink,
    table1_r_best,
    table2_ebm_beats_reductions,
    appendix_reductions,
    regressor_agnostic,
    ihdp,
    ihdp_over_draws,
    selection_on_test,
    sweep_selects,
    choice_of_k,
    seed_dependence,
    autoencoder_baseline,
    imbalance,
    fig3_cate_sd,
    fig3_mcc,
    many_directions,
    splitting_variance,
    hyperparameters,
    printed_consistency,
    twins_same_digits,
    reduction_helps,
    supervised_unreliable,
    mended_helps,
];

fn read(folder: &str, text: &str) -> Claim {
    let mut claim: Claim = toml::from_str(text)
        .unwrap_or_else(|e| panic!("{folder}/claim.toml is part of the program, and a test reads it: {e}"));
    for control in &mut claim.controls {
        control.expect = control.expect.of(claim.kind);
    }
    claim
}

/// All entries, in the order of the list above.
///
/// ```
/// assert!(paper_checks::claims::all().any(|c| c.id == "fig3-mcc"));
/// ```
pub fn all() -> impl ExactSizeIterator<Item = &'static Claim> + Clone {
    ENTRIES.iter().map(|entry| &entry.claim)
}

/// The claim with this id.
pub fn find(id: &str) -> Option<&'static Claim> {
    all().find(|c| c.id == id)
}

/// Whether the argument of the paper ends with this entry: a claim that rests on others, and no other entry rests on it.
///
/// ```
/// use paper_checks::claims;
/// assert_eq!(claims::all().filter(|c| claims::is_root(c)).count(), 2);
/// ```
pub fn is_root(claim: &Claim) -> bool {
    let rests = claim.kind == Kind::Claim && claim.below().next().is_some();
    rests && !all().any(|other| other.below().any(|id| *id == claim.id))
}

/// What measures a claim.
///
/// # Panics
/// If the claim is not one of [`all`].
pub fn check_of(claim: &Claim) -> &'static Check {
    let entry = ENTRIES.iter().find(|entry| entry.claim.id == claim.id);
    &entry.expect("a claim of the registry").check
}

/// The claims to read first: they change how the paper reads.
pub fn read_first() -> Vec<&'static Claim> {
    let mut first: Vec<&Claim> = all().filter(|c| c.read_first.is_some()).collect();
    first.sort_by_key(|c| c.read_first);
    first
}

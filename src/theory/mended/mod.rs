//! Folds by arm and outcome: what the model then tends to, and which promises it keeps.
//!
//! Fold j = (a, s) holds the rows with treatment a whose outcome lies in bin s. Density j tends to
//! p(x | A = a, Y ∈ s) = P(a, s | x) p_X(x) / P(a, s), so with e = Bᵀf
//!
//! ```text
//! e_j(x) = −log p_X(x) − log P(j | x) + c_j
//! e_j(x) − mean_l e_l(x) = −(log P(j | x) − mean_l log P(l | x)) + c'_j
//! ```
//!
//! The left side of the second line is f modulo B1. Five things follow wherever P(a, s | x) > 0:
//!
//! 1. f is identified up to a constant, as with any folds: Proposition 3.3 is about densities.
//! 2. P(a, s | x) is a function of f modulo B1, the constants being fixed by E[P(j | X)] = P(j). So is π, and f modulo B1 is
//!    a balancing score: A ⫫ X given it, and ignorability carries over from X (Rosenbaum and Rubin 1983).
//! 3. If the outcome has finitely many values and each is a bin, effects on f modulo B1 are τ.
//! 4. With bins of width at most h on a bounded outcome they are off by at most 2h, and 2h is approached.
//! 5. With random folds f modulo B1 is constant: all that is left of the printed method lies on the direction that goes.
//!
//! Where X is finite all of it is enumerated: [`World`] has the probabilities, [`Limit`] the energies, [`Strata`] what
//! conditioning on a statistic gives.

pub mod auxiliary;
mod bins;
mod build;
mod certificate;
mod folds;
pub mod samples;
mod share;
mod strata;
mod world;

pub use bins::Binned;
pub use build::{confounded, generic, pairs, with_an_empty_cell};
pub use certificate::{Found, Setting};
pub use folds::{FoldLaw, Limit};
pub use share::Spread;
pub use strata::Strata;
pub use world::{Atom, World};

#[cfg(test)]
mod tests;

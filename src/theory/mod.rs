//! The paper's propositions as computations. In: a representation f, directions B, a density.
//! Out: numbers that are zero, or small, or falling, if and only if the proposition is right.
//!
//! Where X is finite everything is enumerated in double precision; where it is continuous (one or
//! two dimensions) normalisers come from Gauss–Legendre quadrature. Nothing here judges: verdicts
//! are the business of `paper_checks`.

pub mod approximation;
pub mod assumptions;
pub mod compact;
pub mod contrast;
pub mod density;
pub mod doubly_robust;
pub mod effects;
pub mod equivalence;
pub mod full_rank;
pub mod gaussian;
pub mod gradient;
pub mod identifiability;
pub mod kernels;
pub mod lemma;
pub mod limit;
pub mod manifold;
pub mod mended;
pub mod mixture;
pub mod one_parameter;
pub mod population;
pub mod posterior;
pub mod probability_one;
pub mod rates;
mod rule;
pub mod saturation;
pub mod shift;
pub mod sufficiency;

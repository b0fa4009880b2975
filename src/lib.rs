//! The method of *Identifiable Energy-based Representations: An Application to Estimating
//! Heterogeneous Causal Effects* (AISTATS 2022), in pieces small enough to check one at a time.
//!
//! Fit a model and look at it:
//!
//! ```
//! use ebmbook::metrics::correlation;
//! use ebmbook::prelude::*;
//! use ebmbook::theory::mixture;
//!
//! // Points from three clusters. The model never sees their density.
//! let train = Covariates::continuous(mixture::sample(2_000, Seed::new(1)))?;
//! let ebm = Ebm::fit(&Ebm::params(3).rate(0.01).epochs(100), &train, Seed::new(2))?;
//!
//! // The energies β_jᵀf(x) of new points follow −log p(x).
//! let test = mixture::sample(500, Seed::new(3));
//! let energies = ebm.energies(test.view())?;
//! let log_p = mixture::log_density(test.view());
//! let follows = correlation(energies.column(0), log_p.view());
//! assert!(follows < -0.8, "{follows}");
//! # Ok::<(), ebmbook::Error>(())
//! ```
//!
//! Then run the examples in their order, each with `cargo run --release --example NAME`:
//!
//! | example | what it shows |
//! |---|---|
//! | `01_fit_an_ebm` | the loss, the representation, and how it follows log p(x) |
//! | `02_corrupt_rows` | the noise the model learns from |
//! | `03_posterior_by_hand` | Equations (6) and (7) for three candidates |
//! | `04_recover_f` | f from its densities by one matrix product (Proposition 3.3) |
//! | `05_rank_one_limit` | what k densities of one distribution converge to |
//! | `06_reduce` | the EBM against other reductions |
//! | `07_effects` | effects with T, S, X, DR and R |
//! | `08_stop_and_resume` | checkpoints |
//! | `09_cross_fit` | why nuisances come from other folds |
//!
//! Follow the data with a finger; each name is a module:
//!
//! ```text
//! seed → data → noise → (network → ebm →) representation → (cate →) metrics
//! ```
//!
//! [`theory`] holds the propositions and their limits, [`show`] draws. This library knows the method
//! and nothing of the paper's tables; those, and the verdicts on the paper's claims, live in the
//! package `paper_checks`.

pub mod cate;
pub mod data;
pub mod ebm;
pub mod error;
pub mod files;
pub mod kmeans;
pub mod linalg;
pub mod metrics;
pub mod network;
pub mod noise;
pub mod prelude;
pub mod regress;
pub mod representation;
pub mod seed;
pub mod show;
pub mod theory;

pub use error::{Error, Result};

// The crates whose types stand in this library's signatures, in the versions it was built with.
pub use {dfdx, ndarray, ndarray_rand};

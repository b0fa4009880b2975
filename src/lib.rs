//! The method of *Identifiable Energy-based Representations: An Application to Estimating
//! Heterogeneous Causal Effects* (AISTATS 2022), in pieces small enough to check one at a time.
//!
//! Follow the data with a finger; each arrow is a module:
//!
//! ```text
//! seed → data → noise → (ebm →) representation → (cate →) metrics
//! ```
//!
//! This library knows the method and nothing of the paper's tables; those, and the verdicts on
//! the paper's claims, live in the package `paper_checks`.
//!
//! ```
//! use ebmbook::prelude::*;
//!
//! // The authors' own synthetic data, regenerated from its seed.
//! let setting = synthetic::Released::new(50, 100)?;
//! let TrainTest { train, test, .. } = setting.generate();
//! assert_eq!((train.n(), train.d(), test.n()), (100, 50, 20_000));
//!
//! // Predicting "no effect for anybody" is the first baseline every estimate has to beat.
//! let zero = ndarray::Array1::zeros(test.n());
//! let pehe = metrics::pehe(zero.view(), test.noisy_effect()?.view())?;
//! assert_eq!(format!("{pehe:.3}"), "1.919");
//! # Ok::<(), ebmbook::Error>(())
//! ```

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

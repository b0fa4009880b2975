//! What the notebooks call. In: a scale and a seed. Out: figures, tables, cards and answers that a
//! cell shows as its last value.
//!
//! A file a notebook; `cards`, `committed` and `counts` serve all of them. Nothing here computes what the library
//! does not: a lesson picks an example small enough to be seen whole, calls the library, and arranges
//! what comes back.

pub mod approximation;
mod cards;
mod committed;
pub mod consistency;
mod counts;
pub mod data;
pub mod effects;
pub mod identifiability;
pub mod intercept;
pub mod limit;
pub mod review;
pub mod stability;
pub mod start;
pub mod sufficiency;

pub use crate::checks::{Context, Scale};
pub use cards::{Judged, card, claims_of, context, judged};
pub use committed::{Rows, published};
pub use counts::above;
pub use ebmbook::prelude::*;
pub use ebmbook::show::{Answer, Card, Figure, Number, Show, Table, number, table};
pub use ndarray::{Array1, Array2, array};

//! What the notebooks call. In: a scale and a seed. Out: figures, tables, cards and answers that a
//! cell shows as its last value.
//!
//! One file per notebook; `cards` and `counts` serve all of them, and what the report shows too is in
//! [`pictures`](crate::pictures). Nothing here computes what the library
//! does not: a lesson picks an example small enough to be seen whole, calls the library, and arranges
//! what comes back.

mod cards;
pub mod consistency;
mod counts;
pub mod data;
pub mod review;
pub mod stability;
pub mod start;

pub use crate::claims::{Context, Scale};
pub use crate::pictures::committed::{Rows, published};
pub use crate::pictures::{approximation, effects, identifiability, intercept, limit, sufficiency};
pub use cards::{Judged, card, claims_of, context, judged};
pub use counts::above;
pub use ebmbook::prelude::*;
pub use ebmbook::show::{Answer, Card, Figure, Number, Show, Table, number, table};
pub use ndarray::{Array1, Array2, array};

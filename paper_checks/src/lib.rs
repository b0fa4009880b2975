//! The paper: its printed numbers, and what this workbook finds beside them.
//!
//! The method lives in the library [`ebmbook`]; this package holds what is particular to the
//! paper, and the program `ebmbook` that people run.

pub mod claims;
pub mod cli;
pub mod context;
pub mod lessons;
pub mod notebooks;
mod pictures;
pub mod printed;
pub mod registry;
pub mod report;
pub mod study;
pub mod tolerance;

pub use ebmbook;

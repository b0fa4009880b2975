//! The paper: its printed numbers, and what this workbook finds beside them.
//!
//! The method lives in the library [`ebmbook`]; this package holds what is particular to the
//! paper, and the program `ebmbook` that people run.

pub mod calibration;
pub mod checks;
pub mod claim;
pub mod cli;
pub mod deviation;
pub mod lessons;
pub mod notebooks;
pub mod printed;
pub mod report;
pub mod study;
pub mod tolerance;
mod value;
pub mod verdict;

pub use ebmbook;

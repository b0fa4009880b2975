//! The Rust notebooks. In: `notebooks/*.ipynb` with their committed outputs. Out: the same executed
//! by a real Jupyter client, a list of what differs, offline HTML, copies for students.
//!
//! A cell that panics, or returns an error, only prints to standard error and the Rust kernel calls
//! it a success. So any text on standard error counts as a failure here, whatever the kernel says.
//!
//! ```text
//! file    one notebook as data                 setup      Python, kernel and their folders
//! lint    what a committed notebook must be    execute    run the cells through Jupyter
//! prose   numbers in the text have a source    compare    fresh outputs against committed ones
//! html    offline pages with rendered math     student    copies without outputs; solutions
//! verdict lines that settle an entry           literate   how much of the work stands in the cells
//! ```

pub mod compare;
mod error;
mod execute;
pub mod file;
pub mod html;
pub mod lint;
pub mod literate;
pub mod prose;
mod setup;
pub mod student;
pub mod verdict;
mod warm;

pub use error::NotebookError;
pub use execute::{Progress, execute};
pub use file::{Cell, Kind, Notebook, Output};
pub use setup::{Place, Tools};
pub use warm::warm;

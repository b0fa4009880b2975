//! What people look at. In: numbers. Out: SVG figures, tables, verdict cards and answers, the same
//! in a notebook, in the report and in a file.
//!
//! A [`Figure`] is data first: series, intervals, grids and labels. Drawing comes last
//! ([`Figure::svg`]) and the data travel inside the picture, so that two pictures are compared by
//! what they show and not by where the ink is ([`Figure::from_svg`], [`Figure::difference`]).
//!
//! Everything here has `evcxr_display`, which is how a Rust notebook shows a value, and
//! [`Show::text`], which says the same in words.
//!
//! ```
//! use ebmbook::show::{Figure, Show};
//! let figure = Figure::new("Error against sample size")
//!     .x("n, training rows").log_x()
//!     .y("PEHE, outcome units")
//!     .line_with_band("ridge", &[(100.0, 2.4, 2.2, 2.6), (1000.0, 2.1, 2.05, 2.15)])
//!     .level("predicting zero", 1.9);
//! assert!(figure.svg().starts_with("<svg"));
//! assert_eq!(Figure::from_svg(&figure.svg()).as_ref(), Some(&figure));
//! assert!(figure.text().contains("ridge: 2 points"));
//! ```

mod answer;
mod axis;
mod card;
mod compare;
mod contour;
mod draw;
mod figure;
mod layer;
mod marks;
mod number;
mod palette;
mod table;
mod wrap;

pub use answer::Answer;
pub use card::{Card, Tone};
pub use compare::{Difference, different_numbers};
pub use figure::Figure;
pub use layer::{Axis, Dot, Grid, Layer, Like, Sign};
pub use number::{Number, format_number, number};
pub use palette::{colour, heat_colour};
pub use table::{Table, table};

/// Something a notebook can show: always words, mostly a picture as well.
pub trait Show {
    /// The content in words; what a reader without pictures sees.
    fn text(&self) -> String;

    /// Richer forms, each with its media type.
    fn rich(&self) -> Vec<(&'static str, String)> {
        Vec::new()
    }

    /// Writes all forms to standard output the way the Rust notebook kernel reads them.
    fn display(&self) {
        for (kind, content) in self.rich() {
            println!("EVCXR_BEGIN_CONTENT {kind}\n{content}\nEVCXR_END_CONTENT");
        }
        println!("EVCXR_BEGIN_CONTENT text/plain\n{}\nEVCXR_END_CONTENT", self.text());
    }
}

/// The kernel looks for a method of this name on the type itself.
macro_rules! displayable {
    ($($kind:ty),*) => {$(
        impl $kind {
            /// Shows the value in a Rust notebook.
            pub fn evcxr_display(&self) {
                Show::display(self);
            }
        }
    )*};
}

displayable!(Figure, Table, Card, Answer, Number);

/// `<`, `>` and `&` as SVG and HTML write them.
///
/// ```
/// assert_eq!(ebmbook::show::escape("a < b & c"), "a &lt; b &amp; c");
/// ```
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

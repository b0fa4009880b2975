//! Agreement of runs against the matrix B that they share: the limit f = −log p_X · B1 + c gives coordinate i the scale
//! (B1)_i, so its smallest absolute value says how much the weakest coordinate carries.

use super::{Arm, Base, Cell, Quantity, Results, Values, plans};
use ebmbook::show::Figure;

/// The study with a matrix B for each cell.
pub(super) const STUDY: &str = "directions";

/// min |(B1)_i| of the B behind a cell of the study, and the agreement of its runs.
pub(crate) fn point((cell, values): (&Cell, &Values)) -> Option<(f64, f64)> {
    let scale = plans::matrix(cell.arm.base, cell.replicate).limit_scale();
    let smallest = scale.iter().map(|s| s.abs()).reduce(f64::min)?;
    Some((smallest, *values.get(&Quantity::Mcc.to_string())?))
}

/// Each B as a point.
pub(super) fn figure(results: &Results) -> Figure {
    let of = |arm: Arm| -> Vec<(f64, f64)> {
        results.rows().filter(|(cell, _)| cell.arm == arm).filter_map(point).collect()
    };
    let figure = Figure::new("Each point is a matrix B: agreement of runs that share it, Twins, k = 5");
    let figure = figure.x("smallest |(B1)_i|").y("MCC, signed");
    let drawn = figure.scatter("Haar draws", &of(Arm::of(Base::EbmHaar)));
    drawn.scatter("the authors' B", &of(Arm::of(Base::Ebm)))
}

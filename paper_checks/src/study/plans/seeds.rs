//! Each printed setting is one draw of the data. The same settings over fresh draws.

use super::{Arm, Setting};
use crate::checks::Scale;
use crate::study::{Cell, DataSpec, Fit};
use ebmbook::data::Protocol;

pub(super) fn plan(scale: Scale) -> Vec<Cell> {
    let (settings, draws) = match scale {
        Scale::Full => (Setting::synthetic(), 10),
        Scale::Quick => {
            let mut few = Setting::synthetic();
            few.retain(|s| s.n <= 250);
            (few, 8)
        }
    };
    let fits = [Fit::new("t", "kernel-ridge"), Fit::new("r", "kernel-ridge")];
    let mut cells = Vec::new();
    for protocol in [Protocol::Released, Protocol::Paper] {
        for setting in &settings {
            for arm in Arm::trained_and_trivial(setting, protocol) {
                // Draw 0 is the table's own; the fresh ones start at 1.
                cells.extend((1..=draws).map(|draw| {
                    let data = DataSpec { draw, ..setting.data(protocol) };
                    arm.cell("seeds", setting, data, &fits, draw as usize)
                }));
            }
        }
    }
    cells
}

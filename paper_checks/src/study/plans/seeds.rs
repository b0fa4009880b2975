//! Each printed setting is one draw of the data, or one cut of Twins. The same settings over fresh ones.

use super::{Arm, Setting};
use crate::study::Scale;
use crate::study::{Cell, DataSpec, Fit, Source};
use ebmbook::data::Protocol;

pub(super) fn plan(scale: Scale) -> Vec<Cell> {
    let mut settings = Setting::synthetic();
    settings.extend(Setting::of(&["twins"]));
    if scale == Scale::Quick {
        settings.retain(|s| s.n <= if s.source == Source::Twins { 1000 } else { 250 });
    }
    let fits = [Fit::new("t", "kernel-ridge"), Fit::new("r", "kernel-ridge")];
    let mut cells = Vec::new();
    for protocol in [Protocol::Released, Protocol::Paper] {
        for setting in &settings {
            let mut arms = Arm::trained_and_trivial(setting, protocol);
            let draws = match (scale, setting.source) {
                (Scale::Quick, _) => 8,
                (Scale::Full, Source::Twins) => 16,
                (Scale::Full, _) => 10,
            };
            if setting.source == Source::Twins {
                // Linear kernel ridge has no intercept, and rare categories serve it as one.
                arms.push(Arm::raw().with_constant());
            }
            for arm in arms {
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

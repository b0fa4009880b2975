//! Each printed setting is one draw of the data, or one cut of Twins. The same settings over fresh ones.

use super::{Method, PROTOCOLS, Setting};
use crate::printed::Block;
use crate::study::{Cell, DataSpec, Fit, LearnerKind, Scale, Source};

pub(super) fn plan(scale: Scale) -> Vec<Cell> {
    let mut settings = Setting::synthetic();
    settings.extend(Setting::of(&[Block::Twins]));
    if scale == Scale::Quick {
        settings.retain(|s| s.n <= if s.source == Source::Twins { 1000 } else { 250 });
    }
    let fits = [LearnerKind::T, LearnerKind::R].map(Fit::kernel_ridge);
    let mut cells = Vec::new();
    for protocol in PROTOCOLS {
        for setting in &settings {
            let mut methods = Method::trained_and_trivial(setting, protocol);
            let draws = match (scale, setting.source) {
                (Scale::Quick, _) => 8,
                (Scale::Full, Source::Twins) => 16,
                (Scale::Full, _) => 10,
            };
            if setting.source == Source::Twins {
                // Linear kernel ridge has no intercept, and rare categories serve it as one.
                methods.push(Method::raw().with_constant());
            }
            for method in methods {
                // Draw 0 is the table's own; the fresh ones start at 1.
                cells.extend((1..=draws).map(|draw| {
                    let data = DataSpec { draw, ..setting.data(protocol) };
                    method.cell("seeds", setting, data, &fits, draw as usize)
                }));
            }
        }
    }
    cells
}

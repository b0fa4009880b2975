//! Choosing ten of many runs by their test error, as the released notebook does: how much does
//! that alone gain, for every method alike?

use super::{Arm, Setting};
use crate::study::Scale;
use crate::study::{Cell, Fit, Source};
use ebmbook::data::Protocol;
use ebmbook::ebm::Objective;

pub(super) fn plan(scale: Scale) -> Vec<Cell> {
    let (settings, untrained, others) = match scale {
        Scale::Full => (Setting::synthetic(), 100, 15),
        Scale::Quick => {
            let mut few = Setting::synthetic();
            few.retain(|s| s.n <= 250);
            (few, 20, 12)
        }
    };
    let fits = [Fit::new("r", "kernel-ridge")];
    let protocol = Protocol::Released;
    let mut cells = Vec::new();
    for setting in &settings {
        assert_eq!(setting.source, Source::Synthetic);
        let arms = [
            (Arm::untrained(setting, protocol), untrained),
            (Arm::ebm(setting, protocol, Objective::Pairwise), others),
            (Arm::reduction("pca", setting.k(), protocol).with_constant(), others),
            (Arm::raw(), others),
            (Arm::latent(), others),
            (Arm::sane_autoencoder(setting.k()).with_constant(), others),
        ];
        for (arm, runs) in arms {
            cells.extend((0..runs).map(|r| arm.cell("selection", setting, setting.data(protocol), &fits, r)));
        }
    }
    cells
}

//! Choosing ten of many runs by their test error, as the released notebook does: how much does
//! that alone gain, for every method alike?

use super::{Method, Setting};
use crate::study::{Base, Cell, Fit, LearnerKind, Scale};
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
    let fits = [Fit::kernel_ridge(LearnerKind::R)];
    let protocol = Protocol::Released;
    let mut cells = Vec::new();
    for setting in &settings {
        let methods = [
            (Method::untrained(setting, protocol), untrained),
            (Method::ebm(setting, protocol, Objective::Pairwise), others),
            (Method::reduction(Base::Pca, setting.k(), protocol).with_constant(), others),
            (Method::raw(), others),
            (Method::latent(), others),
            (Method::sane_autoencoder(setting.k()).with_constant(), others),
        ];
        for (method, runs) in methods {
            cells.extend(
                (0..runs).map(|r| method.cell("selection", setting, setting.data(protocol), &fits, r)),
            );
        }
    }
    cells
}

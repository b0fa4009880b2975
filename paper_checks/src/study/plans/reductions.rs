//! Tables over reductions: R-learner with linear kernel ridge on seven representations.

use super::learners::quick;
use super::{Arm, Setting};
use crate::study::Scale;
use crate::study::{Cell, Fit, Source};
use ebmbook::data::Protocol;
use ebmbook::ebm::Objective;

/// The reductions of the paper, by our names.
pub const REDUCTIONS: [&str; 6] = ["pca", "agglomeration", "spectral", "isomap", "kernel-pca", "autoencoder"];

pub(super) fn table2(scale: Scale) -> Vec<Cell> {
    table("table2", Setting::of(&["twins"]), scale)
}

pub(super) fn table_a1(scale: Scale) -> Vec<Cell> {
    table("table-a1", Setting::of(&["synthetic-growing-d", "synthetic-d100", "ihdp"]), scale)
}

fn table(study: &str, settings: Vec<Setting>, scale: Scale) -> Vec<Cell> {
    let (settings, runs): (Vec<Setting>, usize) = match scale {
        Scale::Full => (settings, 10),
        Scale::Quick => (last_of_each_block(quick(settings)), 12),
    };
    let fits = [Fit::new("r", "kernel-ridge")];
    let mut cells = Vec::new();
    for protocol in [Protocol::Released, Protocol::Paper] {
        for setting in &settings {
            let mut data = setting.data(protocol);
            // The printed cells of these tables match only with one added to treated outcomes.
            data.shift = protocol == Protocol::Released;
            // Quick scale judges the printed tables; the text's protocol stands beside them.
            let few = scale == Scale::Quick && protocol == Protocol::Paper;
            let runs = if few { runs.div_ceil(3) } else { runs };
            for arm in arms(setting, protocol) {
                // Each method as it is and with a constant column, side by side: they share their
                // representation.
                for replicate in 0..runs {
                    for arm in arm.as_it_is_and_with_constant() {
                        cells.push(arm.cell(study, setting, data.clone(), &fits, replicate));
                    }
                }
            }
        }
    }
    cells
}

/// Few settings with many runs, because the sign of a comparison has to be certain; the one with the
/// most rows of each block, because runs differ least there.
fn last_of_each_block(mut settings: Vec<Setting>) -> Vec<Setting> {
    settings.reverse();
    settings.dedup_by(|earlier, last| earlier.block == last.block);
    settings.reverse();
    settings
}

fn arms(setting: &Setting, protocol: Protocol) -> Vec<Arm> {
    let k = setting.k();
    let mut arms: Vec<Arm> = REDUCTIONS.iter().map(|name| Arm::reduction(name, k, protocol)).collect();
    if protocol == Protocol::Released {
        arms.push(Arm::sane_autoencoder(k));
    }
    arms.push(Arm::ebm(setting, protocol, Objective::Pairwise));
    arms.push(Arm::untrained(setting, protocol));
    if setting.source == Source::Synthetic {
        arms.push(Arm::latent());
    }
    arms
}

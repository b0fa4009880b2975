//! Tables over reductions: R-learner with linear kernel ridge on seven representations.

use super::learners::quick;
use super::{Method, PROTOCOLS, Setting};
use crate::printed::Block;
use crate::study::{Base, Cell, Fit, LearnerKind, Scale, Source};
use ebmbook::data::Protocol;
use ebmbook::ebm::Objective;

pub(super) fn table2(scale: Scale) -> Vec<Cell> {
    table("table2", Setting::of(&[Block::Twins]), scale)
}

pub(super) fn table_a1(scale: Scale) -> Vec<Cell> {
    table("table-a1", Setting::of(&[Block::SyntheticGrowingD, Block::SyntheticD100, Block::Ihdp]), scale)
}

fn table(study: &str, settings: Vec<Setting>, scale: Scale) -> Vec<Cell> {
    let (settings, runs): (Vec<Setting>, usize) = match scale {
        Scale::Full => (settings, 10),
        Scale::Quick => (last_of_each_block(quick(settings)), 12),
    };
    let fits = [Fit::kernel_ridge(LearnerKind::R)];
    let mut cells = Vec::new();
    for protocol in PROTOCOLS {
        for setting in &settings {
            let mut data = setting.data(protocol);
            // The printed cells of these tables match only with one added to treated outcomes.
            data.shift = protocol == Protocol::Released;
            // Quick scale judges the printed tables; the text's protocol stands beside them.
            let few = scale == Scale::Quick && protocol == Protocol::Paper;
            let runs = if few { runs.div_ceil(3) } else { runs };
            for method in methods(setting, protocol, scale) {
                // Each method as it is and with a constant column, side by side: they share their
                // representation.
                for replicate in 0..runs {
                    for method in method.as_it_is_and_with_constant() {
                        cells.push(method.cell(study, setting, data.clone(), &fits, replicate));
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

fn methods(setting: &Setting, protocol: Protocol, scale: Scale) -> Vec<Method> {
    let k = setting.k();
    let mut methods: Vec<Method> =
        Base::REDUCTIONS.into_iter().map(|base| Method::reduction(base, k, protocol)).collect();
    methods.extend((protocol == Protocol::Released).then(|| Method::sane_autoencoder(k)));
    methods.push(Method::ebm(setting, protocol, Objective::Pairwise));
    methods.push(Method::untrained(setting, protocol));
    methods.extend((setting.source == Source::Synthetic).then(Method::latent));
    methods.extend(Method::released_program(setting, protocol, scale));
    methods
}

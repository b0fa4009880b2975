//! Tables over learners: Table 1, its three variants with other regressors, and IHDP.

use super::{Method, PROTOCOLS, Setting};
use crate::printed::Block;
use crate::study::{Cell, DataSpec, Fit, PRINTED_REGRESSORS, RegressorKind, Scale, Source};
use ebmbook::data::Protocol;
use ebmbook::ebm::Objective;

pub(super) fn table1(scale: Scale) -> Vec<Cell> {
    let objectives: &[Objective] = match scale {
        Scale::Quick => &[Objective::Pairwise],
        Scale::Full => &[Objective::Pairwise, Objective::Ranking, Objective::ReleasedProgram],
    };
    table("table1", RegressorKind::KernelRidge, scale, objectives)
}

pub(super) fn power(scale: Scale) -> Vec<Cell> {
    table("table-power", RegressorKind::Power, scale, ours_and_theirs(scale))
}

pub(super) fn polynomial(scale: Scale) -> Vec<Cell> {
    table("table-polynomial", RegressorKind::Polynomial, scale, ours_and_theirs(scale))
}

pub(super) fn ridge(scale: Scale) -> Vec<Cell> {
    table("table-ridge", RegressorKind::Ridge, scale, ours_and_theirs(scale))
}

/// At full scale the released program's training stands beside ours.
fn ours_and_theirs(scale: Scale) -> &'static [Objective] {
    match scale {
        Scale::Quick => &[Objective::Pairwise],
        Scale::Full => &[Objective::Pairwise, Objective::ReleasedProgram],
    }
}

/// The ten runs of the paper at full scale; at quick scale the small settings and few runs.
fn table(study: &str, regressor: RegressorKind, scale: Scale, objectives: &[Objective]) -> Vec<Cell> {
    let (settings, runs) = match scale {
        Scale::Full => (Setting::table1(), 10),
        // A gate rests on the runs of a setting: too few, and Student's t says nothing.
        Scale::Quick if regressor == RegressorKind::KernelRidge => (quick(Setting::table1()), 8),
        Scale::Quick => (small(quick(Setting::table1())), 8),
    };
    let fits = Fit::all(regressor);
    let mut cells = Vec::new();
    for protocol in PROTOCOLS {
        for setting in &settings {
            let mut methods = vec![Method::raw()];
            // The authors' objective belongs to the authors' protocol.
            let makes_sense =
                |o: &&Objective| protocol == Protocol::Released || **o != Objective::ReleasedProgram;
            let objectives = objectives.iter().filter(makes_sense);
            methods.extend(objectives.map(|o| Method::ebm(setting, protocol, *o)));
            if regressor == RegressorKind::KernelRidge {
                // Linear kernel ridge has no intercept of its own: what is the gain once it has one?
                methods.push(Method::raw().with_constant());
                if scale == Scale::Full {
                    methods.push(Method::ebm(setting, protocol, Objective::Pairwise).with_constant());
                }
            }
            methods.extend(Method::beside(setting, protocol));
            for method in methods {
                let cell = |run| method.cell(study, setting, setting.data(protocol), &fits, run);
                cells.extend((0..method.replicates(&fits, runs)).map(cell));
            }
        }
    }
    cells
}

/// Rows with at most 500 training rows, and one more of Twins so that there is a slope.
pub(super) fn quick(mut settings: Vec<Setting>) -> Vec<Setting> {
    settings.retain(|s| s.n <= if s.source == Source::Twins { 1000 } else { 500 });
    settings
}

/// The smallest of them: at most 250 training rows, 500 of Twins.
fn small(mut settings: Vec<Setting>) -> Vec<Setting> {
    settings.retain(|s| s.n <= if s.source == Source::Twins { 500 } else { 250 });
    settings
}

/// Own response surface B. Under `released` one is added to treated outcomes, as there.
pub(super) fn ihdp(scale: Scale) -> Vec<Cell> {
    // Draws of the outcomes differ more than runs do.
    let draws = match scale {
        Scale::Quick => 30,
        Scale::Full => 60,
    };
    on_ihdp("ihdp", Source::Ihdp, scale, draws)
}

/// The authors' outcomes: replicate 1 under `released`, the ten at hand under `paper`.
pub(super) fn npci(scale: Scale) -> Vec<Cell> {
    on_ihdp("ihdp-npci", Source::Npci, scale, 10)
}

fn on_ihdp(study: &str, source: Source, scale: Scale, draws: usize) -> Vec<Cell> {
    let fits: Vec<Fit> = PRINTED_REGRESSORS.into_iter().flat_map(Fit::all).collect();
    let mut settings = Setting::of(&[Block::Ihdp]);
    if scale == Scale::Quick {
        settings.retain(|s| s.n <= 250);
    }
    let mut cells = Vec::new();
    for protocol in PROTOCOLS {
        for setting in &settings {
            let runs = if protocol == Protocol::Released { 10 } else { draws };
            let mut methods = Method::trained_and_trivial(setting, protocol);
            methods.push(Method::raw().with_constant());
            methods.extend(Method::released_program(setting, protocol, scale));
            for method in methods {
                for replicate in 0..runs {
                    // The literature averages over draws of the response surface.
                    let draw = if protocol == Protocol::Paper { replicate as u32 } else { 0 };
                    // Replicates of the package are numbered from one.
                    let draw = draw + u32::from(source == Source::Npci);
                    let shift = protocol == Protocol::Released;
                    let data = DataSpec { source, draw, shift, ..setting.data(protocol) };
                    cells.push(method.cell(study, setting, data, &fits, replicate));
                }
            }
        }
    }
    cells
}

//! Figure 3 and the remark on sample splitting: ten runs of one method, as n grows.

use super::{SEED, Setting};
use crate::checks::Scale;
use crate::study::{Cell, RepresentationSpec, Source, Stability, Task};
use ebmbook::data::Protocol;
use ebmbook::ebm::{EbmParams, Folds, Keep, Objective, Schedule};

/// k of both methods in the figure.
const K: usize = 5;

/// A method, the rows it runs on, and what is asked of it.
struct Curve<'a> {
    study: &'a str,
    arm: &'a str,
    representation: RepresentationSpec,
    protocol: Protocol,
    fresh_samples: bool,
    with_effects: bool,
}

/// Number of training rows, runs a group, and groups.
fn sizes(scale: Scale, protocol: Protocol) -> (Vec<usize>, usize, usize) {
    match (scale, protocol) {
        // Few sizes and many groups: a group is one number, and its law is Student's t with as many
        // degrees of freedom as there are groups but one.
        (Scale::Quick, _) => (vec![500, 2000], 3, 12),
        (Scale::Full, Protocol::Released) => (vec![500, 1000, 1500, 2000, 2500], 10, 8),
        // Samples without a common row: four of 2500 are all that there are.
        (Scale::Full, Protocol::Paper) => (vec![250, 500, 1000, 2500], 4, 8),
    }
}

impl Curve<'_> {
    fn cells(&self, scale: Scale) -> Vec<Cell> {
        let (sizes, runs, groups) = sizes(scale, self.protocol);
        let mut cells = Vec::new();
        for n in sizes {
            for replicate in 0..groups {
                let setting = setting();
                let mut data = setting.data(self.protocol);
                data.n = n;
                cells.push(Cell {
                    study: self.study.into(),
                    block: setting.block.clone(),
                    d: setting.d,
                    n,
                    protocol: self.protocol,
                    arm: self.arm.into(),
                    replicate,
                    task: Task::Stability(Stability {
                        data,
                        representation: self.representation.clone(),
                        runs,
                        fresh_samples: self.fresh_samples,
                        with_effects: self.with_effects,
                        replicate,
                        seed: SEED,
                    }),
                });
            }
        }
        cells
    }
}

/// The printed Twins setting of n = 1000; the figure uses these hyper-parameters with k = 5.
fn setting() -> Setting {
    let mut rows = Setting::of(&["twins"]);
    rows.retain(|s| s.n == 1000);
    assert_eq!(rows[0].source, Source::Twins);
    rows.remove(0)
}

/// The printed shape with b, q of the setting and k = 5.
fn printed() -> EbmParams {
    let hidden = [20; 6];
    EbmParams::new(K).objective(Objective::Pairwise).hidden(&hidden).copies(5).corruption(0.55)
}

/// Lighter corruption and a wider, shallower network, so that the task is not trivial; stopped early.
fn light_stopped_early() -> EbmParams {
    EbmParams::new(K).hidden(&[64, 64]).corruption(0.1).rate(3e-3).schedule(Schedule::Cosine)
}

/// The same, trained for a fixed number of steps whatever n is.
fn light() -> EbmParams {
    let steps = 1_500;
    // With one batch an epoch there are as many epochs as steps.
    let params = light_stopped_early().epochs(steps).steps(Some(steps));
    params.validation(0.0).patience(None).keep(Keep::Last)
}

fn ebm(params: EbmParams) -> RepresentationSpec {
    RepresentationSpec::Ebm { params: Box::new(params), standardised: true }
}

fn autoencoder(protocol: Protocol) -> RepresentationSpec {
    RepresentationSpec::Named { name: "autoencoder".into(), k: K, protocol }
}

pub(super) fn mcc(scale: Scale) -> Vec<Cell> {
    let untrained = RepresentationSpec::Untrained { params: Box::new(printed()), standardised: true };
    // The paper keeps the sample and changes the initialisation; a claim about sampling needs
    // fresh samples as well.
    let curves = [
        ("ebm", ebm(printed()), false),
        ("ebm, fresh samples", ebm(printed()), true),
        ("ebm light, fresh samples", ebm(light()), true),
        ("ebm light stopped early, fresh samples", ebm(light_stopped_early()), true),
        ("ebm light k-means, fresh samples", ebm(light().folds(Folds::KMeans)), true),
        ("autoencoder", autoencoder(Protocol::Paper), false),
        ("autoencoder released", autoencoder(Protocol::Released), false),
        ("untrained", untrained, false),
    ];
    let quick = ["ebm", "ebm light, fresh samples", "autoencoder released", "untrained"];
    curves
        .into_iter()
        .filter(|(arm, _, _)| scale == Scale::Full || quick.contains(arm))
        .flat_map(|(arm, representation, fresh_samples)| {
            let protocol = if fresh_samples { Protocol::Paper } else { Protocol::Released };
            let curve = Curve {
                study: "figure3-mcc",
                arm,
                representation,
                protocol,
                fresh_samples,
                with_effects: false,
            };
            curve.cells(scale)
        })
        .collect()
}

pub(super) fn sd(scale: Scale) -> Vec<Cell> {
    let curves = [
        ("ebm", ebm(printed())),
        ("autoencoder", autoencoder(Protocol::Paper)),
        ("autoencoder released", autoencoder(Protocol::Released)),
        ("untrained", RepresentationSpec::Untrained { params: Box::new(printed()), standardised: true }),
    ];
    let protocol = Protocol::Released;
    let quick = ["ebm", "autoencoder released", "untrained"];
    curves
        .into_iter()
        .filter(|(arm, _)| scale == Scale::Full || quick.contains(arm))
        .flat_map(|(arm, representation)| {
            let (fresh_samples, with_effects) = (false, true);
            Curve { study: "figure3-sd", arm, representation, protocol, fresh_samples, with_effects }
                .cells(scale)
        })
        .collect()
}

pub(super) fn splitting(scale: Scale) -> Vec<Cell> {
    let curves = [("random folds", Folds::Random), ("all rows", Folds::All)];
    let protocol = Protocol::Released;
    curves
        .into_iter()
        .flat_map(|(arm, folds)| {
            let representation = ebm(printed().folds(folds));
            let (fresh_samples, with_effects) = (false, true);
            Curve { study: "splitting", arm, representation, protocol, fresh_samples, with_effects }
                .cells(scale)
        })
        .collect()
}

//! Figure 3 and the remark on sample splitting: ten runs of one method, as n grows.

use super::{SEED, Setting};
use crate::study::Scale;
use crate::study::{Cell, RepresentationSpec, Stability, Task};
use ebmbook::data::Protocol;
use ebmbook::ebm::{EbmParams, Folds, Keep, Objective, Schedule};

/// k of both methods in the figure.
const K: usize = 5;

/// A method, the rows it runs on, and what is asked of it.
struct Curve<'a> {
    arm: &'a str,
    /// The method at each n: printed hyper-parameters differ between rows of the table.
    at: Box<dyn Fn(&Setting) -> RepresentationSpec>,
    protocol: Protocol,
    fresh_samples: bool,
    constant_column: bool,
    /// Other sizes and another number of groups than the figure's.
    instead: Option<(Vec<usize>, usize)>,
}

/// Number of training rows, runs a group, and groups.
fn sizes(scale: Scale, protocol: Protocol) -> (Vec<usize>, usize, usize) {
    match (scale, protocol) {
        // Few sizes and many groups: a group is one number, and its law is Student's t with as many
        // degrees of freedom as there are groups but one.
        (Scale::Quick, _) => (vec![500, 2000], 3, 12),
        (Scale::Full, Protocol::Released) => (vec![500, 1000, 1500, 2000, 2500], 10, 12),
        // Samples without a common row: four of 2500 are all that there are.
        (Scale::Full, Protocol::Paper) => (vec![250, 500, 1000, 2500], 4, 8),
    }
}

impl<'a> Curve<'a> {
    /// The same sample for every run under `released`, as in the figure.
    fn same(arm: &'a str, at: impl Fn(&Setting) -> RepresentationSpec + 'static) -> Self {
        let (protocol, fresh_samples) = (Protocol::Released, false);
        Self { arm, at: Box::new(at), protocol, fresh_samples, constant_column: false, instead: None }
    }

    /// A sample of its own for every run: the paper keeps the sample and changes the initialisation, but
    /// a claim about sampling needs fresh ones.
    fn fresh(arm: &'a str, at: impl Fn(&Setting) -> RepresentationSpec + 'static) -> Self {
        Self { protocol: Protocol::Paper, fresh_samples: true, ..Self::same(arm, at) }
    }

    fn cells(&self, study: &str, with_effects: bool, scale: Scale) -> Vec<Cell> {
        let (sizes, runs, groups) = sizes(scale, self.protocol);
        let (sizes, groups) = self.instead.clone().unwrap_or((sizes, groups));
        let mut cells = Vec::new();
        for n in sizes {
            let setting = setting(n);
            let representation = (self.at)(&setting);
            // Where nothing is random two runs show it; with fresh samples the sample is.
            let is_random = representation.is_random() || self.fresh_samples;
            let runs = if is_random { runs } else { 2 };
            for replicate in 0..groups {
                let mut data = setting.data(self.protocol);
                data.n = n;
                cells.push(Cell {
                    study: study.into(),
                    block: setting.block.clone(),
                    d: setting.d,
                    n,
                    protocol: self.protocol,
                    arm: self.arm.into(),
                    replicate,
                    task: Task::Stability(Stability {
                        data,
                        representation: representation.clone(),
                        runs,
                        fresh_samples: self.fresh_samples,
                        with_effects,
                        constant_column: self.constant_column,
                        replicate,
                        seed: SEED,
                    }),
                });
            }
        }
        cells
    }
}

/// The printed row of Twins with so many training rows or, between two, the next larger one.
fn setting(n: usize) -> Setting {
    let mut rows = Setting::of(&["twins"]);
    rows.retain(|s| s.n >= n);
    rows.remove(0)
}

/// The printed hyper-parameters of a row with k = 5, as the figure has it.
fn printed(setting: &Setting, protocol: Protocol) -> EbmParams {
    setting.with_k(K).ebm(protocol, Objective::Pairwise)
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

/// Coordinates are standardised under `paper` and stay as they are under `released`.
fn ebm(params: EbmParams, protocol: Protocol) -> RepresentationSpec {
    RepresentationSpec::Ebm { params: Box::new(params), standardised: protocol == Protocol::Paper }
}

fn untrained(setting: &Setting) -> RepresentationSpec {
    let params = Box::new(printed(setting, Protocol::Released));
    RepresentationSpec::Untrained { params, standardised: false }
}

fn named(name: &str, protocol: Protocol) -> RepresentationSpec {
    RepresentationSpec::Named { name: name.into(), k: K, protocol, standardised: false }
}

fn figure_ebm(folds: Folds) -> impl Fn(&Setting) -> RepresentationSpec {
    move |s| ebm(printed(s, Protocol::Released).folds(folds.clone()), Protocol::Released)
}

/// PCA with an intercept: nothing random, so a floor for the spread and a baseline for the error.
fn pca() -> Curve<'static> {
    let curve = Curve::same("pca+1", |_| named("pca", Protocol::Released));
    Curve { constant_column: true, ..curve }
}

/// Fresh samples, coordinates as in the tables under `paper`, and an intercept for all.
fn fresh_with_intercept(arm: &str, at: impl Fn(&Setting) -> RepresentationSpec + 'static) -> Curve<'_> {
    // Four runs a group: it takes three times the groups of the agreement to be certain of an order.
    let (sizes, _, groups) = sizes(Scale::Full, Protocol::Paper);
    Curve { constant_column: true, instead: Some((sizes, 3 * groups)), ..Curve::fresh(arm, at) }
}

pub(super) fn mcc(scale: Scale) -> Vec<Cell> {
    let light_on = |params: EbmParams| move |_: &Setting| ebm(params.clone(), Protocol::Paper);
    let curves = [
        Curve::same("ebm", figure_ebm(Folds::Random)),
        // The same with directions that are not the authors'.
        Curve::same("ebm, Haar directions", |s| ebm(printed(s, Protocol::Paper), Protocol::Released)),
        Curve::fresh("ebm, fresh samples", |s| ebm(printed(s, Protocol::Paper), Protocol::Paper)),
        Curve::fresh("ebm light, fresh samples", light_on(light())),
        Curve::fresh("ebm light stopped early, fresh samples", light_on(light_stopped_early())),
        Curve::fresh("ebm light k-means, fresh samples", light_on(light().folds(Folds::KMeans))),
        Curve::same("autoencoder", |_| named("autoencoder", Protocol::Paper)),
        Curve::same("autoencoder released", |_| named("autoencoder", Protocol::Released)),
        Curve::same("untrained", untrained),
    ];
    let quick = ["ebm", "ebm, Haar directions", "autoencoder released", "untrained"];
    let here = curves.iter().filter(|c| scale == Scale::Full || quick.contains(&c.arm));
    here.flat_map(|curve| curve.cells("figure3-mcc", false, scale)).collect()
}

pub(super) fn sd(scale: Scale) -> Vec<Cell> {
    let curves = [
        Curve::same("ebm", figure_ebm(Folds::Random)),
        Curve::same("autoencoder", |_| named("autoencoder", Protocol::Paper)),
        Curve::same("autoencoder released", |_| named("autoencoder", Protocol::Released)),
        Curve::same("untrained", untrained),
        pca(),
        // What a reader of one data set would want to know: how much estimates vary from sample to sample.
        fresh_with_intercept("ebm, fresh samples", |s| ebm(printed(s, Protocol::Paper), Protocol::Paper)),
        fresh_with_intercept("autoencoder, fresh samples", |_| named("autoencoder", Protocol::Paper)),
        fresh_with_intercept("untrained, fresh samples", |s| RepresentationSpec::Untrained {
            params: Box::new(printed(s, Protocol::Paper)),
            standardised: true,
        }),
        fresh_with_intercept("pca, fresh samples", |_| named("pca", Protocol::Paper)),
    ];
    let quick = ["ebm", "autoencoder released", "untrained", "pca+1"];
    let here = curves.iter().filter(|c| scale == Scale::Full || quick.contains(&c.arm));
    here.flat_map(|curve| curve.cells("figure3-sd", true, scale)).collect()
}

pub(super) fn splitting(scale: Scale) -> Vec<Cell> {
    // The ratio of two spreads of three runs is noisy: at quick scale it takes many groups, and one n, the one at
    // which a run takes least time.
    let instead = (scale == Scale::Quick).then(|| (vec![500], 36));
    let folds = |arm, folds| Curve { instead: instead.clone(), ..Curve::same(arm, figure_ebm(folds)) };
    let beside = |curve| Curve { instead: instead.clone().map(|(n, _)| (n, 12)), ..curve };
    let curves = [
        folds("random folds", Folds::Random),
        folds("all rows", Folds::All),
        beside(Curve::same("untrained", untrained)),
        beside(pca()),
    ];
    curves.iter().flat_map(|curve| curve.cells("splitting", true, scale)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_of_fresh_samples_have_as_many_runs_for_every_method() {
        let runs = |c: Cell| match c.task {
            Task::Stability(task) => (task.fresh_samples, c.arm.ends_with("fresh samples"), task.runs),
            _ => panic!("the figure is about runs"),
        };
        let found: Vec<_> =
            sd(Scale::Full).into_iter().map(runs).filter(|(fresh, named, _)| *fresh || *named).collect();
        assert!(
            !found.is_empty() && found.iter().all(|r| *r == (true, true, 4)),
            "sds of 2 and of 4 runs differ in bias"
        );
    }

    #[test]
    fn every_point_of_the_figure_has_the_printed_hyperparameters_of_its_row() {
        let cells = mcc(Scale::Full);
        for (n, q, b) in [(500, 0.45, 5), (1000, 0.55, 5), (2000, 0.55, 4), (2500, 0.5, 4)] {
            let cell = cells.iter().find(|c| c.arm == "ebm" && c.n == n).unwrap();
            let Task::Stability(task) = &cell.task else { panic!("the figure is about runs") };
            let expected = EbmParams::new(K)
                .objective(Objective::Pairwise)
                .hidden(&[20; 6])
                .copies(b)
                .corruption(q)
                .directions(ebmbook::ebm::DirectionLaw::Authors);
            assert_eq!(task.representation, ebm(expected, Protocol::Released), "n = {n}");
        }
    }
}

//! Figure 3 and the remark on sample splitting: ten runs of one method, as n grows.

use super::{SEED, Setting};
use crate::printed::Block;
use crate::study::{
    Arm, Base, Cell, DataSpec, RepresentationKind, RepresentationSpec, Scale, Stability, Task,
};
use ebmbook::data::Protocol;
use ebmbook::ebm::{DirectionLaw, Directions, EbmParams, Folds, Keep, Objective, RateSchedule};
use ebmbook::seed::Seed;

/// k of both methods in the figure.
const K: usize = 5;

/// A method, the rows it runs on, and what is asked of it.
struct Curve {
    arm: Arm,
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

impl Curve {
    /// One sample for every run under `released`, as in the figure.
    fn same(base: Base, at: impl Fn(&Setting) -> RepresentationSpec + 'static) -> Self {
        let (arm, protocol, fresh_samples) = (Arm::of(base), Protocol::Released, false);
        Self { arm, at: Box::new(at), protocol, fresh_samples, constant_column: false, instead: None }
    }

    /// A sample of its own for every run: the paper keeps the sample and changes the initialisation, but
    /// a claim about sampling needs fresh ones.
    fn fresh(base: Base, at: impl Fn(&Setting) -> RepresentationSpec + 'static) -> Self {
        let arm = Arm::of(base).on_fresh_samples();
        Self { arm, protocol: Protocol::Paper, fresh_samples: true, ..Self::same(base, at) }
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
                let task = Task::Stability(Stability {
                    data: DataSpec { n, ..setting.data(self.protocol) },
                    representation: representation.clone(),
                    runs,
                    fresh_samples: self.fresh_samples,
                    with_effects,
                    constant_column: self.constant_column,
                    replicate,
                    seed: SEED,
                });
                cells.push(Cell::new(study, setting.block, self.arm, replicate, task));
            }
        }
        cells
    }
}

/// The printed row of Twins with so many training rows or, between two, the next larger one.
fn setting(n: usize) -> Setting {
    let mut rows = Setting::of(&[Block::Twins]);
    rows.retain(|s| s.n >= n);
    rows.remove(0)
}

/// The printed hyper-parameters of a row with k = 5, as the figure has it.
fn printed(setting: &Setting, protocol: Protocol) -> EbmParams {
    setting.with_k(K).ebm(protocol, Objective::Pairwise)
}

/// Lighter corruption and a wider, shallower network, so that the task is not trivial; stopped early.
fn light_stopped_early() -> EbmParams {
    EbmParams::new(K).hidden(&[64, 64]).corruption(0.1).rate(3e-3).schedule(RateSchedule::Cosine)
}

/// [`light_stopped_early`], trained for a fixed number of steps whatever n is.
fn light() -> EbmParams {
    let steps = 1_500;
    // With one batch an epoch there are as many epochs as steps.
    let params = light_stopped_early().epochs(steps).steps(Some(steps));
    params.validation(0.0).patience(None).keep(Keep::Last)
}

fn ebm(params: EbmParams, protocol: Protocol) -> RepresentationSpec {
    RepresentationSpec::ebm(params, protocol)
}

fn untrained(setting: &Setting, protocol: Protocol) -> RepresentationSpec {
    RepresentationSpec::untrained(printed(setting, protocol), protocol)
}

fn autoencoder(protocol: Protocol) -> RepresentationSpec {
    RepresentationSpec::named(RepresentationKind::Autoencoder, K, protocol)
}

fn principal(protocol: Protocol) -> RepresentationSpec {
    RepresentationSpec::named(RepresentationKind::Pca, K, protocol)
}

fn figure_ebm(folds: Folds) -> impl Fn(&Setting) -> RepresentationSpec {
    move |s| ebm(printed(s, Protocol::Released).folds(folds.clone()), Protocol::Released)
}

/// The authors' training with the printed hyper-parameters, on the rows and with the B of the figure.
fn released_program() -> Curve {
    let params = |s: &Setting| s.with_k(K).ebm(Protocol::Released, Objective::ReleasedProgram);
    Curve::same(Base::EbmReleasedProgram, move |s| ebm(params(s), Protocol::Released))
}

/// PCA with an intercept: nothing random, so a floor for the spread and a baseline for the error.
fn pca() -> Curve {
    let curve = Curve::same(Base::Pca, |_| principal(Protocol::Released));
    Curve { arm: Arm::PCA.plus_constant(), constant_column: true, ..curve }
}

/// Fresh samples, coordinates as in the tables under `paper`, and an intercept for all.
fn fresh_with_intercept(base: Base, at: impl Fn(&Setting) -> RepresentationSpec + 'static) -> Curve {
    // Four runs a group: it takes three times the groups of the agreement to be certain of an order.
    let (sizes, _, groups) = sizes(Scale::Full, Protocol::Paper);
    Curve { constant_column: true, instead: Some((sizes, 3 * groups)), ..Curve::fresh(base, at) }
}

/// The cells of these curves; at quick scale of some of them.
fn cells(study: &str, with_effects: bool, scale: Scale, curves: &[Curve], quick: &[Base]) -> Vec<Cell> {
    let here = |c: &&Curve| scale == Scale::Full || (quick.contains(&c.arm.base) && !c.fresh_samples);
    curves.iter().filter(here).flat_map(|curve| curve.cells(study, with_effects, scale)).collect()
}

pub(super) fn mcc(scale: Scale) -> Vec<Cell> {
    use Protocol::{Paper, Released};
    let light_on = |params: EbmParams| move |_: &Setting| ebm(params.clone(), Paper);
    let curves = [
        Curve::same(Base::Ebm, figure_ebm(Folds::Random)),
        // The same with directions that are not the authors'.
        Curve::same(Base::EbmHaar, |s| ebm(printed(s, Paper), Released)),
        Curve::fresh(Base::Ebm, |s| ebm(printed(s, Paper), Paper)),
        Curve::fresh(Base::EbmLight, light_on(light())),
        Curve::fresh(Base::EbmLightStoppedEarly, light_on(light_stopped_early())),
        Curve::fresh(Base::EbmLightKMeans, light_on(light().folds(Folds::KMeans))),
        Curve::same(Base::Autoencoder, |_| autoencoder(Paper)),
        Curve::same(Base::AutoencoderReleased, |_| autoencoder(Released)),
        Curve::same(Base::Untrained, |s| untrained(s, Released)),
        released_program(),
    ];
    let quick = [Base::Ebm, Base::EbmHaar, Base::AutoencoderReleased, Base::Untrained];
    cells("figure3-mcc", false, scale, &curves, &quick)
}

pub(super) fn sd(scale: Scale) -> Vec<Cell> {
    use Protocol::{Paper, Released};
    let curves = [
        Curve::same(Base::Ebm, figure_ebm(Folds::Random)),
        Curve::same(Base::Autoencoder, |_| autoencoder(Paper)),
        Curve::same(Base::AutoencoderReleased, |_| autoencoder(Released)),
        Curve::same(Base::Untrained, |s| untrained(s, Released)),
        pca(),
        // What a reader of one data set would want to know: how much estimates vary from sample to sample.
        fresh_with_intercept(Base::Ebm, |s| ebm(printed(s, Paper), Paper)),
        fresh_with_intercept(Base::Autoencoder, |_| autoencoder(Paper)),
        fresh_with_intercept(Base::Untrained, |s| untrained(s, Paper)),
        fresh_with_intercept(Base::Pca, |_| principal(Paper)),
        released_program(),
    ];
    let quick = [Base::Ebm, Base::AutoencoderReleased, Base::Untrained, Base::Pca];
    cells("figure3-sd", true, scale, &curves, &quick)
}

pub(super) fn splitting(scale: Scale) -> Vec<Cell> {
    // The ratio of two spreads of three runs is noisy: at quick scale it takes many groups, and one n, the one at
    // which a run takes least time.
    let instead = (scale == Scale::Quick).then(|| (vec![500], 36));
    let folds = |base, folds| Curve { instead: instead.clone(), ..Curve::same(base, figure_ebm(folds)) };
    let beside = |curve| Curve { instead: instead.clone().map(|(n, _)| (n, 12)), ..curve };
    let curves = [
        folds(Base::RandomFolds, Folds::Random),
        folds(Base::AllRows, Folds::All),
        beside(Curve::same(Base::Untrained, |s| untrained(s, Protocol::Released))),
        beside(pca()),
    ];
    curves.iter().flat_map(|curve| curve.cells("splitting", true, scale)).collect()
}

/// The B behind a cell of [`directions`]: a Haar draw by its number, or the authors'.
pub(in crate::study) fn matrix(base: Base, draw: usize) -> Directions {
    let law = if base == Base::EbmHaar { DirectionLaw::Haar } else { DirectionLaw::Authors };
    Directions::new(law, K, Seed::new(SEED).child("directions").index(draw))
        .expect("the authors have a B of this size")
}

/// The figure at its largest n under many matrices B: each Haar draw with a sample and initialisations of its own, and
/// the authors' B as many times as gives its mean.
pub(super) fn directions(scale: Scale) -> Vec<Cell> {
    let (n, draws, authors, runs) = match scale {
        Scale::Quick => (500, 48, 6, 2),
        Scale::Full => (2500, 100, 16, 4),
    };
    let setting = setting(n);
    let params = printed(&setting, Protocol::Released);
    let haar = |draw: usize| params.clone().given_directions(matrix(Base::EbmHaar, draw).matrix());
    let cell = |base, params, replicate| {
        let task = Task::Stability(Stability {
            data: DataSpec { n, ..setting.data(Protocol::Released) },
            representation: ebm(params, Protocol::Released),
            runs,
            fresh_samples: false,
            with_effects: false,
            constant_column: false,
            replicate,
            seed: SEED,
        });
        Cell::new("directions", setting.block, Arm::of(base), replicate, task)
    };
    let drawn = (0..draws).map(|draw| cell(Base::EbmHaar, haar(draw), draw));
    drawn.chain((0..authors).map(|r| cell(Base::Ebm, params.clone(), r))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_of_fresh_samples_have_as_many_runs_for_every_method() {
        let runs = |c: Cell| match c.task {
            Task::Stability(task) => (task.fresh_samples, c.arm.fresh, task.runs),
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
            let cell = cells.iter().find(|c| c.arm == Arm::of(Base::Ebm) && c.n == n).unwrap();
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

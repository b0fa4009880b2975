//! How long a cell takes when it is computed alone, roughly: what a sample costs, and which cells to begin first.

use super::{Cell, Effects, LearnerKind, RegressorKind, RepresentationKind, RepresentationSpec, Source};
use super::{Stability, Supervised, SupervisedSpec, Task};
use ebmbook::ebm::EbmParams;

impl Cell {
    /// Expected seconds on one core at 2.8 GHz. The coefficients are a fit to the times of 650 cells; three in four cells
    /// are within a factor of two, which is enough to size a sample.
    ///
    /// ```
    /// use paper_checks::study::{Scale, Study};
    /// let cells = Study::find("sensitivity")?.cells(Scale::Full);
    /// let of = |name: &str| cells.iter().find(|c| c.arm.to_string() == name).unwrap().expected_seconds();
    /// assert!(of("b 10") > 2.0 * of("b 1") && of("b 1") > of("untrained"));
    /// # Ok::<(), paper_checks::study::StudyError>(())
    /// ```
    pub fn expected_seconds(&self) -> f64 {
        let Parts { shared, own } = self.expected_parts();
        shared + own
    }

    /// Those seconds in two parts.
    pub(super) fn expected_parts(&self) -> Parts {
        let data = self.task.data();
        let test = match data.source {
            Source::Synthetic => 20_000,
            Source::Twins => 1_900,
            Source::Ihdp | Source::Npci => 220,
        };
        let rows = if data.source == Source::Synthetic { (data.n + test) * data.d } else { 0 };
        let Parts { shared, own } = match &self.task {
            Task::Effects(task) => effects(task, test),
            Task::Supervised(task) => Parts { shared: supervised(task, test), own: 0.0 },
            Task::Stability(task) => stability(task),
            Task::Overlap(_) => Parts { shared: 0.0, own: 0.0 },
        };
        Parts { shared: 1.5e-8 * rows as f64 + shared, own: 0.02 + own }
    }
}

/// Expected seconds of a cell.
#[derive(Clone, Copy, Debug)]
pub(super) struct Parts {
    /// For what the cells of its group have in common: rows, representation, propensities.
    pub shared: f64,
    /// For itself.
    pub own: f64,
}

fn effects(task: &Effects, test: usize) -> Parts {
    let (n, d) = (task.data.n, task.data.d);
    let (k, seconds) = representation(&task.representation, n, d);
    let [n, k, test] = [n, k, test].map(|size| size as f64);
    let any = |of: fn(LearnerKind) -> bool| f64::from(u8::from(task.fits.iter().any(|fit| of(fit.learner))));
    // A classifier for the propensities, and its decisions at the test rows.
    let classifier = any(|l| l != LearnerKind::T) * 5e-10 * n * n * k;
    let decisions = any(|l| l == LearnerKind::X) * 7e-11 * n * test * k;
    let kernels = task.fits.iter().filter(|fit| fit.regressor == RegressorKind::Rbf).count() as f64;
    Parts { shared: seconds + classifier + decisions, own: kernels * 1e-10 * n * (n * n + test * k) }
}

/// Halves of the rows, or all of them twice as often: the work is the same. Pilots take about as long again.
fn supervised(task: &Supervised, test: usize) -> f64 {
    let (n, d) = (task.data.n, task.components.unwrap_or(task.data.d));
    let network = match &task.method {
        SupervisedSpec::FoldEbm { params, pilot, .. } => {
            training(params, n, d) * if *pilot { 2.0 } else { 1.0 }
        }
        SupervisedSpec::FoldLogits { params, .. } => training(params, n, d) / 2.0,
        SupervisedSpec::Scores => 1e-10 * (n * (n + test) * d) as f64,
    };
    // The network at the test rows, in double precision and once for each part.
    network + 2e-9 * (test * (64 * d + 5000)) as f64
}

fn stability(task: &Stability) -> Parts {
    let (k, seconds) = representation(&task.representation, task.data.n, task.data.d);
    let classifier = if task.with_effects { 5e-10 * (task.data.n * task.data.n * k) as f64 } else { 0.0 };
    let runs = task.runs as f64;
    Parts { shared: runs * seconds, own: runs * classifier }
}

/// The number of coordinates, and the seconds to fit them to n rows of d covariates.
fn representation(of: &RepresentationSpec, n: usize, d: usize) -> (usize, f64) {
    match of {
        RepresentationSpec::Raw => (d, 0.0),
        RepresentationSpec::Latent => (5, 0.0),
        RepresentationSpec::Untrained { params, .. } => (params.k(), 0.0),
        RepresentationSpec::Ebm { params, .. } => (params.k(), training(params, n, d)),
        RepresentationSpec::Named { name, k, .. } => {
            let per_number = match name {
                RepresentationKind::Autoencoder => 4e-6,
                RepresentationKind::Isomap | RepresentationKind::KernelPca | RepresentationKind::Spectral => {
                    2e-6
                }
                _ => 2e-7,
            };
            (*k, per_number * (n * d) as f64)
        }
    }
}

/// Seconds to train an EBM to its last epoch: each row that is seen has candidates, and each candidate is drawn and goes
/// through the network.
fn training(params: &EbmParams, n: usize, d: usize) -> f64 {
    let fields = serde_json::to_value(params).expect("parameters are plain data");
    let number = |name: &str| fields[name].as_f64();
    let hidden = fields["hidden"].as_array().into_iter().flatten().filter_map(|width| width.as_f64());
    let widths: Vec<f64> = [d as f64].into_iter().chain(hidden).chain([params.k() as f64]).collect();
    let weights: f64 = widths.windows(2).map(|pair| pair[0] * pair[1]).sum();
    let of_epochs = number("epochs").unwrap_or(0.0) * n as f64;
    let of_steps = number("steps").map_or(f64::INFINITY, |steps| steps * number("batch").unwrap_or(0.0));
    let candidates = 1.0 + number("copies").unwrap_or(0.0);
    of_epochs.min(of_steps) * candidates * (1.2e-10 * weights + 3e-9 * d as f64)
}

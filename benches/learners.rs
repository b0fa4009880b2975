//! How long learners take: fit, and effects of 20 000 rows. One thread.
//!
//! `cargo bench --bench learners`; `benches/learners_econml.py` runs EconML on the same data.

use ebmbook::cate::{Folding, Learner, Propensity, RLearner, Sample, TLearner};
use ebmbook::data::TrainTest;
use ebmbook::data::synthetic::Released;
use ebmbook::regress::{Classifier, KernelRidge, Polynomial, Regressor, Svc};
use ndarray::Array1;
use std::sync::LazyLock;

fn main() {
    divan::main();
}

type Data = LazyLock<(Sample, TrainTest)>;

fn data(d: usize, n: usize) -> (Sample, TrainTest) {
    let data = Released::new(d, n).unwrap().generate();
    (Sample::from_dataset(&data.train).unwrap(), data)
}

static SMALL: Data = LazyLock::new(|| data(48, 2000));
static WIDE: Data = LazyLock::new(|| data(250, 1500));

fn effects(learner: &dyn Learner, data: &Data) -> Array1<f64> {
    let (sample, data) = &**data;
    learner.fit(sample).unwrap().at(data.test.x().into()).unwrap()
}

/// Twelve machines: two folds, each with five more for its probabilities.
#[divan::bench(sample_count = 10, sample_size = 1)]
fn r_learner_with_svc(bencher: divan::Bencher) {
    LazyLock::force(&SMALL);
    let folding = Folding::ScikitLearn { k: 2, seed: 1 };
    let learner = RLearner::new(KernelRidge::default(), Propensity::model(Svc::new(42)), folding);
    bencher.bench(|| effects(&learner, &SMALL));
}

/// The classifier of an X-learner: six machines on all rows, then probabilities of 20 000 rows.
#[divan::bench(sample_count = 5, sample_size = 1)]
fn svc_and_its_probabilities(bencher: divan::Bencher) {
    let (sample, data) = &*SMALL;
    let fit = || Svc::new(42).fit(sample.x(), sample.treated()).unwrap();
    bencher.bench(|| fit().probability(data.test.x()).unwrap());
}

#[divan::bench(sample_count = 20, sample_size = 1)]
fn t_learner_with_kernel_ridge(bencher: divan::Bencher) {
    LazyLock::force(&WIDE);
    let learner = TLearner::new(KernelRidge::default());
    bencher.bench(|| effects(&learner, &WIDE));
}

/// 31 626 columns that are never written down.
#[divan::bench(sample_count = 5, sample_size = 1)]
fn polynomial_ridge(bencher: divan::Bencher) {
    let (sample, data) = &*WIDE;
    let fit = || Polynomial::default().fit(sample.x(), sample.outcome()).unwrap();
    bencher.bench(|| fit().predict(data.test.x()).unwrap());
}

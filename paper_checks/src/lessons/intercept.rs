//! Notebook 08: Table 2, and the intercept that decides it.

use crate::checks::Context;
use crate::printed::Printed;
use ebmbook::cate::{Features, Folding, Learner, Propensity, RLearner, Sample};
use ebmbook::data::synthetic::Released;
use ebmbook::data::{Protocol, TrainTest};
use ebmbook::metrics::pehe;
use ebmbook::regress::{self, KernelRidge, Svc};
use ebmbook::representation::by_name;
use ebmbook::seed::Seed;
use ebmbook::show::{Answer, Figure, Table, table};
use ebmbook::theory::shift::largest_change;
use ndarray::{Array1, Array2, array};
use rand_distr::{Distribution, StandardNormal};

/// Outcome 1 for everybody on a centred feature: what each regression predicts.
///
/// # Panics
/// Never: the rows are fixed.
pub fn constant_outcome() -> Table {
    let x = array![[-2.0], [-1.0], [0.0], [1.0], [2.0]];
    let y = Array1::ones(5);
    let predict = |name: &str| {
        let fitted = regress::by_name(name, 1.0).expect("known").fit(x.view(), y.view()).expect("a fit");
        fitted.predict(x.view()).expect("one feature").to_vec()
    };
    let header = ["regression", "x = -2", "x = -1", "x = 0", "x = 1", "x = 2"];
    ["kernel-ridge", "ridge"].iter().fold(
        table("Predictions where every outcome is 1", &header),
        |t, name| {
            let tidy: Vec<f64> =
                predict(name).into_iter().map(|v| if v.abs() < 1e-12 { 0.0 } else { v }).collect();
            t.numbers(*name, &tidy)
        },
    )
}

/// The same with a column of ones added.
///
/// # Panics
/// Never: the rows are fixed.
pub fn constant_outcome_with_ones() -> Table {
    let x = array![[-2.0, 1.0], [-1.0, 1.0], [0.0, 1.0], [1.0, 1.0], [2.0, 1.0]];
    let fitted = regress::by_name("kernel-ridge", 1.0).expect("known").fit(x.view(), Array1::ones(5).view());
    let predicted = fitted.expect("a fit").predict(x.view()).expect("two features");
    let header = ["regression", "x = -2", "x = -1", "x = 0", "x = 1", "x = 2"];
    table("Kernel ridge with a column of ones", &header)
        .numbers("kernel-ridge", predicted.as_slice().expect("contiguous"))
}

fn rows(context: &Context) -> (Array2<f64>, Array1<f64>) {
    let mut rng = context.seed.child("shift").rng();
    let x = Array2::from_shape_simple_fn((120, 3), || -> f64 { StandardNormal.sample(&mut rng) });
    let y = Array1::from_shape_fn(120, |i| {
        let noise: f64 = StandardNormal.sample(&mut rng);
        1.0 + x[[i, 0]] + x[[i, 1]].powi(2) + 0.3 * noise
    });
    (x, y)
}

/// Largest change of a prediction against the size of the shift, for each regression.
///
/// # Panics
/// If a regression cannot be fitted.
pub fn shift_figure(context: &Context) -> Figure {
    let (x, y) = rows(context);
    let figure = Figure::new("Add a constant to every feature")
        .x("size of the shift")
        .y("largest change of a prediction, standard deviations");
    [
        ("kernel-ridge", "linear kernel ridge"),
        ("polynomial", "polynomial ridge"),
        ("power", "power transform + ridge"),
        ("ridge", "ridge with intercept"),
    ]
    .iter()
    .fold(figure, |fig, (name, label)| {
        let regressor = regress::by_name(name, 1.0).expect("a known regressor");
        let change = |by: f64| {
            let c = largest_change(regressor.as_ref(), x.view(), y.view(), x.view(), by).expect("a fit");
            (by, if c < 1e-6 { 0.0 } else { c })
        };
        fig.line(label, &[0.0, 1.0, 2.0, 3.0].map(change))
    })
}

/// The authors' data with one added to every treated outcome, as their notebook does.
///
/// # Panics
/// If the setting is too large.
pub fn shifted_data(d: usize, n: usize) -> TrainTest {
    Released::new(d, n).expect("a sensible setting").generate().shift_treated(1.0)
}

/// The number of dimensions the paper used in a synthetic setting.
///
/// # Panics
/// If the setting is not one of the paper's.
pub fn dimensions(d: usize, n: usize) -> usize {
    let settings = Printed::load().hyperparameters;
    let of = settings.iter().find(|h| h.dataset.starts_with("synthetic") && (h.d, h.n) == (d, n));
    of.expect("a setting of the paper").k
}

fn printed(d: usize, n: usize, reduction: &str) -> f64 {
    let cells = Printed::load().reductions;
    let of = cells
        .iter()
        .find(|c| c.dataset.starts_with("synthetic") && (c.d, c.n) == (d, n) && c.reduction == reduction);
    of.map_or(f64::NAN, |c| c.pehe_mean)
}

/// Mean PEHE of the R-learner on a reduction over seeds of folds, without and with a column of ones.
///
/// # Panics
/// If the reduction cannot be fitted.
pub fn r_learner(data: &TrainTest, method: &str, k: usize, seeds: u32) -> [f64; 2] {
    let (train, test) = (&data.train, &data.test);
    let fitted =
        by_name(method, k, Protocol::Released).expect("a known method").fit(train.covariates(), Seed::new(0));
    let fitted = fitted.expect("a fit");
    let new = fitted.transform(test.x()).expect("the right width");
    let truth = test.noisy_effect().expect("potential outcomes");
    let (a, y) = (train.treatment().expect("arms"), train.outcome().expect("outcomes"));
    [false, true].map(|constant_column| {
        let made = Features { standardise: false, constant_column }.switches(fitted.training(), new.view());
        let sample = Sample::new(made.train, a.to_owned(), y.to_owned()).expect("both arms");
        let run = |seed: u32| {
            let learner = RLearner::new(
                KernelRidge::default(),
                Propensity::model(Svc::new(seed)),
                Folding::ScikitLearn { k: 2, seed },
            );
            let effects =
                learner.fit(&sample).expect("a fit").at(made.test.view().into()).expect("the right width");
            pehe(effects.view(), truth.view()).expect("finite effects")
        };
        (0..seeds).map(run).sum::<f64>() / f64::from(seeds)
    })
}

/// Three reductions in one setting: printed, ours, and ours with a column of ones.
pub fn one_setting(data: &TrainTest, context: &Context) -> Table {
    let (d, n) = (data.train.d(), data.train.n());
    let k = dimensions(d, n);
    let seeds = context.pick(4, 10);
    let round = |v: f64| (v * 1000.0).round() / 1000.0;
    let start = table(
        format!("R-learner, d = {d}, n = {n}, k = {k}, treated outcomes + 1"),
        &["reduction", "printed", "ours", "ours + column of ones"],
    );
    [("pca", "PCA"), ("kernel-pca", "KPCA"), ("agglomeration", "FA")].iter().fold(
        start,
        |t, (method, name)| {
            let [plain, ones] = r_learner(data, method, k, seeds);
            t.numbers(*name, &[printed(d, n, name), round(plain), round(ones)])
        },
    )
}

/// The printed EBM cell of Table A.1 or 2 in a synthetic setting.
pub fn printed_ebm(d: usize, n: usize) -> f64 {
    printed(d, n, "EBM")
}

/// PCA printed, ours and with a column of ones, beside the printed EBM, in small settings.
pub fn dots(context: &Context) -> Figure {
    let settings = [(50, 100), (100, 100), (100, 250)];
    let mut series: [Vec<(f64, f64, f64, f64)>; 4] = Default::default();
    for (i, (d, n)) in settings.into_iter().enumerate() {
        let data = shifted_data(d, n);
        let [plain, ones] = r_learner(&data, "pca", dimensions(d, n), context.pick(3, 10));
        let values = [printed(d, n, "PCA"), plain, ones, printed(d, n, "EBM")];
        for (s, v) in series.iter_mut().zip(values) {
            s.push((i as f64, v, v, v));
        }
    }
    Figure::new("One column of ones")
        .x("PEHE, outcome units")
        .y_categories(&settings.map(|(d, n)| format!("d = {d}, n = {n}")))
        .dots("PCA, printed", &series[0])
        .dots("PCA, ours", &series[1])
        .dots("PCA + column of ones", &series[2])
        .dots("EBM, printed", &series[3])
}

/// PEHE of predicting zero with and without the +1.
///
/// # Panics
/// Never: the setting is fixed.
pub fn zero_predictor(data: &TrainTest) -> f64 {
    let truth = data.test.noisy_effect().expect("potential outcomes");
    pehe(Array1::zeros(truth.len()).view(), truth.view()).expect("finite")
}

/// Exercise 1: what linear kernel ridge without intercept predicts at x = 0.
pub fn exercise_origin(prediction: f64) -> Answer {
    Answer::close(prediction, 0.0, 1e-9, "The prediction is xᵀw. What is it at the origin?")
}

/// Exercise 2: which of the four regressions is indifferent to a shift?
pub fn exercise_indifferent(name: &str) -> Answer {
    Answer::word(name, "ridge", "Look for the flat line in the figure.")
}

/// Exercise 3: does the order of PCA and EBM in the table survive a column of ones?
pub fn exercise_order(answer: &str) -> Answer {
    Answer::word(answer, "no", "Compare `PCA + column of ones` with `EBM, printed` in the last figure.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_exercise_can_be_right_and_wrong() {
        assert!(exercise_origin(0.0).is_right() && !exercise_origin(1.0).is_right());
        assert!(exercise_indifferent("Ridge").is_right() && !exercise_indifferent("polynomial").is_right());
        assert!(exercise_order("no").is_right() && !exercise_order("yes").is_right());
    }
}

//! Notebook 08: Table 2, and the intercept that decides it.

use super::committed::{self, Rows};
use crate::context::Context;
use crate::printed::{Printed, REDUCTIONS};
use ebmbook::cate::{Features, Folding, Learner, Propensity, RLearner, Sample};
use ebmbook::data::synthetic::Released;
use ebmbook::data::{Protocol, TrainTest};
use ebmbook::metrics::pehe;
use ebmbook::regress::{self, KernelRidge, Svc};
use ebmbook::representation::by_name;
use ebmbook::show::{Answer, Figure, Table, table};
use ebmbook::theory::shift::largest_change;
use ndarray::{Array1, Array2, array};
use ndarray_rand::RandomExt;
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

/// [`constant_outcome`] with a column of ones added.
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
    let x = Array2::<f64>::random_using((120, 3), StandardNormal, &mut rng);
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

/// The authors' data with a constant added to every treated outcome; their notebook adds 1.
///
/// # Panics
/// If the setting is too large.
pub fn shifted_data(d: usize, n: usize, by: f64) -> TrainTest {
    Released::new(d, n).expect("a sensible setting").generate().shift_treated(by)
}

/// The number of dimensions the paper used in a synthetic setting.
///
/// # Panics
/// If the setting is not one of the paper's.
pub fn dimensions(d: usize, n: usize) -> usize {
    let settings = Printed::load().hyperparameters;
    let of = settings.iter().find(|h| h.dataset.is_synthetic() && (h.d, h.n) == (d, n));
    of.expect("a setting of the paper").k
}

/// Mean PEHE of the R-learner on a reduction over seeds of folds, without and with a column of ones.
///
/// # Panics
/// If the reduction cannot be fitted.
pub fn r_learner(data: &TrainTest, method: &str, k: usize, context: &Context) -> [f64; 2] {
    let (train, test) = (&data.train, &data.test);
    let method = by_name(method, k, Protocol::Released).expect("a known method");
    let fitted = method.fit(train.covariates(), context.seed.child("reduction")).expect("a fit");
    let new = fitted.transform(test.x()).expect("the right width");
    let truth = test.noisy_effect().expect("potential outcomes");
    let (a, y) = (train.treatment().expect("arms"), train.outcome().expect("outcomes"));
    let seeds: u32 = context.pick(4, 10);
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

const VALUE: &str = "r kernel-ridge";

/// Tables 2 and A.1 as printed and as computed at full scale, from the committed results.
///
/// # Panics
/// If there are no committed results.
pub fn tables() -> Rows {
    committed::rows(&["table2", "table-a1"])
}

/// One setting: each reduction, the EBM and an untrained network as printed, as computed, and with a
/// column of ones beside the representation.
pub fn setting(tables: &Rows, d: usize, n: usize) -> Table {
    let methods = REDUCTIONS.into_iter().chain([
        ("autoencoder-sane", "AE, sane start"),
        ("ebm-pairwise", "EBM"),
        ("untrained", "EBM before training"),
    ]);
    let start = table(
        format!("R-learner, d = {d}, n = {n}, treated outcomes + 1"),
        &["representation", "printed", "ours", "ours + column of ones"],
    );
    methods.fold(start, |t, (arm, name)| {
        let plain = tables.find((d, n), arm, VALUE);
        let ones = tables.find((d, n), &format!("{arm}+1"), VALUE);
        let numbers = [plain.and_then(|r| r.printed), plain.map(|r| r.ours), ones.map(|r| r.ours)];
        t.row(&[&[name.to_owned()], &numbers.map(committed::three)[..]].concat())
    })
}

/// PCA printed, ours and with a column of ones, beside the printed EBM, in all nine synthetic settings.
pub fn dots(tables: &Rows) -> Figure {
    let settings = tables.settings("synthetic");
    Figure::new("One column of ones")
        .size(720, 620)
        .x("PEHE, outcome units (95 % interval of ten runs)")
        .y_categories(&committed::names(&settings))
        .dots("PCA, printed", &tables.printed(&settings, "pca", VALUE))
        .dots("PCA, ours", &tables.ours(&settings, "pca", VALUE))
        .dots("PCA + column of ones", &tables.ours(&settings, "pca+1", VALUE))
        .dots("EBM, printed", &tables.printed(&settings, "ebm-pairwise", VALUE))
}

/// The autoencoder with the released start and with weights scaled to the layer, a column of ones beside
/// both, and PCA the same way.
pub fn autoencoders(tables: &Rows, block: &str) -> Table {
    let settings = tables.settings(block);
    let header = ["released start", "sane start", "PCA"];
    committed::by_setting("PEHE with a column of ones, R-learner", &header, &settings, |s| {
        let ours = |arm: &str| tables.find(s, arm, VALUE).map(|r| r.ours);
        vec![ours("autoencoder+1"), ours("autoencoder-sane+1"), ours("pca+1")]
    })
}

/// PEHE of predicting zero.
///
/// # Panics
/// Never: the setting is fixed.
pub fn zero_predictor(data: &TrainTest) -> f64 {
    let truth = data.test.noisy_effect().expect("potential outcomes");
    pehe(Array1::zeros(truth.len()).view(), truth.view()).expect("finite")
}

/// Exercise 1: what kernel ridge with penalty 1 predicts for 20 people with a centred feature, a column of
/// ones and outcome 1.
pub fn exercise_penalty(prediction: f64) -> Answer {
    let hint = "The centred feature does nothing. With a column of ones alone, minimise 20 (1 - w)² + w².";
    Answer::close(prediction, 20.0 / 21.0, 5e-4, hint)
}

/// Exercise 2: is kernel ridge with a Gaussian (RBF) kernel indifferent to a shift?
pub fn exercise_rbf(answer: &str) -> Answer {
    Answer::word(answer, "yes", "The kernel is a function of x - x'. What does a shift do to that?")
}

/// Exercise 3: PEHE of predicting zero at d = 50, n = 100 with 2 added to treated outcomes.
pub fn exercise_two(pehe: f64) -> Answer {
    let truth = zero_predictor(&shifted_data(50, 100, 2.0));
    Answer::close(
        pehe,
        truth,
        5e-3,
        "`lesson::shifted_data` takes what is added; `lesson::zero_predictor` the data.",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_exercise_can_be_right_and_wrong() {
        assert!(exercise_penalty(0.9524).is_right() && !exercise_penalty(1.0).is_right());
        assert!(exercise_rbf("yes").is_right() && !exercise_rbf("no").is_right());
        assert!(!exercise_two(2.166).is_right());
    }
}

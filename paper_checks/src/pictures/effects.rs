//! Notebook 07: effects, their error, and Table 1.

use super::committed::{self, Rows};
use crate::context::Context;
use crate::printed::Printed;
use crate::study::{Arm, Fit, LearnerKind, Quantity, Summary};
use ebmbook::cate::{Baselines, Features, Learner, Sample, TLearner};
use ebmbook::data::synthetic::Released;
use ebmbook::data::{Protocol, TrainTest};
use ebmbook::metrics::{pehe, pehe_square, t_half_width, t_interval};
use ebmbook::regress;
use ebmbook::representation::by_name;
use ebmbook::show::{Answer, Figure, Table, format_number, table};
use ebmbook::theory::doubly_robust::{Estimator, bias};
use ebmbook::theory::rates::{mean_squared_errors, slope};
use ndarray::{Array1, ArrayView1};

/// One setting of the authors' synthetic data.
///
/// # Panics
/// If the setting is too large.
pub fn released(d: usize, n: usize) -> TrainTest {
    Released::new(d, n).expect("a sensible setting").generate()
}

/// The trivial predictors on one setting, beside what the paper prints.
///
/// # Panics
/// If the data have no truths.
pub fn baselines(data: &TrainTest) -> Table {
    let truth = data.test.noisy_effect().expect("potential outcomes");
    let errors = Baselines::new(&data.train, &data.test).map(|b| b.pehe(truth.view()));
    let errors = errors.expect("a training set").expect("finite effects");
    let (d, n) = (data.train.d(), data.train.n());
    let printed = Printed::load();
    let cell = |with_ebm: bool| printed.table1(d, n, "R", with_ebm).map_or(f64::NAN, |c| c.pehe_mean);
    let t = errors
        .iter()
        .fold(table(format!("PEHE, d = {d}, n = {n}"), &["predictor", "PEHE"]), |t, (name, e)| {
            t.numbers(format!("{name} (ours)"), &[*e])
        });
    t.numbers("R-learner with EBM (printed)", &[cell(true)])
        .numbers("R-learner without EBM (printed)", &[cell(false)])
}

/// PEHE of estimates against truths, square and root.
///
/// # Panics
/// If there are not as many of either.
pub fn pehe_of(estimates: &[f64], truths: &[f64]) -> Table {
    let (e, t) = (ArrayView1::from(estimates), ArrayView1::from(truths));
    let (square, root) = (pehe_square(e, t).expect("lengths"), pehe(e, t).expect("lengths"));
    table("PEHE", &["mean square", "root"]).row(&[format_number(square), format_number(root)])
}

/// Error of a regression against n in 1, 2, 4 and 8 dimensions.
pub fn rate_figure(context: &Context) -> Figure {
    let sizes = [500, 2_000, 8_000];
    let replicates = context.pick(4, 20);
    let figure = Figure::new("More covariates, slower learning")
        .x("n, training rows")
        .log_x()
        .y("mean squared error")
        .log_y();
    [1, 2, 4, 8].into_iter().fold(figure, |fig, d| {
        let errors = mean_squared_errors(d, 2.0, &sizes, replicates, context.seed.child("rates").index(d));
        let mean = |e: &Vec<f64>| e.iter().sum::<f64>() / e.len() as f64;
        let points: Vec<(f64, f64)> = sizes.iter().zip(&errors).map(|(n, e)| (*n as f64, mean(e))).collect();
        fig.line(&format!("d = {d}"), &points)
    })
}

/// Slope of log error on log n beside −2/(2 + d).
pub fn rate_slopes(context: &Context) -> Table {
    let sizes = [500, 2_000, 8_000];
    [1, 2].into_iter().fold(table("Slopes", &["d", "measured", "standard error", "theory"]), |t, d| {
        let errors =
            mean_squared_errors(d, 2.0, &sizes, context.pick(8, 40), context.seed.child("slopes").index(d));
        let found = slope(&sizes, &errors);
        t.numbers(d.to_string(), &[found.estimate, found.se, -2.0 / (2.0 + d as f64)])
    })
}

/// Bias of three estimators against n when both nuisances converge like n^(−1/4).
pub fn double_robustness() -> Figure {
    let sizes = [1e3, 1e4, 1e5, 1e6, 1e7, 1e8];
    let line = |e: Estimator| -> Vec<(f64, f64)> { sizes.map(|n| (n, bias(e, n, 0.25, 0.25))).to_vec() };
    Figure::new("Two slow nuisances make one fast estimate")
        .x("n, training rows")
        .log_x()
        .y("bias, outcome units")
        .log_y()
        .line("plug-in", &line(Estimator::PlugIn))
        .line("weighting", &line(Estimator::Weighting))
        .line("doubly robust", &line(Estimator::DoublyRobust))
}

/// PEHE of a T-learner with linear kernel ridge on the covariates.
///
/// # Panics
/// If the data lack an arm.
pub fn t_learner(data: &TrainTest) -> f64 {
    let sample = Sample::from_dataset(&data.train).expect("both arms");
    let truth = data.test.noisy_effect().expect("potential outcomes");
    t_pehe("kernel-ridge", &sample, data.test.x(), truth.view())
}

/// Data with one added to every treated outcome, as the authors' notebook does in training and
/// test rows.
pub fn shifted(data: &TrainTest) -> TrainTest {
    data.clone().shift_treated(1.0)
}

fn t_pehe(regressor: &str, sample: &Sample, test: ndarray::ArrayView2<f64>, truth: ArrayView1<f64>) -> f64 {
    let regressor = regress::by_name(regressor, 1.0).expect("a known regressor");
    let fitted = TLearner::new(regressor).fit(sample).expect("a fit");
    let effects = fitted.at(test.into()).expect("the right width");
    pehe(effects.view(), truth).expect("finite effects")
}

/// Table 1 as printed and as computed at full scale, from the committed results.
///
/// # Panics
/// If there are no committed results.
pub fn table1() -> Rows {
    committed::rows(&["table1"])
}

/// The value that a learner of Table 1 has.
fn value(learner: &str) -> String {
    format!("{} kernel-ridge", learner.to_lowercase())
}

/// The nine printed cells of T and X without EBM and ours: neither has random folds, so digits can agree.
pub fn printed_digits(table1: &Rows) -> Table {
    let header = ["T printed", "T ours", "X printed", "X ours"];
    committed::by_setting("Without EBM, Table 1", &header, &table1.settings("synthetic"), |s| {
        let cell = |learner: &str| table1.find(s, "raw", &value(learner));
        let both = |learner: &str| [cell(learner).and_then(|r| r.printed), cell(learner).map(|r| r.ours)];
        [both("T"), both("X")].concat()
    })
}

/// One block of Table 1 for one learner: the printed EBM, ours, the same network before training, and
/// predicting zero.
pub fn block(table1: &Rows, block: &str, learner: &str) -> Figure {
    let (settings, value) = (table1.settings(block), value(learner));
    Figure::new(format!("Table 1, {block}: {learner}-learner"))
        .size(720, 120 + 60 * settings.len() as u32)
        .x("PEHE, outcome units (95 % interval of ten runs)")
        .y_categories(&committed::names(&settings))
        .dots("with EBM, printed", &table1.printed(&settings, "ebm-pairwise", &value))
        .dots("with EBM, ours", &table1.ours(&settings, "ebm-pairwise", &value))
        .dots("untrained network", &table1.ours(&settings, "untrained", &value))
        .dots("predicting zero", &table1.zero(&settings, "untrained", &value))
}

/// Choosing ten runs by their test error: the printed EBM beside the ten best of a hundred untrained
/// networks, all hundred, and predicting zero (R-learner).
///
/// # Panics
/// If there are no committed results.
pub fn selection() -> Table {
    let (results, printed) = (committed::results("selection"), Printed::load());
    let settings: Vec<(usize, usize)> = results.settings().iter().map(|(_, d, n)| (*d, *n)).collect();
    let header = ["EBM printed", "ten best untrained", "all untrained", "zero"];
    committed::by_setting("Ten runs chosen on the test rows", &header, &settings, |(d, n)| {
        let here = results.only(|c| (c.d, c.n) == (d, n) && c.arm == Arm::UNTRAINED);
        let mut errors = here.values(Fit::kernel_ridge(LearnerKind::R).pehe());
        errors.sort_by(f64::total_cmp);
        let mean = |v: &[f64]| Summary::of(v).map(|s| s.mean);
        let ebm = printed.table1(d, n, "R", true).map(|c| c.pehe_mean);
        vec![ebm, mean(&errors[..10.min(errors.len())]), mean(&errors), mean(&here.values(Quantity::ZERO))]
    })
}

/// Printed cells of one setting as dots: each learner with and without EBM, and trivial predictors.
///
/// # Panics
/// If the setting is not printed.
pub fn printed_setting(data: &TrainTest) -> Figure {
    let (d, n) = (data.train.d(), data.train.n());
    let printed = Printed::load();
    let learners = ["T", "X", "DR", "R"];
    let dots = |with_ebm: bool| -> Vec<(f64, f64, f64, f64)> {
        let of = |(i, l): (usize, &&str)| {
            let cell = printed.table1(d, n, l, with_ebm).expect("a printed setting");
            let half = t_half_width(cell.pehe_sd / 10_f64.sqrt(), 10);
            (i as f64, cell.pehe_mean, cell.pehe_mean - half, cell.pehe_mean + half)
        };
        learners.iter().enumerate().map(of).collect()
    };
    let truth = data.test.noisy_effect().expect("potential outcomes");
    let zero = pehe(Array1::zeros(truth.len()).view(), truth.view()).expect("finite");
    let oracle = pehe(data.test.effect().expect("effects"), truth.view()).expect("finite");
    Figure::new(format!("Table 1, d = {d}, n = {n}"))
        .x("PEHE, outcome units (95 % interval of ten runs)")
        .y_categories(&learners.map(|l| format!("{l}-learner")))
        .dots("without EBM, printed", &dots(false))
        .dots("with EBM, printed", &dots(true))
        .upright("predicting zero", zero)
        .upright("true effect", oracle)
}

/// PEHE of a T-learner on several representations, over seeds, against the noiseless effect.
///
/// # Panics
/// If a representation cannot be fitted.
pub fn ladder(data: &TrainTest, k: usize, regressor: &str, context: &Context) -> Table {
    let truth = data.test.effect().expect("effects").to_owned();
    let (a, y) = (data.train.treatment().expect("arms"), data.train.outcome().expect("outcomes"));
    let of = |method: &str, seed: usize| {
        let method = by_name(method, k, Protocol::Paper).expect("a known method");
        let seed = context.seed.child("ladder").index(seed);
        let features = Features { standardise: false, constant_column: false };
        let made =
            features.prepare(method.as_ref(), data.train.covariates(), data.test.x(), seed).expect("a fit");
        let sample = Sample::new(made.train, a.to_owned(), y.to_owned()).expect("both arms");
        t_pehe(regressor, &sample, made.test.view(), truth.view())
    };
    let constant = |v: f64| pehe(Array1::from_elem(truth.len(), v).view(), truth.view()).expect("finite");
    let difference = data.train.difference_in_means().expect("arms");
    let start = table(
        format!("PEHE against the noiseless effect, T-learner, {regressor}"),
        &["features", "PEHE", "low", "high"],
    )
    .row(&["predicting zero".to_owned(), format_number(round3(constant(0.0))), String::new(), String::new()])
    .row(&[
        "one constant".to_owned(),
        format_number(round3(constant(difference))),
        String::new(),
        String::new(),
    ]);
    ["identity", "pca", "untrained", "ebm"].iter().fold(start, |t, method| {
        if matches!(*method, "identity" | "pca") {
            let e = round3(of(method, 0));
            return t.row(&[(*method).to_owned(), format_number(e), String::new(), String::new()]);
        }
        let errors: Vec<f64> = (0..context.pick(5, 20)).map(|s| of(method, s)).collect();
        let i = t_interval(&errors, 0.95).expect("several runs");
        t.numbers(*method, &[i.estimate, i.low, i.high].map(round3))
    })
}

fn round3(v: f64) -> f64 {
    (v * 1000.0).round() / 1000.0
}

/// PEHE of predicting no effect for anybody, against the same truth as [`t_learner`].
///
/// # Panics
/// If the data lack potential outcomes.
pub fn predicting_zero(data: &TrainTest) -> f64 {
    let truth = data.test.noisy_effect().expect("potential outcomes");
    pehe(Array1::zeros(truth.len()).view(), truth.view()).expect("finite effects")
}

/// Numbers of rows for which the authors' data with d = 100 are printed.
const ROWS_AT_D_100: [usize; 5] = [100, 250, 500, 1_000, 1_500];

/// Exercise 1: the smallest printed n at d = 100 at which the T-learner on all covariates beats predicting
/// zero.
pub fn exercise_enough_rows(n: usize) -> Answer {
    let beats = |n: &usize| {
        let data = released(100, *n);
        t_learner(&data) < predicting_zero(&data)
    };
    let truth = ROWS_AT_D_100.into_iter().find(beats);
    let hint = "Make data with lesson::released(100, n), and compare lesson::t_learner(&data) with \
                lesson::predicting_zero(&data). The printed n are 100, 250, 500, 1000 and 1500.";
    Answer::new(Some(n) == truth, n.to_string(), hint)
}

/// Exercise 2: in how many settings of the table of [`selection`] do ten chosen untrained networks have a
/// lower error than the printed EBM?
pub fn exercise_untrained(count: usize) -> Answer {
    let number = |text: &String| text.parse::<f64>().unwrap_or(f64::NAN);
    let truth = selection().rows().iter().filter(|r| number(&r[2]) < number(&r[1])).count();
    Answer::new(count == truth, count.to_string(), "Compare the first two columns of numbers, row by row.")
}

/// Exercise 3: the power of n with which the DR bias falls if the nuisances converge like n^(−1/3) and n^(−1/4).
pub fn exercise_slope(slope: f64) -> Answer {
    Answer::close(slope, -7.0 / 12.0, 5e-3, "The bias is a product. What happens to exponents in a product?")
}

/// Exercise 4: how many times the rows does it take to halve the squared error with d = 8 and α = 1?
pub fn exercise_rows(times: f64) -> Answer {
    let hint =
        "The squared error falls like n to the power -2/(2 + d). Solve for the factor that gives one half.";
    Answer::close(times, 32.0, 1e-6, hint)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_exercise_can_be_right_and_wrong() {
        assert!(exercise_enough_rows(1_500).is_right() && !exercise_enough_rows(100).is_right());
        assert!(!exercise_untrained(0).is_right());
        assert!(exercise_slope(-0.5833).is_right() && !exercise_slope(-0.5).is_right());
        assert!(exercise_rows(32.0).is_right() && !exercise_rows(2.0).is_right());
    }
}

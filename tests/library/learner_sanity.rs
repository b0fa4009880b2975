//! Do the learners learn? On a confounded design with a known effect the error falls with n, and
//! with a propensity of the wrong sign it does not.
//!
//! ```text
//! x ~ U(−2, 2)³,   π = σ(x1 + s),   Y(0) = x1² + x1 + N(0, 1),   τ = 1 + x2
//! ```
//!
//! Treated rows have larger x1 and so larger outcomes: the difference in means is biased.

use ebmbook::cate::{
    DifferenceInMeans, DrLearner, Folding, Learner, Propensity, RLearner, Rows, Sample, XLearner,
};
use ebmbook::metrics::{one_sided_t, pehe};
use ebmbook::regress::{KernelRidge, Logistic, Ridge};
use ebmbook::seed::Seed;
use ndarray::{Array1, Array2};
use rand::Rng;
use rand_distr::StandardNormal;

const REPLICATES: usize = 12;

/// A training sample and test rows, both with their true propensity.
struct Design {
    sample: Sample,
    test: Array2<f64>,
    propensity: Array1<f64>,
    tau: Array1<f64>,
}

fn design(n: usize, intercept: f64, replicate: usize) -> Design {
    let mut rng = Seed::new(2022).child("sanity").index(n).index(replicate).rng();
    let mut draw = |rows: usize| Array2::from_shape_simple_fn((rows, 3), || rng.random_range(-2.0..2.0));
    let (x, test) = (draw(n), draw(1000));
    let pi = |x: &Array2<f64>| x.column(0).mapv(|v: f64| 1.0 / (1.0 + (-v - intercept).exp()));
    let tau = |x: &Array2<f64>| x.column(1).mapv(|v| 1.0 + v);
    let e = pi(&x);
    let treated = e.mapv(|e| rng.random::<f64>() < e);
    let effect = tau(&x);
    let y = Array1::from_shape_fn(n, |i| {
        let noise: f64 = rng.sample(StandardNormal);
        x[[i, 0]].powi(2) + x[[i, 0]] + if treated[i] { effect[i] } else { 0.0 } + noise
    });
    let sample = Sample::new(x, treated, y).unwrap().with_propensity(e).unwrap();
    Design { sample, propensity: pi(&test), tau: tau(&test), test }
}

impl Design {
    /// With the propensity of the other arm.
    fn wrong(mut self) -> Self {
        let e = self.sample.rows().propensity.unwrap().mapv(|e| 1.0 - e);
        self.sample = self.sample.with_propensity(e).unwrap();
        self.propensity.mapv_inplace(|e| 1.0 - e);
        self
    }

    fn pehe(&self, learner: &dyn Learner) -> f64 {
        let rows = Rows { x: self.test.view(), propensity: Some(self.propensity.view()) };
        pehe(learner.fit(&self.sample).unwrap().at(rows).unwrap().view(), self.tau.view()).unwrap()
    }
}

fn folding() -> Folding {
    Folding::Stratified { k: 2, seed: Seed::new(5) }
}

fn logistic() -> Propensity {
    Propensity::model(Logistic::default())
}

/// X with an outcome model that can bend.
fn x(propensity: Propensity) -> XLearner {
    XLearner::new(KernelRidge::rbf(0.1).unwrap(), propensity)
}

/// DR with a linear outcome model, which is wrong: only the propensity can save it.
fn dr(propensity: Propensity) -> DrLearner {
    DrLearner::new(Ridge::default(), propensity, folding())
}

/// R with an outcome model that can bend, and an intercept in the effect.
fn r(propensity: Propensity) -> RLearner {
    RLearner::new(KernelRidge::rbf(0.1).unwrap(), propensity, folding()).with_final_stage(Ridge::default())
}

fn replicates(run: impl Fn(usize) -> f64) -> Vec<f64> {
    (0..REPLICATES).map(run).collect()
}

fn mean(values: &[f64]) -> f64 {
    ndarray::aview1(values).mean().unwrap()
}

/// Whether a paired t-test says so at the two-sided level 0.001.
fn is_larger(x: &[f64], y: &[f64]) -> bool {
    let differences: Vec<f64> = x.iter().zip(y).map(|(x, y)| x - y).collect();
    one_sided_t(&differences)[0] < 0.0005
}

#[test]
fn errors_of_x_dr_and_r_fall_with_n() {
    let learners: [(&dyn Learner, &str); 3] =
        [(&x(logistic()), "x"), (&dr(logistic()), "dr"), (&r(logistic()), "r")];
    for (learner, name) in learners {
        let at = |n: usize| replicates(|i| design(n, 0.0, i).pehe(learner));
        let (few, many) = (at(150), at(1200));
        println!("{name}: PEHE {:.3} at n = 150, {:.3} at n = 1200", mean(&few), mean(&many));
        // Eight times the rows: a √n rate would give 0.35 of the error, 0.6 is asked for. The
        // t-test (on logarithms: weights 1/e have heavy tails) says that the fall is no accident.
        assert!(mean(&many) < 0.6 * mean(&few), "{name}: {} {}", mean(&few), mean(&many));
        let logarithms = |v: &[f64]| v.iter().map(|v| v.ln()).collect::<Vec<_>>();
        assert!(is_larger(&logarithms(&few), &logarithms(&many)), "{name}");
    }
}

#[test]
fn the_difference_in_means_is_confounded_and_more_rows_do_not_help() {
    let at = |n: usize| mean(&replicates(|i| design(n, 0.0, i).pehe(&DifferenceInMeans)));
    let (few, many) = (at(150), at(1200));
    // sd(1 + x2) = 1.15 is the error of the best constant; confounding adds to it.
    assert!(few > 1.5 && many > 1.5, "{few} {many}");
}

#[test]
fn a_propensity_of_the_wrong_sign_ruins_dr_and_r() {
    let known = Propensity::Known;
    let learners: [(&dyn Learner, &str); 2] = [(&dr(known.clone()), "dr"), (&r(known), "r")];
    for (learner, name) in learners {
        let at = |n: usize| replicates(|i| design(n, 0.0, i).wrong().pehe(learner));
        let (few, many) = (at(150), at(1200));
        let right = replicates(|i| design(1200, 0.0, i).pehe(learner));
        println!(
            "{name}: wrong sign {:.3} at n = 150, {:.3} at n = 1200; right sign {:.3}",
            mean(&few),
            mean(&many),
            mean(&right)
        );
        // Not a matter of noise: with many rows the error stays, far above that of the right sign.
        assert!(mean(&many) > 2.0 * mean(&right), "{name}: {} {}", mean(&many), mean(&right));
        assert!(is_larger(&many, &right), "{name}");
    }
}

#[test]
fn x_with_the_wrong_sign_trusts_the_smaller_arm() {
    // One row in ten is treated; the right propensity leans on the imputations of the larger arm's
    // outcome model. X stays consistent with the wrong sign, it only wastes rows.
    let learner = x(Propensity::Known);
    let right = replicates(|i| design(600, -2.5, i).pehe(&learner));
    let wrong = replicates(|i| design(600, -2.5, i).wrong().pehe(&learner));
    println!("x: right sign {:.3}, wrong sign {:.3}", mean(&right), mean(&wrong));
    assert!(mean(&wrong) > mean(&right));
    assert!(is_larger(&wrong, &right));
}

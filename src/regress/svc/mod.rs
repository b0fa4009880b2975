//! A support vector classifier with probabilities, exactly as scikit-learn computes them.
//!
//! ```text
//! f(x) = Σ α_i y_i exp(−γ‖x − x_i‖²) − ρ          0 ≤ α_i ≤ C,  γ = 1/(d·Var(X))
//! P(A = 0 | x) ≈ 1/(1 + exp(A·f(x) + B))           A, B fitted on cross-validated f
//! ```
//!
//! Six classifiers are fitted: one on all rows and one for each of five folds, whose decision
//! values on the rows left out give A and B (Platt). The last step of scikit-learn is kept too:
//! an iteration for coupling many classes, which stops early for two and so moves probabilities
//! by up to 0.005.

mod coupling;
mod gram;
mod machine;
mod platt;

use super::classifier::{Classification, ClassificationResult, Classifier, check_arms};
use super::{RegressError, check_width};
use gram::Gram;
use machine::Machine;
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Axis};

/// The box constraint C and the stopping tolerance, scikit-learn's defaults.
const C: f64 = 1.0;
const TOLERANCE: f64 = 1e-3;

/// `SVC(probability=True, random_state=seed)` with an RBF kernel and C = 1.
///
/// ```
/// use ebmbook::regress::{Classifier, Svc};
/// use ndarray::{Array1, Array2};
/// let x = Array2::from_shape_fn((40, 1), |(i, _)| i as f64 / 10.0 - 2.0);
/// let treated = Array1::from_shape_fn(40, |i| i >= 20);
/// let p = Svc::new(42).fit(x.view(), treated.view())?.probability(x.view())?;
/// assert!(p[0] < 0.2 && p[39] > 0.8);
/// # Ok::<(), ebmbook::regress::RegressError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Svc {
    seed: u32,
    tolerance: f64,
}

impl Svc {
    /// With the seed of the five folds behind the probabilities.
    pub fn new(seed: u32) -> Self {
        Self { seed, tolerance: TOLERANCE }
    }

    /// With another stopping tolerance of the solver (default 1e-3).
    pub fn with_tolerance(self, tolerance: f64) -> Result<Self, RegressError> {
        if tolerance.is_finite() && tolerance > 0.0 {
            return Ok(Self { tolerance, ..self });
        }
        let rule = "must be finite and positive";
        Err(RegressError::Parameter { model: "svc", field: "tolerance", rule, value: tolerance })
    }

    /// Fits and keeps what a plain classifier does not show: decision values and Platt's A, B.
    pub fn fit_svc(&self, x: ArrayView2<f64>, treated: ArrayView1<bool>) -> Result<FittedSvc, RegressError> {
        check_arms("svc", x, treated)?;
        // The solver writes progress to standard error unless told not to.
        libsvm_rs::set_quiet(true);
        // γ = 1/(d·Var(X)), the variance of all entries together
        let variance = x.var(0.0);
        let gamma = if variance == 0.0 { 1.0 } else { 1.0 / (x.ncols() as f64 * variance) };
        // Controls first, then treated, each in their own order; controls are the positive class.
        let arm = |arm: bool| (0..x.nrows()).filter(move |i| treated[*i] == arm);
        let rows = x.select(Axis(0), &arm(false).chain(arm(true)).collect::<Vec<_>>());
        let controls = arm(false).count();
        let signs: Vec<f64> = (0..x.nrows()).map(|i| if i < controls { 1.0 } else { -1.0 }).collect();
        let gram = Gram::new(rows, gamma);
        let (a, b) = platt::cross_validated(&gram, &signs, self.seed, self.tolerance);
        let all: Vec<usize> = (0..x.nrows()).collect();
        let machine = Machine::train(&gram, all, &signs, self.tolerance);
        let support = gram.rows.select(Axis(0), &machine.rows);
        Ok(FittedSvc { gamma, a, b, rho: machine.rho, support, coefficients: machine.coefficients.into() })
    }
}

impl Classifier for Svc {
    fn name(&self) -> &'static str {
        "svc"
    }

    fn fit(&self, x: ArrayView2<f64>, treated: ArrayView1<bool>) -> ClassificationResult {
        Ok(Box::new(self.fit_svc(x, treated)?))
    }
}

/// A fitted [`Svc`].
pub struct FittedSvc {
    gamma: f64,
    a: f64,
    b: f64,
    rho: f64,
    support: Array2<f64>,
    coefficients: Array1<f64>,
}

impl FittedSvc {
    /// Platt's A and B: P(A = 0 | x) = 1/(1 + exp(A·f + B)), f the decision value of the controls.
    pub fn platt(&self) -> (f64, f64) {
        (self.a, self.b)
    }

    /// The intercept of [`decision`](Self::decision).
    pub fn intercept(&self) -> f64 {
        self.rho
    }

    /// The decision values: positive where a row is classified as treated.
    pub fn decision(&self, x: ArrayView2<f64>) -> Result<Array1<f64>, RegressError> {
        check_width("svc", x, self.support.ncols())?;
        let sums = gram::weighted_sums(x, self.support.view(), self.gamma, self.coefficients.view());
        Ok(self.rho - sums)
    }

    /// P(A = 1 | x) where these are the decision values. They do not depend on the seed, which moves A and B
    /// alone: fits that differ in it can share them.
    ///
    /// ```
    /// use ebmbook::regress::{Classification, Svc};
    /// use ndarray::{Array1, Array2};
    /// let x = Array2::from_shape_fn((40, 1), |(i, _)| i as f64 / 10.0 - 2.0);
    /// let treated = Array1::from_shape_fn(40, |i| i >= 20);
    /// let (one, other) = (Svc::new(1).fit_svc(x.view(), treated.view())?, Svc::new(2).fit_svc(x.view(), treated.view())?);
    /// let decision = one.decision(x.view())?;
    /// assert_eq!(other.decision(x.view())?, decision);
    /// assert_eq!(other.probability_at(decision), other.probability(x.view())?);
    /// # Ok::<(), ebmbook::regress::RegressError>(())
    /// ```
    pub fn probability_at(&self, decision: Array1<f64>) -> Array1<f64> {
        decision.mapv_into(|decision| {
            let p_control = platt::sigmoid(-decision, self.a, self.b).clamp(1e-7, 1.0 - 1e-7);
            coupling::couple(p_control)[1]
        })
    }
}

impl Classification for FittedSvc {
    fn probability(&self, x: ArrayView2<f64>) -> Result<Array1<f64>, RegressError> {
        Ok(self.probability_at(self.decision(x)?))
    }
}

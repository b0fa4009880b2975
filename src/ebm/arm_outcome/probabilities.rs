//! From energies to P(j | x), the propensity and the means of the arms.

use super::ArmOutcome;
use crate::ebm::{Ebm, EbmError};
use crate::linalg::solve_positive_definite;
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Axis, s};

/// P(a, s | x) as a trained model has it, with the propensity and the arms' means that follow.
///
/// ```
/// use ebmbook::{ebm::{ArmOutcome, OutcomeBins}, prelude::*};
/// let data = synthetic::Released::new(50, 500)?.generate().train;
/// let folds = ArmOutcome::new(data.treatment()?, data.outcome()?, &OutcomeBins::Quantiles(2))?;
/// let ebm = Ebm::fit(&Ebm::params(4).folds(folds.folds()).epochs(5), data.covariates(), Seed::new(1))?;
/// let model = ebm.fold_probabilities(&folds, data.x())?;
/// let p = model.of(data.x())?;
/// assert!(p.sum_axis(Axis(1)).iter().all(|sum| (sum - 1.0).abs() < 1e-12));
/// // E[P(j | X)] = P(j) fixes the constants that the densities leave open.
/// assert!((p.column(0).mean().unwrap() - folds.shares()[0]).abs() < 1e-9);
/// let pi = model.propensity(data.x())?;
/// assert!((pi[0] - p[[0, 2]] - p[[0, 3]]).abs() < 1e-12);
/// assert_eq!(model.effects(data.x())?, model.means(true, data.x())? - model.means(false, data.x())?);
/// # Ok::<(), ebmbook::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct FoldProbabilities {
    ebm: Ebm,
    bins: usize,
    /// Mean outcome of each fold.
    means: Array1<f64>,
    /// c_j, the logarithm of what the densities leave open.
    constants: Array1<f64>,
}

impl Ebm {
    /// P(a, s | x) for a model whose folds were made by arm and outcome, its constants fixed by the shares of the folds
    /// over the rows `train`.
    pub fn fold_probabilities(
        &self,
        folds: &ArmOutcome,
        train: ArrayView2<f64>,
    ) -> Result<FoldProbabilities, EbmError> {
        if folds.k() != self.k() {
            let rule = format!("must be the model's {}", self.k());
            return Err(EbmError::parameter("number of folds by arm and outcome", folds.k(), rule));
        }
        let weights = Array1::from_elem(train.nrows(), 1.0 / train.nrows() as f64);
        let constants = constants_of_shares(
            self.energies(train)?.view(),
            weights.view(),
            ArrayView1::from(folds.shares()),
        );
        let means = Array1::from(folds.means().to_vec());
        Ok(FoldProbabilities { ebm: self.clone(), bins: folds.bins(), means, constants })
    }
}

impl FoldProbabilities {
    /// P(j | x), rows × k; column a·S + s is arm a and bin s.
    pub fn of(&self, x: ArrayView2<f64>) -> Result<Array2<f64>, EbmError> {
        Ok(probabilities_of_energies(self.ebm.energies(x)?.view(), self.constants.view()))
    }

    /// π̂(x) = Σ_s P(1, s | x)
    pub fn propensity(&self, x: ArrayView2<f64>) -> Result<Array1<f64>, EbmError> {
        Ok(self.of(x)?.slice(s![.., self.bins..]).sum_axis(Axis(1)))
    }

    /// μ̂_a(x) = Σ_s P(a, s | x) ȳ_{a,s} / Σ_s P(a, s | x), with the mean outcome ȳ of each fold: off by at most a bin's
    /// width.
    pub fn means(&self, treated: bool, x: ArrayView2<f64>) -> Result<Array1<f64>, EbmError> {
        let p = self.of(x)?;
        let arm = if treated { s![.., self.bins..] } else { s![.., ..self.bins] };
        let means = if treated { s![self.bins..] } else { s![..self.bins] };
        let p = p.slice(arm);
        Ok(p.dot(&self.means.slice(means)) / p.sum_axis(Axis(1)))
    }

    /// τ̂(x) = μ̂_1(x) − μ̂_0(x)
    pub fn effects(&self, x: ArrayView2<f64>) -> Result<Array1<f64>, EbmError> {
        Ok(self.means(true, x)? - self.means(false, x)?)
    }
}

/// P(j | x) = exp(−e_j(x) + c_j) / Σ_l exp(−e_l(x) + c_l): what is common to all energies, log p_X, cancels.
pub(crate) fn probabilities_of_energies(
    energies: ArrayView2<f64>,
    constants: ArrayView1<f64>,
) -> Array2<f64> {
    let mut p = &constants - &energies;
    for mut row in p.rows_mut() {
        let largest = row.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        row.mapv_inplace(|v| (v - largest).exp());
        let total = row.sum();
        row /= total;
    }
    p
}

/// The c_j with Σ_i w_i P(j | x_i) = P(j), for weights that sum to one. They maximise the concave
/// Σ_j P(j) c_j − Σ_i w_i log Σ_l exp(c_l − e_il), by Newton's method with shorter steps where it needs them.
pub(crate) fn constants_of_shares(
    energies: ArrayView2<f64>,
    weights: ArrayView1<f64>,
    shares: ArrayView1<f64>,
) -> Array1<f64> {
    let k = energies.ncols();
    let value = |c: &Array1<f64>| {
        let log_sum = |row: ArrayView1<f64>| {
            let v = c - &row;
            let largest = v.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            largest + v.iter().map(|v| (v - largest).exp()).sum::<f64>().ln()
        };
        let sums = energies.rows().into_iter().zip(weights).map(|(row, w)| w * log_sum(row));
        shares.dot(c) - sums.sum::<f64>()
    };
    // Energies of mean 0, so that the start is near.
    let mut c = shares.mapv(f64::ln)
        + energies
            .rows()
            .into_iter()
            .zip(weights)
            .fold(Array1::<f64>::zeros(k), |sum, (row, w)| sum + &row * *w);
    for _ in 0..200 {
        let p = probabilities_of_energies(energies, c.view());
        let weighted = &p * &weights.insert_axis(Axis(1));
        let gradient = &shares - &weighted.sum_axis(Axis(0));
        if gradient.iter().all(|g| g.abs() < 1e-15) {
            break;
        }
        // −Hessian = diag(Σ w p) − Σ w p pᵀ; a common shift of c changes nothing, and 11ᵀ takes its place.
        let mut hessian = Array2::from_diag(&weighted.sum_axis(Axis(0))) - p.t().dot(&weighted);
        hessian.mapv_inplace(|h| h + 1.0 / (k * k) as f64);
        hessian.diag_mut().mapv_inplace(|h| h + 1e-14);
        let Some(step) = solve_positive_definite(hessian.view(), gradient.view().insert_axis(Axis(1))) else {
            break;
        };
        let (step, now) = (step.column(0).to_owned(), value(&c));
        let mut length = 1.0;
        // Within rounding of the top a whole step cannot be told from none.
        while value(&(&c + &(&step * length))) < now - 1e-13 * now.abs().max(1.0) && length > 1e-10 {
            length /= 2.0;
        }
        c.scaled_add(length, &step);
        if step.iter().all(|s| s.abs() < 1e-14) {
            break;
        }
    }
    c
}

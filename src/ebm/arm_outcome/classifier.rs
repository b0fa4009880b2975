//! P(a, s | x) without densities: a softmax classifier of the folds, on the network of the EBM.

use super::ArmOutcome;
use crate::data::Covariates;
use crate::ebm::directions::helmert;
use crate::ebm::{EbmError, EbmParams};
use crate::network::lanes::{exp, log_1p};
use crate::network::{Architecture, BatchLoss, Block, History, LANES, Lanes, Mlp, Network, Real, Run};
use crate::seed::Seed;
use ndarray::{Array2, ArrayView2};

/// log P(j | x) up to a constant, learned by classification:
///
/// ```text
/// minimise  −mean_i log softmax(l(x_i))[j_i],     j_i = (a_i, s_i)
/// ```
///
/// Its logits modulo a constant are what f modulo B1 tends to, with the sign turned. No noise is drawn, and log p_X
/// never enters. Network, optimiser, validation and early stopping are those of the EBM's parameters.
///
/// ```
/// use ebmbook::{ebm::{ArmOutcome, FoldClassifier, OutcomeBins}, prelude::*};
/// let data = synthetic::Released::new(50, 500)?.generate().train;
/// let folds = ArmOutcome::new(data.treatment()?, data.outcome()?, &OutcomeBins::Quantiles(2))?;
/// let fitted = FoldClassifier::fit(&Ebm::params(4).epochs(5), &folds, data.covariates(), Seed::new(1))?;
/// assert_eq!(fitted.contrasts(data.x())?.dim(), (500, 3), "k − 1 coordinates");
/// # Ok::<(), ebmbook::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct FoldClassifier {
    shape: Architecture,
    theta: Vec<f64>,
    history: History,
}

impl FoldClassifier {
    /// Trains on these covariates; the k of the parameters must be that of the folds.
    pub fn fit(
        params: &EbmParams,
        folds: &ArmOutcome,
        train: &Covariates,
        seed: Seed,
    ) -> Result<Self, EbmError> {
        params.check(train.d())?;
        for (field, found, rule) in [
            ("representation size k", params.k(), folds.k()),
            ("number of rows", train.n(), folds.of_row().len()),
        ] {
            if found != rule {
                return Err(EbmError::parameter(field, found, format!("must be {rule}, that of the folds")));
            }
        }
        let shape = params.architecture(train.d())?;
        let network = Network {
            theta: shape.initialise(seed.child("weights")),
            shape: shape.clone(),
            adam: params.adam(),
            engine: params.engine,
            device: params.device,
            precision: params.precision,
        };
        let loss = Classifying { x: train.x().to_owned(), fold_of: folds.of_row().to_vec() };
        let mut run = Run::new(network, params.plan(), loss, train.n(), seed)?;
        while run.epoch()?.is_some() {}
        let (theta, history, _) = run.finish();
        Ok(Self { shape, theta, history })
    }

    /// The logits l(x), rows × k.
    pub fn logits(&self, x: ArrayView2<f64>) -> Result<Array2<f64>, EbmError> {
        let (found, expected) = (x.ncols(), self.shape.d());
        if found != expected {
            return Err(EbmError::Width { found, expected });
        }
        Ok(Mlp::new(self.shape.clone(), self.theta.clone()).of_rows(x))
    }

    /// The logits modulo a constant, rows × (k − 1), in the basis of [`Ebm::modulo_b1`](crate::ebm::Ebm::modulo_b1).
    pub fn contrasts(&self, x: ArrayView2<f64>) -> Result<Array2<f64>, EbmError> {
        Ok(self.logits(x)?.dot(&helmert(self.shape.k())))
    }

    /// The course of training.
    pub fn history(&self) -> &History {
        &self.history
    }
}

/// Telling folds apart.
struct Classifying {
    x: Array2<f64>,
    fold_of: Vec<usize>,
}

/// Rows and their folds.
struct Labelled<T> {
    block: [Block<T>; 1],
    folds: Vec<usize>,
}

impl<T> Default for Labelled<T> {
    fn default() -> Self {
        Self { block: [Block::default()], folds: Vec::new() }
    }
}

impl<T: Real> BatchLoss<T> for Classifying {
    type Batch = Labelled<T>;

    fn draw(&mut self, rows: &[usize], _noise: Seed, batch: &mut Labelled<T>) {
        batch.block[0].fill(self.x.select(ndarray::Axis(0), rows).view());
        batch.folds = rows.iter().map(|i| self.fold_of[*i]).collect();
    }

    fn input(batch: &Labelled<T>) -> &[Block<T>] {
        &batch.block
    }

    fn loss(&self, batch: &Labelled<T>, _block: usize, f: &[Lanes<T>], gradient: &mut [Lanes<T>]) -> f64 {
        let (n, chunks) = (batch.folds.len(), batch.block[0].chunks());
        let (k, share) = (f.len() / chunks, 1.0 / n as f64);
        gradient.fill([T::of(0.0); LANES]);
        let mut total = 0.0;
        for (i, fold) in batch.folds.iter().enumerate() {
            let (chunk, v) = (i / LANES, i % LANES);
            let logit = |j: usize| f[j * chunks + chunk][v];
            let best = (1..k).fold(0, |best, j| if logit(j) > logit(best) { j } else { best });
            // Σ_j e^{l_j − l_best} = 1 + others
            let powers: Vec<T> = (0..k).map(|j| exp(logit(j) - logit(best))).collect();
            let sum = powers.iter().fold(T::of(0.0), |sum, p| sum + *p);
            total += (logit(best) - logit(*fold) + log(sum)).wide() * share;
            for (j, power) in powers.iter().enumerate() {
                // ∂loss/∂l_j = P(j | x) − 1{j = fold}
                let one = T::of(if j == *fold { 1.0 } else { 0.0 });
                gradient[j * chunks + chunk][v] = (*power / sum - one) * T::of(share);
            }
        }
        total
    }
}

/// log s for s ≥ 1: halved until log(1 + s) covers it.
fn log<T: Real>(mut s: T) -> T {
    let (mut halvings, two) = (0, T::of(2.0));
    while s > two {
        s /= two;
        halvings += 1;
    }
    log_1p(s - T::of(1.0)) + T::of(f64::from(halvings) * std::f64::consts::LN_2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gradient_is_that_of_central_differences_and_equal_logits_cost_log_k() {
        let x = Array2::zeros((3, 1));
        let mut loss = Classifying { x, fold_of: vec![0, 2, 1] };
        let mut batch = Labelled::<f64>::default();
        BatchLoss::<f64>::draw(&mut loss, &[2, 0, 1], Seed::new(0), &mut batch);
        let mut f: Vec<Lanes<f64>> = vec![[0.0; LANES]; 3];
        let mut gradient = f.clone();
        let even = loss.loss(&batch, 0, &f, &mut gradient);
        assert!((even - 3.0_f64.ln()).abs() < 1e-14);
        for (j, lanes) in f.iter_mut().enumerate() {
            (0..3).for_each(|v| lanes[v] = ((7 * j + 5 * v) % 4) as f64 - 1.3);
        }
        loss.loss(&batch, 0, &f, &mut gradient);
        let found = gradient.clone();
        for (j, v) in (0..3).flat_map(|j| (0..3).map(move |v| (j, v))) {
            let mut at = |by: f64| {
                let mut moved = f.clone();
                moved[j][v] += by;
                loss.loss(&batch, 0, &moved, &mut gradient)
            };
            let difference = (at(1e-5) - at(-1e-5)) / 2e-5;
            assert!((found[j][v] - difference).abs() < 1e-9, "{j} {v}: {} {difference}", found[j][v]);
        }
    }
}

//! The gradient that the first step would follow. In: parameters of a model, rows. Out: ‖∇_θ loss‖.
//!
//! By the chain rule through the energies e_a = β_jᵀ f_θ(v_a) of a group,
//!
//! ```text
//! ∇_θ loss = Σ_a (1{a=0} − posterior_a) ∇_θ e_a
//! ```
//!
//! so that whatever the network, its gradient is at most 2·(1 − posterior of the true row) times the
//! largest ‖∇_θ e_a‖: an objective that already knows the answer moves nothing.

use crate::data::Covariates;
use crate::ebm::candidates::{Batch, Sampler};
use crate::ebm::{Ebm, EbmError, EbmParams, Objective};
use crate::network::{LANES, Mlp};
use crate::seed::Seed;
use ndarray::Array2;
use ndarray_rand::RandomExt;
use rand_distr::StandardNormal;

/// ‖∇_θ loss‖₂ at initialisation, the loss being the mean over `rows` training rows (all, if there
/// are fewer), each with fresh copies, in double precision.
///
/// ```
/// use ebmbook::{ebm::{Ebm, Objective}, seed::Seed, theory::gradient::{at_initialisation, gaussian_rows}};
/// let rows = gaussian_rows(100, 64, Seed::new(1));
/// let norm = |objective| at_initialisation(
///     &Ebm::params(5).objective(objective).copies(3), objective, &rows, 64, Seed::new(2));
/// assert!(norm(Objective::Ranking)? < 1e-6, "a hundred features: the kernel has answered already");
/// assert!(norm(Objective::Pairwise)? > 1e-3);
/// # Ok::<(), ebmbook::ebm::EbmError>(())
/// ```
pub fn at_initialisation(
    params: &EbmParams,
    objective: Objective,
    train: &Covariates,
    rows: usize,
    seed: Seed,
) -> Result<f64, EbmError> {
    let params = params.clone().objective(objective);
    let ebm = Ebm::untrained(&params, train, seed)?;
    let mut sampler = Sampler::for_rows(&params, train, seed.child("folds"))?;
    let mut batch = Batch::<f64>::default();
    let rows: Vec<usize> = (0..rows.min(train.n())).collect();
    sampler.draw(&rows, seed.child("noise"), &mut batch);
    let mut net = Mlp::new(ebm.architecture().clone(), ebm.theta().to_vec());
    for (i, block) in batch.blocks().iter().enumerate() {
        let f = net.forward(block);
        let mut by_f = vec![[0.0; LANES]; f.len()];
        batch.loss(objective, ebm.directions(), i, f, &mut by_f);
        net.backward(block, &by_f);
    }
    Ok(net.gradient().iter().map(|g| g * g).sum::<f64>().sqrt())
}

/// n rows of d independent standard normals.
///
/// # Panics
/// If n or d is 0.
pub fn gaussian_rows(d: usize, n: usize, seed: Seed) -> Covariates {
    let mut rng = seed.rng();
    let x = Array2::random_using((n, d), StandardNormal, &mut rng);
    Covariates::continuous(x).expect("at least one row and one column of finite numbers")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_norm_is_that_of_the_difference_quotient() {
        // One more check of the chain rule, against the loss itself along the gradient's direction.
        let rows = gaussian_rows(3, 20, Seed::new(1));
        let params = Ebm::params(2).hidden(&[8]).copies(2).objective(Objective::Ranking);
        let seed = Seed::new(2);
        let norm = at_initialisation(&params, Objective::Ranking, &rows, 20, seed).unwrap();
        let ebm = Ebm::untrained(&params, &rows, seed).unwrap();
        let mut sampler = Sampler::for_rows(&params, &rows, seed.child("folds")).unwrap();
        let mut batch = Batch::<f64>::default();
        sampler.draw(&(0..20).collect::<Vec<_>>(), seed.child("noise"), &mut batch);
        let loss = |theta: Vec<f64>| {
            let mut net = Mlp::new(ebm.architecture().clone(), theta);
            let f = net.forward(&batch.blocks()[0]);
            batch.loss(Objective::Ranking, ebm.directions(), 0, f, &mut vec![[0.0; LANES]; f.len()])
        };
        let h = 1e-6;
        let squares: f64 = (0..ebm.theta().len())
            .map(|i| {
                let moved = |by: f64| {
                    let mut theta = ebm.theta().to_vec();
                    theta[i] += by;
                    loss(theta)
                };
                ((moved(h) - moved(-h)) / (2.0 * h)).powi(2)
            })
            .sum();
        // Central differences of a loss of size one at h = 1e-6 are good to 1e-9 a coordinate.
        assert!((squares.sqrt() - norm).abs() < 1e-6, "{} against {norm}", squares.sqrt());
    }
}

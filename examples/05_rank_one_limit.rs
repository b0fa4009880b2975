//! With random folds all k densities estimate one thing, p(x), so f shrinks to one function. Folds
//! that differ keep more.

use ebmbook::metrics::shape;
use ebmbook::prelude::*;
use ebmbook::theory::mixture;
use ndarray::Axis;

pub(crate) fn main() -> Result<()> {
    let test = mixture::sample(1_000, Seed::new(1));
    println!("{:>9}  {:>6}  {:>14}  {:>21}", "folds", "n", "effective rank", "spread of k energies");
    for folds in [Folds::Random, Folds::KMeans] {
        for n in [250, 1_000, 4_000] {
            let train = Covariates::continuous(mixture::sample(n, Seed::new(2)))?;
            let params = mixture::params(n).folds(folds.clone());
            let ebm = Ebm::fit(&params, &train, Seed::new(3))?;
            let rank = shape(ebm.embed(test.view())?.view())?.effective_rank;

            // How far the k log-densities are from each other, once their constants are gone.
            let mut energies = ebm.energies(test.view())?;
            energies -= &energies.mean_axis(Axis(0)).expect("rows");
            let spread = energies.std_axis(Axis(1), 0.0).mean().expect("rows");
            println!("{:>9}  {n:>6}  {rank:>14.2}  {spread:>21.2}", format!("{folds:?}"));
        }
    }
    println!("\nk = 5, so a rank of 5 would mean five different coordinates.");
    Ok(())
}

//! Proposition 3.3 as one matrix product: k densities give back f, up to a constant.

use ebmbook::ebm::{DirectionLaw, Directions};
use ebmbook::prelude::*;
use ebmbook::theory::density::{Grid, log_densities};
use ebmbook::theory::identifiability::{constant_gap, recover, recover_from_any};
use ndarray::{Array2, s};
use ndarray_rand::RandomExt;
use rand_distr::StandardNormal;

pub(crate) fn main() -> Result<()> {
    let (points, k) = (50, 4);
    let mut rng = Seed::new(1).rng();
    let x = Array2::random_using((points, 1), StandardNormal, &mut rng);
    let f = Array2::random_using((points, k), StandardNormal, &mut rng);
    let b = Directions::new(DirectionLaw::Haar, k, Seed::new(2))?;

    // log p_j(x) = −β_jᵀ f(x) − log Z_j
    let log_p = log_densities(&Grid::finite(x), f.view(), b.matrix());
    // f(x) = −B log p(x) + constant
    let found = recover(log_p.view(), b.matrix());
    println!("first row of f           {:.4}", f.row(0));
    println!("recovered                {:.4}", found.row(0));
    println!("their difference         {:.4}", &found.row(0) - &f.row(0));
    println!("the same in row 2        {:.4}", &found.row(1) - &f.row(1));
    println!("largest departure from a constant: {:.1e}\n", constant_gap(found.view(), f.view()));

    for columns in 1..=k {
        let (some, betas) = (log_p.slice(s![.., ..columns]), b.matrix());
        let gap = constant_gap(recover_from_any(some, betas.slice(s![.., ..columns])).view(), f.view());
        println!("from {columns} of {k} densities: {gap:.1e}");
    }
    Ok(())
}

//! Fits an energy-based model to points in the plane and looks at it: the loss, the representation,
//! and how well each coordinate follows log p(x).

use ebmbook::metrics::correlation;
use ebmbook::prelude::*;
use ebmbook::theory::mixture;

pub(crate) fn main() -> Result<()> {
    // Three Gaussian clusters. The model sees the points, never the density.
    let train = Covariates::continuous(mixture::sample(2_000, Seed::new(1)))?;
    let ebm = Ebm::fit(&Ebm::params(5).hidden(&[32, 32]).epochs(100), &train, Seed::new(2))?;

    let epochs = &ebm.history().epochs;
    let (first, last) = (epochs[0], epochs[epochs.len() - 1]);
    println!("loss {:.3} in epoch 1, {:.3} in epoch {}", first.train, last.train, last.epoch);
    println!("a coin flip would cost {:.3}\n", 2.0_f64.ln());

    let test = mixture::sample(1_000, Seed::new(3));
    let f = ebm.embed(test.view())?;
    println!("f of the first three test rows:\n{:.2}\n", f.slice(ndarray::s![..3, ..]));

    let log_p = mixture::log_density(test.view());
    println!("coordinate   corr(f_i, log p)");
    for (i, coordinate) in f.columns().into_iter().enumerate() {
        println!("{:>10}   {:>16.3}", i + 1, correlation(coordinate, log_p.view()));
    }
    Ok(())
}

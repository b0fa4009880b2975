//! Five kernels, one per run, for counting instructions: seconds differ from run to run, counts do not.
//!
//! ```text
//! python3 scripts/check_instructions.py             # compare with benches/instructions.json
//! python3 scripts/check_instructions.py --update    # write what is counted now
//! ```
//!
//! The first argument names the kernel. `nothing` prepares the rows of all and stops, so that a count is a difference.

use ebmbook::data::{Covariates, Protocol};
use ebmbook::ebm::Ebm;
use ebmbook::metrics::mcc;
use ebmbook::noise::NoiseKernel;
use ebmbook::regress::RegressorKind;
use ebmbook::representation::by_name;
use ebmbook::seed::Seed;
use ndarray::Array2;
use ndarray_rand::RandomExt;
use rand_distr::StandardNormal;
use std::hint::black_box;

fn main() {
    let kernel =
        std::env::args().skip(1).find(|arg| !arg.starts_with('-')).unwrap_or_else(|| "nothing".into());
    let rows = Array2::random_using((600, 48), StandardNormal, &mut Seed::new(1).rng());
    let x = Covariates::continuous(rows.clone()).expect("finite numbers");
    let y = rows.column(0).mapv(f64::sin) + rows.column(1);
    match kernel.as_str() {
        "nothing" => (),
        // Two epochs of the pairwise objective, noise drawn at each step.
        "train" => {
            let params = Ebm::params(5).copies(5).epochs(2);
            black_box(Ebm::fit(&params, &x, Seed::new(2)).expect("valid"));
        }
        "corrupt" => {
            let kernel = NoiseKernel::new(&x, 0.5).expect("valid");
            black_box(kernel.corrupt(rows.view(), 20, Seed::new(3)).expect("rows of the same width"));
        }
        "kernel-ridge" => {
            let regressor = RegressorKind::Rbf.build(1.0).expect("valid");
            black_box(regressor.fit(rows.view(), y.view()).expect("enough rows"));
        }
        "kernel-pca" => {
            let method = by_name("kernel-pca", 5, Protocol::Paper).expect("known");
            black_box(method.fit(&x, Seed::new(4)).expect("enough rows"));
        }
        "mcc" => {
            let other = Array2::random_using((600, 48), StandardNormal, &mut Seed::new(5).rng());
            black_box(mcc(&[rows.view(), other.view()]).expect("as many rows"));
        }
        other => panic!("no kernel is called `{other}`"),
    }
}

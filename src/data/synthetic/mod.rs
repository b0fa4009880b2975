//! Synthetic data with a latent cause. In: d, n and a seed. Out: a training and a test set.
//!
//! ```text
//! U ~ N(0, I₅)     X = g(U) + noise     Y(a) = μ_a(U) + N(0, 1)     A ~ Bernoulli(π(U))
//! ```
//!
//! [`Paper`] follows the text and makes every choice that the text leaves open a parameter.
//! [`Released`] regenerates the authors' own data, number by number, from their seeds.

mod layers;
mod paper;
mod released;

pub use paper::{Index, Paper};
pub use released::{Released, SETTINGS};

use super::DataError;

/// Dimension of the latent U of Assumption 2.3, as the paper fixes it.
pub const LATENT: usize = 5;
/// Rows of every synthetic test set.
pub const TEST_ROWS: usize = 20_000;

/// The largest number of covariate values a generator makes (2 GB of them).
const MAX_VALUES: usize = 250_000_000;

fn check_shape(d: usize, n: usize, test_rows: usize) -> Result<(), DataError> {
    if d == 0 {
        return Err(DataError::parameter("d", d, "must be at least 1"));
    }
    if n < 2 {
        return Err(DataError::parameter("n", n, "must be at least 2, one row for each arm"));
    }
    let rows = n.saturating_add(test_rows);
    if rows.saturating_mul(d) > MAX_VALUES {
        let rule = format!("must be at most {MAX_VALUES}, test rows included");
        return Err(DataError::parameter("the number of covariate values", format!("{rows} × {d}"), rule));
    }
    Ok(())
}

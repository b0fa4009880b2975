//! Proposition 4.1 on a compact X, and the noise that leaves it.
//!
//! Its hypotheses: X and Θ compact, f continuous in θ, and a Θ₀ on which every p_{θ,j} equals p_X *on X*.
//! Equation (3) defines p_θ on X only, and a row of X plus white noise may lie outside. There the posterior
//! of the original is 1, because p_X = 0, and a network with finite energies cannot say so: it spends its
//! parameters on the outside, and p_X is not even a stationary point.
//!
//! * [`square`]: the smallest counterexample, X ~ U[0, 1]² and one parameter.
//! * [`interval`]: any energy between −M and M on [0, 1], and four ways to mend the noise or the model.
//! * [`tails`]: p_X > 0 wherever the noise goes is a mend, and how near to it is near enough.
//! * [`truncated`]: a model that is 0 outside X, where the printed kernel still fails with two copies.
//!
//! "Energies grow at most like a square" mends nothing: that of the counterexample is a square.

pub mod interval;
pub mod square;
pub mod tails;
pub mod truncated;

//! N(0, 1) cut to [−c, c], energy s·x²/2, truth s = 1, and p_θ = 0 outside: the noise leaves X and does no
//! harm there. With two copies and q < 1 the printed kernel still moves the optimum, because it mixes an atom
//! (a value left alone) with a density (a value moved), and weighs candidates that the atom rules out.
//!
//! A copy is left alone with probability 1 − q. Two copies make three kinds of groups, up to order:
//!
//! ```text
//! both alone    (x, x, x)    q = ⅓ each, whatever s is
//! one alone     (x, x, y)    printed: 1 − q against q φ(x − y); in truth y cannot be the original
//! both moved    (x, y, y')   densities only
//! ```

use crate::theory::one_parameter::Groups;
use crate::theory::rule::{interval, normal_cdf, phi};

/// Where the noise goes no farther, up to a mass of 1e-15.
const REACH: f64 = 8.0;
const PANELS: usize = 2;

/// What the posterior makes of the noise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kernel {
    /// As printed in Appendix B.6.
    Printed,
    /// Candidates are excluded that the atom rules out (`RankingExact`).
    Exact,
    /// Left out.
    Ignored,
}

/// The best s for X = [−c, c] with two copies at corruption probability q, by quadrature in three dimensions.
///
/// ```
/// use ebmbook::theory::compact::truncated::{Kernel, best_scale};
/// let best = |kernel| best_scale(2.0, 0.5, kernel);
/// assert!(best(Kernel::Printed) < 0.9, "two copies, as printed");
/// assert!((best(Kernel::Exact) - 1.0).abs() < 1e-8, "impossible candidates excluded");
/// ```
pub fn best_scale(c: f64, q: f64, kernel: Kernel) -> f64 {
    groups(c, q, kernel, PANELS).maximiser(-10.0, 10.0)
}

/// How far the best s moves when half as many panels are added.
pub fn quadrature_error(c: f64, q: f64, kernel: Kernel) -> f64 {
    (groups(c, q, kernel, PANELS * 3 / 2).maximiser(-10.0, 10.0) - best_scale(c, q, kernel)).abs()
}

fn groups(c: f64, q: f64, kernel: Kernel, panels: usize) -> Groups {
    let inside = interval(-c, c, panels);
    // Copies on either side of X and inside: the integrand jumps at ±c.
    let line: Vec<(f64, f64)> = interval(-c - REACH, -c, panels)
        .into_iter()
        .chain(inside.clone())
        .chain(interval(c, c + REACH, panels))
        .collect();
    let total = normal_cdf(c) - normal_cdf(-c);
    let h = |x: f64| 0.5 * x * x;
    // log p_θ = −∞ outside
    let possible = |y: f64| if y.abs() <= c { 0.0 } else { f64::NEG_INFINITY };
    // Factor of the kernel terms; candidates outside stay impossible.
    let k = if kernel == Kernel::Ignored { 0.0 } else { 1.0 };
    let mut groups = Groups::new(3);
    for (x, wx) in &inside {
        let mass = wx * phi(*x) / total;
        for (y, wy) in &line {
            let moved = (q * phi(y - x)).ln();
            let alone = (1.0 - q).ln();
            let never = if kernel == Kernel::Exact { f64::NEG_INFINITY } else { possible(*y) };
            // (x, x, y): the two copies can change places, hence the 2
            groups.push(
                mass * wy * 2.0 * (1.0 - q) * q * phi(y - x),
                &[h(*x), h(*x), h(*y)],
                &[k * (alone + moved), k * (alone + moved), never + k * 2.0 * moved],
            );
            for (z, wz) in &line {
                let (to_y, to_z, between) =
                    (-0.5 * (y - x).powi(2), -0.5 * (z - x).powi(2), -0.5 * (z - y).powi(2));
                groups.push(
                    mass * wy * wz * q * q * phi(y - x) * phi(z - x),
                    &[h(*x), h(*y), h(*z)],
                    &[
                        k * (to_y + to_z),
                        possible(*y) + k * (to_y + between),
                        possible(*z) + k * (to_z + between),
                    ],
                );
            }
        }
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wider_the_interval_the_nearer_to_the_normal_law() {
        // On the whole line the printed optimum at b = 2, q = ½ is .83 (`theory::gaussian`, by Monte Carlo).
        let printed = best_scale(4.0, 0.5, Kernel::Printed);
        assert!((printed - 0.83).abs() < 0.01, "{printed}");
        assert!(quadrature_error(2.0, 0.5, Kernel::Printed) < 1e-7);
        // With q a hair below 1 there is next to no atom.
        assert!((best_scale(2.0, 1.0 - 1e-9, Kernel::Printed) - 1.0).abs() < 1e-6);
    }
}

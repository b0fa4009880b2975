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

/// The best s with two copies.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct Optimum {
    /// With the kernel as printed.
    pub printed: f64,
    /// With the candidates excluded that the atom rules out (`RankingExact`).
    pub exact: f64,
    /// How far the first moves when the panels are doubled.
    pub quadrature_error: f64,
}

/// The best s for X = [−c, c] at corruption probability q, by quadrature in three dimensions.
///
/// ```
/// use ebmbook::theory::compact::truncated::optimum;
/// let found = optimum(2.0, 0.5);
/// assert!(found.printed < 0.9, "two copies, as printed: {found:?}");
/// assert!((found.exact - 1.0).abs() < 1e-8, "impossible candidates excluded: {found:?}");
/// ```
pub fn optimum(c: f64, q: f64) -> Optimum {
    let best = |exact, panels| groups(c, q, exact, panels).maximiser(-10.0, 10.0);
    let printed = best(false, 2);
    Optimum { printed, exact: best(true, 2), quadrature_error: (best(false, 3) - printed).abs() }
}

fn groups(c: f64, q: f64, exact: bool, panels: usize) -> Groups {
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
    let mut groups = Groups::new(3);
    for (x, wx) in &inside {
        let mass = wx * phi(*x) / total;
        for (y, wy) in &line {
            let moved = (q * phi(y - x)).ln();
            let alone = (1.0 - q).ln();
            let never = if exact { f64::NEG_INFINITY } else { possible(*y) };
            // (x, x, y): the two copies can change places, hence the 2
            groups.push(
                mass * wy * 2.0 * (1.0 - q) * q * phi(y - x),
                &[h(*x), h(*x), h(*y)],
                &[alone + moved, alone + moved, never + 2.0 * moved],
            );
            for (z, wz) in &line {
                let (to_y, to_z, between) =
                    (-0.5 * (y - x).powi(2), -0.5 * (z - x).powi(2), -0.5 * (z - y).powi(2));
                groups.push(
                    mass * wy * wz * q * q * phi(y - x) * phi(z - x),
                    &[h(*x), h(*y), h(*z)],
                    &[to_y + to_z, possible(*y) + to_y + between, possible(*z) + to_z + between],
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
        let found = optimum(4.0, 0.5);
        assert!((found.printed - 0.83).abs() < 0.01 && found.quadrature_error < 1e-3, "{found:?}");
        // With q = 1 there is no atom.
        assert!((optimum(2.0, 1.0).printed - 1.0).abs() < 1e-6);
    }
}

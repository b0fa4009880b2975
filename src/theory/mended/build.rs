//! Worlds on which a certificate says something.
//!
//! On points in general position every statistic separates all of X, even log p_X alone, and "effects given f are right"
//! is empty. So points come in fives, of which pairs share one thing and differ in another:
//!
//! ```text
//! point   p_X   π    P(Y | A, X)
//! 0       u     π    q₀, q₁
//! 1       v     π    q₀, q₁          P(a, s | x) of point 0, another p_X
//! 2       u     π    q₀, r           π and p_X of point 0, another τ
//! 3       v     ρ    m, m            m = (1 − π) q₀ + π q₁: P(s | x) of point 0, p_X of point 1, another π and τ
//! 4       v     π    q₀, q₁'         q₁' has the first two probabilities of q₁ exchanged: one P(a, s | x) with point 0 if
//!                                    these two values share a bin
//! ```

use super::{Atom, World};
use crate::seed::Seed;
use crate::theory::lemma::uniform_simplex;
use ndarray::Array1;
use rand::Rng;

/// Fives of points in a world.
const FIVES: usize = 3;

/// A random world with the pairs that make a certificate say something.
///
/// ```
/// use ebmbook::{seed::Seed, theory::mended::pairs};
/// let world = pairs(&[0.0, 1.0, 2.0], Seed::new(1));
/// let (p, p_x) = (world.joint(), world.p_x());
/// let gap = |x: usize, y: usize| (&p.row(x) - &p.row(y)).iter().fold(0.0_f64, |m, d| m.max(d.abs()));
/// assert!(gap(0, 1) < 1e-15 && p_x[0] != p_x[1] && gap(0, 2) > 1e-3);
/// ```
pub fn pairs(values: &[f64], seed: Seed) -> World {
    let masses = uniform_simplex(2 * FIVES, seed.child("masses"));
    let mut atoms: Vec<Atom> = (0..FIVES)
        .flat_map(|i| five(i, values.len(), [masses[2 * i], masses[2 * i + 1]], seed.index(i)))
        .collect();
    let total: f64 = atoms.iter().map(|atom| atom.mass).sum();
    atoms.iter_mut().for_each(|atom| atom.mass /= total);
    World::new(Array1::from(values.to_vec()), atoms)
}

/// A random world with nothing in common between any two points.
pub fn generic(values: &[f64], seed: Seed) -> World {
    let masses = uniform_simplex(5 * FIVES, seed.child("masses"));
    let atom = |point: usize| {
        let law = |name: &str| uniform_simplex(values.len(), seed.index(point).child(name));
        let outcome = [law("control"), law("treated")];
        Atom { point, mass: masses[point], propensity: propensity(seed.index(point)), outcome }
    };
    World::new(Array1::from(values.to_vec()), (0..5 * FIVES).map(atom).collect())
}

/// The world of [`pairs`] with a hidden confounder: at each point, half of the units are treated more often than the
/// other half and have the outcomes of another law. What can be seen, P(A, Y | x), stays as it was.
pub fn confounded(values: &[f64], seed: Seed) -> World {
    let world = pairs(values, seed);
    let split = |atom: &Atom| {
        let [pi, by] = [atom.propensity, atom.propensity.min(1.0 - atom.propensity) / 2.0];
        // Laws of the two halves whose means, weighted by who is treated, are the law of the atom.
        let halves = |law: &Array1<f64>, weights: [f64; 2]| {
            let mut other = law.clone();
            other.as_slice_mut().expect("a law is contiguous").rotate_left(1);
            let least = law.iter().zip(&other).map(|(p, q)| p / q).fold(1.0, f64::min) / 2.0;
            let high = law + &((&other - law) * (least * weights[1]));
            let low = (law - &(&high * weights[0])) / weights[1];
            [high, low]
        };
        let treated = halves(&atom.outcome[1], [(pi + by) / (2.0 * pi), (pi - by) / (2.0 * pi)]);
        let rest = 2.0 * (1.0 - pi);
        let control = halves(&atom.outcome[0], [(1.0 - pi - by) / rest, (1.0 - pi + by) / rest]);
        [0, 1].map(|h| Atom {
            point: atom.point,
            mass: atom.mass / 2.0,
            propensity: if h == 0 { pi + by } else { pi - by },
            outcome: [control[h].clone(), treated[h].clone()],
        })
    };
    World::new(world.values().clone(), world.atoms().iter().flat_map(split).collect())
}

/// The world of [`pairs`] in which nobody who is treated at the first two points has the first outcome:
/// P(a, s | x) = 0 there.
pub fn with_an_empty_cell(values: &[f64], seed: Seed) -> World {
    let world = pairs(values, seed);
    let mut atoms = world.atoms().to_vec();
    for atom in &mut atoms[..2] {
        atom.outcome[1][0] = 0.0;
        let total = atom.outcome[1].sum();
        atom.outcome[1] /= total;
    }
    World::new(world.values().clone(), atoms)
}

/// Between .1 and .9.
fn propensity(seed: Seed) -> f64 {
    0.1 + 0.8 * seed.child("propensity").rng().random::<f64>()
}

fn five(i: usize, m: usize, [u, v]: [f64; 2], seed: Seed) -> [Atom; 5] {
    let law = |name: &str| uniform_simplex(m, seed.child(name));
    let (pi, rho) = (propensity(seed), propensity(seed.child("other")));
    let [q0, q1, r] = [law("control"), law("treated"), law("treated otherwise")];
    let mut exchanged = q1.clone();
    exchanged.swap(0, 1);
    let mixed = &q0 * (1.0 - pi) + &q1 * pi;
    let atom = |n: usize, mass: f64, propensity: f64, outcome: [&Array1<f64>; 2]| Atom {
        point: 5 * i + n,
        mass,
        propensity,
        outcome: outcome.map(Array1::clone),
    };
    [
        atom(0, u, pi, [&q0, &q1]),
        atom(1, v, pi, [&q0, &q1]),
        atom(2, u, pi, [&q0, &r]),
        atom(3, v, rho, [&mixed, &mixed]),
        atom(4, v, pi, [&q0, &exchanged]),
    ]
}

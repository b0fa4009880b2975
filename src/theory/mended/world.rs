//! A world with finitely many points, in which every probability is a finite sum.

use ndarray::{Array1, Array2};

/// Units that share everything: a point x, and whatever else is behind treatment and outcome.
#[derive(Clone, Debug)]
pub struct Atom {
    /// The number of the point x.
    pub point: usize,
    /// P(atom).
    pub mass: f64,
    /// P(A = 1 | atom).
    pub propensity: f64,
    /// P(Y(a) = y | atom) for a = 0, 1: the law of the outcome under each treatment.
    pub outcome: [Array1<f64>; 2],
}

/// Points x with P(x), P(A | ·) and P(Y(a) | ·). One atom for each point if nothing is hidden; several share a point if
/// something that is not in x moves treatment and outcome.
///
/// ```
/// use ebmbook::theory::mended::{Atom, World};
/// use ndarray::array;
/// let atom = |point, mass, propensity, p: [f64; 2]| Atom { point, mass, propensity, outcome: p.map(|p| array![1.0 - p, p]) };
/// let world = World::new(array![0.0, 1.0], vec![atom(0, 0.5, 0.3, [0.2, 0.6]), atom(1, 0.5, 0.8, [0.4, 0.4])]);
/// // Columns: (control, 0), (control, 1), (treated, 0), (treated, 1).
/// assert!((world.joint()[[0, 3]] - 0.3 * 0.6).abs() < 1e-15);
/// assert!((world.effects()[0] - 0.4).abs() < 1e-15 && world.effects()[1] == 0.0);
/// ```
#[derive(Clone, Debug)]
pub struct World {
    values: Array1<f64>,
    atoms: Vec<Atom>,
    p_x: Array1<f64>,
    joint: Array2<f64>,
}

impl World {
    /// A world of these atoms, whose outcome takes these values.
    ///
    /// # Panics
    /// If the masses or a law do not sum to one, or a point has no mass.
    pub fn new(values: Array1<f64>, atoms: Vec<Atom>) -> Self {
        let points = atoms.iter().map(|atom| atom.point + 1).max().unwrap_or(0);
        let m = values.len();
        let (mut p_x, mut joint) = (Array1::<f64>::zeros(points), Array2::zeros((points, 2 * m)));
        for atom in &atoms {
            p_x[atom.point] += atom.mass;
            for (a, law) in atom.outcome.iter().enumerate() {
                assert!((law.sum() - 1.0).abs() < 1e-9 && law.len() == m, "a law over the values");
                for (y, p) in law.iter().enumerate() {
                    joint[[atom.point, a * m + y]] += atom.mass * atom.arm(a) * p;
                }
            }
        }
        assert!((p_x.sum() - 1.0).abs() < 1e-9 && p_x.iter().all(|p| *p > 0.0), "a law over the points");
        // P(A = a, Y = y | x)
        joint /= &p_x.view().insert_axis(ndarray::Axis(1));
        Self { values, atoms, p_x, joint }
    }

    /// The values of the outcome.
    pub fn values(&self) -> &Array1<f64> {
        &self.values
    }

    /// The atoms.
    pub fn atoms(&self) -> &[Atom] {
        &self.atoms
    }

    /// p_X at each point.
    pub fn p_x(&self) -> &Array1<f64> {
        &self.p_x
    }

    /// P(A = a, Y = y | x), points × 2m; column a·m + y.
    pub fn joint(&self) -> &Array2<f64> {
        &self.joint
    }

    /// Number of points.
    pub fn points(&self) -> usize {
        self.p_x.len()
    }

    /// τ(x) = E[Y(1) − Y(0) | x].
    pub fn effects(&self) -> Array1<f64> {
        let mut effects = Array1::zeros(self.points());
        for atom in &self.atoms {
            let [control, treated] = &atom.outcome;
            let effect = self.values.dot(&(treated - control));
            effects[atom.point] += atom.mass / self.p_x[atom.point] * effect;
        }
        effects
    }
}

impl Atom {
    /// P(A = a | atom).
    pub fn arm(&self, a: usize) -> f64 {
        if a == 1 { self.propensity } else { 1.0 - self.propensity }
    }
}

//! Conditioning on a statistic: the points at which it has one value are a stratum.

use super::World;
use ndarray::{Array1, Array2, ArrayView2, Axis};

/// Statistics this near are equal: they are rounded at 1e-14.
const EQUAL: f64 = 1e-9;

/// The level sets of a statistic on a world.
///
/// ```
/// use ebmbook::{seed::Seed, theory::mended::{Strata, pairs}};
/// let world = pairs(&[0.0, 1.0], Seed::new(1));
/// // Conditioning on P(A, Y | x), and on nothing.
/// let by_all = Strata::of(world.joint().view(), &world);
/// assert!(by_all.imbalance() < 1e-12 && by_all.len() < world.points());
/// let pooled = Strata::of(ndarray::Array2::zeros((world.points(), 1)).view(), &world);
/// assert!(pooled.imbalance() > 0.01 && pooled.len() == 1);
/// ```
pub struct Strata<'a> {
    world: &'a World,
    of_point: Vec<usize>,
    count: usize,
}

impl<'a> Strata<'a> {
    /// The level sets of a statistic, points × anything.
    pub fn of(statistic: ArrayView2<f64>, world: &'a World) -> Self {
        let mut first: Vec<usize> = Vec::new();
        let near =
            |x: usize, y: usize| (&statistic.row(x) - &statistic.row(y)).iter().all(|d| d.abs() < EQUAL);
        let of_point = (0..world.points())
            .map(|x| {
                first.iter().position(|y| near(x, *y)).unwrap_or_else(|| {
                    first.push(x);
                    first.len() - 1
                })
            })
            .collect();
        Self { world, of_point, count: first.len() }
    }

    /// Number of strata.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// E[g(X) | statistic] at each point, row by row.
    pub fn mean(&self, g: ArrayView2<f64>) -> Array2<f64> {
        let mut sums = Array2::zeros((self.count, g.ncols()));
        let mut mass = Array1::<f64>::zeros(self.count);
        for ((row, s), p) in g.rows().into_iter().zip(&self.of_point).zip(self.world.p_x()) {
            sums.row_mut(*s).scaled_add(*p, &row);
            mass[*s] += p;
        }
        sums /= &mass.insert_axis(Axis(1));
        sums.select(Axis(0), &self.of_point)
    }

    /// max |P(x | A = 1, stratum) − P(x | A = 0, stratum)|: 0 if and only if A ⫫ X given the statistic.
    pub fn imbalance(&self) -> f64 {
        let arms = self.arms();
        let within = self.mean(arms.view());
        // P(x | a, stratum) = P(a | x) P(x | stratum) / P(a | stratum)
        let odds = arms / within;
        let mut mass = vec![0.0; self.count];
        self.of_point.iter().zip(self.world.p_x()).for_each(|(s, p)| mass[*s] += p);
        let share = self.of_point.iter().zip(self.world.p_x()).map(|(s, p)| p / mass[*s]);
        odds.rows()
            .into_iter()
            .zip(share)
            .fold(0.0, |worst, (row, p)| worst.max((p * (row[1] - row[0])).abs()))
    }

    /// max |P(Y(a) = y | A = 1, stratum) − P(Y(a) = y | A = 0, stratum)|: 0 if and only if treatment is ignorable given
    /// the statistic.
    pub fn not_ignorable(&self) -> f64 {
        let m = self.world.values().len();
        let mut laws = vec![Array2::<f64>::zeros((self.count, 2 * m)); 2];
        let mut mass = Array2::<f64>::zeros((self.count, 2));
        for atom in self.world.atoms() {
            let s = self.of_point[atom.point];
            for (arm, law) in laws.iter_mut().enumerate() {
                let weight = atom.mass * atom.arm(arm);
                mass[[s, arm]] += weight;
                for (a, outcome) in atom.outcome.iter().enumerate() {
                    law.slice_mut(ndarray::s![s, a * m..(a + 1) * m]).scaled_add(weight, outcome);
                }
            }
        }
        let [control, treated] = [0, 1].map(|arm| &laws[arm] / &mass.column(arm).insert_axis(Axis(1)));
        (treated - control).iter().fold(0.0, |worst, d| worst.max(d.abs()))
    }

    /// E[Y | A = a, statistic] at each point, points × 2.
    pub fn means(&self) -> Array2<f64> {
        let values = self.world.values();
        let m = values.len();
        let joint = self.mean(self.world.joint().view());
        Array2::from_shape_fn((self.world.points(), 2), |(x, a)| {
            let law = joint.slice(ndarray::s![x, a * m..(a + 1) * m]);
            law.dot(values) / law.sum()
        })
    }

    /// τ_f = E[Y | A = 1, statistic] − E[Y | A = 0, statistic] at each point.
    pub fn effects(&self) -> Array1<f64> {
        let means = self.means();
        &means.column(1) - &means.column(0)
    }

    /// Where τ_f is off: [max |τ_f − τ|, max |τ_f − E[τ | statistic]|, max |E[τ | statistic] − τ|]. The second is bias by
    /// confounding, the third what the statistic loses.
    pub fn errors(&self) -> [f64; 3] {
        let (tau, estimate) = (self.world.effects(), self.effects());
        let kept = self.mean(tau.view().insert_axis(Axis(1))).column(0).to_owned();
        let largest = |d: Array1<f64>| d.iter().fold(0.0, |worst: f64, d| worst.max(d.abs()));
        [largest(&estimate - &tau), largest(&estimate - &kept), largest(&kept - &tau)]
    }

    /// P(A = a | x), points × 2.
    fn arms(&self) -> Array2<f64> {
        let m = self.world.values().len();
        let arm = |a: usize| self.world.joint().slice(ndarray::s![.., a * m..(a + 1) * m]).sum_axis(Axis(1));
        ndarray::stack![Axis(1), arm(0), arm(1)]
    }
}

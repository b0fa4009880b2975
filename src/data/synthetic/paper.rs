//! Synthetic data as the text of the paper describes it.
//!
//! The text fixes: U ~ N(0, I₅); X ~ N(g(U), I_d) with g a deep ReLU network; μ₀ and μ₁ one-layer
//! networks with exp on the output; π a one-layer network with a sigmoid; unit outcome noise; a
//! test set of 20 000. Everything else is a parameter here, with its reason in
//! `paper_checks/deviations.toml` (rows `synthetic-…`).

use super::layers::{Linear, forward, sigmoid};
use super::{LATENT, TEST_ROWS, check_shape};
use crate::data::{Covariates, DataError, Dataset, Protocol, TrainTest};
use crate::seed::Seed;
use ndarray::{Array1, Array2, Axis};
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};

/// Rows drawn to put the networks' outputs on a stated scale.
const CALIBRATION_ROWS: usize = 10_000;

/// How "a one-layer network" is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Index {
    /// One linear layer: the output function is applied to `wᵀu`.
    Linear,
    /// One hidden ReLU layer of this width, then a linear layer.
    Hidden(usize),
}

/// Generator of the `paper` synthetic data.
///
/// ```
/// use ebmbook::data::synthetic::Paper;
/// let data = Paper::new(100, 250)?.with_seed(7).generate()?;
/// assert_eq!((data.train.n(), data.test.n()), (250, 20_000));
/// # Ok::<(), ebmbook::data::DataError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Paper {
    d: usize,
    n: usize,
    seed: u64,
    test_rows: usize,
    hidden: Vec<usize>,
    index: Index,
    signal_sd: f64,
    outcome_scale: f64,
    propensity_scale: f64,
    propensity_intercept: f64,
    swap_arms: bool,
}

impl Paper {
    /// The setting (d, n) with every open choice at its default.
    pub fn new(d: usize, n: usize) -> Result<Self, DataError> {
        check_shape(d, n, TEST_ROWS)?;
        Ok(Self {
            d,
            n,
            seed: 0,
            test_rows: TEST_ROWS,
            hidden: vec![32, 32],
            index: Index::Linear,
            signal_sd: 1.0,
            outcome_scale: 0.7,
            propensity_scale: 1.0,
            propensity_intercept: 0.0,
            swap_arms: false,
        })
    }

    /// Master seed of networks and rows. Default 0.
    pub fn with_seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Number of test rows. Default 20 000, as in the text.
    pub fn with_test_rows(mut self, test_rows: usize) -> Self {
        self.test_rows = test_rows;
        self
    }

    /// Hidden widths of g. The text says "deep"; default 32-32, as in the released program.
    pub fn with_hidden(mut self, widths: &[usize]) -> Self {
        self.hidden = widths.to_vec();
        self
    }

    /// Reading of "one-layer" for μ₀, μ₁ and π. Default [`Index::Linear`].
    pub fn with_index(mut self, index: Index) -> Self {
        self.index = index;
        self
    }

    /// Standard deviation of each coordinate of g(U), next to noise of 1. Default 1.
    pub fn with_signal_sd(mut self, sd: f64) -> Self {
        self.signal_sd = sd;
        self
    }

    /// Standard deviation of the index inside exp(·). Default 0.7: μ(U) is then log-normal with
    /// standard deviation √((e^0.49 − 1)·e^0.49) ≈ 1, that of the outcome noise.
    pub fn with_outcome_scale(mut self, scale: f64) -> Self {
        self.outcome_scale = scale;
        self
    }

    /// Standard deviation of the index inside the sigmoid: strength of confounding. Default 1.
    pub fn with_propensity_scale(mut self, scale: f64) -> Self {
        self.propensity_scale = scale;
        self
    }

    /// Mean of the index inside the sigmoid; negative values make treated rows rare. Default 0.
    pub fn with_propensity_intercept(mut self, intercept: f64) -> Self {
        self.propensity_intercept = intercept;
        self
    }

    /// The printed line `Y = N(Aμ₀ + (1−A)μ₁, 1)` to the letter, which contradicts the definition
    /// of the effect. Default false.
    pub fn with_swapped_arms(mut self, swap: bool) -> Self {
        self.swap_arms = swap;
        self
    }

    /// Draws networks, rows, outcomes and treatments.
    pub fn generate(&self) -> Result<TrainTest, DataError> {
        self.check()?;
        let root = Seed::new(self.seed).child("synthetic-paper");
        let networks = Networks::draw(self, root.child("networks"));
        Ok(TrainTest {
            train: self.part(&networks, self.n, root.child("train"))?,
            test: self.part(&networks, self.test_rows, root.child("test"))?,
            protocol: Protocol::Paper,
        })
    }

    fn check(&self) -> Result<(), DataError> {
        check_shape(self.d, self.n, self.test_rows)?;
        if self.test_rows == 0 {
            return Err(DataError::parameter("test rows", 0, "must be at least 1"));
        }
        let widths = self.hidden.iter().copied().chain(match self.index {
            Index::Linear => None,
            Index::Hidden(width) => Some(width),
        });
        if let Some(width) = widths.into_iter().find(|w| *w == 0 || *w > 10_000) {
            return Err(DataError::parameter("hidden width", width, "must lie in 1..=10000"));
        }
        for (field, value) in [
            ("signal sd", self.signal_sd),
            ("outcome scale", self.outcome_scale),
            ("propensity scale", self.propensity_scale),
        ] {
            // exp(3·5) is the largest mean a five-sigma row can then have.
            if !(0.0..=3.0).contains(&value) {
                return Err(DataError::parameter(field, value, "must lie in [0, 3]"));
            }
        }
        if !self.propensity_intercept.is_finite() {
            return Err(DataError::parameter(
                "propensity intercept",
                self.propensity_intercept,
                "must be finite",
            ));
        }
        Ok(())
    }

    fn part(&self, networks: &Networks, rows: usize, seed: Seed) -> Result<Dataset, DataError> {
        let u = normals(&mut seed.child("latent").rng(), rows, LATENT);
        let x = networks.g.apply(&u) + normals(&mut seed.child("covariate noise").rng(), rows, self.d);
        let m0 = networks.mu0.apply(&u).index_axis_move(Axis(1), 0).mapv_into(f64::exp);
        let m1 = networks.mu1.apply(&u).index_axis_move(Axis(1), 0).mapv_into(f64::exp);
        let pi = networks.pi.apply(&u).index_axis_move(Axis(1), 0).mapv_into(sigmoid);
        let mut uniform = seed.child("treatment").rng();
        let a: Array1<bool> = pi.mapv(|p| uniform.random::<f64>() < p);
        let mut noise = seed.child("outcome noise").rng();
        let y0 = m0.mapv(|m| m + gauss(&mut noise));
        let y1 = m1.mapv(|m| m + gauss(&mut noise));
        // Y = A·Y(1) + (1−A)·Y(0), or the printed line with the arms the other way round
        let y = Array1::from_shape_fn(rows, |i| if a[i] != self.swap_arms { y1[i] } else { y0[i] });
        let name = format!("synthetic-paper-d{}-n{}-seed{}", self.d, self.n, self.seed);
        Dataset::builder(name, Covariates::continuous(x)?)
            .observed(a, y)
            .potential_outcomes(y0, y1)
            .effect(&m1 - &m0)
            .latent(u)
            .build()
    }
}

/// The four networks of one draw, with outputs on the scales the parameters state.
struct Networks {
    g: Scaled,
    mu0: Scaled,
    mu1: Scaled,
    pi: Scaled,
}

impl Networks {
    fn draw(p: &Paper, seed: Seed) -> Self {
        let one_layer: Vec<usize> = match p.index {
            Index::Linear => vec![],
            Index::Hidden(width) => vec![width],
        };
        let u = normals(&mut seed.child("calibration").rng(), CALIBRATION_ROWS, LATENT);
        let scaled = |role: &str, hidden: &[usize], out: usize, mean: f64, sd: f64| {
            Scaled::draw(&mut seed.child(role).rng(), hidden, out, &u, mean, sd)
        };
        Self {
            g: scaled("g", &p.hidden, p.d, 0.0, p.signal_sd),
            mu0: scaled("mu0", &one_layer, 1, 0.0, p.outcome_scale),
            mu1: scaled("mu1", &one_layer, 1, 0.0, p.outcome_scale),
            pi: scaled("pi", &one_layer, 1, p.propensity_intercept, p.propensity_scale),
        }
    }
}

/// A ReLU network whose outputs have a given mean and standard deviation under U ~ N(0, I).
struct Scaled(Vec<Linear>);

impl Scaled {
    fn draw(rng: &mut ChaCha8Rng, hidden: &[usize], out: usize, u: &Array2<f64>, mean: f64, sd: f64) -> Self {
        let widths = [&[LATENT], hidden, &[out]].concat();
        let mut layers: Vec<Linear> = widths
            .windows(2)
            .map(|w| {
                // He's law, N(0, 2/in), keeps the scale of ReLU layers; biases start at zero.
                let scale = (2.0 / w[0] as f64).sqrt();
                let weight = Array2::from_shape_simple_fn((w[1], w[0]), || scale * gauss(rng));
                Linear { weight, bias: Array1::zeros(w[1]) }
            })
            .collect();
        // Rescale the last layer so that each output has the stated mean and sd.
        let output = forward(&layers, u, |v| v.max(0.0));
        let last = layers.last_mut().expect("at least the output layer");
        for (j, column) in output.axis_iter(Axis(1)).enumerate() {
            let centre = column.mean().expect("calibration rows");
            // A coordinate that g leaves constant (all its hidden units dead) stays constant.
            let spread = column.std(0.0);
            let gain = if spread > 0.0 { sd / spread } else { 0.0 };
            last.weight.row_mut(j).mapv_inplace(|w| w * gain);
            last.bias[j] = mean - gain * centre;
        }
        Self(layers)
    }

    fn apply(&self, u: &Array2<f64>) -> Array2<f64> {
        forward(&self.0, u, |v| v.max(0.0))
    }
}

fn gauss(rng: &mut ChaCha8Rng) -> f64 {
    StandardNormal.sample(rng)
}

fn normals(rng: &mut ChaCha8Rng, rows: usize, columns: usize) -> Array2<f64> {
    Array2::from_shape_simple_fn((rows, columns), || gauss(rng))
}

//! The authors' synthetic data, regenerated: the random streams to the bit, the values up to the
//! order in which sums are rounded.

use super::layers::{Linear, forward, sigmoid, standardise};
use super::{LATENT, TEST_ROWS, check_shape};
use crate::data::{Covariates, DataError, Dataset, Protocol, TrainTest};
use crate::seed::legacy::{NetworkStream, NumpyStream};
use ndarray::{Array1, Array2, Axis, Slice};

/// The nine distinct (d, n) of the paper's synthetic tables.
pub const SETTINGS: [(usize, usize); 9] = [
    (50, 100),
    (100, 250),
    (150, 500),
    (200, 1000),
    (250, 1500),
    (100, 100),
    (100, 500),
    (100, 1000),
    (100, 1500),
];

const HIDDEN: usize = 32;

/// Generator of the `released` synthetic data.
///
/// ```
/// use ebmbook::data::synthetic::Released;
/// let data = Released::new(100, 250)?.generate();
/// assert_eq!(data.train.treated()?, 159);
/// # Ok::<(), ebmbook::data::DataError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Released {
    d: usize,
    n: usize,
    seed: u32,
}

impl Released {
    /// The setting (d, n) with the seed the authors used for that n.
    pub fn new(d: usize, n: usize) -> Result<Self, DataError> {
        check_shape(d, n, TEST_ROWS)?;
        let seed = match n {
            100 => 979,
            500 => 255,
            _ => 524,
        };
        Ok(Self { d, n, seed })
    }

    /// Another seed: a fresh draw of the networks and of the rows.
    pub fn with_seed(self, seed: u32) -> Self {
        Self { seed, ..self }
    }

    /// The seed in use.
    pub fn seed(&self) -> u32 {
        self.seed
    }

    /// Draws networks, rows, outcomes and treatments.
    pub fn generate(&self) -> TrainTest {
        let [x_net, y0_net, y1_net, z_net] = self.networks();
        let mut stream = NumpyStream::new(self.seed);
        let rows = self.n + TEST_ROWS;

        let u = normals(&mut stream, rows, LATENT);
        // X = standardise(x-net(u)) + ½·N(0, I_d), with ELU between the layers
        let mut x = forward(&x_net, &u, |v| if v > 0.0 { v } else { v.exp_m1() });
        standardise(&mut x);
        x.mapv_inplace(|v| v + 0.5 * stream.normal());
        // m_a = standardise(exp(y_a-net(u))), y_a = m_a + N(0, 1)
        let (m0, y0) = outcome(&y0_net, &u, &mut stream);
        let (m1, y1) = outcome(&y1_net, &u, &mut stream);
        // One uniform a row is drawn and thrown away.
        for _ in 0..rows {
            stream.double();
        }
        let treatment = self.treatment(&z_net, &u, &mut stream);

        let tau = &m1 - &m0;
        let part = |from: usize, to: usize| {
            let rows = Slice::from(from..to);
            let pick = |v: &Array1<f64>| v.slice_axis(Axis(0), rows).to_owned();
            let x = x.slice_axis(Axis(0), rows).to_owned();
            Dataset::builder(self.name(), Covariates::continuous(x).expect("networks give finite covariates"))
                .potential_outcomes(pick(&y0), pick(&y1))
                .effect(pick(&tau))
                .latent(u.slice_axis(Axis(0), rows).to_owned())
        };
        let observed = Array1::from_shape_fn(self.n, |i| if treatment[i] { y1[i] } else { y0[i] });
        let complete = "the parts have one length and finite values";
        TrainTest {
            train: part(0, self.n).observed(treatment, observed).build().expect(complete),
            test: part(self.n, rows).build().expect(complete),
            protocol: Protocol::Released,
        }
    }

    fn name(&self) -> String {
        format!("synthetic-released-d{}-n{}-seed{}", self.d, self.n, self.seed)
    }

    /// x-net, y0-net, y1-net, z-net. Each layer draws weights and biases from U(±1/√in) when it is
    /// made; afterwards all *weights* are drawn again from U(±½), and the biases stay.
    fn networks(&self) -> [Vec<Linear>; 4] {
        let mut stream = NetworkStream::new(self.seed);
        let mut uniforms = |count: usize, bound: f64| -> Vec<f64> {
            (0..count).map(|_| stream.uniform(-bound, bound)).collect()
        };
        let mut networks = [self.d, 1, 1, 1].map(|out| {
            let layers = [(LATENT, HIDDEN), (HIDDEN, HIDDEN), (HIDDEN, out)];
            Vec::from(layers.map(|(inputs, outputs)| {
                let bound = 1.0 / (inputs as f64).sqrt();
                uniforms(inputs * outputs, bound); // redrawn below
                Linear { weight: Array2::zeros((outputs, inputs)), bias: uniforms(outputs, bound).into() }
            }))
        });
        for layer in networks.iter_mut().flatten() {
            let shape = layer.weight.raw_dim();
            let weights = uniforms(layer.weight.len(), 0.5);
            layer.weight = Array2::from_shape_vec(shape, weights).expect("as many as the shape holds");
        }
        networks
    }

    /// z = (σ(σ(z-net(u)) + N(0, 1)) + 0.001) / 1.002, A ~ Bernoulli(z), for the training rows.
    fn treatment(&self, z_net: &[Linear], u: &Array2<f64>, stream: &mut NumpyStream) -> Array1<bool> {
        let u = u.slice_axis(Axis(0), Slice::from(0..self.n)).to_owned();
        let inner = forward(z_net, &u, |v| v).index_axis_move(Axis(1), 0);
        let z = inner.mapv(|v| (sigmoid(sigmoid(v) + stream.normal()) + 0.001) / 1.002);
        z.mapv(|p| stream.bernoulli(p))
    }
}

fn normals(stream: &mut NumpyStream, rows: usize, columns: usize) -> Array2<f64> {
    Array2::from_shape_simple_fn((rows, columns), || stream.normal())
}

/// (noiseless m, noisy y) of one arm; the layers have no activation between them.
fn outcome(net: &[Linear], u: &Array2<f64>, stream: &mut NumpyStream) -> (Array1<f64>, Array1<f64>) {
    let mut m = forward(net, u, |v| v).mapv_into(f64::exp);
    standardise(&mut m);
    let m = m.index_axis_move(Axis(1), 0);
    let y = m.mapv(|m| m + stream.normal());
    (m, y)
}

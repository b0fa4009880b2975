//! The layer stack with its backward pass written out, one thread, buffers reused.

use super::lanes::{Block, LANES, Lanes, into_rows};
use super::products::{After, Slope, backward, forward, gradient};
use super::{Activation, Architecture, Real};
use ndarray::{Array2, ArrayView2, Axis};

/// Rows that go through the network at once where nothing else decides.
const ROWS: usize = 32 * LANES;

/// A network with its parameters and the room to run it forwards and backwards.
///
/// ```
/// use ebmbook::network::{Activation, Architecture, Block, Mlp};
/// let shape = Architecture::new(1, &[2], 1, Activation::Relu)?;
/// // max(x, 0) + max(−x, 0) = |x|
/// let theta = vec![1.0, -1.0, 0.0, 0.0, 1.0, 1.0, 0.0];
/// let mut net = Mlp::<f64>::new(shape, theta);
/// let x = Block::from_rows(ndarray::array![[-3.0], [2.0]].view());
/// assert_eq!(net.forward(&x)[0][..2], [3.0, 2.0]);
/// // d|x|/dW_1 = sign(x)·x for the unit that is on; the other fourteen rows of the block have no say.
/// let mut loss_by_f = [[0.0; 16]];
/// loss_by_f[0][..2].fill(1.0);
/// net.backward(&x, &loss_by_f);
/// assert_eq!(net.gradient()[..2], [2.0, -3.0]);
/// # Ok::<(), ebmbook::network::NetworkError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Mlp<T> {
    architecture: Architecture,
    theta: Vec<T>,
    gradient: Vec<T>,
    /// Output of each layer.
    outputs: Vec<Vec<Lanes<T>>>,
    /// For SiLU, φ′ at each unit of each hidden layer, filled on the way forward.
    slopes: Vec<Vec<Lanes<T>>>,
    /// ∂loss/∂(output of the layer at hand), and of the one before.
    delta: Vec<Lanes<T>>,
    delta_before: Vec<Lanes<T>>,
    /// W_lᵀ of the layer at hand.
    transposed: Vec<T>,
    /// Its gradient, in lanes.
    sums: Vec<Lanes<T>>,
}

impl<T: Real> Mlp<T> {
    /// A network with these parameters.
    ///
    /// # Panics
    /// If θ does not have one number for each parameter of the shape.
    pub fn new(architecture: Architecture, theta: Vec<T>) -> Self {
        assert_eq!(theta.len(), architecture.parameters(), "one number for each parameter");
        let layers = architecture.layers().len();
        Self {
            gradient: vec![T::of(0.0); theta.len()],
            theta,
            outputs: vec![Vec::new(); layers],
            slopes: vec![Vec::new(); layers],
            delta: Vec::new(),
            delta_before: Vec::new(),
            transposed: Vec::new(),
            sums: Vec::new(),
            architecture,
        }
    }

    /// The shape.
    pub fn architecture(&self) -> &Architecture {
        &self.architecture
    }

    /// θ.
    pub fn theta(&self) -> &[T] {
        &self.theta
    }

    /// θ, to be changed.
    pub fn theta_mut(&mut self) -> &mut [T] {
        &mut self.theta
    }

    /// f_θ of each row of the block, feature by feature.
    ///
    /// # Panics
    /// If the rows do not have d features.
    pub fn forward(&mut self, x: &Block<T>) -> &[Lanes<T>] {
        let chunks = self.chunks(x);
        for (l, layer) in self.architecture.layers().iter().enumerate() {
            let (before, after) = self.outputs.split_at_mut(l);
            let input = if l == 0 { x.values() } else { &before[l - 1] };
            let output = sized(&mut after[0], chunks * layer.outputs);
            let then = match self.architecture.activation() {
                _ if !layer.activated => After::Nothing,
                Activation::Relu => After::Relu,
                Activation::Silu => After::Silu(sized(&mut self.slopes[l], chunks * layer.outputs)),
            };
            forward(input, chunks, &self.theta[layer.range()], layer.outputs, then, output);
        }
        &self.outputs[self.outputs.len() - 1]
    }

    /// Adds ∂loss/∂θ to the [`gradient`](Self::gradient), given ∂loss/∂f of the block that last went forward.
    ///
    /// # Panics
    /// If the rows are not as many as went forward.
    pub fn backward(&mut self, x: &Block<T>, loss_by_f: &[Lanes<T>]) {
        let chunks = self.chunks(x);
        assert_eq!(loss_by_f.len(), chunks * self.architecture.k(), "one number for each output");
        self.delta.clear();
        self.delta.extend_from_slice(loss_by_f);
        for (l, layer) in self.architecture.layers().iter().enumerate().rev() {
            let input = if l == 0 { x.values() } else { &self.outputs[l - 1] };
            gradient(input, &self.delta, chunks, &mut self.sums, &mut self.gradient[layer.range()]);
            if l == 0 {
                break; // nobody needs the gradient of the data
            }
            let weights = &self.theta[layer.start..layer.start + layer.inputs * layer.outputs];
            self.transposed.clear();
            let column = |j: usize| weights[j..].iter().step_by(layer.outputs);
            self.transposed.extend((0..layer.outputs).flat_map(column));
            let slope = match self.architecture.activation() {
                _ if !self.architecture.layers()[l - 1].activated => Slope::One,
                Activation::Relu => Slope::Relu(&self.outputs[l - 1]),
                Activation::Silu => Slope::Silu(&self.slopes[l - 1]),
            };
            let before = sized(&mut self.delta_before, chunks * layer.inputs);
            backward(&self.delta, chunks, &self.transposed, layer.inputs, slope, before);
            std::mem::swap(&mut self.delta, &mut self.delta_before);
        }
    }

    /// The sum of what [`backward`](Self::backward) added, in the order of θ.
    pub fn gradient(&self) -> &[T] {
        &self.gradient
    }

    /// Sets the gradient to zero.
    pub fn clear_gradient(&mut self) {
        self.gradient.fill(T::of(0.0));
    }

    /// f_θ of rows, rows × k.
    ///
    /// # Panics
    /// If the rows do not have d features.
    pub fn of_rows(&mut self, x: ArrayView2<f64>) -> Array2<f64> {
        let mut f = Array2::zeros((x.nrows(), self.architecture.k()));
        let mut block = Block::default();
        for (x, f) in x.axis_chunks_iter(Axis(0), ROWS).zip(f.axis_chunks_iter_mut(Axis(0), ROWS)) {
            block.fill(x);
            into_rows(self.forward(&block), block.chunks(), f);
        }
        f
    }

    fn chunks(&self, x: &Block<T>) -> usize {
        assert_eq!(x.values().len(), x.chunks() * self.architecture.d(), "rows have d features");
        x.chunks()
    }
}

/// A buffer of this length; its room is kept from step to step.
fn sized<T: Real>(buffer: &mut Vec<Lanes<T>>, length: usize) -> &mut [Lanes<T>] {
    buffer.resize(length, [T::of(0.0); LANES]);
    buffer
}

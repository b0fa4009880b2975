//! The layer stack with its backward pass written out, one thread, buffers reused.

use super::{Activation, Architecture, Real};
use faer::linalg::matmul::matmul;
use faer::{Accum, MatMut, MatRef, Par};

/// A network with its parameters and the room to run it forwards and backwards.
///
/// Rows go in with a one appended (d + 1 numbers a row), so that a bias is one more weight and a
/// layer is one matrix product.
///
/// ```
/// use ebmbook::network::{Activation, Architecture, Mlp};
/// let shape = Architecture::new(1, &[2], 1, Activation::Relu)?;
/// // max(x, 0) + max(−x, 0) = |x|
/// let theta = vec![1.0, -1.0, 0.0, 0.0, 1.0, 1.0, 0.0];
/// let mut net = Mlp::<f64>::new(shape, theta);
/// assert_eq!(net.forward(&[-3.0, 1.0, 2.0, 1.0]), [3.0, 2.0]);
/// // d|x|/dW_1 = sign(x)·x for the unit that is on.
/// assert_eq!(net.backward(&[-3.0, 1.0, 2.0, 1.0], &[1.0, 1.0])[..2], [2.0, -3.0]);
/// # Ok::<(), ebmbook::network::NetworkError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Mlp<T> {
    architecture: Architecture,
    theta: Vec<T>,
    gradient: Vec<T>,
    /// Output of each layer; hidden ones carry the appended one in their last column.
    outputs: Vec<Vec<T>>,
    /// For SiLU, φ′ at each unit of each hidden layer, filled on the way forward; as wide as the outputs.
    slopes: Vec<Vec<T>>,
    /// ∂loss/∂(output of the layer at hand), and of the one before. As wide as the outputs, so that both can be
    /// walked through side by side; what stands in the column of the ones is not used.
    delta: Vec<T>,
    delta_before: Vec<T>,
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

    /// f_θ of each row (d numbers and a one); what comes back has k numbers a row.
    ///
    /// # Panics
    /// If the numbers do not make whole rows.
    pub fn forward(&mut self, x: &[T]) -> &[T] {
        let rows = self.rows(x);
        let last = self.architecture.layers().len() - 1;
        for (l, layer) in self.architecture.layers().iter().enumerate() {
            let (before, after) = self.outputs.split_at_mut(l);
            let input = if l == 0 { x } else { &before[l - 1][..rows * (layer.inputs + 1)] };
            let stride = self.architecture.stride(l);
            // Room grows and is kept. It starts as ones, and the product never writes the last column.
            if after[0].len() < rows * stride {
                after[0].resize(rows * stride, T::of(1.0));
            }
            let output = &mut after[0][..rows * stride];
            let weights =
                MatRef::from_row_major_slice(&self.theta[layer.range()], layer.inputs + 1, layer.outputs);
            let input = MatRef::from_row_major_slice(input, rows, layer.inputs + 1);
            let product = strided_mut(output, rows, layer.outputs, stride);
            // z = (a_{l−1}, 1) · (W_l over c_l)
            matmul(product, Accum::Replace, input, weights, T::of(1.0), Par::Seq);
            if layer.activated {
                activate(self.architecture.activation(), output, stride, &mut self.slopes[l]);
            }
        }
        &self.outputs[last][..rows * self.architecture.k()]
    }

    /// ∂loss/∂θ, given ∂loss/∂f (k numbers a row) at the rows that last went forward.
    ///
    /// # Panics
    /// If the rows are not as many as went forward.
    pub fn backward(&mut self, x: &[T], loss_by_f: &[T]) -> &[T] {
        let rows = self.rows(x);
        assert_eq!(loss_by_f.len(), rows * self.architecture.k(), "one number for each output");
        self.delta.clear();
        self.delta.extend_from_slice(loss_by_f);
        for (l, layer) in self.architecture.layers().iter().enumerate().rev() {
            let input = if l == 0 { x } else { &self.outputs[l - 1][..rows * (layer.inputs + 1)] };
            let input = MatRef::from_row_major_slice(input, rows, layer.inputs + 1);
            let delta = strided(&self.delta, rows, layer.outputs, self.architecture.stride(l));
            let gradient = MatMut::from_row_major_slice_mut(
                &mut self.gradient[layer.range()],
                layer.inputs + 1,
                layer.outputs,
            );
            // ∂loss/∂(W_l over c_l) = (a_{l−1}, 1)ᵀ δ_l
            matmul(gradient, Accum::Replace, input.transpose(), delta, T::of(1.0), Par::Seq);
            if l == 0 {
                break; // nobody needs the gradient of the data
            }
            // δ_{l−1} = (δ_l W_lᵀ) ∘ φ′(z_{l−1})
            let stride = layer.inputs + 1;
            self.delta_before.resize(rows * stride, T::of(0.0));
            let weights = &self.theta[layer.start..layer.start + layer.inputs * layer.outputs];
            let weights = MatRef::from_row_major_slice(weights, layer.inputs, layer.outputs);
            let before = strided_mut(&mut self.delta_before, rows, layer.inputs, stride);
            matmul(before, Accum::Replace, delta, weights.transpose(), T::of(1.0), Par::Seq);
            if self.architecture.layers()[l - 1].activated {
                let (outputs, slopes) = (&self.outputs[l - 1], &self.slopes[l - 1]);
                slope(self.architecture.activation(), &mut self.delta_before, outputs, slopes);
            }
            std::mem::swap(&mut self.delta, &mut self.delta_before);
        }
        &self.gradient
    }

    fn rows(&self, x: &[T]) -> usize {
        let width = self.architecture.d() + 1;
        assert_eq!(x.len() % width, 0, "rows have d numbers and a one");
        x.len() / width
    }
}

/// Rows with a stride, as the transpose of columns with one: faer 0.24's own constructor for strided rows
/// mixes up its two strides.
fn strided<T>(numbers: &[T], rows: usize, columns: usize, stride: usize) -> MatRef<'_, T> {
    MatRef::from_column_major_slice_with_stride(numbers, columns, rows, stride).transpose()
}

/// Rows with a stride, to be written.
fn strided_mut<T>(numbers: &mut [T], rows: usize, columns: usize, stride: usize) -> MatMut<'_, T> {
    MatMut::from_column_major_slice_with_stride_mut(numbers, columns, rows, stride).transpose_mut()
}

/// φ in place on every column but the last (the ones); for SiLU also φ′.
fn activate<T: Real>(activation: Activation, output: &mut [T], stride: usize, slopes: &mut Vec<T>) {
    let zero = T::of(0.0);
    match activation {
        // max(1, 0) = 1, so the ones need no exception.
        Activation::Relu => output.iter_mut().for_each(|z| *z = if *z > zero { *z } else { zero }),
        Activation::Silu => {
            slopes.resize(output.len(), zero);
            for (row, slopes) in output.chunks_exact_mut(stride).zip(slopes.chunks_exact_mut(stride)) {
                for (z, slope) in row[..stride - 1].iter_mut().zip(slopes) {
                    // σ(z) = 1 / (1 + e^{−z});  φ = zσ,  φ′ = σ·(1 + z·(1 − σ))
                    let sigma = T::of(1.0) / (T::of(1.0) + (-*z).exp());
                    *slope = sigma * (T::of(1.0) + *z * (T::of(1.0) - sigma));
                    *z *= sigma;
                }
            }
        }
    }
}

/// δ ∘ φ′, with φ′ read off the output (ReLU) or off the stored slopes (SiLU).
fn slope<T: Real>(activation: Activation, delta: &mut [T], output: &[T], slopes: &[T]) {
    let zero = T::of(0.0);
    match activation {
        Activation::Relu => {
            delta.iter_mut().zip(output).for_each(|(d, a)| *d = if *a > zero { *d } else { zero });
        }
        Activation::Silu => delta.iter_mut().zip(slopes).for_each(|(d, s)| *d *= *s),
    }
}

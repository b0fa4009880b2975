//! The network from dfdx's own operations, on any of its devices: the oracle of the fused one,
//! and the path for CUDA.

use super::{
    Activation, Adam, Architecture, Block, LANES, Lanes, Loss, NetworkError, Real, TrainableNet,
    TrainingState, WeightDecay,
};
use dfdx::prelude::*;

type Scalar<T, D> = Tensor<(), T, D, OwnedTape<T, D>>;
type Matrix<T, D, Tp = NoneTape> = Tensor<(usize, usize), T, D, Tp>;

/// Weights (input × output) and biases of one layer.
struct LayerWeights<T: Real, D: Storage<T>> {
    w: Matrix<T, D>,
    c: Tensor<(usize,), T, D>,
}

/// A network whose every operation is dfdx's, Adam included.
pub(super) struct Taped<T: Real, D: dfdx::prelude::Device<T>> {
    shape: Architecture,
    device: D,
    layers: Vec<LayerWeights<T, D>>,
    m: Gradients<T, D>,
    v: Gradients<T, D>,
    steps: u32,
    adam: Adam,
}

impl<T: Real, D: dfdx::prelude::Device<T>> Taped<T, D> {
    pub fn new(shape: Architecture, state: &TrainingState<T>, adam: Adam, device: D) -> Result<Self, D::Err> {
        let (m, v) = (Gradients::leaky(), Gradients::leaky());
        let mut net = Self { shape, device, layers: Vec::new(), m, v, steps: 0, adam };
        net.install(state)?;
        Ok(net)
    }

    /// Takes over θ and the moments.
    fn install(&mut self, state: &TrainingState<T>) -> Result<(), D::Err> {
        self.layers.clear();
        for layer in self.shape.layers() {
            let (w, c) = state.theta[layer.range()].split_at(layer.inputs * layer.outputs);
            let w = self.device.try_tensor_from_vec(w.to_vec(), (layer.inputs, layer.outputs))?;
            let c = self.device.try_tensor_from_vec(c.to_vec(), (layer.outputs,))?;
            self.layers.push(LayerWeights { w, c });
        }
        self.steps = state.steps;
        self.m = self.slots(&state.m)?;
        self.v = self.slots(&state.v)?;
        Ok(())
    }

    /// Slots of the parameters filled with the given numbers. dfdx hands out slots only as
    /// gradients, and the gradient of Σ θ·values by θ is `values`.
    fn slots(&self, values: &[T]) -> Result<Gradients<T, D>, D::Err> {
        let mut total: Scalar<T, D> = self.device.try_tensor_from_vec(vec![T::of(0.0)], ())?.leaky_traced();
        for (layer, LayerWeights { w, c }) in self.shape.layers().iter().zip(&self.layers) {
            let (for_w, for_c) = values[layer.range()].split_at(layer.inputs * layer.outputs);
            let for_w = self.device.try_tensor_from_vec(for_w.to_vec(), *w.shape())?;
            let for_c = self.device.try_tensor_from_vec(for_c.to_vec(), *c.shape())?;
            let w: Scalar<T, D> = w.leaky_trace().try_mul(for_w)?.try_sum()?;
            let c: Scalar<T, D> = c.leaky_trace().try_mul(for_c)?.try_sum()?;
            total = total.try_add(w)?.try_add(c)?;
        }
        total.try_backward()
    }

    /// a_l = φ(a_{l−1} W_l + c_l), layer by layer, on the tape that x carries.
    fn run<Tp: dfdx::prelude::Tape<T, D>>(&self, x: Matrix<T, D, Tp>) -> Result<Matrix<T, D, Tp>, D::Err> {
        let mut a = x;
        for (layer, weights) in self.shape.layers().iter().zip(&self.layers) {
            let z = a.try_matmul(weights.w.clone())?;
            let shape = *z.shape();
            let bias = weights.c.retaped::<Tp>().try_broadcast_like::<_, Axis<0>>(&shape)?;
            a = z.try_add(bias)?;
            if layer.activated {
                a = match self.shape.activation() {
                    Activation::Relu => a.try_relu()?,
                    Activation::Silu => a.with_empty_tape().try_sigmoid()?.try_mul(a)?,
                };
            }
        }
        Ok(a)
    }

    /// The rows of the blocks, one after the other, as a tensor.
    fn rows(&self, blocks: &[Block<T>]) -> Result<Matrix<T, D>, D::Err> {
        let d = self.shape.d();
        let rows = blocks.iter().flat_map(|block| (0..block.chunks() * LANES).map(move |row| (block, row)));
        let value = |(block, row): (&Block<T>, usize), s: usize| block.feature(s).as_flattened()[row];
        let values: Vec<T> = rows.flat_map(|at| (0..d).map(move |s| value(at, s))).collect();
        self.device.try_tensor_from_vec(values.clone(), (values.len() / d, d))
    }

    fn try_step(&mut self, blocks: &[Block<T>], loss: Loss<'_, T>, rate: f64) -> Result<f64, D::Err> {
        let f = self.run(self.rows(blocks)?.leaky_traced())?;
        let (values, k) = (f.as_vec(), self.shape.k());
        let (mut value, mut loss_by_f) = (0.0, Vec::with_capacity(values.len()));
        let mut rest = &values[..];
        for (i, block) in blocks.iter().enumerate() {
            let here;
            (here, rest) = rest.split_at(block.chunks() * LANES * k);
            let mut gradient = vec![[T::of(0.0); LANES]; block.chunks() * k];
            value += loss(i, &by_feature(here, k), &mut gradient);
            let gradient = gradient.as_flattened();
            let rows = block.chunks() * LANES;
            loss_by_f.extend((0..rows).flat_map(|row| (0..k).map(move |j| gradient[j * rows + row])));
        }
        // Σ f·(∂loss/∂f) with the second factor held fixed has the gradient of the loss.
        let loss_by_f = self.device.try_tensor_from_vec(loss_by_f, *f.shape())?;
        let surrogate: Scalar<T, D> = f.try_mul(loss_by_f)?.try_sum()?;
        let mut gradients = surrogate.try_backward()?;
        self.steps += 1;
        let config = config(&self.adam, rate);
        for LayerWeights { w, c } in &mut self.layers {
            let t = self.steps as i32;
            let (m, v) = (self.m.get_or_alloc_mut(w)?, self.v.get_or_alloc_mut(w)?);
            config.try_update(t, w, m, v, gradients.get_or_alloc_mut(w)?)?;
            let (m, v) = (self.m.get_or_alloc_mut(c)?, self.v.get_or_alloc_mut(c)?);
            config.try_update(t, c, m, v, gradients.get_or_alloc_mut(c)?)?;
        }
        Ok(value)
    }
}

/// Rows of k numbers, feature by feature.
fn by_feature<T: Real>(rows: &[T], k: usize) -> Vec<Lanes<T>> {
    let lanes = (0..k).flat_map(|j| rows.chunks_exact(LANES * k).map(move |chunk| (j, chunk)));
    lanes.map(|(j, chunk)| std::array::from_fn(|v| chunk[v * k + j])).collect()
}

fn config(adam: &Adam, rate: f64) -> dfdx::prelude::AdamConfig {
    dfdx::prelude::AdamConfig {
        lr: rate,
        betas: [adam.beta1, adam.beta2],
        eps: adam.epsilon,
        weight_decay: adam.decay.map(|decay| match decay {
            WeightDecay::L2(lambda) => dfdx::prelude::WeightDecay::L2(lambda),
            WeightDecay::Decoupled(lambda) => dfdx::prelude::WeightDecay::Decoupled(lambda),
        }),
    }
}

impl<T: Real, D: dfdx::prelude::Device<T>> TrainableNet<T> for Taped<T, D> {
    fn step(&mut self, blocks: &[Block<T>], loss: Loss<'_, T>, rate: f64) -> Result<f64, NetworkError> {
        self.try_step(blocks, loss, rate).map_err(NetworkError::device)
    }

    fn forward(&mut self, block: &Block<T>) -> Result<Vec<Lanes<T>>, NetworkError> {
        let rows = self.rows(std::slice::from_ref(block));
        let f = rows.and_then(|x| self.run(x)).map_err(NetworkError::device)?;
        Ok(by_feature(&f.as_vec(), self.shape.k()))
    }

    fn state(&self) -> TrainingState<T> {
        let theta = self.layers.iter().flat_map(|l| [l.w.as_vec(), l.c.as_vec()]).flatten().collect();
        let moment = |slots: &Gradients<T, D>| {
            let layers = self.layers.iter();
            layers.flat_map(|l| [slots.get(&l.w).as_vec(), slots.get(&l.c).as_vec()]).flatten().collect()
        };
        TrainingState { theta, m: moment(&self.m), v: moment(&self.v), steps: self.steps }
    }

    fn restore(&mut self, state: &TrainingState<T>) -> Result<(), NetworkError> {
        self.install(state).map_err(NetworkError::device)
    }
}

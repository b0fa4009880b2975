//! The network from dfdx's own operations, on any of its devices: the oracle of the fused one,
//! and the path for CUDA.

use super::{
    Activation, Adam, Architecture, Loss, NetworkError, Real, TrainableNet, TrainingState, WeightDecay,
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

    /// The rows without the appended one, as a tensor.
    fn rows(&self, x: &[T]) -> Result<Matrix<T, D>, D::Err> {
        let d = self.shape.d();
        let values: Vec<T> = x.chunks_exact(d + 1).flat_map(|row| row[..d].iter().copied()).collect();
        self.device.try_tensor_from_vec(values, (x.len() / (d + 1), d))
    }

    fn try_step(&mut self, x: &[T], loss: Loss<'_, T>, rate: f64) -> Result<f64, D::Err> {
        let f = self.run(self.rows(x)?.leaky_traced())?;
        let values = f.as_vec();
        let mut loss_by_f = vec![T::of(0.0); values.len()];
        let value = loss(&values, &mut loss_by_f);
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
    fn step(&mut self, x: &[T], loss: Loss<'_, T>, rate: f64) -> Result<f64, NetworkError> {
        self.try_step(x, loss, rate).map_err(NetworkError::device)
    }

    fn forward(&mut self, x: &[T]) -> Result<Vec<T>, NetworkError> {
        let f = self.rows(x).and_then(|x| self.run(x)).map_err(NetworkError::device)?;
        Ok(f.as_vec())
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

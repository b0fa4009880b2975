//! The way from θ to the loss as one operation on dfdx's tape, with a hand-written backward pass.

use super::{Adam, Architecture, Block, Lanes, Loss, Mlp, NetworkError, Real, TrainableNet, TrainingState};
use dfdx::prelude::*;

type Vector<T, Tape = NoneTape> = Tensor<(usize,), T, Cpu, Tape>;
type Taped<T> = OwnedTape<T, Cpu>;
type Scalar<T> = Tensor<(), T, Cpu, Taped<T>>;

/// A network trained by one operation on the tape: θ ↦ loss(f_θ(x)).
pub(super) struct Fused<T: Real> {
    net: Mlp<T>,
    /// ∂loss/∂f of the block at hand.
    loss_by_f: Vec<Lanes<T>>,
    theta: Vector<T>,
    state: TrainingState<T>,
    adam: Adam,
}

impl<T: Real> Fused<T> {
    pub fn new(shape: Architecture, state: TrainingState<T>, adam: Adam) -> Self {
        let theta = Cpu::default().tensor_from_vec(state.theta.clone(), (state.theta.len(),));
        Self { net: Mlp::new(shape, state.theta.clone()), loss_by_f: Vec::new(), theta, state, adam }
    }

    /// θ ↦ loss as one operation on the tape. Block after block goes forwards and backwards while it is at hand, so
    /// that the gradient is there before it is asked for.
    fn loss(&mut self, blocks: &[Block<T>], loss: Loss<'_, T>) -> Result<(f64, Scalar<T>), CpuError> {
        let (theta, mut tape) = self.theta.leaky_trace().split_tape();
        self.net.theta_mut().copy_from_slice(&self.state.theta);
        self.net.clear_gradient();
        let mut value = 0.0;
        for (i, block) in blocks.iter().enumerate() {
            let f = self.net.forward(block);
            self.loss_by_f.resize(f.len(), [T::of(0.0); super::LANES]);
            value += loss(i, f, &mut self.loss_by_f);
            self.net.backward(block, &self.loss_by_f);
        }
        let output = theta.device().try_tensor_from_vec(vec![T::of(value)], ())?;
        let (result, loss_by_theta) = (output.clone(), self.net.gradient().to_vec());
        tape.add_backward_op(move |grads| {
            let scale = grads.get_or_alloc_mut(&result)?[0];
            let slot = grads.get_or_alloc_mut(&theta)?;
            slot.iter_mut().zip(&loss_by_theta).for_each(|(sum, g)| *sum += scale * *g);
            Ok(())
        });
        Ok((value, output.put_tape(tape)))
    }
}

impl<T: Real> TrainableNet<T> for Fused<T> {
    fn step(&mut self, blocks: &[Block<T>], loss: Loss<'_, T>, rate: f64) -> Result<f64, NetworkError> {
        let (value, loss) = self.loss(blocks, loss).map_err(NetworkError::device)?;
        let mut gradients = loss.try_backward().map_err(NetworkError::device)?;
        let gradient = gradients.get_or_alloc_mut(&self.theta).map_err(NetworkError::device)?;
        let TrainingState { theta, m, v, steps } = &mut self.state;
        *steps += 1;
        self.adam.step(*steps, rate, theta, m, v, gradient);
        self.theta.copy_from(theta);
        Ok(value)
    }

    fn forward(&mut self, block: &Block<T>) -> Result<Vec<Lanes<T>>, NetworkError> {
        self.net.theta_mut().copy_from_slice(&self.state.theta);
        Ok(self.net.forward(block).to_vec())
    }

    fn state(&self) -> TrainingState<T> {
        self.state.clone()
    }

    fn restore(&mut self, state: &TrainingState<T>) -> Result<(), NetworkError> {
        self.state = state.clone();
        self.theta.copy_from(&self.state.theta);
        Ok(())
    }
}

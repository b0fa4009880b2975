//! The layer stack and the loss as two operations on dfdx's tape, with hand-written backward
//! passes.

use super::{Adam, Architecture, Loss, Mlp, NetworkError, Real, TrainableNet, TrainingState};
use dfdx::prelude::*;
use std::cell::RefCell;
use std::rc::Rc;

type Vector<T, Tape = NoneTape> = Tensor<(usize,), T, Cpu, Tape>;
type Rows<T, Tape = NoneTape> = Tensor<(usize, usize), T, Cpu, Tape>;
type Taped<T> = OwnedTape<T, Cpu>;
type Scalar<T> = Tensor<(), T, Cpu, Taped<T>>;

/// The network and the rows it last saw, which the backward pass needs again. The room for them
/// is kept from step to step.
struct Stack<T> {
    net: Mlp<T>,
    x: Vec<T>,
}

/// A network trained by two operations on the tape: θ ↦ f_θ(x) and f ↦ loss.
pub(super) struct Fused<T: Real> {
    stack: Rc<RefCell<Stack<T>>>,
    theta: Vector<T>,
    state: TrainingState<T>,
    adam: Adam,
}

impl<T: Real> Fused<T> {
    pub fn new(shape: Architecture, state: TrainingState<T>, adam: Adam) -> Self {
        let theta = Cpu::default().tensor_from_vec(state.theta.clone(), (state.theta.len(),));
        let stack = Stack { net: Mlp::new(shape, state.theta.clone()), x: Vec::new() };
        Self { stack: Rc::new(RefCell::new(stack)), theta, state, adam }
    }
}

/// θ ↦ f_θ(x) as one operation on the tape.
fn apply_stack<T: Real>(
    theta: Vector<T, Taped<T>>,
    stack: &Rc<RefCell<Stack<T>>>,
    x: &[T],
) -> Result<Rows<T, Taped<T>>, CpuError> {
    let (theta, mut tape) = theta.split_tape();
    let f = {
        let Stack { net, x: kept } = &mut *stack.borrow_mut();
        kept.clear();
        kept.extend_from_slice(x);
        theta.copy_into(net.theta_mut());
        let k = net.architecture().k();
        let f = net.forward(x);
        theta.device().try_tensor_from_vec(f.to_vec(), (f.len() / k, k))?
    };
    let (stack, output) = (stack.clone(), f.clone());
    tape.add_backward_op(move |grads| {
        let loss_by_f = grads.get_or_alloc_mut(&output)?.to_vec();
        let Stack { net, x } = &mut *stack.borrow_mut();
        let loss_by_theta = net.backward(x, &loss_by_f);
        let slot = grads.get_or_alloc_mut(&theta)?;
        slot.iter_mut().zip(loss_by_theta).for_each(|(sum, g)| *sum += *g);
        Ok(())
    });
    Ok(f.put_tape(tape))
}

/// f ↦ loss as one operation on the tape; the loss brings its own gradient.
fn apply_loss<T: Real>(f: Rows<T, Taped<T>>, loss: Loss<'_, T>) -> Result<(f64, Scalar<T>), CpuError> {
    let (f, mut tape) = f.split_tape();
    let values = f.as_vec();
    let mut loss_by_f = vec![T::of(0.0); values.len()];
    let value = loss(&values, &mut loss_by_f);
    let output = f.device().try_tensor_from_vec(vec![T::of(value)], ())?;
    let result = output.clone();
    tape.add_backward_op(move |grads| {
        let scale = grads.get_or_alloc_mut(&result)?[0];
        let slot = grads.get_or_alloc_mut(&f)?;
        slot.iter_mut().zip(&loss_by_f).for_each(|(sum, g)| *sum += scale * *g);
        Ok(())
    });
    Ok((value, output.put_tape(tape)))
}

impl<T: Real> TrainableNet<T> for Fused<T> {
    fn step(&mut self, x: &[T], loss: Loss<'_, T>, rate: f64) -> Result<f64, NetworkError> {
        let f = apply_stack(self.theta.leaky_trace(), &self.stack, x).map_err(NetworkError::device)?;
        let (value, loss) = apply_loss(f, loss).map_err(NetworkError::device)?;
        let mut gradients = loss.try_backward().map_err(NetworkError::device)?;
        let gradient = gradients.get_or_alloc_mut(&self.theta).map_err(NetworkError::device)?;
        let TrainingState { theta, m, v, steps } = &mut self.state;
        *steps += 1;
        self.adam.step(*steps, rate, theta, m, v, gradient);
        self.theta.copy_from(theta);
        Ok(value)
    }

    fn forward(&mut self, x: &[T]) -> Result<Vec<T>, NetworkError> {
        let net = &mut self.stack.borrow_mut().net;
        net.theta_mut().copy_from_slice(&self.state.theta);
        Ok(net.forward(x).to_vec())
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

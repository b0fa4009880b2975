//! What a training loop needs of a network, whichever engine computes it.

use super::{Adam, Architecture, Device, Engine, NetworkError, Real};

/// A loss on representations: reads f (k numbers a row), writes ∂loss/∂f, returns the loss.
pub type Loss<'a, T> = &'a mut dyn FnMut(&[T], &mut [T]) -> f64;

/// A network that can be trained. Rows are slices of d numbers and a one each, as for
/// [`Mlp`](super::Mlp).
///
/// ```
/// use ebmbook::network::{Activation, Adam, Architecture, Device, Engine, trainable};
/// use ebmbook::seed::Seed;
/// let shape = Architecture::new(1, &[8], 1, Activation::Silu)?;
/// let theta = shape.initialise(Seed::new(1));
/// let mut net = trainable::<f32>(shape, &theta, Adam::default(), Engine::Fused, Device::Cpu)?;
/// // Fit f(1) = 2 by least squares.
/// let mut square = |f: &[f32], g: &mut [f32]| {
///     g[0] = 2.0 * (f[0] - 2.0);
///     f64::from((f[0] - 2.0).powi(2))
/// };
/// for _ in 0..200 {
///     net.step(&[1.0, 1.0], &mut square, 0.05)?;
/// }
/// assert!((net.forward(&[1.0, 1.0])?[0] - 2.0).abs() < 0.01);
/// # Ok::<(), ebmbook::network::NetworkError>(())
/// ```
pub trait TrainableNet<T> {
    /// One step of Adam on the loss of these rows; returns the loss before the step.
    fn step(&mut self, x: &[T], loss: Loss<'_, T>, rate: f64) -> Result<f64, NetworkError>;

    /// f_θ of these rows.
    fn forward(&mut self, x: &[T]) -> Result<Vec<T>, NetworkError>;

    /// θ and the optimiser's memory, from which the run can be continued to the bit.
    fn state(&self) -> TrainingState<T>;

    /// Continues from a state of a network of the same shape.
    fn restore(&mut self, state: &TrainingState<T>) -> Result<(), NetworkError>;
}

/// θ, Adam's two moments and the number of steps taken.
#[derive(Clone, Debug, PartialEq)]
pub struct TrainingState<T> {
    /// θ.
    pub theta: Vec<T>,
    /// Running mean of the gradient.
    pub m: Vec<T>,
    /// Running mean of the squared gradient.
    pub v: Vec<T>,
    /// Steps taken.
    pub steps: u32,
}

impl<T: Real> TrainingState<T> {
    /// The state before the first step.
    pub fn fresh(theta: &[f64]) -> Self {
        let zero = vec![T::of(0.0); theta.len()];
        Self { theta: theta.iter().map(|p| T::of(*p)).collect(), m: zero.clone(), v: zero, steps: 0 }
    }
}

/// A network with parameters θ on the given engine and device. The fused engine is for the CPU;
/// on CUDA the tape engine is used whatever is asked for.
pub fn trainable<T: Real>(
    shape: Architecture,
    theta: &[f64],
    adam: Adam,
    engine: Engine,
    device: Device,
) -> Result<Box<dyn TrainableNet<T>>, NetworkError> {
    T::trainable(shape, TrainingState::fresh(theta), adam, engine, device)
}

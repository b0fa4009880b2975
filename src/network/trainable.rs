//! What a training loop needs of a network, whichever engine computes it.

use super::{Adam, Architecture, Block, Device, Engine, Lanes, NetworkError, Real};

/// A loss on representations: reads f of a block, given by its number, writes ∂loss/∂f, returns what the block adds
/// to the loss. Both stand feature by feature, and rows that only fill a block up must have gradient 0.
pub type Loss<'a, T> = &'a mut dyn FnMut(usize, &[Lanes<T>], &mut [Lanes<T>]) -> f64;

/// A network that can be trained.
///
/// ```
/// use ebmbook::network::{Activation, Adam, Architecture, Block, Device, Engine, Lanes, trainable};
/// use ebmbook::seed::Seed;
/// let shape = Architecture::new(1, &[8], 1, Activation::Silu)?;
/// let theta = shape.initialise(Seed::new(1));
/// let mut net = trainable::<f32>(shape, &theta, Adam::default(), Engine::Fused, Device::Cpu)?;
/// // Fit f(1) = 2 by least squares.
/// let mut square = |_: usize, f: &[Lanes<f32>], g: &mut [Lanes<f32>]| {
///     g[0] = [0.0; 16];
///     g[0][0] = 2.0 * (f[0][0] - 2.0);
///     f64::from((f[0][0] - 2.0).powi(2))
/// };
/// let one = Block::from_rows(ndarray::array![[1.0]].view());
/// for _ in 0..200 {
///     net.step(&[one.clone()], &mut square, 0.05)?;
/// }
/// assert!((net.forward(&one)?[0][0] - 2.0).abs() < 0.01);
/// # Ok::<(), ebmbook::network::NetworkError>(())
/// ```
pub trait TrainableNet<T> {
    /// One step of Adam on the loss of these rows; returns the loss before the step.
    fn step(&mut self, blocks: &[Block<T>], loss: Loss<'_, T>, rate: f64) -> Result<f64, NetworkError>;

    /// f_θ of these rows, feature by feature.
    fn forward(&mut self, block: &Block<T>) -> Result<Vec<Lanes<T>>, NetworkError>;

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

//! The shape of a network: its affine maps and where their numbers stand in θ.

use super::{Activation, NetworkError};
use crate::seed::Seed;
use rand::Rng;

/// One affine map and whether φ follows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layer {
    /// Number of inputs.
    pub inputs: usize,
    /// Number of outputs.
    pub outputs: usize,
    /// Whether φ is applied to the outputs.
    pub activated: bool,
    /// Where the layer's (inputs + 1) × outputs numbers start in θ.
    pub start: usize,
}

impl Layer {
    /// The layer's numbers in θ: weights, then biases.
    pub fn range(&self) -> std::ops::Range<usize> {
        self.start..self.start + (self.inputs + 1) * self.outputs
    }
}

/// The shape of a network.
///
/// ```
/// use ebmbook::network::{Activation, Architecture};
/// let printed = Architecture::new(100, &[20, 20], 10, Activation::Relu)?;
/// assert_eq!(printed.parameters(), 101 * 20 + 21 * 20 + 21 * 10);
/// assert!(Architecture::new(100, &[20, 0], 10, Activation::Relu).is_err());
/// # Ok::<(), ebmbook::network::NetworkError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Architecture {
    layers: Vec<Layer>,
    activation: Activation,
}

impl Architecture {
    /// d inputs, hidden layers of the given widths with φ after each, k linear outputs.
    pub fn new(d: usize, hidden: &[usize], k: usize, activation: Activation) -> Result<Self, NetworkError> {
        let maps: Vec<(usize, bool)> = hidden.iter().map(|w| (*w, true)).chain([(k, false)]).collect();
        Self::from_maps(d, &maps, activation)
    }

    /// The authors' program: for L printed widths, one map to the first width, then L × (φ, map),
    /// then the map to k with no φ before it, so one map more than the printed widths suggest.
    ///
    /// ```
    /// use ebmbook::network::{Activation, Architecture};
    /// let released = Architecture::released(100, &[20, 20], 10, Activation::Relu)?;
    /// let active: Vec<bool> = released.layers().iter().map(|l| l.activated).collect();
    /// assert_eq!(active, [true, true, false, false]);
    /// # Ok::<(), ebmbook::network::NetworkError>(())
    /// ```
    pub fn released(
        d: usize,
        hidden: &[usize],
        k: usize,
        activation: Activation,
    ) -> Result<Self, NetworkError> {
        let mut maps: Vec<(usize, bool)> = hidden.iter().map(|w| (*w, true)).collect();
        maps.extend(hidden.last().map(|w| (*w, false)));
        maps.push((k, false));
        Self::from_maps(d, &maps, activation)
    }

    /// Any list of (outputs, activated) maps on d inputs.
    pub fn from_maps(d: usize, maps: &[(usize, bool)], activation: Activation) -> Result<Self, NetworkError> {
        let mut layers: Vec<Layer> = Vec::with_capacity(maps.len());
        for (outputs, activated) in maps {
            let (inputs, start) = layers.last().map_or((d, 0), |l| (l.outputs, l.range().end));
            layers.push(Layer { inputs, outputs: *outputs, activated: *activated, start });
        }
        if d == 0 {
            return Err(NetworkError::parameter("number of covariates d", d, "must be at least 1"));
        }
        match layers.iter().position(|l| l.outputs == 0) {
            Some(l) if l + 1 == layers.len() => {
                Err(NetworkError::parameter("representation size k", 0, "must be at least 1"))
            }
            Some(l) => Err(NetworkError::parameter(
                "hidden width",
                0,
                format!("must be at least 1 (layer {})", l + 1),
            )),
            None if layers.is_empty() => {
                Err(NetworkError::parameter("number of layers", 0, "must be at least 1"))
            }
            None => Ok(Self { layers, activation }),
        }
    }

    /// The affine maps, from input to output.
    pub fn layers(&self) -> &[Layer] {
        &self.layers
    }

    /// φ.
    pub fn activation(&self) -> Activation {
        self.activation
    }

    /// Number of inputs.
    pub fn d(&self) -> usize {
        self.layers[0].inputs
    }

    /// Number of outputs.
    pub fn k(&self) -> usize {
        self.layers[self.layers.len() - 1].outputs
    }

    /// How many numbers θ has.
    pub fn parameters(&self) -> usize {
        self.layers[self.layers.len() - 1].range().end
    }

    /// Fresh parameters: every weight and bias of a layer from U(−1/√inputs, 1/√inputs), the law
    /// of the library the authors used, drawn layer by layer in the order of θ.
    ///
    /// ```
    /// use ebmbook::{network::{Activation, Architecture}, seed::Seed};
    /// let shape = Architecture::new(4, &[8], 2, Activation::Relu)?;
    /// let theta = shape.initialise(Seed::new(1));
    /// assert!(theta[..5 * 8].iter().all(|w| w.abs() <= 0.5), "1/√4");
    /// assert_eq!(theta, shape.initialise(Seed::new(1)));
    /// # Ok::<(), ebmbook::network::NetworkError>(())
    /// ```
    pub fn initialise(&self, seed: Seed) -> Vec<f64> {
        let mut rng = seed.rng();
        let mut theta = Vec::with_capacity(self.parameters());
        for layer in &self.layers {
            let bound = 1.0 / (layer.inputs as f64).sqrt();
            theta.extend(layer.range().map(|_| rng.random_range(-bound..bound)));
        }
        theta
    }
}

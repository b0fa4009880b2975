//! The small networks that generate synthetic data (never trained).

use ndarray::{Array1, Array2, Axis};

/// A linear layer, `x Wᵀ + b`, with W stored out × in.
pub(super) struct Linear {
    pub weight: Array2<f64>,
    pub bias: Array1<f64>,
}

impl Linear {
    pub fn forward(&self, x: &Array2<f64>) -> Array2<f64> {
        x.dot(&self.weight.t()) + &self.bias
    }
}

/// Layers in a row, with `activation` between them and none after the last.
pub(super) fn forward(layers: &[Linear], x: &Array2<f64>, activation: fn(f64) -> f64) -> Array2<f64> {
    let (last, hidden) = layers.split_last().expect("a network has at least one layer");
    let mut h = x.clone();
    for layer in hidden {
        h = layer.forward(&h);
        h.mapv_inplace(activation);
    }
    last.forward(&h)
}

/// Subtracts the mean of each column and divides by its population standard deviation.
pub(super) fn standardise(x: &mut Array2<f64>) {
    let mean = x.mean_axis(Axis(0)).expect("there are rows");
    let sd = x.std_axis(Axis(0), 0.0);
    *x -= &mean;
    *x /= &sd;
}

pub(super) fn sigmoid(v: f64) -> f64 {
    1.0 / (1.0 + (-v).exp())
}

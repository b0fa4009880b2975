//! Adam (Kingma & Ba 2015) over the flat parameters, with the bias corrections hoisted.

use super::Real;

/// What keeps the weights small.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum WeightDecay {
    /// λ·θ is added to the gradient.
    L2(f64),
    /// rate·λ·θ is subtracted from θ beside the step (AdamW).
    Decoupled(f64),
}

/// The optimiser's constants.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Adam {
    /// β₁, the memory of the mean gradient.
    pub beta1: f64,
    /// β₂, the memory of the squared gradient.
    pub beta2: f64,
    /// ε in the denominator.
    pub epsilon: f64,
    /// Weight decay, if any.
    pub decay: Option<WeightDecay>,
}

impl Default for Adam {
    fn default() -> Self {
        Self { beta1: 0.9, beta2: 0.999, epsilon: 1e-8, decay: None }
    }
}

impl Adam {
    /// Step t (1, 2, …) on θ with learning rate `rate`.
    ///
    /// ```
    /// use ebmbook::network::Adam;
    /// let (mut theta, mut m, mut v) = ([1.0_f64], [0.0], [0.0]);
    /// Adam::default().step(1, 0.1, &mut theta, &mut m, &mut v, &[123.0]);
    /// // The first step has the length of the rate, whatever the size of the gradient.
    /// assert!((theta[0] - 0.9).abs() < 1e-9);
    /// ```
    pub fn step<T: Real>(
        &self,
        t: u32,
        rate: f64,
        theta: &mut [T],
        m: &mut [T],
        v: &mut [T],
        gradient: &[T],
    ) {
        let (beta1, beta2) = (T::of(self.beta1), T::of(self.beta2));
        let (rest1, rest2) = (T::of(1.0) - beta1, T::of(1.0) - beta2);
        // 1/(1 − β₁ᵗ) and 1/(1 − β₂ᵗ)
        let correct1 = (T::of(1.0) - beta1.powi(t as i32)).recip();
        let correct2 = (T::of(1.0) - beta2.powi(t as i32)).recip();
        let (step, epsilon) = (T::of(rate), T::of(self.epsilon));
        let (l2, decoupled) = match self.decay {
            Some(WeightDecay::L2(lambda)) => (T::of(lambda), T::of(0.0)),
            Some(WeightDecay::Decoupled(lambda)) => (T::of(0.0), T::of(lambda * rate)),
            None => (T::of(0.0), T::of(0.0)),
        };
        for ((p, g), (m, v)) in theta.iter_mut().zip(gradient).zip(m.iter_mut().zip(v.iter_mut())) {
            let g = *g + l2 * *p;
            // m ← β₁m + (1−β₁)g,   v ← β₂v + (1−β₂)g²
            *m = *m * beta1 + g * rest1;
            *v = *v * beta2 + g * g * rest2;
            // θ ← θ − rate·m̂/(√v̂ + ε)
            *p -= step * (*m * correct1) / ((*v * correct2).sqrt() + epsilon) + decoupled * *p;
        }
    }
}

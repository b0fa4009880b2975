//! The network f_θ : Rᵈ → Rᵏ. In: rows. Out: their representation, and the gradient of any loss
//! on it.
//!
//! ```text
//! a_0 = x,     a_l = φ(a_{l−1} W_l + c_l),     f_θ(x) = a_L W_{L+1} + c_{L+1}
//! ```
//!
//! Depth, widths and φ are chosen at run time. θ is one flat list of numbers: layer after layer,
//! the weights (input × output, row-major) followed by the biases. Rows come in [`Block`]s, feature by feature.
//!
//! Two engines compute the same thing. [`Engine::Fused`] puts the whole way from θ to the loss on dfdx's tape as
//! one operation with a hand-written backward pass ([`Mlp`]); [`Engine::Tape`] builds it from
//! dfdx's own operations. The second is the oracle of the first, and what runs on CUDA.
//!
//! One loop trains every network, that of the EBM and that of the autoencoder, on any loss that
//! makes batches of rows and scores them:
//!
//! ```text
//! θ_{t+1} = Adam(θ_t, ∇_θ loss(batch_t), rate_t)
//! ```
//!
//! Each epoch visits the rows in a fresh order, in mini-batches. All randomness is a function of
//! the run's seed, the epoch and the step, never of what ran before, so that a run can stop, be
//! saved, and go on to the same bits.

/// Methods that take a record of parameters and return it with one of them changed.
macro_rules! setters {
    ($params:ident: $($(#[$doc:meta])* $name:ident: $kind:ty;)*) => {
        impl $params {
            $($(#[$doc])* pub fn $name(mut self, $name: $kind) -> Self {
                self.$name = $name.into();
                self
            })*
        }
    };
}
pub(crate) use setters;

mod adam;
mod architecture;
pub(crate) mod checkpoint;
mod device;
#[cfg(feature = "cuda")]
mod driver;
mod error;
mod fused;
mod history;
pub(crate) mod lanes;
mod looping;
mod mlp;
mod plan;
mod products;
mod run;
mod tape;
mod tensors;
mod trainable;

pub use adam::{Adam, WeightDecay};
pub use architecture::{Architecture, Layer};
pub use device::{Device, DeviceError, FoundDevice, devices};
pub use error::NetworkError;
pub use history::{EpochRecord, History};
pub use lanes::{Block, LANES, Lanes};
pub use mlp::Mlp;
pub(crate) use plan::{BatchLoss, Plan};
pub use plan::{Keep, Precision, RateSchedule};
pub(crate) use run::{Network, Run};
pub(crate) use tensors::{Reader, Writer};
pub use trainable::{Loss, TrainableNet, TrainingState, trainable};

use serde::{Deserialize, Serialize};
use strum::{Display, EnumString, VariantNames};

/// The nonlinearity φ of hidden layers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[derive(Display, EnumString, VariantNames)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Activation {
    /// max(z, 0), the paper's.
    #[default]
    Relu,
    /// z · σ(z): smooth, for gradient checks and for densities without kinks.
    Silu,
}

/// How the network is computed; the result is the same up to rounding.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[derive(Display, EnumString, VariantNames)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Engine {
    /// One operation on dfdx's tape with a hand-written backward pass: the fast one, CPU only.
    #[default]
    Fused,
    /// dfdx's own operations, one after the other.
    Tape,
}

/// A number type that networks are trained in.
pub trait Real: dfdx::prelude::Dtype + num_traits::Float + From<f32> + std::iter::Sum {
    /// From double precision, rounding to nearest.
    fn of(value: f64) -> Self;
    /// To double precision, exactly.
    fn wide(self) -> f64;
    /// self · factor + term, rounded once.
    fn fused(self, factor: Self, term: Self) -> Self;
    /// The nearest whole number, for numbers below 2²² in size.
    #[doc(hidden)]
    fn round_small(self) -> Self;
    /// 2ⁿ for a whole number n ≤ 0 with 2ⁿ a normal number.
    #[doc(hidden)]
    fn two_to_the(self) -> Self;
    /// ln 2 in two parts, the first with few digits.
    #[doc(hidden)]
    const LN_2: [f64; 2];
    /// Below this, eˣ is taken for 0.
    #[doc(hidden)]
    const LEAST_LOG: f64;
    /// The highest powers that the series of eʳ and of artanh need.
    #[doc(hidden)]
    const EXP_TERMS: usize;
    #[doc(hidden)]
    const LOG_TERMS: usize;
    /// See [`trainable`].
    #[doc(hidden)]
    fn trainable(
        shape: Architecture,
        state: TrainingState<Self>,
        adam: Adam,
        engine: Engine,
        device: Device,
    ) -> Result<Box<dyn TrainableNet<Self>>, NetworkError>;
}

macro_rules! real {
    ($float:ty, $digits:literal, $exponent_of_one:literal, $constants:expr, $terms:expr) => {
        impl Real for $float {
            const LN_2: [f64; 2] = [$constants[0], $constants[1]];
            const LEAST_LOG: f64 = $constants[2];
            const EXP_TERMS: usize = $terms[0];
            const LOG_TERMS: usize = $terms[1];

            #[inline(always)]
            fn fused(self, factor: Self, term: Self) -> Self {
                self.mul_add(factor, term)
            }

            // 1.5 times 2 to the number of digits: what is added to it loses its fraction.
            #[inline(always)]
            fn round_small(self) -> Self {
                const SHIFT: $float = 1.5 * (1_u64 << $digits) as $float;
                (self + SHIFT) - SHIFT
            }

            #[inline(always)]
            fn two_to_the(self) -> Self {
                const SHIFT: $float = 1.5 * (1_u64 << $digits) as $float;
                // n stands in the last digits; it moves to the place of the exponent.
                let exponent = (self + SHIFT).to_bits() << $digits;
                Self::from_bits(exponent.wrapping_add($exponent_of_one << $digits))
            }

            #[inline(always)]
            fn of(value: f64) -> Self {
                value as $float
            }

            #[inline(always)]
            fn wide(self) -> f64 {
                f64::from(self)
            }

            fn trainable(
                shape: Architecture,
                state: TrainingState<Self>,
                adam: Adam,
                engine: Engine,
                device: Device,
            ) -> Result<Box<dyn TrainableNet<Self>>, NetworkError> {
                match (device, engine) {
                    (Device::Cpu, Engine::Fused) => Ok(Box::new(fused::Fused::new(shape, state, adam))),
                    (Device::Cpu, Engine::Tape) => {
                        let cpu = dfdx::prelude::Cpu::default();
                        Ok(Box::new(
                            tape::Taped::new(shape, &state, adam, cpu).map_err(NetworkError::device)?,
                        ))
                    }
                    #[cfg(feature = "cuda")]
                    (Device::Cuda(ordinal), _) => {
                        let cuda = device::open(ordinal)?;
                        Ok(Box::new(
                            tape::Taped::new(shape, &state, adam, cuda).map_err(NetworkError::device)?,
                        ))
                    }
                    #[cfg(not(feature = "cuda"))]
                    (Device::Cuda(_), _) => Err(device.check().expect_err("this build has no CUDA").into()),
                }
            }
        }
    };
}

real!(f32, 23, 127, [0.693_359_375, -2.121_944_400_546_905_8e-4, -87.3], [7, 7]);
real!(f64, 52, 1023, [6.931_471_803_691_238e-1, 1.908_214_929_270_587_7e-10, -708.3], [13, 16]);

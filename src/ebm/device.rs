//! Where training runs: the CPU, or a CUDA device if the build and the machine have one.

use std::str::FromStr;

/// A device that cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)] // the messages say what the fields are
pub enum DeviceError {
    #[error("device must be `cpu`, `cuda` or `cuda:<number>`, got `{0}`")]
    Unknown(String),
    #[error("device cuda:{0}: this build has no CUDA support; build with `--features cuda`")]
    NoFeature(usize),
    #[error("device cuda:{0}: no CUDA driver (libcuda) on this machine")]
    NoDriver(usize),
    #[error("device cuda:{wanted}: this machine has {found} CUDA device(s), numbered from 0")]
    NoDevice { wanted: usize, found: usize },
    #[error("device cuda:{ordinal}: {reason}")]
    Broken { ordinal: usize, reason: String },
}

/// A device for training.
///
/// ```
/// use ebmbook::ebm::Device;
/// assert_eq!("cuda:1".parse::<Device>()?, Device::Cuda(1));
/// assert_eq!("gpu".parse::<Device>().unwrap_err().to_string(),
///     "device must be `cpu`, `cuda` or `cuda:<number>`, got `gpu`");
/// # Ok::<(), ebmbook::ebm::DeviceError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Device {
    /// One thread of the CPU.
    #[default]
    Cpu,
    /// The CUDA device of this number.
    Cuda(usize),
}

impl FromStr for Device {
    type Err = DeviceError;

    fn from_str(text: &str) -> Result<Self, DeviceError> {
        let unknown = || DeviceError::Unknown(text.to_owned());
        match text.split_once(':') {
            None if text == "cpu" => Ok(Self::Cpu),
            None if text == "cuda" => Ok(Self::Cuda(0)),
            Some(("cuda", number)) => number.parse().map(Self::Cuda).map_err(|_| unknown()),
            _ => Err(unknown()),
        }
    }
}

impl std::fmt::Display for Device {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Cpu => write!(f, "cpu"),
            Self::Cuda(ordinal) => write!(f, "cuda:{ordinal}"),
        }
    }
}

impl Device {
    /// Whether the device can be used, and if not, what is missing.
    pub fn check(&self) -> Result<(), DeviceError> {
        match self {
            Self::Cpu => Ok(()),
            Self::Cuda(ordinal) => Err(DeviceError::NoFeature(*ordinal)),
        }
    }
}

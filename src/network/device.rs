//! Where training runs: the CPU, or a CUDA device if the build and the machine have one.

use std::str::FromStr;
use std::sync::OnceLock;

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
/// use ebmbook::network::Device;
/// assert_eq!("cuda:1".parse::<Device>()?, Device::Cuda(1));
/// assert_eq!("gpu".parse::<Device>().unwrap_err().to_string(),
///     "device must be `cpu`, `cuda` or `cuda:<number>`, got `gpu`");
/// # Ok::<(), ebmbook::network::DeviceError>(())
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
    /// Whether the device can be used, and if not, what is missing: the build's CUDA support, the
    /// machine's driver, or the device itself.
    pub fn check(&self) -> Result<(), DeviceError> {
        match *self {
            Self::Cpu => Ok(()),
            Self::Cuda(ordinal) if !cfg!(feature = "cuda") => Err(DeviceError::NoFeature(ordinal)),
            Self::Cuda(ordinal) => match cuda_devices(ordinal)?.len() {
                found if ordinal < found => Ok(()),
                found => Err(DeviceError::NoDevice { wanted: ordinal, found }),
            },
        }
    }
}

/// A device, and whether this build can train on it.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct FoundDevice {
    /// As on the command line.
    pub name: String,
    /// What it is, or what is missing.
    pub description: String,
    /// Whether training can run on it.
    pub usable: bool,
}

/// The devices of this machine.
///
/// ```
/// let found = ebmbook::network::devices();
/// assert!(found[0].name == "cpu" && found[0].usable);
/// ```
pub fn devices() -> Vec<FoundDevice> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let mut found = vec![FoundDevice {
        name: Device::Cpu.to_string(),
        description: format!("{cores} core(s); one run uses one"),
        usable: true,
    }];
    match cuda_devices(0) {
        Ok(names) if names.is_empty() => {
            found.push(absent("a CUDA driver, but no device"));
        }
        Ok(names) => found.extend(names.into_iter().enumerate().map(|(ordinal, name)| {
            let device = Device::Cuda(ordinal);
            let built = cfg!(feature = "cuda");
            let note = if built { "" } else { " (this build has no CUDA support)" };
            FoundDevice { name: device.to_string(), description: format!("{name}{note}"), usable: built }
        })),
        Err(DeviceError::NoDriver(_)) => found.push(absent("no CUDA driver (libcuda) on this machine")),
        Err(error) => found.push(absent(&error.to_string())),
    }
    found
}

fn absent(description: &str) -> FoundDevice {
    FoundDevice { name: "cuda".into(), description: description.into(), usable: false }
}

/// Whether the machine has a CUDA driver.
pub(super) fn driver_present() -> bool {
    static PRESENT: OnceLock<bool> = OnceLock::new();
    // SAFETY: it only tries to open a shared library by its well-known name.
    #[allow(unsafe_code)]
    *PRESENT.get_or_init(|| unsafe { cuda_probe::driver::sys::is_culib_present() })
}

/// Names of the machine's CUDA devices, by asking its driver.
fn cuda_devices(wanted: usize) -> Result<Vec<String>, DeviceError> {
    use cuda_probe::driver::{CudaContext, sys};
    if !driver_present() {
        return Err(DeviceError::NoDriver(wanted));
    }
    let broken = |error: cuda_probe::driver::DriverError| DeviceError::Broken {
        ordinal: wanted,
        reason: format!("the driver answers {:?}", error.0),
    };
    // A driver without a device answers the count with "no device".
    let count = match CudaContext::device_count() {
        Ok(count) => count,
        Err(error) if error.0 == sys::CUresult::CUDA_ERROR_NO_DEVICE => 0,
        Err(error) => return Err(broken(error)),
    };
    let name = |ordinal: i32| CudaContext::new(ordinal as usize).and_then(|c| c.name()).map_err(broken);
    (0..count).map(name).collect()
}

/// Opens a CUDA device for training.
#[cfg(feature = "cuda")]
pub(super) fn open(ordinal: usize) -> Result<dfdx::prelude::Cuda, DeviceError> {
    Device::Cuda(ordinal).check()?;
    dfdx::prelude::Cuda::try_build(ordinal, 0)
        .map_err(|error| DeviceError::Broken { ordinal, reason: format!("{error:?}") })
}

//! Methods by name, as a program or a study writes them: `pca:4`, `isomap:5`, `identity`.

use super::{
    Agglomeration, Autoencoder, EbmReduction, Identity, Isomap, KMeansDistances, KernelPca, Pca,
    RandomProjection, Reduce, RepresentationError, Spectral, Untrained,
};
use crate::data::Protocol;
use crate::ebm::{Ebm, EbmParams};
use serde::{Deserialize, Serialize};
use strum::{Display, EnumIter, EnumString, VariantNames};

/// The reductions by name; it parses, prints and lists itself.
///
/// ```
/// use ebmbook::{data::Protocol, representation::RepresentationKind};
/// let kind: RepresentationKind = "kernel-pca".parse()?;
/// assert_eq!(kind.build(3, Protocol::Paper).name(), "kernel-pca");
/// let error = "umap".parse::<RepresentationKind>().unwrap_err();
/// assert!(error.to_string().starts_with("no representation is called `umap`; there are identity, ebm, "));
/// # Ok::<(), ebmbook::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[derive(Display, EnumIter, EnumString, VariantNames)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case", parse_err_ty = RepresentationError, parse_err_fn = unknown)]
pub enum RepresentationKind {
    /// The covariates as they are.
    Identity,
    /// A trained EBM.
    Ebm,
    /// The network of the EBM before its first step.
    Untrained,
    /// Principal components.
    Pca,
    /// Means of groups of covariates.
    Agglomeration,
    /// Spectral embedding.
    Spectral,
    /// Isomap.
    Isomap,
    /// Kernel principal components.
    KernelPca,
    /// An autoencoder's code.
    Autoencoder,
    /// A random projection.
    RandomProjection,
    /// Distances to k-means centres.
    #[serde(rename = "kmeans-distances")]
    #[strum(serialize = "kmeans-distances")]
    KMeansDistances,
}

fn unknown(name: &str) -> RepresentationError {
    let known = RepresentationKind::VARIANTS.join(", ");
    RepresentationError::UnknownMethod { name: name.into(), known }
}

impl RepresentationKind {
    /// Whether another seed would give another representation.
    pub fn is_random(self) -> bool {
        use RepresentationKind::{Autoencoder, Ebm, KMeansDistances, RandomProjection, Untrained};
        matches!(self, Ebm | Untrained | Autoencoder | RandomProjection | KMeansDistances)
    }

    /// The method with k coordinates, set up as the protocol has it.
    pub fn build(self, k: usize, protocol: Protocol) -> Box<dyn Reduce> {
        let released = protocol == Protocol::Released;
        match self {
            Self::Identity => Box::new(Identity),
            // The released program does not standardise its representations.
            Self::Ebm if released => Box::new(EbmReduction::new(EbmParams::released(k)).raw()),
            Self::Ebm => Box::new(EbmReduction::new(Ebm::params(k))),
            Self::Untrained if released => {
                Box::new(Untrained::new(Ebm::params(k).released_architecture(true)).raw())
            }
            Self::Untrained => Box::new(Untrained::new(Ebm::params(k))),
            Self::Pca => Box::new(Pca::new(k)),
            Self::Agglomeration => Box::new(Agglomeration::new(k)),
            // There is no map for new rows; the released program embeds them among themselves.
            Self::Spectral if released => Box::new(Spectral::refitted(k)),
            Self::Spectral => Box::new(Spectral::extended(k)),
            // The released program hands its k to the number of neighbours.
            Self::Isomap if released => Box::new(Isomap::neighbours(k)),
            Self::Isomap => Box::new(Isomap::components(k)),
            Self::KernelPca => Box::new(KernelPca::new(k)),
            Self::Autoencoder if released => Box::new(Autoencoder::params(k).released()),
            Self::Autoencoder => Box::new(Autoencoder::params(k)),
            Self::RandomProjection => Box::new(RandomProjection::new(k)),
            Self::KMeansDistances => Box::new(KMeansDistances::new(k)),
        }
    }
}

/// [`RepresentationKind`] parsed and built.
pub fn by_name(name: &str, k: usize, protocol: Protocol) -> Result<Box<dyn Reduce>, RepresentationError> {
    Ok(name.parse::<RepresentationKind>()?.build(k, protocol))
}

/// The method that `NAME:K` describes; `identity` goes without a K.
///
/// ```
/// use ebmbook::{data::Protocol, representation::parse};
/// assert_eq!(parse("pca:4", Protocol::Paper)?.name(), "pca");
/// assert_eq!(parse("identity", Protocol::Paper)?.name(), "identity");
/// let error = parse("pca", Protocol::Paper).err().unwrap();
/// assert_eq!(error.to_string(), "a method must be written NAME:K with a whole number K ≥ 1, got `pca`");
/// # Ok::<(), ebmbook::Error>(())
/// ```
pub fn parse(text: &str, protocol: Protocol) -> Result<Box<dyn Reduce>, RepresentationError> {
    let malformed = || RepresentationError::MalformedMethod(text.into());
    let Some((name, k)) = text.split_once(':') else {
        return match text.parse()? {
            RepresentationKind::Identity => Ok(RepresentationKind::Identity.build(1, protocol)),
            _ => Err(malformed()),
        };
    };
    let k = k.parse().ok().filter(|k| *k >= 1).ok_or_else(malformed)?;
    by_name(name, k, protocol)
}

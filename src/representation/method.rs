//! Methods by name, as a program or a study writes them: `pca:4`, `isomap:5`, `identity`.

use super::{
    Agglomeration, Autoencoder, EbmReduction, Identity, Isomap, KMeansDistances, KernelPca, Pca,
    RandomProjection, Reduce, RepresentationError, Spectral, Untrained,
};
use crate::data::Protocol;
use crate::ebm::{Ebm, EbmParams};

/// Every name that [`by_name`] knows.
pub const METHODS: [&str; 11] = [
    "identity",
    "ebm",
    "untrained",
    "pca",
    "agglomeration",
    "spectral",
    "isomap",
    "kernel-pca",
    "autoencoder",
    "random-projection",
    "kmeans-distances",
];

/// The method with this name and k coordinates, set up as the protocol has it.
///
/// ```
/// use ebmbook::{data::Protocol, representation::by_name};
/// assert_eq!(by_name("kernel-pca", 3, Protocol::Paper)?.name(), "kernel-pca");
/// let error = by_name("umap", 3, Protocol::Paper).err().unwrap();
/// assert!(error.to_string().starts_with("no representation is called `umap`; there are identity, ebm, "));
/// # Ok::<(), ebmbook::Error>(())
/// ```
pub fn by_name(name: &str, k: usize, protocol: Protocol) -> Result<Box<dyn Reduce>, RepresentationError> {
    let released = protocol == Protocol::Released;
    Ok(match name {
        "identity" => Box::new(Identity),
        // The released program does not standardise its representations.
        "ebm" if released => Box::new(EbmReduction::new(EbmParams::released(k)).raw()),
        "ebm" => Box::new(EbmReduction::new(Ebm::params(k))),
        "untrained" if released => Box::new(Untrained::new(Ebm::params(k).released_architecture(true)).raw()),
        "untrained" => Box::new(Untrained::new(Ebm::params(k))),
        "pca" => Box::new(Pca::new(k)),
        "agglomeration" => Box::new(Agglomeration::new(k)),
        // There is no map for new rows; the released program embeds them among themselves.
        "spectral" if released => Box::new(Spectral::refitted(k)),
        "spectral" => Box::new(Spectral::extended(k)),
        // The released program hands its k to the number of neighbours.
        "isomap" if released => Box::new(Isomap::neighbours(k)),
        "isomap" => Box::new(Isomap::components(k)),
        "kernel-pca" => Box::new(KernelPca::new(k)),
        "autoencoder" if released => Box::new(Autoencoder::params(k).released()),
        "autoencoder" => Box::new(Autoencoder::params(k)),
        "random-projection" => Box::new(RandomProjection::new(k)),
        "kmeans-distances" => Box::new(KMeansDistances::new(k)),
        _ => {
            let known = METHODS.join(", ");
            return Err(RepresentationError::UnknownMethod { name: name.into(), known });
        }
    })
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
    match text.split_once(':') {
        None if text == "identity" => by_name(text, 1, protocol),
        None if METHODS.contains(&text) => Err(malformed()),
        None => by_name(text, 1, protocol),
        Some((name, k)) => {
            let k = k.parse().ok().filter(|k| *k >= 1).ok_or_else(malformed)?;
            by_name(name, k, protocol)
        }
    }
}

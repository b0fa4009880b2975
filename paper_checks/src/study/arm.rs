//! What is compared within a setting, by name.

use ebmbook::ebm::Objective;
use std::fmt::{self, Display, Formatter};
use std::str::FromStr;
use strum::{Display, EnumString};

/// A method under the name that cells and tables have for it: `raw`, `pca+1`, `ebm, fresh samples`, `k 10`.
///
/// ```
/// use paper_checks::study::{Arm, Base};
/// assert_eq!(Arm::PCA.plus_constant().to_string(), "pca+1");
/// assert_eq!("ebm, fresh samples".parse(), Ok(Arm::of(Base::Ebm).on_fresh_samples()));
/// for name in ["ebm-pairwise+1", "raw, ten best of 15", "untrained k 10", "q 0.35", "ebm, Haar directions"] {
///     assert_eq!(name.parse::<Arm>().unwrap().to_string(), name);
/// }
/// assert!("ebm-pairwize".parse::<Arm>().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Arm {
    /// The method.
    pub base: Base,
    /// The hyper-parameter that is swept, and a hundred times its value.
    pub swept: Option<(Hyperparameter, u32)>,
    /// Whether a column of ones stands beside the representation, and the name says so.
    pub constant: bool,
    /// Whether each run has a sample of its own, and the name says so.
    pub fresh: bool,
    /// Of how many runs the ten with the smallest test error were chosen.
    pub ten_best_of: Option<usize>,
}

/// A method.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Display, EnumString)]
#[strum(serialize_all = "kebab-case")]
#[allow(missing_docs)] // the plans say what each is
pub enum Base {
    /// Nothing is compared: the data themselves.
    Data,
    Raw,
    Latent,
    Untrained,
    Pca,
    Agglomeration,
    Spectral,
    Isomap,
    KernelPca,
    Autoencoder,
    AutoencoderSane,
    #[strum(serialize = "autoencoder released")]
    AutoencoderReleased,
    KmeansDistances,
    #[strum(serialize = "softmax logits")]
    SoftmaxLogits,
    #[strum(serialize = "softmax logits same rows")]
    SoftmaxLogitsSameRows,
    #[strum(serialize = "pca then softmax logits")]
    SoftmaxLogitsAfterPca,
    #[strum(serialize = "propensity and prognosis")]
    Scores,
    // The trained EBM, from here on.
    Ebm,
    EbmPairwise,
    EbmRanking,
    EbmRankingExact,
    EbmEnergyOnly,
    EbmReleasedProgram,
    #[strum(serialize = "ebm, Haar directions")]
    EbmHaar,
    #[strum(serialize = "ebm light")]
    EbmLight,
    #[strum(serialize = "ebm light stopped early")]
    EbmLightStoppedEarly,
    #[strum(serialize = "ebm light k-means")]
    EbmLightKMeans,
    #[strum(serialize = "ebm random folds")]
    EbmRandomFolds,
    #[strum(serialize = "ebm k-means folds")]
    EbmKMeansFolds,
    #[strum(serialize = "ebm soft folds")]
    EbmSoftFolds,
    /// Folds by arm and outcome, f modulo B1.
    #[strum(serialize = "ebm arm-outcome")]
    EbmArmOutcome,
    #[strum(serialize = "ebm arm-outcome same rows")]
    EbmArmOutcomeSameRows,
    #[strum(serialize = "pca then ebm arm-outcome")]
    EbmArmOutcomeAfterPca,
    #[strum(serialize = "ebm other rows")]
    EbmOtherRows,
    /// The EBM of Figure 3 where its folds are compared with training on all rows.
    #[strum(serialize = "random folds")]
    RandomFolds,
    #[strum(serialize = "all rows")]
    AllRows,
}

/// What is varied around the printed setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Display, EnumString)]
#[strum(serialize_all = "kebab-case")]
#[allow(missing_docs)] // the paper's letters
pub enum Hyperparameter {
    B,
    K,
    /// k with Haar directions.
    HaarK,
    Layers,
    Q,
    Noise,
    /// All of b, k, depth and q; the number is that of the trial.
    Trial,
}

impl Base {
    /// The reductions of the paper.
    pub const REDUCTIONS: [Self; 6] =
        [Self::Pca, Self::Agglomeration, Self::Spectral, Self::Isomap, Self::KernelPca, Self::Autoencoder];
}

impl Base {
    /// The EBM with this objective.
    pub const fn trained(objective: Objective) -> Self {
        match objective {
            Objective::Pairwise => Self::EbmPairwise,
            Objective::Ranking => Self::EbmRanking,
            Objective::RankingExact => Self::EbmRankingExact,
            Objective::EnergyOnly => Self::EbmEnergyOnly,
            Objective::ReleasedProgram => Self::EbmReleasedProgram,
        }
    }

    /// Its name in a figure.
    fn words(self) -> &'static str {
        match self {
            Self::Data => "data",
            Self::Raw => "covariates",
            Self::Latent => "true latents",
            Self::Untrained => "untrained network",
            Self::Pca => "PCA",
            Self::Agglomeration => "feature agglomeration",
            Self::Spectral => "spectral embedding",
            Self::Isomap => "Isomap",
            Self::KernelPca => "kernel PCA",
            Self::Autoencoder => "autoencoder",
            Self::AutoencoderSane => "autoencoder, usual start",
            Self::AutoencoderReleased => "autoencoder, released start",
            Self::KmeansDistances => "distances to k-means centres",
            Self::SoftmaxLogits => "softmax logits",
            Self::SoftmaxLogitsSameRows => "softmax logits, same rows",
            Self::SoftmaxLogitsAfterPca => "PCA, then softmax logits",
            Self::Scores => "propensity and prognosis",
            Self::Ebm | Self::EbmPairwise => "EBM",
            Self::EbmRanking => "EBM, printed objective",
            Self::EbmRankingExact => "EBM, exact posterior",
            Self::EbmEnergyOnly => "EBM, energies alone",
            Self::EbmReleasedProgram => "EBM, released program",
            Self::EbmHaar => "EBM, another B",
            Self::EbmLight => "EBM, light corruption",
            Self::EbmLightStoppedEarly => "EBM, light corruption, stopped early",
            Self::EbmLightKMeans => "EBM, light corruption, k-means folds",
            Self::EbmRandomFolds => "EBM, random folds",
            Self::EbmKMeansFolds => "EBM, k-means folds",
            Self::EbmSoftFolds => "EBM, soft folds",
            Self::EbmArmOutcome => "mended EBM",
            Self::EbmArmOutcomeSameRows => "mended EBM, same rows",
            Self::EbmArmOutcomeAfterPca => "PCA, then mended EBM",
            Self::EbmOtherRows => "mended EBM, other rows as noise",
            Self::RandomFolds => "EBM, one fold per direction",
            Self::AllRows => "EBM, all rows for each direction",
        }
    }
}

impl Hyperparameter {
    /// Its name in a figure.
    fn words(self) -> &'static str {
        match self {
            Self::B => "b =",
            Self::K => "k =",
            Self::HaarK => "another B, k =",
            Self::Layers => "layers:",
            Self::Q => "q =",
            Self::Noise => "noise:",
            Self::Trial => "trial",
        }
    }
}

impl Arm {
    /// The covariates.
    pub const RAW: Self = Self::of(Base::Raw);
    /// The EBM with the pairwise objective.
    pub const EBM: Self = Self::of(Base::EbmPairwise);
    /// The EBM before its first step.
    pub const UNTRAINED: Self = Self::of(Base::Untrained);
    /// PCA.
    pub const PCA: Self = Self::of(Base::Pca);
    /// The latent U of synthetic data.
    pub const LATENT: Self = Self::of(Base::Latent);

    /// A method as it is.
    pub const fn of(base: Base) -> Self {
        Self { base, swept: None, constant: false, fresh: false, ten_best_of: None }
    }

    /// The method with a column of ones beside the representation.
    pub const fn plus_constant(self) -> Self {
        Self { constant: true, ..self }
    }

    /// The method with a sample of its own for every run.
    pub const fn on_fresh_samples(self) -> Self {
        Self { fresh: true, ..self }
    }

    /// The method with another value of a hyper-parameter.
    pub fn with(self, of: Hyperparameter, value: f64) -> Self {
        Self { swept: Some((of, (100.0 * value).round() as u32)), ..self }
    }

    /// Whether it is a trained EBM under its own name; sweeps go by the name of what they vary.
    pub fn is_ebm(self) -> bool {
        let other = matches!(self.base, Base::RandomFolds | Base::AllRows);
        self.swept.is_none() && self.base >= Base::Ebm && !other
    }

    /// The name that people read in a figure: `EBM`, `PCA, with a constant`, `untrained network`.
    ///
    /// ```
    /// use paper_checks::study::Arm;
    /// assert_eq!(Arm::EBM.plus_constant().words(), "EBM, with a constant");
    /// assert_eq!(Arm::RAW.words(), "covariates");
    /// ```
    pub fn words(self) -> String {
        let mut said = match self.swept {
            Some((of, hundredths)) => {
                let base = if self.base == Base::EbmPairwise { "EBM" } else { self.base.words() };
                format!("{base}, {} {}", of.words(), f64::from(hundredths) / 100.0)
            }
            None => self.base.words().to_owned(),
        };
        said += if self.constant { ", with a constant" } else { "" };
        said += if self.fresh { FRESH } else { "" };
        said + &self.ten_best_of.map_or(String::new(), |runs| format!("{TEN_BEST}{runs}"))
    }

    /// Whether it is one of the autoencoders.
    pub fn is_autoencoder(self) -> bool {
        matches!(self.base, Base::Autoencoder | Base::AutoencoderSane | Base::AutoencoderReleased)
    }
}

impl Display for Arm {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        // Of a sweep the EBM is not named.
        if self.swept.is_none() || self.base != Base::EbmPairwise {
            write!(f, "{}", self.base)?;
        }
        if let Some((of, hundredths)) = self.swept {
            let space = if self.base == Base::EbmPairwise { "" } else { " " };
            write!(f, "{space}{of} {}", f64::from(hundredths) / 100.0)?;
        }
        f.write_str(if self.constant { "+1" } else { "" })?;
        f.write_str(if self.fresh { FRESH } else { "" })?;
        self.ten_best_of.map_or(Ok(()), |runs| write!(f, "{TEN_BEST}{runs}"))
    }
}

const FRESH: &str = ", fresh samples";
const TEN_BEST: &str = ", ten best of ";

impl FromStr for Arm {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let (all, runs) =
            name.split_once(TEN_BEST).map_or((name, None), |(all, runs)| (all, runs.parse().ok()));
        let fresh = all.strip_suffix(FRESH);
        let plain = fresh.unwrap_or(all);
        let (base, constant) = plain.strip_suffix("+1").map_or((plain, false), |base| (base, true));
        let swept = || {
            let (base, value) = base.rsplit_once(' ')?;
            let (base, of) = base.split_once(' ').unwrap_or(("ebm-pairwise", base));
            Some(Self::of(base.parse().ok()?).with(of.parse().ok()?, value.parse().ok()?))
        };
        let found = base.parse().ok().map(Self::of).or_else(swept);
        let found = found.ok_or_else(|| format!("no arm is called `{name}`"))?;
        Ok(Self { constant, fresh: fresh.is_some(), ten_best_of: runs, ..found })
    }
}

impl serde::Serialize for Arm {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

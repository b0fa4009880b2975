//! What is compared within a setting: representations, with or without a constant column.

use super::{SEED, Setting};
use crate::study::{Cell, DataSpec, Effects, Fit, RepresentationSpec, Source, Task};
use ebmbook::data::Protocol;
use ebmbook::ebm::{EbmParams, Objective};

/// A representation under a name.
#[derive(Clone, Debug)]
pub struct Arm {
    /// The name.
    pub name: String,
    representation: RepresentationSpec,
    constant_column: bool,
}

impl Arm {
    /// The covariates.
    pub fn raw() -> Self {
        Self { name: "raw".into(), representation: RepresentationSpec::Raw, constant_column: false }
    }

    /// The latent U, with a constant column so that no regressor lacks an intercept.
    pub fn latent() -> Self {
        Self { name: "latent".into(), representation: RepresentationSpec::Latent, constant_column: true }
    }

    /// The EBM of a setting under an objective. Under `released` coordinates stay as they are.
    pub fn ebm(setting: &Setting, protocol: Protocol, objective: Objective) -> Self {
        let name = serde_json::to_value(objective).expect("plain data");
        let name = format!("ebm-{}", name.as_str().expect("an objective is a word"));
        Self::trained(&name, setting.ebm(protocol, objective), protocol)
    }

    /// An EBM with parameters of its own.
    pub fn trained(name: &str, params: EbmParams, protocol: Protocol) -> Self {
        let standardised = protocol == Protocol::Paper;
        let representation = RepresentationSpec::Ebm { params: Box::new(params), standardised };
        Self { name: name.into(), representation, constant_column: false }
    }

    /// The EBM of the setting before its first step: run r starts where run r of the EBM did.
    pub fn untrained(setting: &Setting, protocol: Protocol) -> Self {
        Self::untrained_with(setting.ebm(protocol, Objective::Pairwise), protocol)
    }

    /// An EBM with parameters of its own before its first step.
    pub fn untrained_with(params: EbmParams, protocol: Protocol) -> Self {
        let params = Box::new(params);
        let standardised = protocol == Protocol::Paper;
        let representation = RepresentationSpec::Untrained { params, standardised };
        Self { name: "untrained".into(), representation, constant_column: false }
    }

    /// The same under another name.
    pub fn called(self, name: &str) -> Self {
        Self { name: name.into(), ..self }
    }

    /// A reduction by name.
    pub fn reduction(name: &str, k: usize, protocol: Protocol) -> Self {
        let representation =
            RepresentationSpec::Named { name: name.into(), k, protocol, standardised: false };
        Self { name: name.into(), representation, constant_column: false }
    }

    /// The autoencoder with a sane start; under `released` the plain name is the released start's.
    pub fn sane_autoencoder(k: usize) -> Self {
        Self::reduction("autoencoder", k, Protocol::Paper).called("autoencoder-sane")
    }

    /// A reduction with coordinates standardised by the training rows.
    pub fn standardised(mut self) -> Self {
        if let RepresentationSpec::Named { standardised, .. } = &mut self.representation {
            *standardised = true;
        }
        self
    }

    /// The covariates, the EBM, and what it is held against.
    pub fn trained_and_trivial(setting: &Setting, protocol: Protocol) -> Vec<Self> {
        let mut arms = vec![Self::raw(), Self::ebm(setting, protocol, Objective::Pairwise)];
        arms.extend(Self::beside(setting, protocol));
        arms
    }

    /// What stands beside the EBM in tables over learners: its network before the first step and PCA with
    /// an intercept, which have to be beaten for training to count, and, where it is known, the latent U
    /// as the floor.
    pub fn beside(setting: &Setting, protocol: Protocol) -> Vec<Self> {
        let pca = Self::reduction("pca", setting.k(), protocol).with_constant();
        let mut arms = vec![Self::untrained(setting, protocol), pca];
        if setting.source == Source::Synthetic {
            arms.push(Self::latent());
        }
        arms
    }

    /// The same with a column of ones beside it.
    pub fn with_constant(self) -> Self {
        Self { name: format!("{}+1", self.name), constant_column: true, ..self }
    }

    /// Both variants, unless it has the column anyway.
    pub fn as_it_is_and_with_constant(&self) -> Vec<Self> {
        if self.constant_column {
            vec![self.clone()]
        } else {
            vec![self.clone(), self.clone().with_constant()]
        }
    }

    /// What the learners see.
    pub fn representation(&self) -> &RepresentationSpec {
        &self.representation
    }

    /// Whether runs differ: T has nothing random but the representation, the other learners draw
    /// folds and the classifier's probabilities.
    pub fn replicates(&self, fits: &[Fit], wanted: usize) -> usize {
        if self.representation.is_random() || fits.iter().any(|f| f.learner != "t") { wanted } else { 1 }
    }

    /// The cell of one run.
    pub fn cell(
        &self,
        study: &str,
        setting: &Setting,
        data: DataSpec,
        fits: &[Fit],
        replicate: usize,
    ) -> Cell {
        Cell {
            study: study.into(),
            block: setting.block.clone(),
            d: setting.d,
            n: setting.n,
            protocol: data.protocol,
            arm: self.name.clone(),
            replicate,
            task: Task::Effects(Effects {
                data,
                representation: self.representation.clone(),
                constant_column: self.constant_column,
                centre_arms: false,
                fits: fits.to_vec(),
                replicate,
                seed: SEED,
            }),
        }
    }
}

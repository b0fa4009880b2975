//! What is compared within a setting: representations, with or without a constant column.

use super::{SEED, Setting};
use crate::study::{
    Arm, Base, Cell, DataSpec, Effects, Fit, LearnerKind, RepresentationSpec, Scale, Source, Task,
};
use ebmbook::data::Protocol;
use ebmbook::ebm::{EbmParams, Objective};

/// A representation, and the arm that it is in tables.
#[derive(Clone, Debug)]
pub struct Method {
    arm: Arm,
    representation: RepresentationSpec,
    constant_column: bool,
    scores: bool,
}

impl Method {
    fn new(arm: Arm, representation: RepresentationSpec) -> Self {
        Self { arm, representation, constant_column: false, scores: false }
    }

    /// The covariates.
    pub fn raw() -> Self {
        Self::new(Arm::RAW, RepresentationSpec::Raw)
    }

    /// The latent U, with a constant column so that no regressor lacks an intercept.
    pub fn latent() -> Self {
        Self { constant_column: true, ..Self::new(Arm::LATENT, RepresentationSpec::Latent) }
    }

    /// The EBM of a setting under an objective. Under `released` coordinates stay as they are.
    pub fn ebm(setting: &Setting, protocol: Protocol, objective: Objective) -> Self {
        Self::trained(Arm::of(Base::trained(objective)), setting.ebm(protocol, objective), protocol)
    }

    /// The authors' training, where it belongs: under their protocol, and at full scale, because it takes long.
    pub fn released_program(setting: &Setting, protocol: Protocol, scale: Scale) -> Option<Self> {
        let here = protocol == Protocol::Released && scale == Scale::Full;
        here.then(|| Self::ebm(setting, protocol, Objective::ReleasedProgram))
    }

    /// An EBM with parameters of its own.
    pub fn trained(arm: Arm, params: EbmParams, protocol: Protocol) -> Self {
        Self::new(arm, RepresentationSpec::ebm(params, protocol))
    }

    /// The EBM of the setting before its first step: run r starts where run r of the EBM did.
    pub fn untrained(setting: &Setting, protocol: Protocol) -> Self {
        Self::untrained_with(setting.ebm(protocol, Objective::Pairwise), protocol)
    }

    /// An EBM with parameters of its own before its first step.
    pub fn untrained_with(params: EbmParams, protocol: Protocol) -> Self {
        Self::new(Arm::UNTRAINED, RepresentationSpec::untrained(params, protocol))
    }

    /// The method with the scores that its hyper-parameters can be chosen by.
    pub fn with_scores(self) -> Self {
        Self { scores: true, ..self }
    }

    /// The method under another name.
    pub fn called(self, arm: Arm) -> Self {
        Self { arm, ..self }
    }

    /// A reduction by name.
    ///
    /// # Panics
    /// If it is no reduction.
    pub fn reduction(base: Base, k: usize, protocol: Protocol) -> Self {
        let name = base.to_string().parse().expect("a reduction");
        Self::new(Arm::of(base), RepresentationSpec::named(name, k, protocol))
    }

    /// The autoencoder with a sane start; under `released` the plain name is the released start's.
    pub fn sane_autoencoder(k: usize) -> Self {
        Self::reduction(Base::Autoencoder, k, Protocol::Paper).called(Arm::of(Base::AutoencoderSane))
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
        let mut methods = vec![Self::raw(), Self::ebm(setting, protocol, Objective::Pairwise)];
        methods.extend(Self::beside(setting, protocol));
        methods
    }

    /// What stands beside the EBM in tables over learners: its network before the first step and PCA with
    /// an intercept, which have to be beaten for training to count, and, where it is known, the latent U
    /// as the floor.
    pub fn beside(setting: &Setting, protocol: Protocol) -> Vec<Self> {
        let pca = Self::reduction(Base::Pca, setting.k(), protocol).with_constant();
        let mut methods = vec![Self::untrained(setting, protocol), pca];
        methods.extend((setting.source == Source::Synthetic).then(Self::latent));
        methods
    }

    /// The method with a column of ones beside it.
    pub fn with_constant(self) -> Self {
        Self { arm: self.arm.plus_constant(), constant_column: true, ..self }
    }

    /// Both variants, unless it has the column anyway.
    pub fn as_it_is_and_with_constant(&self) -> Vec<Self> {
        let more = (!self.constant_column).then(|| self.clone().with_constant());
        [self.clone()].into_iter().chain(more).collect()
    }

    /// Whether runs differ: T has nothing random but the representation, the other learners draw
    /// folds and the classifier's probabilities.
    pub fn replicates(&self, fits: &[Fit], wanted: usize) -> usize {
        let is_random = self.representation.is_random() || fits.iter().any(|f| f.learner != LearnerKind::T);
        if is_random { wanted } else { 1 }
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
        let task = Task::Effects(Effects {
            data,
            representation: self.representation.clone(),
            constant_column: self.constant_column,
            centre_arms: false,
            fits: fits.to_vec(),
            scores: self.scores,
            replicate,
            seed: SEED,
        });
        Cell::new(study, setting.block, self.arm, replicate, task)
    }
}

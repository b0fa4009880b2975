//! Representations as plain data, so that they can be part of a task.

use super::cache::Cache;
use super::{DataSpec, StudyError, as_text};
use ebmbook::data::split::Standardiser;
use ebmbook::data::{Protocol, TrainTest};
use ebmbook::ebm::EbmParams;
use ebmbook::representation::{EbmReduction, NewRows, REFIT_ROWS, Reduce, RepresentationKind, Untrained};
use ebmbook::seed::Seed;
use ndarray::{Array2, s};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// What learners see.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "method", rename_all = "kebab-case")]
pub enum RepresentationSpec {
    /// The covariates.
    Raw,
    /// The latent U of synthetic data: the floor that no representation of X gets below.
    Latent,
    /// A reduction by name.
    Named {
        /// Which.
        name: RepresentationKind,
        /// Number of coordinates.
        k: usize,
        /// As the text has it, or as the released program has it.
        protocol: Protocol,
        /// Whether coordinates are standardised by the training rows.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        standardised: bool,
    },
    /// A trained EBM.
    Ebm {
        /// Its parameters, all of them.
        params: Box<EbmParams>,
        /// Whether coordinates are standardised by the training rows.
        standardised: bool,
    },
    /// A network of the same shape before its first step.
    Untrained {
        /// The parameters that shape it.
        params: Box<EbmParams>,
        /// Whether coordinates are standardised by the training rows.
        standardised: bool,
    },
}

/// Representations kept in memory: 20 000 test rows of 20 coordinates take 3 MB.
const KEPT: usize = 32;

/// Features of training and test rows. There may be fewer test rows than the data has.
pub(super) struct Embedded {
    pub train: Array2<f64>,
    pub test: Array2<f64>,
    /// Loss on the rows that training held out.
    pub held_out_loss: Option<f64>,
}

impl RepresentationSpec {
    /// A trained EBM: coordinates are standardised under `paper` and stay as they are under `released`.
    pub(super) fn ebm(params: EbmParams, protocol: Protocol) -> Self {
        Self::Ebm { params: Box::new(params), standardised: protocol == Protocol::Paper }
    }

    /// Its network before the first step.
    pub(super) fn untrained(params: EbmParams, protocol: Protocol) -> Self {
        Self::Untrained { params: Box::new(params), standardised: protocol == Protocol::Paper }
    }

    /// A reduction by name.
    pub(super) fn named(name: RepresentationKind, k: usize, protocol: Protocol) -> Self {
        Self::Named { name, k, protocol, standardised: false }
    }

    /// The method, unless it is the covariates or the latents themselves.
    pub(super) fn reduce(&self) -> Result<Option<Box<dyn Reduce>>, StudyError> {
        Ok(match self {
            Self::Raw | Self::Latent => None,
            Self::Named { name, k, protocol, .. } => Some(name.build(*k, *protocol)),
            Self::Ebm { params, standardised } => {
                let ebm = EbmReduction::new((**params).clone());
                Some(Box::new(if *standardised { ebm } else { ebm.raw() }))
            }
            Self::Untrained { params, standardised } => {
                let network = Untrained::new((**params).clone());
                Some(Box::new(if *standardised { network } else { network.raw() }))
            }
        })
    }

    /// Whether it is a network before its first step.
    pub(in crate::study) fn is_untrained(&self) -> bool {
        matches!(self, Self::Untrained { .. })
    }

    /// Whether it is computed by a network.
    pub(in crate::study) fn has_network(&self) -> bool {
        match self {
            Self::Raw | Self::Latent => false,
            Self::Named { name, .. } => *name == RepresentationKind::Autoencoder,
            Self::Ebm { .. } | Self::Untrained { .. } => true,
        }
    }

    /// Whether another seed would give another representation.
    pub(in crate::study) fn is_random(&self) -> bool {
        match self {
            Self::Raw | Self::Latent => false,
            Self::Named { name, .. } => name.is_random(),
            Self::Ebm { .. } | Self::Untrained { .. } => true,
        }
    }

    /// [`Self::embed`], from memory if it was made before: runs of a learner on one
    /// representation, or with and without a constant column, follow one another.
    pub(super) fn embed_shared(&self, data: &DataSpec, seed: Seed) -> Result<Arc<Embedded>, StudyError> {
        static MADE: Cache<String, Embedded> = Cache::new(KEPT);
        let rows = data.load()?;
        if matches!(self, Self::Raw | Self::Latent) {
            return Ok(Arc::new(self.embed(&rows, seed)?));
        }
        let drawn = if self.is_random() { seed.to_hex() } else { String::new() };
        MADE.get(&as_text(&(data, self, drawn)), || self.embed(&rows, seed))
    }

    /// Fits on the training rows and applies to both parts.
    pub(super) fn embed(&self, data: &TrainTest, seed: Seed) -> Result<Embedded, StudyError> {
        let (train, test) = (&data.train, &data.test);
        let Some(reduce) = self.reduce()? else {
            let (train, test) = match self {
                Self::Latent => (train.latent()?, test.latent()?),
                _ => (train.x(), test.x()),
            };
            return Ok(Embedded { train: train.to_owned(), test: test.to_owned(), held_out_loss: None });
        };
        let fitted = reduce.fit(train.covariates(), seed)?;
        let rows = if fitted.new_rows() == NewRows::Refit { REFIT_ROWS.min(test.n()) } else { test.n() };
        let (train, test) = (fitted.training(), fitted.transform(test.x().slice(s![..rows, ..]))?);
        let held_out_loss = fitted.held_out_loss();
        if matches!(self, Self::Named { standardised: true, .. }) {
            let scale = Standardiser::fit(train.view());
            let (train, test) = (scale.apply(train.view()), scale.apply(test.view()));
            return Ok(Embedded { train, test, held_out_loss });
        }
        Ok(Embedded { train: train.to_owned(), test, held_out_loss })
    }
}

//! A run in the number type it was asked for.

use super::checkpoint::Recipe;
use super::looping::Loop;
use super::{
    Adam, Architecture, BatchLoss, Device, Engine, EpochRecord, History, NetworkError, Plan, Precision,
    Reader, Writer, trainable,
};
use crate::seed::Seed;

/// The network a run starts with, and what computes it.
pub(crate) struct Network {
    pub shape: Architecture,
    pub theta: Vec<f64>,
    pub adam: Adam,
    pub engine: Engine,
    pub device: Device,
    pub precision: Precision,
}

/// A loop in single or double precision.
pub(crate) enum Run<L: BatchLoss<f32> + BatchLoss<f64>> {
    Single(Loop<f32, L>),
    Double(Loop<f64, L>),
}

/// Calls the same code in either number type.
macro_rules! either {
    ($run:expr, $inner:ident => $body:expr) => {
        match $run {
            Run::Single($inner) => $body,
            Run::Double($inner) => $body,
        }
    };
}

impl<L: BatchLoss<f32> + BatchLoss<f64>> Run<L> {
    /// Sets everything up for n rows; no step is taken yet.
    pub fn new(network: Network, plan: Plan, loss: L, n: usize, seed: Seed) -> Result<Self, NetworkError> {
        let Network { shape, theta, adam, engine, device, precision } = network;
        Ok(match precision {
            Precision::F32 => {
                Self::Single(Loop::new(plan, loss, trainable(shape, &theta, adam, engine, device)?, n, seed)?)
            }
            Precision::F64 => {
                Self::Double(Loop::new(plan, loss, trainable(shape, &theta, adam, engine, device)?, n, seed)?)
            }
        })
    }

    /// Trains for one epoch; none if the run is over.
    pub fn epoch(&mut self) -> Result<Option<EpochRecord>, NetworkError> {
        either!(self, run => run.epoch())
    }

    /// The course of the run so far.
    pub fn history(&self) -> &History {
        either!(self, run => &run.history)
    }

    /// The weights that are kept, the course of the run and its loss.
    pub fn finish(self) -> (Vec<f64>, History, L) {
        either!(self, run => run.finish())
    }

    /// Writes θ, Adam's moments and the weights kept so far; returns Adam's number of steps.
    pub fn write(&self, shape: &Architecture, writer: &mut Writer) -> u32 {
        either!(self, run => {
            let state = run.net.state();
            for (prefix, values) in [("", &state.theta), ("adam.m.", &state.m), ("adam.v.", &state.v)] {
                writer.layers(prefix, shape, values);
            }
            if let Some(kept) = &run.kept {
                writer.layers("kept.", shape, kept);
            }
            state.steps
        })
    }

    /// Takes over what [`write`](Self::write) wrote.
    pub fn restore<P: Recipe>(&mut self, reader: &Reader<'_, P>) -> Result<(), NetworkError> {
        let shape = reader.header.shape()?;
        either!(self, run => {
            let (state, kept) = reader.state(&shape)?;
            run.restore(&state, kept, reader.header.history.clone())
        })
    }
}

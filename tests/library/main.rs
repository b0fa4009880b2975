//! The library as its users see it. One module per topic.

mod autoencoder;
mod crossfit;
mod csv_reader;
mod ebm_checkpoint;
mod ebm_devices;
mod ebm_findings;
mod ebm_objectives;
mod ebm_training;
mod examples;
mod learner_parity;
mod learner_sanity;
mod noise_kernel;
mod paper_data;
mod reduction_parity;
mod reduction_properties;
mod released_data;
mod shift;
mod support;
mod svc_parity;

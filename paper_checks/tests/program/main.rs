//! The program `ebmbook`, the claims and the tree as a whole. One module per topic.

mod bad_inputs;
mod cate;
mod claims;
mod data_commands;
mod embed;
mod experiments;
mod layers;
mod main_job;
mod notebooks;
mod printed_digits;
mod printed_numbers;
mod printed_reductions;
mod prose;
mod readme;
mod reduce;
mod registry;
mod report;
mod shares;
mod site;
mod slurm;
mod studies;
mod support;
mod sweep;
mod tree;
mod trends;

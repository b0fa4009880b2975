//! The gain of the EBM over the covariates diminishes with n: slope of log₂ of the ratio of errors
//! on log₂ n.
//!
//! The synthetic rows are the authors' own draws, and runs are the replicates. The cut of Twins is ours,
//! and what linear kernel ridge makes of rare categories differs from cut to cut: there the replicates
//! are fresh cuts, each with a slope of its own.

use super::compare::{Gains, Pair, average, learners, of, slope, slope_ends};
use super::rare_rows::on_twins;
use crate::checks::{Context, Findings};
use crate::printed::Block;
use crate::study::{Arm, Fit, LearnerKind, Quantity, RegressorKind, Results, StudyError, Summary};
use crate::verdict::Value;
use ebmbook::data::Protocol;

/// Blocks in which n alone grows.
const SYNTHETIC: Block = Block::SyntheticD100;
const TWINS: Block = Block::Twins;
/// The learners of the study over fresh cuts.
const OVER_CUTS: [Quantity; 2] =
    [Fit::kernel_ridge(LearnerKind::T).pehe(), Fit::kernel_ridge(LearnerKind::R).pehe()];
const PROTOCOLS: [Protocol; 2] = [Protocol::Released, Protocol::Paper];

pub(super) fn check(context: &Context) -> Result<Findings, StudyError> {
    let (table, cuts) = (context.results("table1")?, context.results("seeds")?);
    let pair = Pair { lower: Arm::EBM, than: Arm::RAW };
    // An error that falls by a factor of 256 more with every doubling of n: certain to be seen over few cuts.
    let growing = |results: &Results| {
        results.planted(
            |cell, error| {
                if cell.arm == pair.lower { error / (cell.n as f64).powi(8) } else { error }
            },
        )
    };
    let grown = values(&growing(&table), &growing(&cuts), pair);
    let values = |pair| values(&table, &cuts, pair);
    let mut findings = Findings {
        values: values(pair),
        setting: "kernel ridge; slope a doubling of n; synthetic: four learners, over runs; Twins: T and R, over cuts of the file".into(),
        ..Findings::default()
    };
    findings.controls.insert("swapped".into(), values(pair.swapped()));
    findings.controls.insert("gain-that-grows".into(), grown);
    // The block of which the sentence was written, in both places.
    let alone = findings.values.iter().map(|v| {
        let other = v.name.replace(&TWINS.to_string(), &SYNTHETIC.to_string());
        let same = findings.values.iter().find(|w| w.name == other).expect("every block is there");
        Value { name: v.name.clone(), ..same.clone() }
    });
    let alone = alone.collect();
    findings.controls.insert("synthetic-alone".into(), alone);
    for protocol in PROTOCOLS {
        let line = Line::new(&table, SYNTHETIC, protocol, pair);
        findings.baselines.extend(slope_ends(&name(SYNTHETIC, protocol), &line.x, &line.runs));
        let own = Line::new(&table, TWINS, protocol, pair).slope("");
        let name = format!("{}, the table's own cut", name(TWINS, protocol));
        findings.baselines.push(Value { name, ..own });
    }
    // Rare categories are nearly constant columns, and linear kernel ridge, which has no intercept,
    // takes them for one: rows with the category pay for it, until a constant column is there.
    let twins = table.only(|c| c.block == TWINS);
    let n: Vec<usize> = twins.settings().iter().map(|(_, _, n)| *n).collect();
    for n in [n.iter().min(), n.iter().max()].into_iter().flatten() {
        findings.baselines.extend(on_twins(*n)?);
    }
    for (what, pair) in [
        ("over raw+1", Pair { than: Arm::RAW.plus_constant(), ..pair }),
        ("untrained", Pair { lower: Arm::UNTRAINED, ..pair }),
    ] {
        for value in values(pair) {
            findings.baselines.push(Value { name: format!("{}, {what}", value.name), ..value });
        }
    }
    Ok(findings)
}

fn name(block: Block, protocol: Protocol) -> String {
    format!("slope of the gain, {block}, {protocol}")
}

fn values(table: &Results, cuts: &Results, pair: Pair) -> Vec<Value> {
    let both = |protocol| {
        [
            Line::new(table, SYNTHETIC, protocol, pair).slope(&name(SYNTHETIC, protocol)),
            over_cuts(cuts, protocol, pair),
        ]
    };
    PROTOCOLS.into_iter().flat_map(both).collect()
}

/// The slope in each cut of Twins; the cuts are the replicates.
fn over_cuts(cuts: &Results, protocol: Protocol, pair: Pair) -> Value {
    let Line { x, runs } = Line::of(&of(cuts, protocol).only(|c| c.block == TWINS), pair, &OVER_CUTS);
    let draws = runs.iter().map(Vec::len).min().unwrap_or(0);
    let slopes: Vec<f64> = (0..draws)
        .map(|draw| {
            let y: Vec<Summary> = runs.iter().filter_map(|r| Summary::of(&r[draw..=draw])).collect();
            slope("", &x, &y).estimate
        })
        .collect();
    Value::mean(&name(TWINS, protocol), &slopes)
}

/// A gain at each n.
struct Line {
    /// log₂ n
    x: Vec<f64>,
    /// Run by run, the mean over learners.
    runs: Vec<Vec<f64>>,
}

impl Line {
    fn new(table: &Results, block: Block, protocol: Protocol, pair: Pair) -> Self {
        let names = learners(RegressorKind::KernelRidge);
        Self::of(&of(table, protocol).only(|c| c.block == block), pair, &names)
    }

    fn of(results: &Results, pair: Pair, learners: &[Quantity]) -> Self {
        let (mut x, mut runs) = (Vec::new(), Vec::new());
        for setting in results.settings() {
            let gains = Gains::log_ratio(&results.only(|c| c.n == setting.2), pair, learners);
            x.push((setting.2 as f64).log2());
            runs.push(average(&gains.0.into_iter().map(|(_, _, d)| d).collect::<Vec<_>>()));
        }
        Self { x, runs }
    }

    fn slope(&self, name: &str) -> Value {
        let y: Vec<Summary> = self.runs.iter().filter_map(|r| Summary::of(r)).collect();
        slope(name, &self.x, &y)
    }
}

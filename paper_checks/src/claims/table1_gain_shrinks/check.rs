//! Section 6.1: the gain of the EBM over the covariates diminishes as n grows. Slope of log₂ of the ratio of errors on
//! log₂ n.
//!
//! The synthetic rows are the authors' own draws, and runs are the replicates. The cut of Twins is ours,
//! and what linear kernel ridge makes of rare categories differs from cut to cut: there the replicates
//! are fresh cuts, each with a slope of its own.

#[path = "rare_rows.rs"]
mod rare_rows;

use crate::claims::compare::{Gains, Pair, average, learners, of, over_cuts_of, slope, slope_ends};
use crate::claims::{Check, Context, Findings, Scale};
use crate::printed::Block;
use crate::registry::{Key, Value};
use crate::study::{
    Arm, Fit, LearnerKind, Quantity, RegressorKind, Results, StudyError, Summary, printed_means,
};
use ebmbook::data::Protocol;
use rare_rows::on_twins;

pub const CHECK: Check = Check { printed: Some(printed), ..Check::new(measure) };

const OVER_RAW: Pair = Pair { lower: Arm::EBM, than: Arm::RAW };

/// Blocks in which n alone grows.
const SYNTHETIC: Block = Block::SyntheticD100;
const TWINS: Block = Block::Twins;
/// The learners of the study over fresh cuts.
const OVER_CUTS: [Quantity; 2] =
    [Fit::kernel_ridge(LearnerKind::T).pehe(), Fit::kernel_ridge(LearnerKind::R).pehe()];
const PROTOCOLS: [Protocol; 2] = [Protocol::Released, Protocol::Paper];

fn measure(context: &Context) -> Result<Findings, StudyError> {
    let (table, cuts) = (context.results("table1")?, context.results("seeds")?);
    let still = |pair| at_the_end(&table, &cuts, pair);
    let values = |pair, name| values(&table, &cuts, pair, name);
    let mut findings = Findings {
        values: [values(OVER_RAW, "slope"), still(OVER_RAW)].concat(),
        setting: "kernel ridge; slope a doubling of n; synthetic: four learners, over runs; Twins: T and R, over cuts of the file".into(),
        ..Findings::default()
    };
    let swapped = OVER_RAW.swapped();
    findings.controls.insert("swapped".into(), [values(swapped, "slope"), still(swapped)].concat());
    for protocol in PROTOCOLS {
        let line = Line::new(&table, SYNTHETIC, protocol, OVER_RAW);
        let key = Key::new("slope").of(SYNTHETIC).under(protocol);
        let stream = format!("slope of the gain, {SYNTHETIC}, {protocol}");
        findings.baselines.extend(slope_ends(&key, &stream, &line.x, &line.runs));
        let own = Line::new(&table, TWINS, protocol, OVER_RAW);
        findings.baselines.push(own.slope(Key::new("own-cut").of(TWINS).under(protocol)));
    }
    // Rare categories are nearly constant columns, and linear kernel ridge, which has no intercept,
    // takes them for one: rows with the category pay for it, until a constant column is there.
    let twins = table.only(|c| c.block == TWINS);
    let n: Vec<usize> = twins.settings().iter().map(|(_, _, n)| *n).collect();
    for n in [n.iter().min(), n.iter().max()].into_iter().flatten() {
        findings.baselines.extend(on_twins(*n)?);
    }
    findings.baselines.extend(values(Pair { than: Arm::RAW.plus_constant(), ..OVER_RAW }, "over-constant"));
    findings.baselines.extend(values(Pair { lower: Arm::UNTRAINED, ..OVER_RAW }, "untrained"));
    Ok(findings)
}

/// Under each protocol the slope on synthetic data, then that on Twins.
fn values(table: &Results, cuts: &Results, pair: Pair, name: &str) -> Vec<Value> {
    let both = |protocol| {
        let key = |block: Block| Key::new(name).of(block).under(protocol);
        [
            Line::new(table, SYNTHETIC, protocol, pair).slope(key(SYNTHETIC)),
            over_cuts(cuts, protocol, pair, key(TWINS)),
        ]
    };
    PROTOCOLS.into_iter().flat_map(both).collect()
}

/// Under each protocol the gain at the largest n on synthetic data, then that on Twins.
fn at_the_end(table: &Results, cuts: &Results, pair: Pair) -> Vec<Value> {
    let both = |protocol| {
        let key = |block: Block| Key::new("gain-last").of(block).under(protocol);
        let line = Line::new(table, SYNTHETIC, protocol, pair);
        let here = of(cuts, protocol).only(|c| c.block == TWINS);
        let twins = Line::of(&here, pair, &OVER_CUTS);
        let last = |line: &Line| line.runs.last().cloned().unwrap_or_default();
        [Value::mean(key(SYNTHETIC), &last(&line)), over_cuts_of(&here, key(TWINS), &last(&twins))]
    };
    PROTOCOLS.into_iter().flat_map(both).collect()
}

/// No table has fresh cuts of Twins.
fn printed(scale: Scale) -> Result<Vec<Value>, StudyError> {
    Ok(values(&printed_means("table1", scale)?, &Results::default(), OVER_RAW, "slope"))
}

/// The slope in each cut of Twins; the cuts are the replicates.
fn over_cuts(cuts: &Results, protocol: Protocol, pair: Pair, key: Key) -> Value {
    let here = of(cuts, protocol).only(|c| c.block == TWINS);
    let Line { x, runs } = Line::of(&here, pair, &OVER_CUTS);
    let draws = runs.iter().map(Vec::len).min().unwrap_or(0);
    let slopes: Vec<f64> = (0..draws)
        .map(|draw| {
            let y: Vec<Summary> = runs.iter().filter_map(|r| Summary::of(&r[draw..=draw])).collect();
            slope("slope", &x, &y).estimate
        })
        .collect();
    over_cuts_of(&here, key, &slopes)
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

    fn slope(&self, key: Key) -> Value {
        let y: Vec<Summary> = self.runs.iter().filter_map(|r| Summary::of(r)).collect();
        slope(key, &self.x, &y)
    }
}

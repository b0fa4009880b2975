//! One epoch of training, side by side with PyTorch.
//!
//! ```text
//! cargo bench --bench train                      # ours alone
//! PYTHON=python3 cargo bench --bench train       # interleaved with benches/train_reference.py
//! ```
//!
//! One thread, single precision, pairwise objective. Repeats of one timing spread widely on a
//! shared machine, so ours and theirs take turns and the median of the ratios is printed. The
//! candidates are drawn beforehand on both sides; the time with noise drawn at each step stands
//! beside it. Ten runs on two cores against one, and the memory of a large run, come last.

mod shared;

use ebmbook::data::Covariates;
use ebmbook::ebm::candidates::{Batch, Sampler};
use ebmbook::ebm::{Device, DirectionLaw, Directions, Ebm, EbmParams, Objective};
use ebmbook::network::{Activation, Adam, Architecture, Engine, Lanes, TrainableNet, trainable};
use ebmbook::seed::Seed;
use ndarray::Array2;
use ndarray_rand::RandomExt;
use rand_distr::StandardNormal;
use rayon::prelude::*;
use shared::{Reference, peak_memory};
use std::process::Command;
use std::time::Instant;

struct Configuration {
    name: &'static str,
    d: usize,
    k: usize,
    layers: usize,
    b: usize,
    n: usize,
    batch: usize,
    /// At most this share of PyTorch's time.
    target: f64,
}

const CONFIGURATIONS: [Configuration; 3] = [
    Configuration { name: "A", d: 100, k: 10, layers: 2, b: 3, n: 1_500, batch: 256, target: 0.33 },
    Configuration { name: "B", d: 48, k: 16, layers: 6, b: 5, n: 2_500, batch: 256, target: 0.33 },
    Configuration { name: "C", d: 48, k: 5, layers: 6, b: 5, n: 10_000, batch: 1_024, target: 0.45 },
];

fn gaussian(n: usize, d: usize, seed: Seed) -> Covariates {
    let mut rng = seed.rng();
    let x = Array2::random_using((n, d), StandardNormal, &mut rng);
    Covariates::continuous(x).expect("finite numbers")
}

/// Everything one epoch needs.
struct Run {
    learner: Box<dyn TrainableNet<f32>>,
    directions: Directions,
    sampler: Sampler,
    rows: Vec<Vec<usize>>,
    drawn: Vec<Batch<f32>>,
    fresh: Batch<f32>,
    epochs: usize,
}

impl Run {
    fn new(c: &Configuration, engine: Engine) -> Self {
        let data = gaussian(c.n, c.d, Seed::new(1));
        let params = Ebm::params(c.k).copies(c.b);
        let mut sampler = Sampler::for_rows(&params, &data, Seed::new(2)).expect("valid");
        let rows: Vec<Vec<usize>> = (0..c.n).collect::<Vec<_>>().chunks(c.batch).map(<[_]>::to_vec).collect();
        let draw = |rows: &Vec<usize>| {
            let mut batch = Batch::default();
            sampler.draw(rows, Seed::new(3), &mut batch);
            batch
        };
        let drawn = rows.iter().map(draw).collect();
        let shape = Architecture::new(c.d, &vec![20; c.layers], c.k, Activation::Relu).expect("valid");
        let theta = shape.initialise(Seed::new(4));
        Self {
            learner: trainable(shape, &theta, Adam::default(), engine, Device::Cpu).expect("valid"),
            directions: Directions::new(DirectionLaw::Haar, c.k, Seed::new(5)).expect("valid"),
            sampler,
            rows,
            drawn,
            fresh: Batch::default(),
            epochs: 0,
        }
    }

    /// Milliseconds of one epoch.
    fn epoch(&mut self, fresh: bool) -> f64 {
        self.epochs += 1;
        let started = Instant::now();
        for step in 0..self.rows.len() {
            if fresh {
                let seed = Seed::new(6).index(self.epochs).index(step);
                self.sampler.draw(&self.rows[step], seed, &mut self.fresh);
            }
            let batch = if fresh { &self.fresh } else { &self.drawn[step] };
            let directions = &self.directions;
            let mut loss = |i: usize, f: &[Lanes<f32>], g: &mut [Lanes<f32>]| {
                batch.loss(Objective::Pairwise, directions, i, f, g)
            };
            self.learner.step(batch.blocks(), &mut loss, 1e-3).expect("a step");
        }
        1e3 * started.elapsed().as_secs_f64()
    }
}

/// Milliseconds of one epoch of the reference.
fn reference_epoch(reference: &mut Reference, name: &str, fresh: bool) -> f64 {
    reference.ask(&format!("{name} {}", if fresh { "fresh" } else { "drawn" }))[0]
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Ours and theirs in turns: medians of both, and of the ratios.
fn compare(
    run: &mut Run,
    name: &str,
    fresh: bool,
    reference: &mut Option<Reference>,
) -> (f64, Option<[f64; 2]>) {
    let repeats = 60;
    for _ in 0..5 {
        run.epoch(fresh);
        reference.as_mut().map(|r| reference_epoch(r, name, fresh));
    }
    let (mut ours, mut theirs, mut ratios) = (vec![], vec![], vec![]);
    for _ in 0..repeats {
        ours.push(run.epoch(fresh));
        if let Some(reference) = reference {
            theirs.push(reference_epoch(reference, name, fresh));
            ratios.push(ours[ours.len() - 1] / theirs[theirs.len() - 1]);
        }
    }
    let theirs = (!theirs.is_empty()).then(|| [median(&mut theirs), median(&mut ratios)]);
    (median(&mut ours), theirs)
}

fn large() -> EbmParams {
    Ebm::params(20).hidden(&[20, 20, 20]).copies(10).epochs(5)
}

/// Ten independent runs on pools of one and of two threads, in turns.
fn ten_runs() {
    let data = gaussian(1_500, 100, Seed::new(1));
    let params = Ebm::params(10).copies(3).epochs(30);
    let seconds = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
        let started = Instant::now();
        pool.install(|| {
            (0..10_usize)
                .into_par_iter()
                // One run is one piece of work: no thread is left with half of the rest.
                .with_max_len(1)
                .for_each(|i| drop(Ebm::fit(&params, &data, Seed::new(i as u64)).expect("a run")));
        });
        started.elapsed().as_secs_f64()
    };
    let mut ratios: Vec<f64> = (0..9).map(|_| seconds(2) / seconds(1)).collect();
    println!("ten runs, two threads over one: {:.2} (target 0.60)", median(&mut ratios));
}

/// Peak resident memory of a process that trains a large model and nothing else.
fn memory() {
    let exe = std::env::current_exe().expect("this program");
    let output = Command::new(exe).env("EBMBOOK_MEMORY_RUN", "1").output().expect("it runs");
    print!("{}", String::from_utf8_lossy(&output.stdout));
}

fn memory_run() {
    Ebm::fit(&large(), &gaussian(1_500, 250, Seed::new(1)), Seed::new(1)).expect("a run");
    match peak_memory() {
        Some(mib) => println!("memory, d = 250, n = 1500, b = 10: {mib:.0} MiB (target 300)"),
        None => println!("memory: this system does not say"),
    }
}

fn main() {
    if std::env::var_os("EBMBOOK_MEMORY_RUN").is_some() {
        return memory_run();
    }
    let mut reference = Reference::start("train_reference.py");
    if reference.is_none() {
        println!("no reference: set PYTHON to a Python that has torch");
    }
    for c in &CONFIGURATIONS {
        let mut run = Run::new(c, Engine::Fused);
        for fresh in [false, true] {
            let (ours, theirs) = compare(&mut run, c.name, fresh, &mut reference);
            let what = if fresh { "noise at each step" } else { "candidates drawn before" };
            let beside = theirs.map_or(String::new(), |[theirs, ratio]| {
                let target = format!(" (target {:.2})", if fresh { 0.3 } else { c.target });
                format!(", PyTorch {theirs:.2} ms, ratio {ratio:.2}{target}")
            });
            println!("{} {what}: {ours:.2} ms{beside}", c.name);
        }
        let mut plain = Run::new(c, Engine::Tape);
        let (ours, _) = compare(&mut plain, c.name, false, &mut None);
        println!("{} dfdx's own operations: {ours:.2} ms", c.name);
    }
    ten_runs();
    memory();
}

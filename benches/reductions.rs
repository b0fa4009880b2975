//! How long each reduction takes to fit 2 000 rows of 48 covariates and to transform 20 000 more,
//! on one thread, side by side with scikit-learn.
//!
//! ```text
//! cargo bench --bench reductions                      # ours alone
//! PYTHON=python3 cargo bench --bench reductions       # in turns with benches/reductions.py
//! ```
//!
//! Repeats of one timing spread widely on a shared machine, so ours and theirs take turns and the
//! fastest of each is printed. Names after `--` choose methods; REPEATS is the number of turns.

mod shared;

use ebmbook::data::{Covariates, Protocol};
use ebmbook::representation::by_name;
use ebmbook::seed::Seed;
use ndarray::Array2;
use shared::{Reference, peak_memory};
use std::time::Instant;

/// Five curved latent directions and noise in 48 columns, the same numbers as in the script.
fn rows(n: usize, from: usize) -> Array2<f64> {
    // A fixed low-discrepancy sequence instead of a generator, so that both languages agree.
    let point = |i: usize, j: usize| ((i as f64 + 0.5) * (j as f64 + 2.0).sqrt()).fract() - 0.5;
    Array2::from_shape_fn((n, 48), |(i, s)| {
        let i = i + from;
        let latent: f64 =
            (0..5).map(|j| (3.0 * point(i, j) * (1.0 + ((s * (j + 1)) as f64).sin())).sin()).sum();
        latent + point(i, 5 + s)
    })
}

const METHODS: [&str; 6] = ["pca", "kernel-pca", "isomap", "agglomeration", "spectral", "kmeans-distances"];

/// Milliseconds to fit, and to transform.
fn time(name: &str, train: &Covariates, new: &Array2<f64>) -> [f64; 2] {
    let method = by_name(name, 5, Protocol::Paper).expect("a known method");
    let start = Instant::now();
    let fitted = method.fit(train, Seed::new(0)).expect("enough rows");
    let fit = start.elapsed();
    std::hint::black_box(fitted.transform(new.view()).expect("rows of the same width"));
    [fit, start.elapsed() - fit].map(|time| 1e3 * time.as_secs_f64())
}

fn main() {
    let repeats: usize = std::env::var("REPEATS").ok().and_then(|r| r.parse().ok()).unwrap_or(5);
    let wanted: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with('-')).collect();
    let chosen = |name: &&str| wanted.is_empty() || wanted.iter().any(|w| w == name);
    let train = Covariates::continuous(rows(2000, 0)).expect("finite numbers");
    let new = rows(20_000, 2000);
    let mut reference = Reference::start("reductions.py");
    if reference.is_none() {
        println!("no reference: set PYTHON to a Python that has scikit-learn");
    }
    println!("{:18}{:>26}{:>26}{:>8}", "", "fit + transform, ms", "scikit-learn, ms", "ratio");
    for name in METHODS.into_iter().filter(chosen) {
        let (mut ours, mut theirs) = ([f64::INFINITY; 2], [f64::INFINITY; 2]);
        let fastest = |best: &mut [f64; 2], now: &[f64]| {
            best.iter_mut().zip(now).for_each(|(best, now)| *best = best.min(*now));
        };
        for _ in 0..repeats {
            fastest(&mut ours, &time(name, &train, &new));
            if let Some(reference) = &mut reference {
                fastest(&mut theirs, &reference.ask(name));
            }
        }
        let show = |[fit, transform]: [f64; 2]| format!("{fit:.1} + {transform:.1}");
        let ratio = (ours[0] + ours[1]) / (theirs[0] + theirs[1]);
        match reference {
            // scikit-learn's spectral embedding has no transform: what we do beyond it is not counted.
            Some(_) if theirs[1].is_infinite() => {
                let ratio = ours[0] / theirs[0];
                println!("{name:18}{:>26}{:>26}{ratio:>8.2}", show(ours), format!("{:.1}", theirs[0]));
            }
            Some(_) => println!("{name:18}{:>26}{:>26}{ratio:>8.2}", show(ours), show(theirs)),
            None => println!("{name:18}{:>26}", show(ours)),
        }
    }
    match peak_memory() {
        Some(mib) => println!("peak memory: {mib:.0} MiB (target 1536)"),
        None => println!("peak memory: this system does not say"),
    }
}

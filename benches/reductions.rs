//! How long each reduction takes to fit 2 000 rows of 48 covariates and to transform 20 000 more,
//! on one thread: `cargo bench --bench reductions`. `benches/reductions.py` times scikit-learn on
//! the same rows. Prints the fastest of several runs, because repeats on a busy machine spread.

use ebmbook::data::{Covariates, Protocol};
use ebmbook::representation::by_name;
use ebmbook::seed::Seed;
use ndarray::Array2;
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

fn main() {
    let repeats: usize = std::env::var("REPEATS").ok().and_then(|r| r.parse().ok()).unwrap_or(5);
    let train = Covariates::continuous(rows(2000, 0)).expect("finite numbers");
    let new = rows(20_000, 2000);
    println!("{:20}{:>12}{:>14}", "", "fit, ms", "transform, ms");
    let wanted: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with('-')).collect();
    for name in ["pca", "kernel-pca", "isomap", "agglomeration", "spectral", "kmeans-distances"] {
        if !wanted.is_empty() && !wanted.iter().any(|w| w == name) {
            continue;
        }
        let method = by_name(name, 5, Protocol::Paper).expect("a known method");
        let (mut fit, mut transform) = (f64::INFINITY, f64::INFINITY);
        for _ in 0..repeats {
            let start = Instant::now();
            let fitted = method.fit(&train, Seed::new(0)).expect("enough rows");
            fit = fit.min(start.elapsed().as_secs_f64());
            let start = Instant::now();
            std::hint::black_box(fitted.transform(new.view()).expect("rows of the same width"));
            transform = transform.min(start.elapsed().as_secs_f64());
        }
        println!("{name:20}{:>12.1}{:>14.1}", 1e3 * fit, 1e3 * transform);
    }
}

//! A bounded outcome in bins of width h: effects on f modulo B1 are off by at most 2h, and 2h is approached.

use crate::claims::{Check, Context, Findings, Pictures, Report, data_hash};
use crate::registry::{Key, Value};
use crate::study::StudyError;
use ebmbook::show::Figure;
use ebmbook::theory::mended::{Binned, FoldLaw};
use ndarray::Array1;

pub const CHECK: Check = Check { pictures: Pictures::Measured(pictures), ..Check::new(measure) };

/// Bins in each arm.
const BINS: [usize; 4] = [2, 4, 8, 16];
/// Mass of the rare point: the sharp world has an error of 2h(1 − RARE), but for the discretisation.
const RARE: f64 = 0.01;
/// How far the outer bins go, in widths of an inner one.
const FAR: f64 = 10.0;

/// Largest error over random worlds and the sharp one, for each number of bins.
struct Errors {
    random: Vec<f64>,
    sharp: Vec<f64>,
}

fn errors(
    context: &Context,
    rare: f64,
    change: impl Fn(Binned) -> Binned,
    law: Option<FoldLaw>,
) -> ebmbook::Result<Errors> {
    let worlds = context.pick(20, 400);
    let error = |world: Binned| match law {
        Some(law) => change(world).error_of(law),
        None => change(world).error(),
    };
    let (mut random, mut sharp) = (Vec::new(), Vec::new());
    for bins in BINS {
        let seed = context.seed.child("worlds").index(bins);
        let each = (0..worlds).map(|i| error(Binned::random(bins, seed.index(i))));
        random.push(each.collect::<Result<Vec<f64>, _>>()?.into_iter().fold(0.0, f64::max));
        sharp.push(error(Binned::sharp(bins, rare))?);
    }
    Ok(Errors { random, sharp })
}

/// Errors in units of 2h: the largest of all, which must not exceed 1, and the least of the sharp worlds.
fn values(errors: &Errors, allowed: f64) -> Vec<Value> {
    let in_units = |of: &[f64]| -> Vec<f64> {
        of.iter().zip(BINS).map(|(error, bins)| error * bins as f64 / allowed).collect()
    };
    let (random, sharp) = (in_units(&errors.random), in_units(&errors.sharp));
    let largest = random.iter().chain(&sharp).copied().fold(0.0, f64::max);
    let least = sharp.iter().copied().fold(f64::INFINITY, f64::min);
    vec![Value::exact("ratio", largest), Value::exact("sharp", least)]
}

fn measure(context: &Context) -> Result<Findings, StudyError> {
    let same = |world: Binned| world;
    let mended = errors(context, RARE, same, None)?;
    let mut baselines = Vec::new();
    for (i, bins) in BINS.into_iter().enumerate() {
        baselines.push(Value::exact(Key::new("allowed").of(bins), 2.0 / bins as f64));
        baselines.push(Value::exact(Key::new("random").of(bins), mended.random[i]));
        baselines.push(Value::exact(Key::new("near").of(bins), mended.sharp[i]));
    }
    let wide = |world: Binned| world.with_wide_outer_bins(FAR);
    Ok(Findings {
        values: values(&mended, 2.0),
        baselines,
        controls: [
            ("one-arm".to_owned(), values(&mended, 1.0)),
            ("outer-bins".to_owned(), values(&errors(context, RARE, wide, None)?, 2.0)),
            ("arm-folds".to_owned(), values(&errors(context, RARE, same, Some(FoldLaw::Arm))?, 2.0)),
            ("random-folds".to_owned(), values(&errors(context, RARE, same, Some(FoldLaw::Random(4)))?, 2.0)),
            ("no-rare-point".to_owned(), values(&errors(context, 0.5, same, None)?, 2.0)),
        ]
        .into(),
        setting: format!(
            "outcome on [0, 1], discretised to 200 values in a bin; {} random worlds of eight points in pairs that share P(a, s | x), and the world of two points that comes near 2h, for each number of bins",
            context.pick(20, 400)
        ),
        n: BINS.to_vec(),
        data: data_hash([Array1::from(mended.random).view()]),
    })
}

fn pictures(report: &Report) -> Vec<Figure> {
    let line = |key: &str| -> Vec<(f64, f64)> {
        let at = |bins: &usize| {
            let value = Value::find(&report.findings.baselines, &Key::new(key).of(bins));
            (*bins as f64, value.map_or(f64::NAN, |v| v.estimate))
        };
        BINS.iter().map(at).collect()
    };
    vec![
        Figure::new("What outcome bins cost")
            .x("outcome bins in each arm, 1/h")
            .y("largest error of an effect on f")
            .log_x()
            .log_y()
            .line("2h: no world exceeds it", &line("allowed"))
            .line("the world that comes near", &line("near"))
            .line("the worst of the random worlds", &line("random")),
    ]
}

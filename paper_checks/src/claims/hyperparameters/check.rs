//! Appendix A.3: b and the architecture make little difference, q and k do. Spread of PEHE over each one's values.

use crate::claims::compare::{bootstrapped, mean};
use crate::claims::{Check, Context, Findings};
use crate::printed::TablePlace;
use crate::registry::{Key, Value};
use crate::study::{Arm, Base, Fit, Hyperparameter, LearnerKind, Quantity, Results, StudyError, Summary};

pub const CHECK: Check = Check::new(measure);

const VALUE: Quantity = Fit::kernel_ridge(LearnerKind::R).pehe();
/// An EBM or an untrained network, and the hyper-parameter that is varied.
type Family = (Base, Hyperparameter);

/// The objective that the sentence is about, and that of the longer sweep.
const PRINTED: Base = Base::EbmRanking;
const TRAINED: Base = Arm::EBM.base;
/// What makes little difference, and what makes some.
const LITTLE: [Hyperparameter; 2] = [Hyperparameter::B, Hyperparameter::Layers];
const MUCH: [Hyperparameter; 2] = [Hyperparameter::Q, Hyperparameter::K];
/// An effect of a quarter of the PEHE, which is about 2.
const PLANTED: f64 = 0.5;

fn measure(context: &Context) -> Result<Findings, StudyError> {
    let results = context.results("sensitivity")?;
    let mut findings = Findings {
        values: vec![contrast(&results, PRINTED)],
        baselines: vec![contrast(&results, TRAINED)],
        setting: "R-learner, one hyper-parameter at a time around the printed setting".into(),
        ..Findings::default()
    };
    // An effect planted where the paper sees none, and where it sees one.
    for (id, varied) in [("planted-in-b-and-depth", LITTLE), ("planted-in-q-and-k", MUCH)] {
        let arms = results.arms();
        let planted = results.planted(|cell, value| {
            let of_family = |of: &Hyperparameter| {
                let mut values = arms.iter().filter(|arm| is_of(**arm, (PRINTED, *of)));
                // Every other value of the hyper-parameter.
                values.position(|arm| *arm == cell.arm).is_some_and(|place| place % 2 == 1)
            };
            if varied.iter().any(of_family) { value + PLANTED } else { value }
        });
        findings.controls.insert(id.into(), vec![contrast(&planted, PRINTED)]);
    }
    for (base, of, varied) in [
        (PRINTED, Hyperparameter::B, "b, printed objective"),
        (PRINTED, Hyperparameter::Layers, "layers, printed objective"),
        (PRINTED, Hyperparameter::Q, "q, printed objective"),
        (PRINTED, Hyperparameter::K, "k, printed objective"),
        (TRAINED, Hyperparameter::B, "b"),
        (TRAINED, Hyperparameter::Layers, "layers"),
        (TRAINED, Hyperparameter::Q, "q"),
        (TRAINED, Hyperparameter::K, "k"),
        (TRAINED, Hyperparameter::Noise, "noise"),
        (TRAINED, Hyperparameter::HaarK, "k of 20 and 25, Haar B"),
        (Base::Untrained, Hyperparameter::K, "k, untrained networks"),
        (Base::Untrained, Hyperparameter::Layers, "layers, untrained networks"),
    ] {
        let runs = Runs::new(&results, (base, of));
        let (key, stream) = (Key::new("sd").of(varied), format!("sd over {varied}"));
        findings.baselines.push(bootstrapped(key, &stream, runs.replicates(), |picked| runs.spread(picked)));
    }
    Ok(findings)
}

/// Whether an arm has a value of this hyper-parameter.
fn is_of(arm: Arm, (base, of): Family) -> bool {
    arm.base == base && arm.swept.is_some_and(|(swept, _)| swept == of)
}

/// The less influential of q and k minus the more influential of b and depth.
fn contrast(results: &Results, base: Base) -> Value {
    let runs = |of| Runs::new(results, (base, of));
    let (little, much) = (LITTLE.map(runs), MUCH.map(runs));
    let objective = if base == PRINTED { "printed objective" } else { "pairwise objective" };
    let replicates = little.iter().chain(&much).map(Runs::replicates).min().unwrap_or(0);
    bootstrapped(
        Key::new("contrast").of(objective),
        "effect of q, k minus that of b, depth",
        replicates,
        |picked| {
            let larger = little.iter().map(|r| r.spread(picked)).fold(f64::MIN, f64::max);
            much.iter().map(|r| r.spread(picked)).fold(f64::MAX, f64::min) - larger
        },
    )
}

/// The errors for the values of one hyper-parameter: setting, value, replicate.
struct Runs(Vec<Vec<Vec<f64>>>);

impl Runs {
    fn new(results: &Results, family: Family) -> Self {
        let of_family = results.only(|c| is_of(c.arm, family));
        let of_setting = |place: &TablePlace| {
            let here = of_family.only(|c| c.place() == *place);
            here.arms().iter().map(|arm| here.only(|c| c.arm == *arm).values(VALUE)).collect()
        };
        Self(of_family.settings().iter().map(of_setting).collect())
    }

    fn replicates(&self) -> usize {
        self.0.iter().flatten().map(Vec::len).min().unwrap_or(0)
    }

    /// Standard deviation of the mean error over the values, with the noise of the means taken off,
    /// averaged over settings.
    fn spread(&self, picked: &[usize]) -> f64 {
        let of_setting = |values: &Vec<Vec<f64>>| {
            let means: Vec<Summary> = values
                .iter()
                .filter_map(|runs| Summary::of(&picked.iter().map(|r| runs[*r]).collect::<Vec<_>>()))
                .collect();
            let between = Summary::of(&means.iter().map(|s| s.mean).collect::<Vec<_>>())?;
            let within = means.iter().map(|s| s.se().powi(2)).sum::<f64>() / means.len() as f64;
            // σ² between values = s² of the means − their mean squared standard error
            Some((between.sd.powi(2) - within).max(0.0).sqrt())
        };
        mean(&self.0.iter().filter_map(of_setting).collect::<Vec<_>>())
    }
}

//! Table 1: with the EBM every learner has a lower PEHE, on synthetic data and on Twins. In every setting, under both
//! protocols. Beside it: an untrained network of the same shape.

use crate::claims::compare::{Gains, Pair, learners, named, of, trivial_to_ebm};
use crate::claims::{Check, Context, Findings, Scale};
use crate::registry::{Key, Value};
use crate::study::{Arm, Base, Quantity, RegressorKind, Results, StudyError, printed_means};
use ebmbook::data::Protocol;

pub const CHECK: Check = Check { printed: Some(printed), ..Check::new(measure) };

const OVER_RAW: Pair = Pair { lower: Arm::EBM, than: Arm::RAW };

fn measure(context: &Context) -> Result<Findings, StudyError> {
    let results = context.results("table1")?;
    let mut findings = Findings {
        values: values(&results, OVER_RAW),
        setting: format!(
            "{} settings, 4 learners, kernel ridge, pairwise objective",
            results.settings().len()
        ),
        ..Findings::default()
    };
    findings.controls.insert("swapped".into(), values(&results, OVER_RAW.swapped()));
    let names = learners(RegressorKind::KernelRidge);
    for protocol in [Protocol::Released, Protocol::Paper] {
        let here = of(&results, protocol);
        let key = |name: &str| Key::new(name).under(protocol);
        let gains = |pair| Gains::log_ratio(&here, pair, &names);
        let beyond = gains(Pair { lower: Arm::EBM, than: Arm::UNTRAINED });
        findings.baselines.push(beyond.mean(key("beyond-untrained")));
        for trivial in [Quantity::ZERO, Quantity::CONSTANT] {
            let key = key("to-ebm").of(trivial);
            findings.baselines.push(trivial_to_ebm(&here, trivial, &names, key));
        }
        let than = Arm::RAW.plus_constant();
        let gain = gains(Pair { than, ..OVER_RAW });
        findings.baselines.push(gain.mean(key("to-ebm").of(than)));
        findings.baselines.push(gain.share(key("share-over-constant")));
        let gain = gains(Pair { lower: Arm::EBM.plus_constant(), than });
        if !gain.0.is_empty() {
            findings.baselines.push(gain.mean(key("gain-with-constants")));
        }
        // Twins has no known latent, so that is a mean over fewer settings.
        for (name, arm) in
            [("untrained", Arm::UNTRAINED), ("pca", Arm::PCA.plus_constant()), ("latent", Arm::LATENT)]
        {
            findings.baselines.push(gains(Pair { lower: arm, than: Arm::RAW }).mean(key(name)));
        }
        // The other objectives, where they were run: the printed one, and the released program's.
        for (base, called) in
            [(Base::EbmRanking, "printed objective"), (Base::EbmReleasedProgram, "released program")]
        {
            let gain = gains(Pair { lower: Arm::of(base), than: Arm::RAW });
            if !gain.0.is_empty() {
                findings.baselines.push(gain.mean(key("gain-with").of(called)));
                findings.baselines.push(gain.share(key("share-with").of(called)));
            }
        }
        findings.baselines.extend(gains(OVER_RAW).sign_test(key("settings-gained"), key("sign-test")));
    }
    Ok(findings)
}

fn values(results: &Results, over_raw: Pair) -> Vec<Value> {
    let names = learners(RegressorKind::KernelRidge);
    let mut values = Vec::new();
    for protocol in [Protocol::Released, Protocol::Paper] {
        let here = of(results, protocol);
        let key = |name: &str| Key::new(name).under(protocol);
        // Ratios: a single run of DR, whose last regression is ordinary least squares on nearly
        // collinear coordinates, can be off by three orders of magnitude.
        let gains = Gains::log_ratio(&here, over_raw, &names);
        values.push(gains.mean(key("gain")));
        values.push(gains.share(key("share-gained")));
    }
    values
}

fn printed(scale: Scale) -> Result<Vec<Value>, StudyError> {
    Ok(named("gain", values(&printed_means("table1", scale)?, OVER_RAW)))
}

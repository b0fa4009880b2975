//! With folds by arm and outcome, f modulo B1 gives back P(a, s | x) and knows nothing of p_X.

use crate::claims::{Check, Context, Findings, Pictures, Report, data_hash};
use crate::registry::Value;
use crate::study::StudyError;
use ebmbook::show::Figure;
use ebmbook::theory::mended::{FoldLaw, Found, Setting, with_an_empty_cell};
use ndarray::Array2;

pub const CHECK: Check = Check { pictures: Pictures::Illustrate(pictures), ..Check::new(measure) };

/// The largest energy of a model that cannot say infinity: as in the mends of Proposition 4.1.
const BOUND: f64 = 8.0;

fn values(found: Found) -> Vec<Value> {
    let recovered = [("recovered", found.recovered), ("propensity", found.propensity)];
    let recovered = recovered.into_iter().filter_map(|(key, error)| Some(Value::exact(key, error?)));
    let others = [("best", found.best), ("identified", found.identified), ("twins", found.twins)];
    let others = others.into_iter().map(|(key, error)| Value::exact(key, error));
    recovered.chain(others).chain([Value::exact("merged", found.merged)]).collect()
}

fn measure(context: &Context) -> Result<Findings, StudyError> {
    let worlds = context.pick(50, 1000);
    let mended = Setting::default();
    let of = |setting: Setting| -> ebmbook::Result<Vec<Value>> {
        Ok(values(setting.measure(worlds, context.seed.child("worlds"))?))
    };
    let broken = [
        ("random-folds", Setting { law: FoldLaw::Random(6), ..mended }),
        ("arm-folds", Setting { law: FoldLaw::Arm, ..mended }),
        ("outcome-folds", Setting { law: FoldLaw::Outcome(&[0, 1, 2]), ..mended }),
        ("b1-kept", Setting { keep_b1: true, ..mended }),
        ("equal-shares", Setting { equal_shares: true, ..mended }),
        ("learned-b", Setting { learned_b: true, ..mended }),
        ("an-empty-cell", Setting { world: with_an_empty_cell, bound: BOUND, ..mended }),
    ];
    let controls = broken.map(|(id, setting)| Ok((id.to_owned(), of(setting)?)));
    let (joint, recovered) = mended.first_world(context.seed.child("worlds"))?;
    Ok(Findings {
        values: of(mended)?,
        controls: controls.into_iter().collect::<ebmbook::Result<_>>()?,
        setting: format!(
            "{worlds} random worlds of fifteen points and three outcomes, each with points that share P(a, s | x), pi, P(s | x) or p_X; constants of the densities drawn at random"
        ),
        n: vec![worlds],
        data: data_hash([joint.view(), recovered.view()]),
        ..Findings::default()
    })
}

/// P(a, s | x) against what the limit makes of it.
fn pictures(_: &Report, context: &Context) -> Vec<Figure> {
    let seed = context.seed.child("worlds");
    let dots = |law| -> Vec<(f64, f64)> {
        let setting = Setting { law, ..Setting::default() };
        let (joint, recovered): (Array2<f64>, Array2<f64>) =
            setting.first_world(seed).expect("the law has a limit");
        joint.iter().copied().zip(recovered).collect()
    };
    vec![
        Figure::new("P(a, s | x) from f modulo B1 and the shares of the folds")
            .x("true P(a, s | x)")
            .y("recovered")
            .scatter("random folds", &dots(FoldLaw::Random(6)))
            .scatter("folds by arm and outcome", &dots(FoldLaw::ArmOutcome(&[0, 1, 2]))),
    ]
}

//! An outcome with finitely many values, each its own bin: effects on f modulo B1 are the effects.

use crate::claims::{Check, Context, Findings, Pictures, Report, data_hash};
use crate::registry::{Key, Value};
use crate::study::StudyError;
use ebmbook::show::Figure;
use ebmbook::theory::mended::{FoldLaw, Found, Setting, confounded, generic};

pub const CHECK: Check = Check { pictures: Pictures::Measured(pictures), ..Check::new(measure) };

const VALUES: FoldLaw = FoldLaw::ArmOutcome(&[0, 1, 2]);
/// The two lower values share a bin.
const COARSE: FoldLaw = FoldLaw::ArmOutcome(&[0, 0, 1]);

/// Fold laws, with and without B1, from most to least that is kept.
const FOLDS: [(&str, FoldLaw, bool); 6] = [
    ("arm and value", VALUES, false),
    ("arm and two bins", COARSE, false),
    ("arm", FoldLaw::Arm, false),
    ("outcome", FoldLaw::Outcome(&[0, 1, 2]), false),
    ("random, B1 kept", FoldLaw::Random(6), true),
    ("random", FoldLaw::Random(6), false),
];

fn values(found: &Found) -> Vec<Value> {
    let all = [("effects", found.effects[0]), ("means", found.means), ("merged", found.merged)];
    all.map(|(key, number)| Value::exact(key, number)).to_vec()
}

fn measure(context: &Context) -> Result<Findings, StudyError> {
    let worlds = context.pick(50, 1000);
    let found = |setting: Setting| setting.measure(worlds, context.seed.child("worlds"));
    let mended = Setting::default();
    let mut baselines = Vec::new();
    let mut controls = Vec::new();
    let ids = ["values-in-bins", "arm-folds", "outcome-folds", "printed-limit", "random-folds"];
    for (i, (name, law, keep_b1)) in FOLDS.into_iter().enumerate() {
        let found = found(Setting { law, keep_b1, ..mended })?;
        for (key, error) in [("bias", found.effects[1]), ("lost", found.effects[2])] {
            baselines.push(Value::exact(Key::new(key).of(name), error));
        }
        if i > 0 {
            controls.push((ids[i - 1].to_owned(), values(&found)));
        }
    }
    for (id, world) in [("hidden-confounder", confounded as fn(&[f64], _) -> _), ("generic-points", generic)]
    {
        controls.push((id.to_owned(), values(&found(Setting { world, ..mended })?)));
    }
    let (joint, _) = mended.first_world(context.seed.child("worlds"))?;
    Ok(Findings {
        values: values(&found(mended)?),
        baselines,
        controls: controls.into_iter().collect(),
        setting: format!(
            "{worlds} random worlds of fifteen points with outcomes 0, 1 and 3, each with points that share P(a, s | x), pi, P(s | x) or p_X"
        ),
        n: vec![worlds],
        data: data_hash([joint.view()]),
    })
}

fn pictures(report: &Report) -> Vec<Figure> {
    let names = FOLDS.map(|(name, ..)| name);
    let of = |key: &str| -> Vec<(f64, f64, f64, f64)> {
        let at = |(i, name): (usize, &&str)| {
            let value = Value::find(&report.findings.baselines, &Key::new(key).of(name));
            let v = value.map_or(f64::NAN, |v| v.estimate);
            (i as f64, v, v, v)
        };
        names.iter().enumerate().map(at).collect()
    };
    vec![
        Figure::new("What is wrong with effects on f, by folds")
            .x("largest error of an effect")
            .y_categories(&names)
            .dots("bias by confounding", &of("bias"))
            .dots("lost with what f merges", &of("lost")),
    ]
}

//! f modulo B1 with folds by arm and outcome is a balancing score, and ignorability carries over to it.

use crate::claims::{Check, Context, Findings, Pictures, Report, data_hash};
use crate::registry::{Key, Value};
use crate::study::StudyError;
use ebmbook::show::Figure;
use ebmbook::theory::mended::{FoldLaw, Found, Setting, confounded, generic};

pub const CHECK: Check = Check { pictures: Pictures::Measured(pictures), ..Check::new(measure) };

/// What one conditions on, from most to least.
const STATISTICS: [&str; 5] = ["arm and outcome", "arm", "outcome", "random, B1 kept", "random"];

fn statistic(name: &str) -> Setting {
    let mended = Setting::default();
    match name {
        "arm" => Setting { law: FoldLaw::Arm, ..mended },
        "outcome" => Setting { law: FoldLaw::Outcome(&[0, 1, 2]), ..mended },
        "random" => Setting { law: FoldLaw::Random(6), ..mended },
        // f = −log p_X B1 + c: what the printed method tends to.
        "random, B1 kept" => Setting { law: FoldLaw::Random(6), keep_b1: true, ..mended },
        _ => mended,
    }
}

fn values(found: Found) -> Vec<Value> {
    let all = [("balance", found.imbalance), ("ignorable", found.not_ignorable), ("merged", found.merged)];
    all.map(|(key, number)| Value::exact(key, number)).to_vec()
}

fn measure(context: &Context) -> Result<Findings, StudyError> {
    let worlds = context.pick(50, 1000);
    let found = |setting: Setting| setting.measure(worlds, context.seed.child("worlds"));
    let mended = Setting::default();
    let variants = [
        ("random-folds", statistic("random")),
        ("printed-limit", statistic("random, B1 kept")),
        ("outcome-folds", statistic("outcome")),
        ("arm-folds", statistic("arm")),
        ("hidden-confounder", Setting { world: confounded, ..mended }),
        ("generic-points", Setting { world: generic, ..mended }),
    ];
    let controls =
        variants.map(|(id, setting)| -> ebmbook::Result<_> { Ok((id.to_owned(), values(found(setting)?))) });
    let by_statistic = STATISTICS.map(|name| -> ebmbook::Result<_> {
        Ok(Value::exact(Key::new("within").of(name), found(statistic(name))?.imbalance))
    });
    let (joint, _) = mended.first_world(context.seed.child("worlds"))?;
    Ok(Findings {
        values: values(found(mended)?),
        baselines: by_statistic.into_iter().collect::<ebmbook::Result<_>>()?,
        controls: controls.into_iter().collect::<ebmbook::Result<_>>()?,
        setting: format!(
            "{worlds} random worlds of fifteen points and three outcomes, each with points that share P(a, s | x), pi, P(s | x) or p_X"
        ),
        n: vec![worlds],
        data: data_hash([joint.view()]),
    })
}

fn pictures(report: &Report) -> Vec<Figure> {
    let at = |(i, name): (usize, &&str)| {
        let value = Value::find(&report.findings.baselines, &Key::new("within").of(name));
        let v = value.map_or(f64::NAN, |v| v.estimate);
        (i as f64, v, v, v)
    };
    let dots: Vec<_> = STATISTICS.iter().enumerate().map(at).collect();
    vec![
        Figure::new("How far the arms are apart within a stratum of f")
            .x("largest difference of P(x | arm, stratum)")
            .y_categories(&STATISTICS)
            .dots("folds", &dots),
    ]
}

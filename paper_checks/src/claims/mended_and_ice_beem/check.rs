//! Arm and outcome bin as the auxiliary variable of ICE-BeeM: is it variable enough, and what else do the others ask for?

use crate::claims::{Check, Context, Findings, data_hash};
use crate::registry::{Key, Value};
use crate::study::StudyError;
use ebmbook::ebm::{DirectionLaw, Directions};
use ebmbook::theory::mended::auxiliary::{density_rank, dependence, variability};
use ebmbook::theory::mended::{FoldLaw, Limit, Strata, pairs};
use ndarray::{Array1, Array2, s};

pub const CHECK: Check = Check::new(measure);

const VALUES: [f64; 3] = [0.0, 1.0, 3.0];
/// Folds: two arms, three values.
const K: usize = 6;
const MENDED: FoldLaw = FoldLaw::ArmOutcome(&[0, 1, 2]);

fn values(parameters: &Array2<f64>, limit: &Limit) -> Vec<Value> {
    let found = variability(parameters.view());
    vec![
        Value::exact("short", found.short() as f64),
        Value::exact("equal", (K - 1 - density_rank(limit)) as f64),
    ]
}

fn measure(context: &Context) -> Result<Findings, StudyError> {
    let world = pairs(&VALUES, context.seed.child("world"));
    let law = DirectionLaw::Haar;
    let b = Directions::new(law, K, context.seed.child("directions")).map_err(ebmbook::Error::from)?;
    let limit = |law| Limit::new(&world, law, &b, Array1::zeros(K).view(), f64::INFINITY);
    let (mended, random) = (limit(MENDED), limit(FoldLaw::Random(K)));
    // λ(j) in the coordinates of f, and in those of f modulo B1.
    let all = b.matrix().to_owned();
    let modulo = b.modulo_b1().t().dot(&all);
    let fewer = modulo.slice(s![.., ..K - 1]).to_owned();
    let strata = Strata::of(mended.modulo_b1.view(), &world);
    // What strong identifiability with squared features asks for: two values per coordinate, and one.
    let strong = 2 * (K - 1) + 1;
    Ok(Findings {
        values: values(&modulo, &mended),
        baselines: vec![
            Value::exact(Key::new("asked-for").of("weak"), K as f64),
            Value::exact(Key::new("asked-for").of("strong, with squares"), strong as f64),
            Value::exact("there-are", K as f64),
            Value::exact("dependence", dependence(&world, MENDED, &mended)),
            Value::exact("merged", (world.points() - strata.len()) as f64),
        ],
        controls: [
            ("all-of-f".to_owned(), values(&all, &mended)),
            ("a-fold-less".to_owned(), values(&fewer, &mended)),
            ("random-folds".to_owned(), values(&modulo, &random)),
        ]
        .into(),
        setting: format!("two arms and three outcomes, k = {K}, Haar directions, one random finite world"),
        n: vec![world.points()],
        data: data_hash([b.matrix(), world.joint().view()]),
    })
}

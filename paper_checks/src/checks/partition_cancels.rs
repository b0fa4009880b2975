//! Equation (5): the partition function cancels in the posterior.

use super::{Context, Findings, data_hash};
use crate::verdict::Value;
use ebmbook::theory::posterior::change_under_shift;
use ndarray::Array1;
use rand::Rng;
use rand_distr::{Distribution, StandardNormal};

pub(super) fn check(context: &Context) -> ebmbook::Result<Findings> {
    let draws = context.pick(2000, 200_000);
    let (mut shared, mut own) = (0.0_f64, 0.0_f64);
    let mut rng = context.seed.rng();
    let mut first = None;
    for _ in 0..draws {
        let b = rng.random_range(1..=10);
        let mut gauss = |scale: f64| -> Array1<f64> {
            Array1::from_shape_simple_fn(b + 1, || {
                scale * Distribution::<f64>::sample(&StandardNormal, &mut rng)
            })
        };
        let (log_p, weights, own_z) = (gauss(3.0), gauss(10.0), gauss(2.0));
        first.get_or_insert_with(|| data_hash([log_p.view(), weights.view(), own_z.view()]));
        let one_z = Array1::from_elem(b + 1, own_z[0]);
        shared = shared.max(change_under_shift(log_p.view(), weights.view(), one_z.view()));
        own = own.max(change_under_shift(log_p.view(), weights.view(), own_z.view()));
    }
    let name = "largest change of a posterior";
    Ok(Findings {
        values: vec![Value::exact(name, shared)],
        baselines: vec![],
        // The released program scores each candidate with the beta of its own cluster.
        controls: [("own-beta-per-candidate".to_owned(), vec![Value::exact(name, own)])].into(),
        n: vec![draws],
        data: first.unwrap_or_default(),
        setting: format!("{draws} random posteriors, b = 1 … 10, log Z of size 2"),
    })
}

//! Equation (6): the partition function cancels in the posterior.
//!
//! X is finite, so Z_j = Σ_x exp(−β_jᵀf(x)) is a sum. The posterior is computed twice: as printed, from
//! normalised densities, and from energies alone, which is what training does.

use crate::claims::{Check, Context, Findings, data_hash};
use crate::registry::Value;
use crate::study::StudyError;
use ebmbook::data::{Column, ColumnKind, Covariates};
use ebmbook::noise::NoiseKernel;
use ebmbook::theory::density::Grid;
use ebmbook::theory::posterior::{posterior, posterior_of_densities};
use ndarray::{Array1, Array2};
use rand_distr::{Distribution, StandardNormal};

pub const CHECK: Check = Check::new(measure);

const K: usize = 3;
const POINTS: usize = 6;
const Q: f64 = 0.4;

fn measure(context: &Context) -> Result<Findings, StudyError> {
    let copies = context.pick(vec![1, 2, 3], vec![1, 2, 3, 4]);
    // Two features with two and three values.
    let x = Array2::from_shape_fn((POINTS, 2), |(i, s)| if s == 0 { i % 2 } else { i / 2 } as f64);
    let columns = (0..2)
        .map(|s| Column { name: format!("c{s}"), kind: ColumnKind::categorical(x.column(s)) })
        .collect();
    let rows = Covariates::new(x, columns)?;
    let kernel = NoiseKernel::new(&rows, Q)?;
    let mut rng = context.seed.child("f").rng();
    let f = Array2::from_shape_simple_fn((POINTS, K), || {
        3.0 * Distribution::<f64>::sample(&StandardNormal, &mut rng)
    });
    let b = context.directions(K)?;
    let energies = f.dot(&b);
    let log_p = context.log_densities(&Grid::finite(rows.x().to_owned()), f.view(), b.view());
    // log Z_j = −β_jᵀf(x) − log p_j(x), the same at every x.
    let log_z = -&energies.row(0) - log_p.row(0);
    // Largest change over all tuples, all j, when candidate a is scored with direction `own(j, v_a)`.
    let change = |own: &dyn Fn(usize, usize) -> usize| {
        let mut largest = 0.0_f64;
        for b in &copies {
            for code in 0..POINTS.pow(*b as u32 + 1) {
                let members: Vec<usize> = (0..=*b).map(|a| code / POINTS.pow(a as u32) % POINTS).collect();
                let kernel_terms = Array1::from_shape_fn(b + 1, |a| {
                    let others = (0..=*b).filter(|o| *o != a);
                    others
                        .map(|o| kernel.log_density(rows.x().row(members[o]), rows.x().row(members[a])))
                        .sum::<f64>()
                });
                for j in 0..K {
                    let of = |table: &Array2<f64>| {
                        members.iter().map(|v| table[[*v, own(j, *v)]]).collect::<Array1<f64>>()
                    };
                    let printed = posterior_of_densities(
                        of(&log_p).mapv(f64::exp).view(),
                        kernel_terms.mapv(f64::exp).view(),
                    );
                    let trained = posterior((-of(&energies)).view(), kernel_terms.view());
                    largest = (printed - trained).iter().fold(largest, |m, d| m.max(d.abs()));
                }
            }
        }
        vec![Value::exact("change", largest)]
    };
    let tuples: Vec<usize> = copies.iter().map(|b| POINTS.pow(*b as u32 + 1)).collect();
    let spread = log_z.iter().copied().fold(f64::NEG_INFINITY, f64::max)
        - log_z.iter().copied().fold(f64::INFINITY, f64::min);
    Ok(Findings {
        values: change(&|j, _| j),
        baselines: vec![Value::exact("log-z", log_z[0]), Value::exact("log-z-spread", spread)],
        // The released program scores each candidate with the direction of its own cluster; here the
        // clusters are the values of the second feature.
        controls: [("own-beta-per-candidate".to_owned(), change(&|_, v| v / 2))].into(),
        data: data_hash([f.view(), b.view()]),
        setting: format!(
            "{POINTS} points, k = {K}, q = {Q}, b in {copies:?}, every tuple and density enumerated"
        ),
        n: tuples,
    })
}

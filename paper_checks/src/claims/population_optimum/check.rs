//! Appendix B.4, step 1, categorical kernel: the population objective is maximised at p_X.

use crate::claims::{Check, Context, Findings, Pictures, Report, data_hash};
use crate::pictures::consistency;
use crate::registry::Value;
use crate::study::StudyError;
use ebmbook::data::{Column, ColumnKind, Covariates};
use ebmbook::noise::NoiseKernel;
use ebmbook::show::Figure;
use ebmbook::theory::lemma::uniform_simplex;
use ebmbook::theory::population::{Population, Scores};
use ndarray::{Array1, Array2};
use ndarray_rand::RandomExt;
use rand_distr::StandardNormal;

pub const CHECK: Check = Check { pictures: Pictures::Illustrate(pictures), ..Check::new(measure) };

const Q: f64 = 0.4;

fn measure(context: &Context) -> Result<Findings, StudyError> {
    let copies = context.pick(vec![1, 2, 3], vec![1, 2, 3, 4]);
    // Two features with two and three values: six points.
    let x = Array2::from_shape_fn((6, 2), |(i, s)| if s == 0 { (i % 2) as f64 } else { (i / 2) as f64 });
    let columns = (0..2)
        .map(|s| Column { name: format!("c{s}"), kind: ColumnKind::categorical(x.column(s)) })
        .collect();
    let rows = Covariates::new(x, columns)?;
    let kernel = NoiseKernel::new(&rows, Q)?;
    let p_x = uniform_simplex(6, context.seed.child("p_X"));
    let measure = |scores: Scores| {
        let (mut gradient, mut advantage) = (0.0_f64, f64::INFINITY);
        for b in &copies {
            let population = Population::scored(scores, &kernel, rows.x(), p_x.view(), *b);
            let truth = p_x.mapv(f64::ln);
            let at_truth = population.value(truth.view());
            gradient = population.gradient(truth.view()).iter().fold(gradient, |m, g| m.max(g.abs()));
            let mut rng = context.seed.child("directions").index(*b).rng();
            for _ in 0..1000 {
                let step = Array1::<f64>::random_using(6, StandardNormal, &mut rng);
                // Modulo the additive constant, and of length one tenth.
                let step = &step - step.mean().unwrap_or(0.0);
                let step = &step * (0.1 / step.dot(&step).sqrt());
                advantage = advantage.min(at_truth - population.value((&truth + &step).view()));
            }
        }
        vec![Value::exact("gradient", gradient), Value::exact("loss", advantage)]
    };
    let scores = context.population_scores();
    // How far off a model that knows nothing is, by the same two numbers.
    let flat = Array1::zeros(6);
    let population = Population::new(&kernel, rows.x(), p_x.view(), 1);
    let of_flat = population.gradient(flat.view()).iter().fold(0.0_f64, |m, g| m.max(g.abs()));
    let value = |g: &Array1<f64>| population.value(g.view());
    let lost = value(&p_x.mapv(f64::ln)) - value(&flat);
    Ok(Findings {
        values: measure(scores),
        baselines: vec![Value::exact("uniform-gradient", of_flat), Value::exact("uniform-loss", lost)],
        controls: [
            ("missing-kernel-terms".to_owned(), measure(scores.without_kernel_terms())),
            ("wrong-sign-of-the-energy".to_owned(), measure(Scores { sign: -scores.sign, ..scores })),
        ]
        .into(),
        n: copies.iter().map(|b| 6_usize.pow(*b as u32 + 1)).collect(),
        data: data_hash([p_x.view()]),
        setting: format!("6 points, q = {Q}, b in {copies:?}, every tuple enumerated"),
    })
}

fn pictures(_: &Report, _: &Context) -> Vec<Figure> {
    vec![consistency::Finite::new().figure(2)]
}

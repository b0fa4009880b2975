//! Appendix B.6: does it give the density of a pair of rows that Equation (6) needs?

use crate::claims::{Check, Context, Findings, Pictures, Report, data_hash};
use crate::registry::{Key, Value};
use crate::study::StudyError;
use ebmbook::data::{Column, ColumnKind, Covariates};
use ebmbook::noise::NoiseKernel;
use ebmbook::show::Figure;
use ebmbook::theory::compact::truncated::{Kernel, best_scale, quadrature_error};
use ebmbook::theory::kernels::{literal_categorical, smoothed_posterior};
use ebmbook::theory::lemma::uniform_simplex;
use ebmbook::theory::population::{Population, Scores};
use ndarray::{Array1, Array2, ArrayView2, array};

pub const CHECK: Check = Check { pictures: Pictures::Illustrate(pictures), ..Check::new(measure) };

const Q: f64 = 0.4;
/// X = [−2, 2] and q = ½ for the continuous kernel.
const CUT: (f64, f64) = (2.0, 0.5);

/// Two features with two and three values: six points, with the kernel that draws the copies.
fn six_points() -> Result<(Covariates, Array2<f64>), StudyError> {
    let x = Array2::from_shape_fn((6, 2), |(i, s)| if s == 0 { (i % 2) as f64 } else { (i / 2) as f64 });
    let columns = (0..2)
        .map(|s| Column { name: format!("c{s}"), kind: ColumnKind::categorical(x.column(s)) })
        .collect();
    let rows = Covariates::new(x, columns)?;
    let kernel = NoiseKernel::new(&rows, Q)?;
    let drawn = Array2::from_shape_fn((6, 6), |(i, j)| kernel.log_density(rows.x().row(i), rows.x().row(j)));
    Ok((rows, drawn))
}

fn largest(v: &Array1<f64>) -> f64 {
    v.iter().fold(0.0, |m, x| m.max(x.abs()))
}

fn measure(context: &Context) -> Result<Findings, StudyError> {
    let copies = context.pick(vec![1, 2, 3], vec![1, 2, 3, 4]);
    let (rows, drawn) = six_points()?;
    let printed = literal_categorical(rows.x(), Q);
    let p_x = uniform_simplex(6, context.seed.child("p_X"));
    let truth = p_x.mapv(f64::ln);
    // Gradient at p_X, distance of the optimum from p_X, and the best s of the continuous model.
    let values = |scores: Scores, believed: ArrayView2<f64>, kernel: Kernel| {
        let mut values = Vec::new();
        for b in copies.iter().filter(|b| **b > 1) {
            let population = Population::believing(scores, drawn.view(), believed, p_x.view(), *b);
            let best = population.maximiser(truth.view()).mapv(f64::exp);
            let gradient = largest(&population.gradient(truth.view()));
            values.push(Value::exact(Key::new("gradient").of(b), gradient));
            values.push(Value::exact(Key::new("off").of(b), largest(&(best - &p_x))));
        }
        values.push(Value::exact("atom", best_scale(CUT.0, CUT.1, kernel)));
        values
    };
    let right = Scores::default();
    let one = Population::believing(right, drawn.view(), printed.view(), p_x.view(), 1);
    let mass = |table: &Array2<f64>| table.column(0).iter().map(|l| l.exp()).sum::<f64>();
    Ok(Findings {
        values: values(right, printed.view(), Kernel::Printed),
        baselines: vec![
            Value::exact("mass", mass(&printed)),
            Value::exact("mass-summed", mass(&drawn)),
            Value::exact("one-copy", largest(&one.gradient(truth.view()))),
            Value::exact("quadrature", quadrature_error(CUT.0, CUT.1, Kernel::Printed)),
        ],
        controls: [
            ("no-kernel-terms".to_owned(), {
                values(right.without_kernel_terms(), printed.view(), Kernel::Ignored)
            }),
            ("indicator-summed-out".to_owned(), values(right, drawn.view(), Kernel::Exact)),
        ]
        .into(),
        setting: format!(
            "categorical: 6 points, q = {Q}, every tuple enumerated; continuous: N(0, 1) cut to [-{0}, {0}], p_theta = 0 outside, energy s x^2 / 2, b = 2, q = {1}",
            CUT.0, CUT.1
        ),
        n: copies.iter().map(|b| 6_usize.pow(*b as u32 + 1)).collect(),
        data: data_hash([p_x.view()]),
    })
}

/// How the posterior of an impossible candidate vanishes as the atom is approached by kernels that have a density.
fn pictures(_: &Report, _: &Context) -> Vec<Figure> {
    let (v, log_p) = (array![0.0, 0.0, 1.0], array![0.0, 0.0, 0.0]);
    let at = |width: f64| smoothed_posterior(v.view(), log_p.view(), CUT.1, width)[2];
    let points: Vec<(f64, f64)> =
        (0..=40).map(|i| 10_f64.powf(-f64::from(i) / 8.0)).map(|w| (w, at(w))).collect();
    // As printed: 1 − q against qφ(1), for the two others alike.
    let density = CUT.1 * (-0.5_f64).exp() / (2.0 * std::f64::consts::PI).sqrt();
    let printed = density / (density + 2.0 * (1.0 - CUT.1));
    vec![
        Figure::new("Candidates 0, 0 and 1: can 1 be the original?")
            .x("width of the kernel that stands for the atom")
            .y("its posterior probability")
            .log_x()
            .line("kernels with a density", &points)
            .level("as printed", printed),
    ]
}

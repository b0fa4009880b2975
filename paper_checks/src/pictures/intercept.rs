//! The picture of a shifted representation: which regressors notice.

use crate::context::Context;
use ebmbook::regress::{self};
use ebmbook::show::Figure;
use ebmbook::theory::shift::largest_change;
use ndarray::{Array1, Array2};
use ndarray_rand::RandomExt;
use rand_distr::{Distribution, StandardNormal};

fn rows(context: &Context) -> (Array2<f64>, Array1<f64>) {
    let mut rng = context.seed.child("shift").rng();
    let x = Array2::<f64>::random_using((120, 3), StandardNormal, &mut rng);
    let y = Array1::from_shape_fn(120, |i| {
        let noise: f64 = StandardNormal.sample(&mut rng);
        1.0 + x[[i, 0]] + x[[i, 1]].powi(2) + 0.3 * noise
    });
    (x, y)
}

/// Largest change of a prediction against the size of the shift, for each regression.
///
/// # Panics
/// If a regression cannot be fitted.
pub fn shift_figure(context: &Context) -> Figure {
    let (x, y) = rows(context);
    let figure = Figure::new("Add a constant to every feature")
        .x("size of the shift")
        .y("largest change of a prediction, standard deviations");
    [
        ("kernel-ridge", "linear kernel ridge"),
        ("polynomial", "polynomial ridge"),
        ("power", "power transform + ridge"),
        ("ridge", "ridge with intercept"),
    ]
    .iter()
    .fold(figure, |fig, (name, label)| {
        let regressor = regress::by_name(name, 1.0).expect("a known regressor");
        let change = |by: f64| {
            let c = largest_change(regressor.as_ref(), x.view(), y.view(), x.view(), by).expect("a fit");
            (by, if c < 1e-6 { 0.0 } else { c })
        };
        fig.line(label, &[0.0, 1.0, 2.0, 3.0].map(change))
    })
}

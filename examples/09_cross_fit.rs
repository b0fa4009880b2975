//! Why nuisances come from other folds: a flexible regression knows the rows it was fitted on.

use ebmbook::cate::{Features, Folding, Learner, Propensity, RLearner, Sample};
use ebmbook::prelude::*;
use ebmbook::regress::RegressorKind;
use ndarray::{Array1, Array2, Axis};
use ndarray_rand::RandomExt;
use rand_distr::{StandardNormal, StandardUniform};

pub(crate) fn main() -> Result<()> {
    let (n, d) = (300, 8);
    let mut rng = Seed::new(1).rng();
    let x = Array2::<f64>::random_using((n, d), StandardNormal, &mut rng);
    let treated = Array1::<f64>::random_using(n, StandardUniform, &mut rng).mapv(|u| u < 0.5);
    let noise = Array1::<f64>::random_using(n, StandardNormal, &mut rng);
    // Y = sin(x_1) + A·1 + noise: the effect is 1 for everybody.
    let outcome = Array1::from_shape_fn(n, |i| x[[i, 0]].sin() + f64::from(u8::from(treated[i])) + noise[i]);
    let rbf = RegressorKind::Rbf.build(0.1)?;

    // Fitted on all rows, or on the half that a row is not in.
    let same = rbf.fit(x.view(), outcome.view())?.predict(x.view())?;
    let folding = Folding::Stratified { k: 2, seed: Seed::new(2) };
    let folds = folding.folds(treated.view())?;
    let mut other = Array1::zeros(n);
    for fold in 0..folds.k() {
        let (inside, outside): (Vec<usize>, Vec<usize>) = (0..n).partition(|i| folds.of_row()[*i] == fold);
        let half = outcome.select(Axis(0), &outside);
        let fitted = rbf.fit(x.select(Axis(0), &outside).view(), half.view())?;
        let predicted = fitted.predict(x.select(Axis(0), &inside).view())?;
        inside.iter().zip(&predicted).for_each(|(i, p)| other[*i] = *p);
    }
    let rms = |p: &Array1<f64>| (&outcome - p).mapv(|e| e * e).mean().expect("rows").sqrt();
    println!("residuals of rows the regression has seen      {:.2}", rms(&same));
    println!("residuals of rows it has not                   {:.2}", rms(&other));
    println!("noise and effect alone                         {:.2}\n", (1.0_f64 + 0.25).sqrt());

    // τ(x) is linear in the features; an effect for everybody needs a column of ones.
    for constant_column in [false, true] {
        let x = Features { constant_column, ..Features::default() }.switches(x.view(), x.view()).train;
        let learner = RLearner::new(rbf.clone(), Propensity::Constant, folding.clone());
        let sample = Sample::new(x, treated.clone(), outcome.clone())?;
        let mean = learner.fit(&sample)?.at(sample.rows())?.mean().expect("rows");
        println!("R-learner, column of ones {constant_column:>5}: mean effect {mean:.2}; the truth is 1");
    }
    Ok(())
}

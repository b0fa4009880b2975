//! The EBM against other reductions, by what matters later: how well a regression predicts from
//! k coordinates.

use ebmbook::prelude::*;
use ebmbook::representation::RepresentationKind;

pub(crate) fn main() -> Result<()> {
    let k = 5;
    let data = synthetic::Released::new(50, 500)?.generate().train;
    let (train, test) = (data.rows(&Vec::from_iter(0..400)), data.rows(&Vec::from_iter(400..500)));
    let (y, y_test) = (train.outcome()?, test.outcome()?);
    let ridge = regress::RegressorKind::Ridge.build(1.0)?;

    println!("{} training rows, {} covariates, {k} coordinates\n", train.n(), train.d());
    println!("{:<18} {:>12} {:>6}", "representation", "RMSE of Y", "rank");
    for kind in [
        RepresentationKind::Identity,
        RepresentationKind::Pca,
        RepresentationKind::RandomProjection,
        RepresentationKind::KMeansDistances,
        RepresentationKind::Untrained,
        RepresentationKind::Ebm,
    ] {
        let fitted = kind.build(k, Protocol::Paper).fit(train.covariates(), Seed::new(1))?;
        let prediction = ridge.fit(fitted.training(), y)?.predict(fitted.transform(test.x())?.view())?;
        let error = (&prediction - &y_test).mapv(|e| e * e).mean().expect("rows").sqrt();
        let rank = metrics::shape(fitted.training())?.effective_rank;
        println!("{:<18} {error:>12.3} {rank:>6.1}", kind.to_string());
    }
    println!("\nknown reductions: {}", RepresentationKind::VARIANTS.join(", "));
    Ok(())
}

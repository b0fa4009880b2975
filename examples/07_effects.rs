//! Effects with five learners, on the covariates and on a representation of them.

use ebmbook::cate::{Baselines, Features, Folding, LearnerKind, PropensityKind, Rows, Sample};
use ebmbook::prelude::*;
use ebmbook::regress::RegressorKind;
use ebmbook::representation::EbmReduction;

pub(crate) fn main() -> Result<()> {
    let TrainTest { train, test, .. } = synthetic::Released::new(50, 500)?.generate();
    let truth = test.noisy_effect()?;
    let ebm = EbmReduction::new(Ebm::params(5).epochs(50));
    let features = Features { standardise: true, constant_column: true };
    let made = [
        features.prepare(&Identity, train.covariates(), test.x(), Seed::new(1))?,
        features.prepare(&ebm, train.covariates(), test.x(), Seed::new(1))?,
    ];

    println!("PEHE on {} test rows\n{:>8} {:>10} {:>8}", test.n(), "learner", "covariates", "EBM");
    for kind in LearnerKind::iter() {
        let mut errors = Vec::new();
        for features in &made {
            let sample = Sample::new(
                features.train.clone(),
                train.treatment()?.to_owned(),
                train.outcome()?.to_owned(),
            )?;
            let learner = kind.build(
                RegressorKind::Ridge.build(1.0)?,
                PropensityKind::Logistic.build(0),
                Folding::Stratified { k: 2, seed: Seed::new(2) },
            );
            let effects = learner.fit(&sample)?.at(Rows { x: features.test.view(), propensity: None })?;
            errors.push(metrics::pehe(effects.view(), truth.view())?);
        }
        println!("{:>8} {:>10.3} {:>8.3}", kind.to_string(), errors[0], errors[1]);
    }
    println!("\nwhat every estimate has to beat, and what none can:");
    for (name, pehe) in Baselines::new(&train, &test)?.pehe(truth.view())? {
        println!("{name:>8} {pehe:>10.3}");
    }
    Ok(())
}

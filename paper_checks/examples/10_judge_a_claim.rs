//! A claim of one's own, judged as the paper's are: a value with its error, a criterion with its
//! reason, and a control that must fail.
//!
//! The claim: "an autoencoder's two runs agree as well as two runs of an EBM".

use ebmbook::ebm::Keep;
use ebmbook::prelude::*;
use ebmbook::representation::Autoencoder;
use ebmbook::theory::mixture;
use paper_checks::registry::{Criterion, Rule, Scope, Value, verdict};

fn main() -> Result<()> {
    let train = Covariates::continuous(mixture::sample(500, Seed::new(1)))?;
    let test = mixture::sample(500, Seed::new(2));
    let agreement = |runs: [ndarray::Array2<f64>; 2]| -> Result<f64> {
        Ok(metrics::mcc(&[runs[0].view(), runs[1].view()])?.signed)
    };

    let (mut gaps, mut control) = (Vec::new(), Vec::new());
    for pair in 0..60 {
        let seeds = [0, 1].map(|run| Seed::new(3).index(2 * pair + run));
        let params = Ebm::params(2).epochs(40).validation(0.0).keep(Keep::Last);
        let ebm = |seed| -> Result<_> { Ok(Ebm::fit(&params, &train, seed)?.embed(test.view())?) };
        let autoencoder = |seed| -> Result<_> {
            let params = Autoencoder::params(2).epochs(40);
            Ok(Autoencoder::fit(&params, &train, seed)?.encode(test.view())?)
        };
        let of_ebm = agreement([ebm(seeds[0])?, ebm(seeds[1])?])?;
        gaps.push(agreement([autoencoder(seeds[0])?, autoencoder(seeds[1])?])? - of_ebm);
        control.push(-of_ebm); // as if the other runs did not agree at all
    }

    let criterion = Criterion {
        value: "mcc-gap".into(),
        rule: Rule::AtLeast,
        target: 0.0,
        tolerance: 0.05,
        reason: "a difference of 0.05 is one nobody would notice in a figure".into(),
        alpha: 0.01,
        scope: Scope::Stated,
    };
    for (name, gaps) in [("the claim", gaps), ("the control", control)] {
        let value = Value::mean(&criterion.value, &gaps);
        let (estimate, se) = (value.estimate, value.se.unwrap_or(f64::NAN));
        let found = verdict(&[value], std::slice::from_ref(&criterion), 1.0);
        println!("{name}: {estimate:.2} ± {se:.2}, demanded {} → {found:?}", criterion.demand());
    }
    Ok(())
}

//! Abstract, sections 3 and 7: the representation keeps effect estimates consistent.
//!
//! With the exact limiting representation, so that no training error enters.

use super::{Context, Findings};
use crate::verdict::Value;
use ebmbook::theory::limit::{Design, estimates_by_bin, limit_error};

pub(super) fn check(_: &Context) -> ebmbook::Result<Findings> {
    let radial = limit_error(&Design::RANDOMISED_RADIAL);
    let linear = limit_error(&Design::RANDOMISED_LINEAR);
    let confounded = limit_error(&Design::CONFOUNDED_CONSTANT);
    let values = |radial: f64, linear: f64, confounded: f64| {
        vec![
            Value::exact("limit of PEHE, confounded, effect 1 for everybody", confounded),
            Value::exact("limit of PEHE, randomised, effect varies on level sets of p_X", linear),
            Value::exact("limit of PEHE, randomised, effect a function of p_X", radial),
        ]
    };
    let bins = estimates_by_bin(&Design::CONFOUNDED_CONSTANT, 3);
    let mut baselines: Vec<Value> = ["inner", "middle", "outer"]
        .iter()
        .zip(&bins)
        .map(|(name, e)| {
            Value::exact(&format!("confounded, effect 1: estimate in the {name} third of p_X"), *e)
        })
        .collect();
    baselines.push(Value::exact("confounded: bias", confounded.bias));
    baselines.push(Value::exact("randomised, linear effect: lost by the representation", linear.lost));
    Ok(Findings {
        values: values(radial.pehe, linear.pehe, confounded.pehe),
        baselines,
        controls: [
            // The bias alone, without what randomised designs lose, already breaks the claim.
            ("confounding-only".to_owned(), values(0.0, 0.0, confounded.bias)),
            // Conditioning on x itself keeps ignorability and loses nothing.
            ("x-itself".to_owned(), values(0.0, 0.0, 0.0)),
        ]
        .into(),
        setting: "X ~ N(0, I_2), exact limit f = -log p_X B1 + c, quadrature".into(),
    })
}

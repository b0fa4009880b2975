//! `ebmbook` with no arguments: the workbook's main job.
//!
//! It verifies the shipped data, regenerates the authors' nine synthetic data sets from their
//! seeds and puts the trivial baselines beside the paper's printed EBM numbers.

use super::output::{Output, rounded};
use super::{Outcome, Problem, data};
use crate::printed::Printed;
use ebmbook::data::synthetic::{Released, SETTINGS};
use ebmbook::{data::manifest::Manifest, metrics::pehe};
use ndarray::Array1;

pub(super) fn run(output: &Output) -> Result<Outcome, Problem> {
    if !output.is_json() {
        data::verify(&Manifest::find()?, output)?;
        output.say("\nThe authors' synthetic data, regenerated from their seeds (protocol: released, PEHE");
        output.say("is the root against noisy test outcomes; \"EBM\" is Table 1, R-learner):\n");
    }
    baselines(output)?;
    output.say("\n`ebmbook --help` lists what else the workbook can do.");
    Ok(Outcome::Fine)
}

/// Zero, constant and oracle predictors on each setting, beside what the paper prints.
fn baselines(output: &Output) -> Result<(), Problem> {
    let printed = Printed::load();
    let mut rows = Vec::new();
    for (d, n) in SETTINGS {
        let data = Released::new(d, n)?.generate();
        let truth = data.test.noisy_effect()?;
        let constant = |value: f64| pehe(Array1::from_elem(truth.len(), value).view(), truth.view());
        let zero = constant(0.0)?;
        let mean = constant(data.train.difference_in_means()?)?;
        let oracle = pehe(data.test.effect()?, truth.view())?;
        let cell = |with_ebm: bool| printed.table1(d, n, "R", with_ebm).map(|c| c.pehe_mean);
        let better = |ebm: f64| if ebm < zero { "yes" } else { "no" };
        rows.push(vec![
            d.into(),
            n.into(),
            rounded(zero, 3),
            rounded(mean, 3),
            rounded(oracle, 3),
            cell(true).into(),
            cell(false).into(),
            cell(true).map(better).into(),
        ]);
    }
    let header = ["d", "n", "zero", "constant", "oracle", "EBM printed", "no EBM printed", "EBM beats zero"];
    output.table(&header, &rows);
    Ok(())
}

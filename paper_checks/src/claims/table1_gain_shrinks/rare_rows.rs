//! Who pays for a missing intercept on Twins. A column that is nearly constant in training serves a
//! linear regression without intercept as one; a test row that differs there gets the whole of it wrong.

use crate::printed::Block;
use crate::registry::{Key, Value};
use crate::study::{Arm, DataSpec, StudyError, plans::Setting};
use ebmbook::cate::{Features, Learner, Sample, TLearner};
use ebmbook::data::Protocol;
use ebmbook::metrics::pehe;
use ebmbook::regress::RegressorKind;
use ndarray::{Array1, ArrayView1, ArrayView2};

/// A column is nearly constant if at most one training row in fifty differs from the most frequent value.
const RARE: f64 = 0.02;
/// Cuts of the file, the table's own and fresh ones.
const CUTS: u32 = 20;

/// log₂ (PEHE of test rows with a rare value / PEHE of the others) of the T-learner with linear kernel ridge,
/// released protocol, mean over cuts of the file: on the covariates, and with a constant column beside them.
pub(super) fn on_twins(n: usize) -> Result<Vec<Value>, StudyError> {
    let setting = Setting::of(&[Block::Twins]).into_iter().find(|s| s.n == n).expect("a printed n");
    [Arm::RAW, Arm::RAW.plus_constant()]
        .into_iter()
        .map(|arm| {
            let ratios = (0..CUTS)
                .map(|draw| ratio(&DataSpec { draw, ..setting.data(Protocol::Released) }, arm.constant))
                .collect::<Result<Vec<Option<f64>>, StudyError>>()?;
            let found: Vec<f64> = ratios.into_iter().flatten().collect();
            Ok(Value::mean(Key::new("rare-rows").of(n).of(arm), &found))
        })
        .collect()
}

/// The ratio in one cut; none if no test row has a rare value.
fn ratio(data: &DataSpec, constant_column: bool) -> Result<Option<f64>, StudyError> {
    let data = data.load()?;
    let rare = with_a_rare_value(data.train.x(), data.test.x());
    if !rare.contains(&true) {
        return Ok(None);
    }
    let features = Features { standardise: false, constant_column };
    let made = features.switches(data.train.x(), data.test.x());
    let (a, y) = (data.train.treatment()?.to_owned(), data.train.outcome()?.to_owned());
    let learner = TLearner::new(RegressorKind::KernelRidge.build(crate::study::ALPHA)?);
    let estimate = learner.fit(&Sample::new(made.train, a, y)?)?.at(made.test.view().into())?;
    let truth = data.test.noisy_effect()?;
    let error = |flag: bool| {
        let of = |v: ArrayView1<f64>| -> Array1<f64> {
            v.iter().zip(&rare).filter(|(_, r)| **r == flag).map(|(v, _)| *v).collect()
        };
        pehe(of(estimate.view()).view(), of(truth.view()).view())
    };
    Ok(Some((error(true)? / error(false)?).log2()))
}

/// Whether a test row differs from the most frequent value of a nearly constant column.
fn with_a_rare_value(train: ArrayView2<f64>, test: ArrayView2<f64>) -> Vec<bool> {
    let common: Vec<Option<f64>> = train
        .columns()
        .into_iter()
        .map(|column| {
            let mut sorted = column.to_vec();
            sorted.sort_by(f64::total_cmp);
            // A value that all but one in fifty have is the median.
            let median = sorted[sorted.len() / 2];
            let others = sorted.iter().filter(|v| **v != median).count();
            (others as f64 <= RARE * sorted.len() as f64).then_some(median)
        })
        .collect();
    let differs = |row: ArrayView1<f64>| row.iter().zip(&common).any(|(v, c)| c.is_some_and(|c| c != *v));
    test.rows().into_iter().map(differs).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::{Array2, array};

    #[test]
    fn a_row_is_rare_where_it_leaves_a_nearly_constant_column() {
        let mut train = Array2::zeros((100, 2));
        train[[7, 0]] = 1.0;
        train.column_mut(1).iter_mut().enumerate().for_each(|(i, v)| *v = i as f64);
        let test = array![[0.0, 3.0], [1.0, 3.0], [9.0, 200.0]];
        assert_eq!(with_a_rare_value(train.view(), test.view()), [false, true, true]);
    }
}

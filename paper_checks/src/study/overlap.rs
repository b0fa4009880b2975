//! Treated share and overlap of a data set: is it imbalanced, as the motivation supposes?

use super::{Overlap, Quantity, StudyError, Values};
use ebmbook::cate::{Folding, Propensity, Sample};
use ebmbook::regress::Logistic;

/// Propensities are cut here: beyond it a row has no comparable row in the other arm.
const EXTREME: f64 = 0.05;

/// `treated share`, and, with out-of-fold logistic propensities, the share of rows with an
/// extreme propensity and the area under the curve that tells the arms apart (½ is no confounding
/// by a linear index).
pub(super) fn compute(task: &Overlap) -> Result<Values, StudyError> {
    let data = task.data.load()?;
    let train = &data.train;
    let sample = Sample::from_dataset(train)?;
    let folds = Folding::ScikitLearn { k: 5, seed: 0 }.folds(sample.treated())?;
    let e = folds.propensity(&sample, &Propensity::model(Logistic::new(1.0)?))?;
    let extreme = e.iter().filter(|e| **e < EXTREME || **e > 1.0 - EXTREME).count();
    let n = train.n() as f64;
    Ok(Values::from([
        (Quantity::TreatedShare.to_string(), train.treated()? as f64 / n),
        (Quantity::ExtremePropensities.to_string(), extreme as f64 / n),
        (Quantity::AreaUnderTheCurve.to_string(), area(&e.to_vec(), train.treatment()?.to_vec().as_slice())),
    ]))
}

/// P(score of a treated row > score of a control row), ties counted half.
fn area(score: &[f64], treated: &[bool]) -> f64 {
    let mut order: Vec<usize> = (0..score.len()).collect();
    order.sort_by(|i, j| score[*i].total_cmp(&score[*j]));
    let (mut controls_below, mut sum, mut at) = (0.0, 0.0, 0);
    while at < order.len() {
        let tied = order[at..].iter().take_while(|i| score[**i] == score[order[at]]).count();
        let group = &order[at..at + tied];
        let treated_here = group.iter().filter(|i| treated[**i]).count() as f64;
        let controls_here = tied as f64 - treated_here;
        sum += treated_here * (controls_below + controls_here / 2.0);
        controls_below += controls_here;
        at += tied;
    }
    let total = treated.iter().filter(|a| **a).count() as f64;
    sum / (total * (treated.len() as f64 - total))
}

#[cfg(test)]
mod tests {
    use super::area;

    #[test]
    fn the_area_is_one_for_a_perfect_score_and_half_for_none() {
        let treated = [false, false, true, true];
        assert_eq!(area(&[0.1, 0.2, 0.3, 0.4], &treated), 1.0);
        assert_eq!(area(&[0.4, 0.3, 0.2, 0.1], &treated), 0.0);
        assert_eq!(area(&[0.5; 4], &treated), 0.5);
    }
}

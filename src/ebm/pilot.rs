//! Noise chosen by the data. In: training rows. Out: q and σ at which the contrast is neither trivial nor hopeless.
//!
//! Pilots search a path from strong to light noise:
//!
//! ```text
//! σ = 2s, 2s/√2, s, … s/8  at  q = max(1/2, q_min),     then σ = s/8 with q/2, q/4, … down to q_min
//! ```
//!
//! s is the root mean square of the continuous columns' standard deviations. At q_min = 1 − 0.05^{1/d} one copy in twenty
//! equals its row; with more of them the loss would say how many copies are the same, and not how hard they are to tell.
//! The chosen place is the one whose validation loss is nearest to log(2)/2: 0 is a contrast that teaches nothing, and
//! log 2 one that guesses. A pilot is a whole run: one that is cut short measures how far training got. At d = 100, a
//! hundred steps end near log 2 with noise that four hundred see through. The search halves the path, so that it takes
//! four pilots at the most on fifteen places.

use super::{Ebm, EbmError, EbmParams};
use crate::data::{ColumnKind, Covariates};
use crate::seed::Seed;
use ndarray::Axis;
use std::f64::consts::LN_2;

/// Share of copies that may equal their row.
const SAME: f64 = 0.05;
/// Divisions of σ by √2, from 2s to s/8.
const DIVISIONS: i32 = 8;

/// Parameters with the noise that pilots chose.
#[derive(Clone, Debug)]
pub struct Pilot {
    /// The parameters, with that noise.
    pub params: EbmParams,
    /// The pilot that chose it.
    pub chosen: Tried,
    /// Every pilot, in the order in which they ran.
    pub tried: Vec<Tried>,
}

/// One pilot.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct Tried {
    /// Corruption probability.
    pub q: f64,
    /// Noise standard deviation.
    pub sd: f64,
    /// Loss on the rows held out; log 2 is a guess.
    pub loss: f64,
}

impl EbmParams {
    /// These parameters with q and σ chosen by pilots on the rows that are to be trained on.
    ///
    /// ```
    /// use ebmbook::prelude::*;
    /// let data = synthetic::Released::new(100, 500)?.generate().train;
    /// let pilot = Ebm::params(2).hidden(&[32]).epochs(30).with_pilot_noise(data.covariates(), Seed::new(1))?;
    /// assert!(pilot.tried.iter().all(|other| (other.loss - 0.35).abs() >= (pilot.chosen.loss - 0.35).abs() - 0.01));
    /// let ebm = Ebm::fit(&pilot.params.epochs(2), data.covariates(), Seed::new(1))?;
    /// assert_eq!(ebm.k(), 2);
    /// # Ok::<(), ebmbook::Error>(())
    /// ```
    pub fn with_pilot_noise(&self, train: &Covariates, seed: Seed) -> Result<Pilot, EbmError> {
        let path = path(train);
        let mut tried: Vec<Tried> = Vec::new();
        // Lighter noise is harder to tell: the loss rises along the path, and half of it is out after each pilot.
        let (mut low, mut high) = (0, path.len());
        while low < high {
            let middle = (low + high) / 2;
            let (q, sd) = path[middle];
            let params = self.clone().corruption(q).noise_sd(sd);
            // One seed: pilots differ in their noise alone.
            let ebm = Ebm::fit(&params, train, seed.child("pilot"))?;
            let history = ebm.history();
            let last = || history.epochs.last().map_or(f64::NAN, |epoch| epoch.train);
            let loss = history.kept_validation().unwrap_or_else(last);
            tried.push(Tried { q, sd, loss });
            if loss < LN_2 / 2.0 { low = middle + 1 } else { high = middle }
        }
        let far = |pilot: &Tried| (pilot.loss - LN_2 / 2.0).abs();
        let chosen = *tried.iter().min_by(|a, b| far(a).total_cmp(&far(b))).expect("the path is not empty");
        let params = self.clone().corruption(chosen.q).noise_sd(chosen.sd);
        Ok(Pilot { params, chosen, tried })
    }
}

/// Pairs (q, σ) from strong to light.
fn path(train: &Covariates) -> Vec<(f64, f64)> {
    let spread = train.x().var_axis(Axis(0), 0.0);
    let moving = train
        .columns()
        .iter()
        .zip(&spread)
        .filter(|(column, v)| **v > 0.0 && matches!(column.kind, ColumnKind::Continuous));
    let variances: Vec<f64> = moving.map(|(_, v)| *v).collect();
    let s = if variances.is_empty() {
        1.0
    } else {
        (variances.iter().sum::<f64>() / variances.len() as f64).sqrt()
    };
    let changing = train.d() - train.constant_columns().len();
    let q_min = 1.0 - SAME.powf(1.0 / changing.max(1) as f64);
    let q = q_min.max(0.5);
    let mut path: Vec<(f64, f64)> =
        (0..=DIVISIONS).map(|i| (q, 2.0 * s * std::f64::consts::FRAC_1_SQRT_2.powi(i))).collect();
    let lightest = path[path.len() - 1].1;
    let fewer = (1..).map(|i| q * 0.5_f64.powi(i)).take_while(|q| *q >= q_min);
    path.extend(fewer.map(|q| (q, lightest)));
    path
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::synthetic::Released;
    use crate::data::{Column, Dataset};
    use ndarray::Array2;
    use rand::Rng;
    use rand_distr::{Distribution, StandardNormal};

    fn params() -> EbmParams {
        EbmParams::new(4).hidden(&[64, 64]).activation(crate::network::Activation::Silu)
    }

    /// The loss of a whole run with the noise of a pilot, and with the printed noise.
    fn losses(rows: &Covariates) -> [f64; 2] {
        let pilot = params().with_pilot_noise(rows, Seed::new(3)).unwrap();
        [pilot.params, params()]
            .map(|params| Ebm::fit(&params, rows, Seed::new(4)).unwrap().history().kept_validation().unwrap())
    }

    #[test]
    fn a_whole_run_ends_at_a_middling_loss_in_two_dimensions_and_in_a_hundred() {
        let mut rng = Seed::new(1).rng();
        let two = Array2::from_shape_fn((500, 2), |_| StandardNormal.sample(&mut rng));
        let hundred: Dataset = Released::new(100, 1000).unwrap().generate().train;
        for (rows, trivial) in
            [(Covariates::continuous(two).unwrap(), false), (hundred.covariates().clone(), true)]
        {
            let [pilot, printed] = losses(&rows);
            // Between a quarter and three quarters of a guess; the pilot aims at the half.
            assert!((LN_2 / 4.0..0.75 * LN_2).contains(&pilot), "d = {}: {pilot}", rows.d());
            assert_eq!(printed < LN_2 / 20.0, trivial, "d = {}: {printed}", rows.d());
        }
    }

    #[test]
    fn the_scale_of_the_data_moves_the_noise_and_nothing_else_and_the_seed_decides() {
        let rows = Released::new(10, 300).unwrap().generate().train;
        let times = |by: f64| Covariates::continuous(&rows.x() * by).unwrap();
        let one = params().with_pilot_noise(&times(1.0), Seed::new(3)).unwrap();
        let again = params().with_pilot_noise(&times(1.0), Seed::new(3)).unwrap();
        assert_eq!((one.chosen, &one.tried), (again.chosen, &again.tried));
        assert_eq!(
            path(&times(8.0)).iter().map(|(q, sd)| (*q, sd / 8.0)).collect::<Vec<_>>(),
            path(&times(1.0))
        );
    }

    #[test]
    fn categories_are_made_harder_by_corrupting_fewer_of_them() {
        let mut rng = Seed::new(2).rng();
        let x = Array2::from_shape_fn((400, 60), |_| f64::from(rng.random_range(0..3_u8)));
        let kind = ColumnKind::categorical(x.column(0));
        let columns = (0..60).map(|s| Column { name: format!("c{s}"), kind: kind.clone() }).collect();
        let rows = Covariates::new(x, columns).unwrap();
        let path = path(&rows);
        let (first, last) = (path[0], path[path.len() - 1]);
        assert_eq!(first.0, 0.5);
        // 1 − 0.05^{1/60} = .0487, and .5/8 is the last half above it.
        assert_eq!(last.0, 0.0625);
        assert!(path.windows(2).all(|two| two[0].0 >= two[1].0 && two[0].1 >= two[1].1));
    }
}

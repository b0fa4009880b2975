//! Twins: real covariates and real outcomes of both arms. "Treated" is the heavier twin.
//!
//! In: the shipped file of pairs. Out: a data set in which one twin of each pair is observed.
//! Only pairs under 2 kg ship (11 984 of the 71 345 the paper used): printed Twins digits cannot
//! be matched with it, trends can.

use super::csv::KindRule;
use super::manifest::Manifest;
use super::{Column, Covariates, DataError, Dataset};
use crate::seed::Seed;
use ndarray::{Array1, Array2, Axis};
use ndarray_rand::RandomExt;
use rand::Rng;
use rand_distr::StandardNormal;

/// Number of covariates.
pub const COVARIATES: usize = 48;

/// What to do with unknown covariates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missing {
    /// Keep the pairs for which every covariate is known (4 821).
    CompleteCase,
    /// Put the mean of the known values in place of an unknown one.
    MeanImputed,
}

/// How treatment is assigned to a pair, i.e. which twin is observed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TreatmentRule {
    /// A fair coin, as the released program does: no confounding.
    FairCoin,
    /// Ours: `π(x) = σ(strength · s(x))` with `s` a random linear function of the standardised
    /// covariates, itself scaled to mean 0 and variance 1 over the rows.
    Confounded {
        /// Standard deviation of the logit; 1 is moderate.
        strength: f64,
    },
}

/// The pairs, with unknown covariates as NaN.
///
/// ```
/// use ebmbook::data::twins::{TreatmentRule, Missing, Twins};
/// use ebmbook::seed::Seed;
/// let twins = Twins::load()?;
/// assert_eq!(twins.pairs(), 11_984);
/// let data = twins.dataset(Missing::CompleteCase, TreatmentRule::FairCoin, Seed::new(1))?;
/// assert_eq!((data.n(), data.d()), (4_821, 48));
/// # Ok::<(), ebmbook::data::DataError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Twins {
    names: Vec<String>,
    x: Array2<f64>,
    y0: Array1<f64>,
    y1: Array1<f64>,
}

impl Twins {
    /// Loads and verifies the shipped file.
    pub fn load() -> Result<Self, DataError> {
        Self::from_manifest(&Manifest::find()?)
    }

    /// Loads and verifies the file of another data folder.
    pub fn from_manifest(manifest: &Manifest) -> Result<Self, DataError> {
        let bytes = manifest.read("twins")?;
        let mut reader = ::csv::Reader::from_reader(bytes.as_slice());
        let verified = "a file with the right hash parses";
        let names: Vec<String> = reader.headers().expect(verified).iter().map(str::to_owned).collect();
        let mut cells = Vec::new();
        for record in reader.records() {
            for cell in &record.expect(verified) {
                cells.push(if cell.is_empty() { f64::NAN } else { cell.parse().expect(verified) });
            }
        }
        let all = Array2::from_shape_vec((cells.len() / names.len(), names.len()), cells).expect(verified);
        Ok(Self {
            names: names[..COVARIATES].to_vec(),
            x: all.slice(ndarray::s![.., ..COVARIATES]).to_owned(),
            y0: all.column(COVARIATES).to_owned(),
            y1: all.column(COVARIATES + 1).to_owned(),
        })
    }

    /// Number of pairs.
    pub fn pairs(&self) -> usize {
        self.x.nrows()
    }

    /// Number of pairs with every covariate known.
    pub fn complete_pairs(&self) -> usize {
        self.complete().len()
    }

    /// Death rate of the lighter and of the heavier twin.
    pub fn mortality(&self) -> (f64, f64) {
        let mean = |y: &Array1<f64>| y.mean().expect("there are pairs");
        (mean(&self.y0), mean(&self.y1))
    }

    /// One observed twin a pair. Every covariate is a code, so every one is categorical.
    pub fn dataset(&self, missing: Missing, rule: TreatmentRule, seed: Seed) -> Result<Dataset, DataError> {
        let rows = match missing {
            Missing::CompleteCase => self.complete(),
            Missing::MeanImputed => (0..self.pairs()).collect(),
        };
        let every_code = KindRule { max_distinct: usize::MAX, ..KindRule::default() };
        let mut x = self.x.select(Axis(0), &rows);
        for mut column in x.columns_mut() {
            let known: Vec<f64> = column.iter().copied().filter(|v| !v.is_nan()).collect();
            let mean = known.iter().sum::<f64>() / known.len() as f64;
            column.mapv_inplace(|v| if v.is_nan() { mean } else { v });
        }
        let columns = self
            .names
            .iter()
            .zip(x.columns())
            .map(|(name, column)| Column { name: name.clone(), kind: every_code.kind(name, column) })
            .collect();
        let (y0, y1) = (self.y0.select(Axis(0), &rows), self.y1.select(Axis(0), &rows));
        let treatment = assign(&x, rule, seed)?;
        let outcome = Array1::from_shape_fn(rows.len(), |i| if treatment[i] { y1[i] } else { y0[i] });
        let name = match missing {
            Missing::CompleteCase => "twins-complete",
            Missing::MeanImputed => "twins-imputed",
        };
        Dataset::builder(name, Covariates::new(x, columns)?)
            .observed(treatment, outcome)
            .potential_outcomes(y0, y1)
            .build()
    }

    fn complete(&self) -> Vec<usize> {
        (0..self.pairs()).filter(|i| self.x.row(*i).iter().all(|v| !v.is_nan())).collect()
    }
}

fn assign(x: &Array2<f64>, rule: TreatmentRule, seed: Seed) -> Result<Array1<bool>, DataError> {
    let mut coin = seed.child("treatment").rng();
    let strength = match rule {
        TreatmentRule::FairCoin => 0.0,
        TreatmentRule::Confounded { strength } if strength.is_finite() && strength >= 0.0 => strength,
        TreatmentRule::Confounded { strength } => {
            return Err(DataError::parameter(
                "confounding strength",
                strength,
                "must be finite and at least 0",
            ));
        }
    };
    // s(x) = Σ_s w_s·z_s, z the standardised covariates, w ~ N(0, I)
    let z = super::split::Standardiser::fit(x.view()).apply(x.view());
    let mut weights = seed.child("propensity").rng();
    let w = Array1::random_using(x.ncols(), StandardNormal, &mut weights);
    let s = z.dot(&w).insert_axis(Axis(1));
    let s = super::split::Standardiser::fit(s.view()).apply(s.view());
    Ok(s.index_axis_move(Axis(1), 0).mapv(|s| coin.random::<f64>() < 1.0 / (1.0 + (-strength * s).exp())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_holds_the_pairs_that_are_documented() {
        let twins = Twins::load().unwrap();
        assert_eq!((twins.pairs(), twins.complete_pairs()), (11_984, 4_821));
        let (lighter, heavier) = twins.mortality();
        assert!(lighter > heavier, "{lighter} against {heavier}: the lighter twin dies more often");
    }

    #[test]
    fn a_fair_coin_ignores_the_covariates_and_confounding_does_not() {
        let twins = Twins::load().unwrap();
        // |corr(A, s)| where s is the index the confounded assignment uses, so the statistic is
        // the same for both; under the coin its standard error is 1/√n.
        let gap = |rule| {
            let data = twins.dataset(Missing::MeanImputed, rule, Seed::new(5)).unwrap();
            let z = crate::data::split::Standardiser::fit(data.x()).apply(data.x());
            let mut weights = Seed::new(5).child("propensity").rng();
            let w = Array1::random_using(48, StandardNormal, &mut weights);
            let a = data.treatment().unwrap().mapv(|a| if a { 1.0 } else { 0.0 });
            crate::metrics::correlation(z.dot(&w).view(), a.view()).abs()
        };
        let se = 1.0 / f64::sqrt(11_984.0);
        assert!(gap(TreatmentRule::FairCoin) < 4.0 * se);
        assert!(gap(TreatmentRule::Confounded { strength: 1.0 }) > 20.0 * se);
    }

    #[test]
    fn imputed_values_are_means_and_nothing_else_changes() {
        let twins = Twins::load().unwrap();
        let data = twins.dataset(Missing::MeanImputed, TreatmentRule::FairCoin, Seed::new(1)).unwrap();
        for (s, column) in data.x().columns().into_iter().enumerate() {
            let known: Vec<f64> = twins.x.column(s).iter().copied().filter(|v| !v.is_nan()).collect();
            let mean = known.iter().sum::<f64>() / known.len() as f64;
            for (i, v) in column.iter().enumerate() {
                let raw = twins.x[[i, s]];
                assert_eq!(*v, if raw.is_nan() { mean } else { raw });
            }
        }
    }
}

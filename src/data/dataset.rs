//! The one type that carries data from here on.

use super::covariates::finite;
use super::{Covariates, DataError};
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Axis};

/// A data set: covariates always, everything else where it is known.
#[derive(Clone, Debug, PartialEq)]
pub struct Dataset {
    name: String,
    covariates: Covariates,
    treatment: Option<Array1<bool>>,
    outcome: Option<Array1<f64>>,
    potential: Option<[Array1<f64>; 2]>,
    effect: Option<Array1<f64>>,
    latent: Option<Array2<f64>>,
}

/// Collects the parts of a [`Dataset`] and checks them together.
///
/// ```
/// use ebmbook::data::{Covariates, Dataset};
/// use ndarray::array;
/// let data = Dataset::builder("toy", Covariates::continuous(array![[0.0], [1.0]])?)
///     .observed(array![false, true], array![0.5, 2.5])
///     .build()?;
/// assert_eq!(data.difference_in_means()?, 2.0);
/// assert!(data.noisy_effect().is_err(), "nobody knows the other potential outcome");
/// # Ok::<(), ebmbook::data::DataError>(())
/// ```
pub struct DatasetBuilder(Dataset);

impl DatasetBuilder {
    /// Treatment A and observed outcome Y.
    pub fn observed(mut self, treatment: Array1<bool>, outcome: Array1<f64>) -> Self {
        (self.0.treatment, self.0.outcome) = (Some(treatment), Some(outcome));
        self
    }

    /// Both potential outcomes, noise included.
    pub fn potential_outcomes(mut self, y0: Array1<f64>, y1: Array1<f64>) -> Self {
        self.0.potential = Some([y0, y1]);
        self
    }

    /// The noiseless effect τ.
    pub fn effect(mut self, tau: Array1<f64>) -> Self {
        self.0.effect = Some(tau);
        self
    }

    /// The latent U that generated the covariates.
    pub fn latent(mut self, u: Array2<f64>) -> Self {
        self.0.latent = Some(u);
        self
    }

    /// Checks lengths and finiteness.
    pub fn build(self) -> Result<Dataset, DataError> {
        let data = self.0;
        let n = data.n();
        if let Some(a) = &data.treatment {
            length("treatment", a.len(), n)?;
        }
        let potential = |arm: usize| data.potential.as_ref().map(|outcomes| &outcomes[arm]);
        for (what, vector) in [
            ("outcome", data.outcome.as_ref()),
            ("noiseless effect", data.effect.as_ref()),
            ("potential outcome y0", potential(0)),
            ("potential outcome y1", potential(1)),
        ] {
            if let Some(v) = vector {
                length(what, v.len(), n)?;
                finite(what, v.iter())?;
            }
        }
        if let Some(u) = &data.latent {
            length("latent U", u.nrows(), n)?;
            finite("latent U", u.iter())?;
        }
        Ok(data)
    }
}

impl Dataset {
    /// Starts from covariates; see [`DatasetBuilder`].
    pub fn builder(name: impl Into<String>, covariates: Covariates) -> DatasetBuilder {
        DatasetBuilder(Self {
            name: name.into(),
            covariates,
            treatment: None,
            outcome: None,
            potential: None,
            effect: None,
            latent: None,
        })
    }

    /// The name, for messages and provenance.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The covariates with their kinds.
    pub fn covariates(&self) -> &Covariates {
        &self.covariates
    }

    /// The n × d covariate matrix.
    pub fn x(&self) -> ArrayView2<'_, f64> {
        self.covariates.x()
    }

    /// Number of rows.
    pub fn n(&self) -> usize {
        self.covariates.n()
    }

    /// Number of covariates.
    pub fn d(&self) -> usize {
        self.covariates.d()
    }

    /// Treatment A.
    pub fn treatment(&self) -> Result<ArrayView1<'_, bool>, DataError> {
        self.treatment.as_ref().map(|v| v.view()).ok_or_else(|| self.absent("treatment"))
    }

    /// Observed outcome Y.
    pub fn outcome(&self) -> Result<ArrayView1<'_, f64>, DataError> {
        self.outcome.as_ref().map(|v| v.view()).ok_or_else(|| self.absent("observed outcome"))
    }

    /// Potential outcomes (y0, y1), noise included.
    pub fn potential_outcomes(&self) -> Result<(ArrayView1<'_, f64>, ArrayView1<'_, f64>), DataError> {
        let known = self.potential.as_ref().ok_or_else(|| self.absent("potential outcomes"))?;
        Ok((known[0].view(), known[1].view()))
    }

    /// y1 − y0 of each row: the effect with the noise of both outcomes in it, which is what the
    /// printed PEHE values compare with.
    pub fn noisy_effect(&self) -> Result<Array1<f64>, DataError> {
        let (y0, y1) = self.potential_outcomes()?;
        Ok(&y1 - &y0)
    }

    /// τ, free of noise.
    pub fn effect(&self) -> Result<ArrayView1<'_, f64>, DataError> {
        self.effect.as_ref().map(|v| v.view()).ok_or_else(|| self.absent("noiseless effect"))
    }

    /// The latent U behind the covariates.
    pub fn latent(&self) -> Result<ArrayView2<'_, f64>, DataError> {
        self.latent.as_ref().map(|v| v.view()).ok_or_else(|| self.absent("latent U"))
    }

    /// Number of treated rows.
    pub fn treated(&self) -> Result<usize, DataError> {
        Ok(self.treatment()?.iter().filter(|a| **a).count())
    }

    /// Mean outcome of the treated minus mean outcome of the controls: the constant predictor.
    pub fn difference_in_means(&self) -> Result<f64, DataError> {
        let (a, y) = (self.treatment()?, self.outcome()?);
        let mean = |arm: bool| {
            let (sum, count) =
                a.iter().zip(y).filter(|(a, _)| **a == arm).fold((0.0, 0), |(s, c), (_, y)| (s + y, c + 1));
            if count == 0 {
                Err(self.absent(if arm { "treated row" } else { "control row" }))
            } else {
                Ok(sum / f64::from(count))
            }
        };
        Ok(mean(true)? - mean(false)?)
    }

    /// The given rows, in the given order.
    pub fn rows(&self, rows: &[usize]) -> Self {
        let pick = |v: &Array1<f64>| v.select(Axis(0), rows);
        Self {
            name: self.name.clone(),
            covariates: self.covariates.rows(rows),
            treatment: self.treatment.as_ref().map(|a| a.select(Axis(0), rows)),
            outcome: self.outcome.as_ref().map(pick),
            potential: self.potential.as_ref().map(|[y0, y1]| [pick(y0), pick(y1)]),
            effect: self.effect.as_ref().map(pick),
            latent: self.latent.as_ref().map(|u| u.select(Axis(0), rows)),
        }
    }

    /// Replaces the covariate matrix by another with the same rows, e.g. a representation.
    pub fn with_covariates(&self, covariates: Covariates) -> Result<Self, DataError> {
        length("covariates", covariates.n(), self.n())?;
        Ok(Self { covariates, ..self.clone() })
    }

    /// Adds `by` to the treated outcome of every row, and so to every effect.
    pub fn shift_treated(&mut self, by: f64) {
        if let (Some(a), Some(y)) = (&self.treatment, &mut self.outcome) {
            y.zip_mut_with(a, |y, a| *y += if *a { by } else { 0.0 });
        }
        if let Some([_, y1]) = &mut self.potential {
            *y1 += by;
        }
        if let Some(tau) = &mut self.effect {
            *tau += by;
        }
    }

    fn absent(&self, what: &'static str) -> DataError {
        DataError::Absent { name: self.name.clone(), what }
    }
}

fn length(what: &'static str, found: usize, expected: usize) -> Result<(), DataError> {
    if found == expected { Ok(()) } else { Err(DataError::Length { what, found, expected }) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::array;

    fn toy() -> Dataset {
        Dataset::builder("toy", Covariates::continuous(array![[0.0], [1.0], [2.0]]).unwrap())
            .observed(array![false, true, true], array![1.0, 5.0, 7.0])
            .potential_outcomes(array![1.0, 2.0, 3.0], array![4.0, 5.0, 7.0])
            .effect(array![3.0, 3.0, 3.0])
            .latent(array![[0.0, 0.0], [1.0, 1.0], [2.0, 2.0]])
            .build()
            .unwrap()
    }

    #[test]
    fn rows_keep_every_part_aligned() {
        let picked = toy().rows(&[2, 0]);
        assert_eq!(picked.x(), array![[2.0], [0.0]]);
        assert_eq!(picked.outcome().unwrap(), array![7.0, 1.0]);
        assert_eq!(picked.noisy_effect().unwrap(), array![4.0, 3.0]);
        assert_eq!(picked.latent().unwrap(), array![[2.0, 2.0], [0.0, 0.0]]);
        assert_eq!(picked.treatment().unwrap(), array![true, false]);
    }

    #[test]
    fn shifting_the_treated_moves_outcomes_effects_and_truth_together() {
        let mut data = toy();
        data.shift_treated(1.0);
        assert_eq!(data.outcome().unwrap(), array![1.0, 6.0, 8.0]);
        assert_eq!(data.noisy_effect().unwrap(), array![4.0, 4.0, 5.0]);
        assert_eq!(data.effect().unwrap(), array![4.0, 4.0, 4.0]);
    }

    #[test]
    fn mismatched_or_infinite_parts_are_refused_by_name() {
        let x = || Covariates::continuous(array![[0.0], [1.0]]).unwrap();
        let error = Dataset::builder("t", x()).effect(array![1.0]).build().unwrap_err();
        assert_eq!(error.to_string(), "noiseless effect has 1 entries, but there are 2 rows");
        let error = Dataset::builder("t", x()).effect(array![1.0, f64::NAN]).build().unwrap_err();
        assert_eq!(error.to_string(), "noiseless effect: entry 1 is NaN, which is not finite");
    }
}

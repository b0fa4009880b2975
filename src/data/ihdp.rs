//! IHDP: real covariates and treatment of 747 children (139 treated), simulated outcomes.
//!
//! Outcomes follow response surface B of Hill (2011), drawn with our seed:
//!
//! ```text
//! Y(0) ~ N(exp((X + W)β), 1)      Y(1) ~ N(Xβ − ω, 1)
//! ```
//!
//! W is ½ everywhere; each entry of β is 0, .1, .2, .3 or .4 with probability .6, .1, .1, .1, .1;
//! ω makes the average effect on the treated 4. Continuous covariates are standardised first.
//! Replicates of the NPCI package can be read from a path; none ship.

use super::manifest::Manifest;
use super::split::Standardiser;
use super::{Column, ColumnKind, Covariates, DataError, Dataset, csv::Table};
use crate::seed::Seed;
use ndarray::{Array1, Array2, Axis, s};
use rand::Rng;
use rand_distr::{Distribution, StandardNormal};
use std::path::Path;

/// The covariates of the literature, continuous ones first.
pub const COVARIATES: [&str; 25] = [
    "bw",
    "b.head",
    "preterm",
    "birth.o",
    "nnhealth",
    "momage",
    "sex",
    "twin",
    "b.marr",
    "mom.lths",
    "mom.hs",
    "mom.scoll",
    "cig",
    "first",
    "booze",
    "drugs",
    "work.dur",
    "prenatal",
    "site1",
    "site2",
    "site3",
    "site4",
    "site5",
    "site6",
    "site7",
];
/// How many of [`COVARIATES`] are continuous.
pub const CONTINUOUS: usize = 6;

/// The average effect on the treated that ω is solved for.
const EFFECT_ON_TREATED: f64 = 4.0;

/// Covariates and treatment after the usual exclusion of treated children of non-white mothers.
///
/// ```
/// use ebmbook::data::ihdp::Ihdp;
/// use ebmbook::seed::Seed;
/// let ihdp = Ihdp::load()?;
/// let data = ihdp.surface_b(Seed::new(1));
/// assert_eq!((data.n(), data.d(), data.treated()?), (747, 25, 139));
/// # Ok::<(), ebmbook::data::DataError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Ihdp {
    covariates: Covariates,
    treatment: Array1<bool>,
}

impl Ihdp {
    /// Loads and verifies the shipped file.
    pub fn load() -> Result<Self, DataError> {
        Self::from_manifest(&Manifest::find()?)
    }

    /// Loads and verifies the file of another data folder.
    pub fn from_manifest(manifest: &Manifest) -> Result<Self, DataError> {
        let table = Table::parse(&manifest.path("ihdp")?, &manifest.read("ihdp")?)?;
        let (treat, white) = (table.column("treat")?, table.column("momwhite")?);
        let kept: Vec<usize> = (0..table.n()).filter(|i| treat[*i] == 0.0 || white[*i] == 1.0).collect();
        let mut x = Array2::zeros((kept.len(), COVARIATES.len()));
        for (s, name) in COVARIATES.iter().enumerate() {
            x.column_mut(s).assign(&table.column(name)?.select(Axis(0), &kept));
        }
        standardise_continuous(&mut x);
        let treatment = kept.iter().map(|i| treat[*i] == 1.0).collect();
        Ok(Self { covariates: covariates(x)?, treatment })
    }

    /// Outcomes of response surface B; see the module text for the equations.
    pub fn surface_b(&self, seed: Seed) -> Dataset {
        let seed = seed.child("ihdp surface b");
        let x = self.covariates.x();
        let mut coefficients = seed.child("coefficients").rng();
        // P(0) = .6, P(.1) = P(.2) = P(.3) = P(.4) = .1
        let beta = Array1::from_shape_simple_fn(x.ncols(), || {
            let decile = coefficients.random_range(0..10_u32);
            if decile < 6 { 0.0 } else { f64::from(decile - 5) / 10.0 }
        });
        let mu0 = (&x + 0.5).dot(&beta).mapv_into(f64::exp);
        let linear = x.dot(&beta);
        // ω such that the mean of Xβ − ω − exp((X + W)β) over the treated is 4
        let treated: Vec<usize> = (0..x.nrows()).filter(|i| self.treatment[*i]).collect();
        let raw = (&linear - &mu0).select(Axis(0), &treated).mean().expect("139 are treated");
        let mu1 = linear - (raw - EFFECT_ON_TREATED);
        let mut noise = seed.child("outcome noise").rng();
        let mut noisy =
            |mu: &Array1<f64>| mu.mapv(|m| m + Distribution::<f64>::sample(&StandardNormal, &mut noise));
        let (y0, y1) = (noisy(&mu0), noisy(&mu1));
        let outcome = Array1::from_shape_fn(y0.len(), |i| if self.treatment[i] { y1[i] } else { y0[i] });
        Dataset::builder("ihdp-surface-b", self.covariates.clone())
            .observed(self.treatment.clone(), outcome)
            .potential_outcomes(y0, y1)
            .effect(mu1 - mu0)
            .build()
            .expect("covariates are standardised, so exp((X + W)β) is finite")
    }
}

/// Reads one replicate of the NPCI package as other benchmarks store it: no header; treatment,
/// factual and counterfactual outcome, μ₀, μ₁, then the 25 covariates.
pub fn read_npci(path: &Path) -> Result<Dataset, DataError> {
    let bytes = std::fs::read(path).map_err(|e| DataError::unreadable(path, e))?;
    let mut names: Vec<String> =
        ["treatment", "y_factual", "y_counterfactual", "mu0", "mu1"].map(String::from).into();
    names.extend((1..=COVARIATES.len()).map(|s| format!("x{s}")));
    let not_npci = |reason: String| DataError::NotNpci { path: path.to_owned(), reason };
    let table = match Table::parse_headless(path, names, &bytes) {
        Err(DataError::Ragged { line, found, expected, .. }) => {
            return Err(not_npci(format!("line {line} has {found} cells, {expected} are needed")));
        }
        Err(DataError::NotANumber { line: 1, value, .. }) => {
            return Err(not_npci(format!("line 1 holds `{value}`, but such a file has no header")));
        }
        Err(DataError::HeaderOnly { path }) => return Err(DataError::Empty { path }),
        other => other?,
    };
    let treatment = table.binary("treatment")?;
    let all = table.values();
    let column = |name: &str| table.column(name).map(|c| c.to_owned());
    let (factual, counterfactual) = (column("y_factual")?, column("y_counterfactual")?);
    let arm = |treated: bool| {
        Array1::from_shape_fn(
            table.n(),
            |i| if treatment[i] == treated { factual[i] } else { counterfactual[i] },
        )
    };
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    Dataset::builder(name, covariates(all.slice(s![.., 5..]).to_owned())?)
        .potential_outcomes(arm(false), arm(true))
        .effect(column("mu1")? - column("mu0")?)
        .observed(treatment, factual)
        .build()
}

fn covariates(x: Array2<f64>) -> Result<Covariates, DataError> {
    let columns = COVARIATES.iter().zip(x.columns()).enumerate().map(|(s, (name, column))| {
        let kind = if s < CONTINUOUS { ColumnKind::Continuous } else { ColumnKind::categorical(column) };
        Column { name: (*name).into(), kind }
    });
    let columns = columns.collect();
    Covariates::new(x, columns)
}

fn standardise_continuous(x: &mut Array2<f64>) {
    let mut continuous = x.slice_mut(s![.., ..CONTINUOUS]);
    let scaled = Standardiser::fit(continuous.view()).apply(continuous.view());
    continuous.assign(&scaled);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_average_effect_on_the_treated_is_four() {
        let ihdp = Ihdp::load().unwrap();
        for seed in 0..5 {
            let data = ihdp.surface_b(Seed::new(seed));
            let (tau, a) = (data.effect().unwrap(), data.treatment().unwrap());
            let sum: f64 = tau.iter().zip(a).filter(|(_, a)| **a).map(|(t, _)| t).sum();
            assert!((sum / 139.0 - 4.0).abs() < 1e-12);
        }
    }

    #[test]
    fn no_treated_child_has_a_non_white_mother() {
        let ihdp = Ihdp::load().unwrap();
        assert_eq!((ihdp.covariates.n(), ihdp.treatment.iter().filter(|a| **a).count()), (747, 139));
    }

    #[test]
    fn an_npci_file_is_read_into_its_parts() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("npci.csv");
        let row = |a: u8, yf: f64, ycf: f64| format!("{a},{yf},{ycf},1.5,2.5{}\n", ",0".repeat(25));
        std::fs::write(&path, [row(1, 5.0, 2.0), row(0, 1.0, 4.0)].concat()).unwrap();
        let data = read_npci(&path).unwrap();
        assert_eq!(data.potential_outcomes().unwrap().0, ndarray::array![2.0, 1.0]);
        assert_eq!(data.potential_outcomes().unwrap().1, ndarray::array![5.0, 4.0]);
        assert_eq!(data.effect().unwrap(), ndarray::array![1.0, 1.0]);
        std::fs::write(&path, "treatment,y\n1,2\n").unwrap();
        assert!(read_npci(&path).unwrap_err().to_string().contains("line 1 has 2 cells, 30 are needed"));
    }
}

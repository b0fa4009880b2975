//! Notebook 01: the data, and the noise that training is made of.

use crate::claims::Context;
use crate::pictures::committed;
use ebmbook::cate::{Propensity, Sample};
use ebmbook::data::ihdp::Ihdp;
use ebmbook::data::synthetic::Released;
use ebmbook::data::twins::{Missing, TreatmentRule, Twins};
use ebmbook::data::{Column, ColumnKind, Covariates, Dataset};
use ebmbook::noise::NoiseKernel;
use ebmbook::regress::Logistic;
use ebmbook::seed::Seed;
use ebmbook::show::{Answer, Figure, Table, format_number, table};
use ndarray::{Array1, Array2, ArrayView1, array};

/// Three rows with one continuous and one categorical feature.
#[derive(Clone, Debug)]
pub struct Small {
    rows: Covariates,
    kernel: NoiseKernel,
}

impl Small {
    /// Corrupted with probability q; the categorical feature has the values 0, 1, 2.
    ///
    /// # Panics
    /// If q is not a probability above 0.
    pub fn new(q: f64) -> Self {
        let x = array![[0.5, 0.0], [1.5, 1.0], [-1.0, 2.0]];
        let kind =
            |s: usize| if s == 0 { ColumnKind::Continuous } else { ColumnKind::categorical(x.column(1)) };
        let columns = ["height", "group"].iter().enumerate();
        let columns = columns.map(|(s, name)| Column { name: (*name).into(), kind: kind(s) }).collect();
        let rows = Covariates::new(x, columns).expect("finite rows");
        let kernel = NoiseKernel::new(&rows, q).expect("q in (0, 1]");
        Self { rows, kernel }
    }

    /// The rows.
    pub fn table(&self) -> Table {
        let names: Vec<&str> =
            ["row"].into_iter().chain(self.rows.columns().iter().map(|c| c.name.as_str())).collect();
        (0..3).fold(table("Three rows", &names), |t, i| {
            t.numbers((i + 1).to_string(), self.rows.x().row(i).as_slice().expect("contiguous"))
        })
    }

    /// b corrupted copies of the first row.
    ///
    /// # Panics
    /// If b is 0.
    pub fn copies(&self, b: usize, seed: u64) -> Table {
        let first = self.rows.x().slice(ndarray::s![..1, ..]).to_owned();
        let copies = self.kernel.corrupt(first.view(), b, Seed::new(seed)).expect("at least one copy");
        let header = ["copy", "height", "group", "log density given row 1", "changed"];
        (0..b).fold(table("Corrupted copies of row 1", &header), |t, a| {
            let copy = copies.slice(ndarray::s![0, a, ..]);
            let changed = (0..2).filter(|s| copy[*s] != first[[0, *s]]).count();
            let log_p = self.kernel.log_density(copy, first.row(0));
            t.numbers((a + 1).to_string(), &[copy[0], copy[1], log_p, changed as f64])
        })
    }

    /// log p̃ of row i given row j and the other way round.
    pub fn symmetry(&self) -> Table {
        let x = self.rows.x();
        let log_p = |i: usize, j: usize| self.kernel.log_density(x.row(i), x.row(j));
        [(0, 1), (0, 2), (1, 2)].iter().fold(
            table("The kernel does not care who was first", &["pair", "forward", "backward"]),
            |t, &(i, j)| t.numbers(format!("{} and {}", i + 1, j + 1), &[log_p(i, j), log_p(j, i)]),
        )
    }

    /// The log-density of a pair by hand: one term for each feature.
    pub fn by_hand(&self, step: f64, same_group: bool) -> Table {
        let q = self.kernel.q();
        let phi = -0.5 * step * step - 0.5 * (2.0 * std::f64::consts::PI).ln();
        let height = if step == 0.0 { (1.0 - q).ln() } else { q.ln() + phi };
        let group = if same_group { (1.0 - q + q / 3.0).ln() } else { (q / 3.0).ln() };
        let x = self.rows.x().row(0).to_owned();
        let other = array![x[0] + step, if same_group { x[1] } else { 1.0 }];
        let library = self.kernel.log_density(other.view(), x.view());
        table("log density of a pair", &["height", "group", "sum", "library"])
            .row(&[height, group, height + group, library].map(format_number))
    }
}

/// How often a categorical feature with m values keeps its value, drawn and by formula.
///
/// # Panics
/// If q is not a probability above 0.
pub fn keeps_its_value(m: usize, q: f64, draws: usize, seed: u64) -> Table {
    let x = Array2::from_shape_fn((m, 1), |(i, _)| i as f64);
    let columns = vec![Column { name: "group".into(), kind: ColumnKind::categorical(x.column(0)) }];
    let rows = Covariates::new(x, columns).expect("finite rows");
    let kernel = NoiseKernel::new(&rows, q).expect("q in (0, 1]");
    let mut rng = Seed::new(seed).rng();
    let kept = (0..draws).filter(|_| {
        let mut row = array![0.0];
        kernel.corrupt_in_place(row.view_mut(), &mut rng);
        row[0] == 0.0
    });
    let share = kept.count() as f64 / draws as f64;
    let se = (share * (1.0 - share) / draws as f64).sqrt();
    let header = ["values m", "drawn", "standard error", "1 - q + q/m", "1 - q"];
    let each = q / m as f64;
    table("Share of copies that keep their value", &header)
        .numbers(m.to_string(), &[share, se, 1.0 - q + each, 1.0 - q])
}

/// Total probability of a categorical kernel over its m outcomes: with the corruption indicator
/// summed out, and with the indicator kept as known.
pub fn total_probability(m: usize, q: f64) -> Table {
    let (m_f, each) = (m as f64, q / m as f64);
    table("Total probability over the values", &["formula", "same value", "each other value", "sum"])
        .numbers("indicator summed out", &[1.0 - q + each, each, 1.0 - q + each + (m_f - 1.0) * each])
        .numbers("indicator as known", &[1.0 - q, each, 1.0 - q + (m_f - 1.0) * each])
}

/// Share of coordinates that a copy shares exactly with its row, by q.
pub fn atom(context: &Context) -> Figure {
    let draws: usize = context.pick(2_000, 50_000);
    let rows = Covariates::continuous(array![[0.0], [1.0]]).expect("finite rows");
    let share = |q: f64| {
        let kernel = NoiseKernel::new(&rows, q).expect("q in (0, 1]");
        let copies = kernel.corrupt(rows.x().slice(ndarray::s![..1, ..]), draws, context.seed.child("atom"));
        let kept = copies.expect("at least one copy").iter().filter(|v| **v == 0.0).count();
        (q, kept as f64 / draws as f64)
    };
    let drawn: Vec<(f64, f64)> = [0.1, 0.2, 0.5, 0.8, 1.0].map(share).to_vec();
    Figure::new("A copy often has a coordinate in common with its row")
        .x("q, corruption probability")
        .y("share of coordinates that stay the same")
        .line("1 - q", &[(0.0, 1.0), (1.0, 0.0)])
        .scatter("drawn", &drawn)
}

/// The authors' data for one setting.
///
/// # Panics
/// If the setting is too large.
pub fn released(d: usize, n: usize) -> Dataset {
    Released::new(d, n).expect("a sensible setting").generate().train
}

/// Size, treated share and difference in means of a data set.
///
/// # Panics
/// If the set has no treatments.
pub fn describe(data: &Dataset) -> Table {
    let treated = data.treated().expect("treatments");
    let share = treated as f64 / data.n() as f64;
    let means = data.difference_in_means().expect("outcomes");
    table("A training set", &["rows", "covariates", "treated", "share", "difference in means"])
        .row(&[data.n() as f64, data.d() as f64, treated as f64, share, means].map(format_number))
}

/// The first values, to compare with the authors' file.
pub fn first_values(data: &Dataset, rows: usize, columns: usize) -> Table {
    let names: Vec<String> = (1..=columns).map(|s| format!("x{s}")).collect();
    let header: Vec<&str> = ["row"].into_iter().chain(names.iter().map(String::as_str)).collect();
    (0..rows).fold(table("The first values", &header), |t, i| {
        let values: Vec<f64> = (0..columns).map(|s| data.x()[[i, s]]).collect();
        t.numbers((i + 1).to_string(), &values)
    })
}

/// Density of an estimated propensity in each arm: how much the arms overlap.
///
/// # Panics
/// If the propensity cannot be estimated.
pub fn overlap(data: &Dataset, title: &str) -> Figure {
    // Synthetic sets have a latent cause of five dimensions, which is what treatment depends on.
    let x = data.latent().map_or_else(|_| data.x().to_owned(), |u| u.to_owned());
    let a = data.treatment().expect("treatments").to_owned();
    let sample = Sample::new(x, a.clone(), data.outcome().expect("outcomes").to_owned()).expect("both arms");
    let fitted = Propensity::model(Logistic::default()).fit(&sample).expect("a logistic regression");
    let e = fitted.of(sample.rows()).expect("probabilities");
    let arm = |treated: bool| -> Array1<f64> {
        e.iter().zip(&a).filter(|(_, t)| **t == treated).map(|(e, _)| *e).collect()
    };
    Figure::new(title)
        .x("estimated probability of treatment")
        .y("density")
        .area("treated", &smooth(arm(true).view()))
        .area("controls", &smooth(arm(false).view()))
}

/// A kernel density on [0, 1].
fn smooth(values: ArrayView1<f64>) -> Vec<(f64, f64)> {
    // Silverman's rule for a Gaussian kernel.
    let width = (1.06 * values.std(0.0) * (values.len() as f64).powf(-0.2)).max(0.01);
    let scale = 1.0 / (values.len() as f64 * width * (2.0 * std::f64::consts::PI).sqrt());
    let at = |e: f64| scale * values.iter().map(|v| (-0.5 * ((e - v) / width).powi(2)).exp()).sum::<f64>();
    // Tails below a thousandth cannot be seen.
    let tidy = |v: f64| if v < 1e-3 { 0.0 } else { v };
    (0..=50).map(|i| f64::from(i) / 50.0).map(|e| (e, tidy(at(e)))).collect()
}

/// Figure 1 of the paper: a health score that decides who is treated, N(−1, 1.5) and N(2, 2).
pub fn figure1() -> Figure {
    let curve = |mean: f64, sd: f64| -> Vec<(f64, f64)> {
        let at = |x: f64| {
            let z = (x - mean) / sd;
            (x, (-0.5 * z * z).exp() / (sd * (2.0 * std::f64::consts::PI).sqrt()))
        };
        (-40..=40).map(|i| at(f64::from(i) / 4.0)).collect()
    };
    Figure::new("The two populations of the paper's Figure 1")
        .x("health score")
        .y("density")
        .area("treated", &curve(-1.0, 1.5))
        .area("controls", &curve(2.0, 2.0))
}

/// Treated share of every data set of the tables, how well treatment can be predicted from the covariates
/// (area under the curve on held-out rows; one half is guessing), and the share of rows whose estimated
/// propensity is within a twentieth of 0 or 1. From the committed results.
///
/// # Panics
/// If there are no committed results.
pub fn shares() -> Table {
    let results = committed::results("imbalance");
    let header =
        ["data", "protocol", "rows", "treated share", "area under the curve", "extreme propensities"];
    results.rows().fold(table("Balance and overlap", &header), |t, (cell, values)| {
        let of = |name: &str| committed::three(values.get(name).copied());
        let data = format!("{}, d = {}", cell.block, cell.d);
        let numbers = ["treated share", "area under the curve", "extreme propensities"].map(of);
        t.row(&[&[data, cell.protocol.to_string(), cell.n.to_string()], &numbers[..]].concat())
    })
}

/// IHDP with outcomes from Hill's response surface B.
///
/// # Panics
/// If the shipped file is missing.
pub fn ihdp(seed: u64) -> Dataset {
    Ihdp::load().expect("the file ships").surface_b(Seed::new(seed))
}

/// A constant column is never corrupted; returns the names of such columns.
///
/// # Panics
/// If the shipped file is missing.
pub fn constant_columns(rows: usize, seed: u64) -> Table {
    let twins = Twins::load().expect("the file ships");
    let data = twins.dataset(Missing::CompleteCase, TreatmentRule::FairCoin, Seed::new(seed)).expect("rows");
    let some = data.covariates().rows(&(0..rows).collect::<Vec<_>>());
    let kernel = NoiseKernel::new(&some, 0.5).expect("q in (0, 1]");
    let names = kernel.untouched().join(", ");
    table("Columns that training rows leave constant", &["rows", "count", "columns"]).row(&[
        rows.to_string(),
        kernel.untouched().len().to_string(),
        names,
    ])
}

impl Small {
    /// Exercise 1: the log density of a copy whose height moved by 2 and whose group changed.
    pub fn exercise_pair(&self, log_density: f64) -> Answer {
        let x = self.rows.x().row(0).to_owned();
        let copy = array![x[0] + 2.0, 1.0];
        let hint = "One term for each feature: log q + log φ(2), and the line for a category that changed.";
        Answer::close(log_density, self.kernel.log_density(copy.view(), x.view()), 1e-3, hint)
    }
}

/// Exercise 2: what the printed formula, indicator as known, sums to over m values.
pub fn exercise_total(m: f64, q: f64, total: f64) -> Answer {
    let hint = "Add the same value once and the m - 1 other values, or change an argument above and look.";
    Answer::close(total, 1.0 - q / m, 1e-6, hint)
}

/// Exercise 3: which data look like the paper's Figure 1?
pub fn exercise_figure1(answer: &str) -> Answer {
    let hint =
        "In Figure 1 the arms are apart. Which of our data has arms that lie apart, and few treated rows?";
    Answer::word(answer, "ihdp", hint)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_exercise_can_be_right_and_wrong() {
        let small = Small::new(0.5);
        assert!(small.exercise_pair(-5.4038).is_right() && !small.exercise_pair(-2.518).is_right());
        assert!(exercise_total(2.0, 0.4, 0.8).is_right() && !exercise_total(2.0, 0.4, 1.0).is_right());
        assert!(exercise_figure1("IHDP").is_right() && !exercise_figure1("twins").is_right());
    }
}

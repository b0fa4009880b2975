//! `ebmbook cate`: effects for the rows of a user's CSV, and their error where the truth is known.

use super::columns::TrainTestFiles;
use super::output::{Output, rounded};
use super::progress::note;
use super::{Outcome, Problem};
use ebmbook::cate::{
    Aipw, Baselines, CateError, CrossFitted, Effect, Features, FoldEbm, Folding, Learner, LearnerKind,
    MeanEffect, MendedEffect, Propensity, PropensityKind, RLearner, Rows, Sample,
};
use ebmbook::data::csv::{self, Table};
use ebmbook::data::split::Standardiser;
use ebmbook::data::{DataError, Dataset, Protocol};
use ebmbook::ebm::OutcomeBins;
use ebmbook::metrics::pehe;
use ebmbook::prelude::VariantNames;
use ebmbook::regress::{DEFAULT_ALPHA, RegressorKind};
use ebmbook::representation::{Identity, Reduce, parse};
use ebmbook::seed::Seed;
use ndarray::{Array1, ArrayView1, Axis};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::sync::Arc;

/// More folds than this in a fold column are taken for a mistake.
const MAX_FOLDS: usize = 20;
/// A propensity outside of this range leaves too few comparable rows.
const OVERLAP: [f64; 2] = [0.05, 0.95];
/// Parts of the rows for a representation that outcomes make.
const PARTS: usize = 2;
/// Confidence of the interval for the mean effect.
const LEVEL: f64 = 0.95;

#[derive(clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    files: TrainTestFiles,
    /// Columns that are no covariates, such as an identifier.
    #[arg(long, value_name = "COLUMN,…", value_delimiter = ',')]
    set_aside: Vec<String>,
    /// t, s, x, dr or r.
    #[arg(long)]
    learner: String,
    /// Outcome regression: ridge, polynomial or power; kernel-ridge (the paper's) and rbf have no intercept.
    #[arg(long, default_value = "ridge")]
    regressor: String,
    /// Regression of the effect in the r learner; the same as --regressor unless given. The paper's is kernel-ridge.
    #[arg(long, value_name = "REGRESSOR")]
    final_stage: Option<String>,
    /// Penalty of the regressions.
    #[arg(long, default_value_t = DEFAULT_ALPHA, allow_negative_numbers = true)]
    alpha: f64,
    /// Propensity: logistic, svc (the paper's), closed-form, constant or known:COLUMN. The learners x, dr and r
    /// use it, and so does the interval of the mean effect.
    #[arg(long, default_value = "logistic")]
    propensity: String,
    /// Seed of the svc's probabilities, as in `SVC(probability=True, random_state=SEED)`.
    #[arg(long, value_name = "SEED", default_value_t = 42, allow_negative_numbers = true)]
    svc_seed: u32,
    /// Column of the training file with the cross-fitting fold of each row (dr and r).
    #[arg(long, value_name = "COLUMN", conflicts_with_all = ["folds", "sklearn_fold_seed"])]
    fold_column: Option<String>,
    /// Number of cross-fitting folds, drawn within each arm.
    #[arg(long, value_name = "K", default_value_t = 2)]
    folds: usize,
    /// Draw the folds as EconML does with this random_state.
    #[arg(long, value_name = "SEED", allow_negative_numbers = true)]
    sklearn_fold_seed: Option<u32>,
    /// Representation in front of the learner: none, a method and its size such as pca:4, or mended:BINS for f modulo
    /// B1 of an EBM with folds by arm and outcome, cross-fitted, its noise by pilots (BINS as in `embed --bins`).
    #[arg(long, default_value = "none", value_name = "METHOD")]
    represent: String,
    /// Standardise the representation by its training rows (not the covariates, as `embed --standardise` does).
    #[arg(long)]
    standardise: bool,
    /// Add a constant column to the representation.
    #[arg(long)]
    intercept_column: bool,
    /// Seed of the folds and of the representation.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Output file: one effect per test row, in full precision.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

/// The files, read and checked.
struct Input {
    train: Dataset,
    test: Dataset,
    train_propensity: Option<Array1<f64>>,
    test_propensity: Option<Array1<f64>>,
    folds: Option<Vec<usize>>,
}

/// Mean effects: the learner's own, and the one that comes with an interval.
struct Means {
    test: f64,
    train: f64,
    aipw: Result<MeanEffect, CateError>,
}

impl Means {
    /// The AIPW estimate with its interval: an object for programs, a phrase for people.
    fn with_interval(&self, json: bool) -> Value {
        let Ok(mean) = &self.aipw else { return Value::Null };
        let interval = mean.interval(LEVEL);
        if json {
            return json!({
                "estimate": rounded(interval.estimate, 6),
                "low": rounded(interval.low, 6),
                "high": rounded(interval.high, 6),
                "standard error": rounded(mean.standard_error, 6),
                "level": LEVEL,
            });
        }
        format!("{interval:.6}, a {:.0} % interval", 100.0 * LEVEL).into()
    }
}

impl Args {
    pub fn run(&self, output: &Output) -> Result<Outcome, Problem> {
        let seed = Seed::new(self.seed);
        // Every name before any file is read: a misspelt one should not wait for a large file.
        let kind: RegressorKind = self.regressor.parse()?;
        let regressor = kind.build(self.alpha)?;
        let (propensity, known) = self.propensity()?;
        let mended = self.mended()?;
        let reduce = representation(if mended.is_some() { "none" } else { &self.represent })?;
        let learner: LearnerKind = self.learner.parse()?;
        let input = self.read(learner, known)?;
        let features = Features { standardise: self.standardise, constant_column: self.intercept_column };
        let made = features.prepare(
            reduce.as_ref(),
            input.train.covariates(),
            input.test.x(),
            seed.child("representation"),
        )?;
        let (treated, outcome) = (input.train.treatment()?, input.train.outcome()?);
        let mut sample = Sample::new(made.train, treated.to_owned(), outcome.to_owned())?;
        if let Some(e) = &input.train_propensity {
            sample = sample.with_propensity(e.clone())?;
        }
        if learner == LearnerKind::Dr && sample.n() <= sample.x().ncols() {
            let (n, k) = (sample.n(), sample.x().ncols() + 1);
            note(format!(
                "note: {n} rows for {k} coefficients; of all least-squares fits the smallest is taken"
            ));
        }
        let last = self.final_stage.as_deref().filter(|_| learner == LearnerKind::R).map(str::parse);
        let last = last.transpose()?.unwrap_or(kind);
        if let Some(kind) =
            [kind, last].into_iter().find(|k| !k.has_intercept()).filter(|_| !self.intercept_column)
        {
            note(format!(
                "note: {kind} has no intercept, so that it shrinks outcomes towards 0 and effects with them; \
                 --regressor ridge has one, or add --intercept-column"
            ));
        }
        let folding = self.folding(&input, seed);
        let built: Arc<dyn Learner> = match learner {
            LearnerKind::R => Arc::new(
                RLearner::new(regressor, propensity.clone(), folding.clone())
                    .with_final_stage(last.build(self.alpha)?),
            ),
            _ => learner.build(regressor, propensity.clone(), folding.clone()),
        };
        let (fitted, who) = match &mended {
            None => (built.fit(&sample)?, None),
            Some(bins) => {
                let method = FoldEbm::new(bins.clone()).pilot_noise(true);
                let parts = CrossFitted::fit(&method, PARTS, &input.train, seed.child("representation"))?;
                let fitted = parts.learn(built.as_ref())?;
                let who = who_made_what(&fitted);
                (Box::new(fitted) as Box<dyn Effect>, Some(who))
            }
        };
        let rows = Rows { x: made.test.view(), propensity: input.test_propensity.as_ref().map(|e| e.view()) };
        let effects = fitted.at(rows)?;
        if let Some((row, effect)) = effects.iter().enumerate().find(|(_, e)| !e.is_finite()) {
            return Err(Problem::new(format!(
                "the effect of test row {} is {effect}, not a number",
                row + 1
            )));
        }
        let means = Means {
            test: effects.mean().unwrap_or(f64::NAN),
            train: fitted.at(sample.rows())?.mean().unwrap_or(f64::NAN),
            aipw: self.aipw(kind, propensity, folding, &input).inspect_err(|e| {
                note(format!("note: the mean effect has no interval: {e}"));
            }),
        };
        let errors = errors(&input, effects.view())?;
        csv::write(&self.out, &["effect"], effects.view().insert_axis(Axis(1)))?;
        let features = who.as_ref().map_or(made.test.ncols(), |(coordinates, _)| *coordinates);
        self.report(output, learner, &input, &means, features, &errors);
        if let Some((_, line)) = who {
            output.say(line);
        }
        Ok(Outcome::Fine)
    }

    /// The mean effect with a standard error, always on the covariates themselves: a representation may have lost a
    /// confounder. The regressor has an intercept even where the learner's has none.
    fn aipw(
        &self,
        kind: RegressorKind,
        propensity: Propensity,
        folding: Folding,
        input: &Input,
    ) -> Result<MeanEffect, CateError> {
        let kind = if kind.has_intercept() { kind } else { RegressorKind::Ridge };
        let x = Standardiser::fit(input.train.x()).apply(input.train.x());
        let mut sample =
            Sample::new(x, input.train.treatment()?.to_owned(), input.train.outcome()?.to_owned())?;
        if let Some(e) = &input.train_propensity {
            sample = sample.with_propensity(e.clone())?;
        }
        let found = Aipw::new(kind.build(self.alpha)?, propensity, folding).estimate(&sample)?;
        let (outside, n) = (found.outside(OVERLAP[0], OVERLAP[1]), sample.n());
        if outside > 0 {
            note(format!(
                "warning: the propensity of {outside} of {n} training rows leaves [{}, {}]: hardly any comparable row \
                 has the other treatment, so that effects there are extrapolated and the interval may be too short",
                OVERLAP[0], OVERLAP[1]
            ));
        }
        Ok(found)
    }

    /// The outcome bins of `--represent mended:BINS`. It deals the rows itself.
    fn mended(&self) -> Result<Option<OutcomeBins>, Problem> {
        let Some(bins) = self.represent.strip_prefix("mended:") else { return Ok(None) };
        let bins = bins.parse::<OutcomeBins>()?;
        let clash = [
            ("--fold-column", self.fold_column.is_some()),
            ("--propensity known:COLUMN", self.propensity.starts_with("known")),
            ("--intercept-column", self.intercept_column),
            ("--standardise", self.standardise),
        ];
        match clash.into_iter().find(|(_, given)| *given) {
            Some((option, _)) => Err(Problem::new(format!(
                "--represent mended deals and scales the rows itself; it cannot go with {option}"
            ))),
            None => Ok(Some(bins)),
        }
    }

    /// The propensity, and the column it is known from.
    fn propensity(&self) -> Result<(Propensity, Option<&str>), Problem> {
        match self.propensity.split_once(':') {
            Some(("known", column)) if !column.is_empty() => Ok((Propensity::Known, Some(column))),
            None if self.propensity != "known" => {
                Ok((self.propensity.parse::<PropensityKind>()?.build(self.svc_seed), None))
            }
            _ => Err(Problem::new(format!(
                "propensity must be one of {}, with a column after known as in known:COLUMN, got `{}`",
                PropensityKind::VARIANTS.join(", "),
                self.propensity
            ))),
        }
    }

    fn folding(&self, input: &Input, seed: Seed) -> Folding {
        match (&input.folds, self.sklearn_fold_seed) {
            (Some(of_row), _) => Folding::Given(of_row.clone()),
            (None, Some(seed)) => Folding::ScikitLearn { k: self.folds, seed },
            (None, None) => Folding::Stratified { k: self.folds, seed: seed.child("folds") },
        }
    }

    fn read(&self, learner: LearnerKind, known: Option<&str>) -> Result<Input, Problem> {
        let columns = &self.files.columns;
        for (option, given) in [("treatment", &columns.treatment), ("outcome", &columns.outcome)] {
            if given.is_none() {
                return Err(Problem::new(format!("--{option} COLUMN is needed to estimate effects")));
            }
        }
        let own = known.map(str::to_owned).into_iter().chain(self.fold_column.clone());
        let set_aside: Vec<String> = own.chain(self.set_aside.clone()).collect();
        let (table, train) = self.files.read_train(&set_aside)?;
        let folds = self.fold_column.as_ref().map(|name| fold_numbers(&table, name)).transpose()?;
        let train_propensity =
            known.map(|name| probabilities(&table, &self.files.train, name)).transpose()?;
        let (table, test) = self.files.read_test(&train)?;
        // Only the x learner weighs test rows by their propensity.
        let needed = known.filter(|_| learner == LearnerKind::X);
        let test_propensity = needed.map(|name| probabilities(&table, &self.files.test, name)).transpose()?;
        Ok(Input { train, test, train_propensity, test_propensity, folds })
    }

    fn report(
        &self,
        output: &Output,
        learner: LearnerKind,
        input: &Input,
        means: &Means,
        k: usize,
        errors: &[Vec<Value>],
    ) {
        let mut properties: Vec<(&str, Value)> = vec![
            ("learner", learner.to_string().into()),
            ("regressor", self.regressor.clone().into()),
            ("training rows", input.train.n().into()),
            ("features", k.into()),
            ("test rows", input.test.n().into()),
            ("mean effect of the test rows, by the learner", rounded(means.test, 6)),
            ("mean effect of the training rows, by the learner", rounded(means.train, 6)),
            ("mean effect of the training rows, by AIPW", means.with_interval(output.is_json())),
            ("written", self.out.display().to_string().into()),
        ];
        if learner.uses_propensity() {
            properties.insert(2, ("propensity", self.propensity.clone().into()));
        }
        const HEADER: [&str; 3] = ["predictor", "PEHE against y1 - y0", "PEHE against tau"];
        if output.is_json() {
            let object = |row: &Vec<Value>| -> Value {
                HEADER.iter().zip(row).map(|(k, v)| ((*k).to_owned(), v.clone())).collect()
            };
            properties.push(("pehe", errors.iter().map(object).collect()));
            return output.properties(&properties);
        }
        output.properties(&properties);
        if errors.is_empty() {
            output.say("no PEHE: the test file has neither y0 and y1 nor tau");
        } else {
            output.table(&HEADER, errors);
        }
    }
}

/// The representation of that name.
fn representation(name: &str) -> Result<Box<dyn Reduce>, Problem> {
    match name {
        "none" => Ok(Box::new(Identity)),
        _ => Ok(parse(name, Protocol::Paper)?),
    }
}

/// The number of coordinates, and a line that says which rows made what.
fn who_made_what(effect: &MendedEffect) -> (usize, String) {
    let part = |(p, made): (usize, &ebmbook::cate::Made)| {
        format!(
            "part {}: {} rows made folds and representation, the other {} trained the learner",
            p + 1,
            made.representation.len(),
            made.learner.len()
        )
    };
    let parts: Vec<String> = effect.made().iter().enumerate().map(part).collect();
    (effect.coordinates(), format!("{}; effects are the mean of the parts", parts.join("; ")))
}

/// The fold of each row; the distinct whole numbers of the column are the folds, in order.
fn fold_numbers(table: &Table, name: &str) -> Result<Vec<usize>, Problem> {
    let column = table.column(name)?;
    if let Some(value) = column.iter().find(|v| v.fract() != 0.0) {
        return Err(DataError::parameter("fold", value, "must be a whole number").into());
    }
    let mut distinct = column.to_vec();
    distinct.sort_unstable_by(f64::total_cmp);
    distinct.dedup();
    if !(2..=MAX_FOLDS).contains(&distinct.len()) {
        let rule = format!("must lie in 2..={MAX_FOLDS}");
        return Err(DataError::parameter("number of distinct folds", distinct.len(), rule).into());
    }
    Ok(column.iter().map(|v| distinct.partition_point(|d| d < v)).collect())
}

/// A column of known propensities.
fn probabilities(table: &Table, path: &std::path::Path, name: &str) -> Result<Array1<f64>, Problem> {
    let column = table.column(name)?;
    match column.iter().enumerate().find(|(_, e)| !(**e > 0.0 && **e < 1.0)) {
        Some((row, e)) => Err(Problem::new(format!(
            "`{}` row {}, column `{name}`: a known propensity must lie in (0, 1), got {e}",
            path.display(),
            row + 1
        ))),
        None => Ok(column.to_owned()),
    }
}

/// One row a predictor: PEHE against the noisy and against the noiseless effect, where known.
fn errors(input: &Input, effects: ArrayView1<f64>) -> Result<Vec<Vec<Value>>, Problem> {
    let (noisy, noiseless) = (input.test.noisy_effect().ok(), input.test.effect().ok());
    if noisy.is_none() && noiseless.is_none() {
        return Ok(Vec::new());
    }
    let baselines = Baselines::new(&input.train, &input.test)?;
    let against = |truth: Option<ArrayView1<f64>>| -> Result<Option<Vec<(&str, f64)>>, Problem> {
        let Some(truth) = truth else { return Ok(None) };
        let mut column = vec![("estimate", pehe(effects, truth)?)];
        column.extend(baselines.pehe(truth)?);
        Ok(Some(column))
    };
    let columns = [against(noisy.as_ref().map(|t| t.view()))?, against(noiseless)?];
    let names = columns.iter().flatten().next().map(|c| c.iter().map(|(name, _)| *name).collect::<Vec<_>>());
    let cell = |column: &Option<Vec<(&str, f64)>>, i: usize| -> Value {
        column.as_ref().map_or(Value::Null, |c| rounded(c[i].1, 6))
    };
    let row = |(i, name): (usize, &str)| vec![name.into(), cell(&columns[0], i), cell(&columns[1], i)];
    Ok(names.unwrap_or_default().into_iter().enumerate().map(row).collect())
}

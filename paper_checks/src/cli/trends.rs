//! `ebmbook trends`: the committed numbers setting by setting, and those of another program beside them.

use super::output::{Output, rounded};
use super::report::results_in;
use super::text::{pad, shorten, width};
use super::{Outcome, Problem};
use crate::registry::Scale;
use crate::report::trend::{self, Point, Trend};
use crate::study::{Published, Results};
use ebmbook::files::write_atomically;
use ebmbook::metrics::t_quantile;
use ebmbook::show::format_number;
use itertools::Itertools;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Show how numbers change with n and d, or compare another program's with them.
#[derive(clap::Args)]
pub(super) struct Args {
    /// Only trends whose id contains this, such as `table1/released/twins`; with several, any of them.
    #[arg(value_name = "PART")]
    parts: Vec<String>,
    /// Compare the numbers in this CSV file (trend, d, n, mean and, if known, sd and runs) with the committed ones.
    #[arg(long, value_name = "FILE")]
    compare: Option<PathBuf>,
    /// Write the trends to this CSV file, in the form that `--compare` reads.
    #[arg(long, value_name = "FILE", conflicts_with = "compare")]
    out: Option<PathBuf>,
    /// Folder of committed results [default: paper_checks/results of the project].
    #[arg(long)]
    from: Option<PathBuf>,
}

/// One number of a CSV file.
#[derive(Debug, Serialize, Deserialize)]
struct Line {
    trend: String,
    d: usize,
    n: usize,
    mean: f64,
    #[serde(default)]
    sd: Option<f64>,
    #[serde(default)]
    runs: Option<usize>,
}

/// With what probability chance alone calls a trend different, over all numbers that are compared.
const ALPHA: f64 = 1e-3;

impl Args {
    pub fn run(&self, output: &Output) -> Result<Outcome, Problem> {
        let trends = self.trends(&results_in(self.from.as_deref())?)?;
        if let Some(file) = &self.compare {
            return compare(&trends, file, output);
        }
        if let Some(file) = &self.out {
            let mut csv = csv::Writer::from_writer(Vec::new());
            for line in trends.iter().flat_map(lines) {
                csv.serialize(line).expect("plain columns");
            }
            let text = csv.into_inner().expect("a vector takes every byte");
            write_atomically(file, |w| w.write_all(&text))?;
            output.say(format!("{} trends: {}", trends.len(), file.display()));
        } else if output.is_json() {
            output.value(&json!(trends));
        } else {
            let wide = trends.iter().map(|t| t.id.chars().count()).max().unwrap_or(0).min(width() / 2);
            for trend in &trends {
                let values = trend.points.iter().map(|p| format_number(p.mean)).join(" → ");
                output.line(shorten(&format!("{}  {values}", pad(&trend.id, wide)), width()));
            }
        }
        Ok(Outcome::Fine)
    }

    /// The committed trends that were asked for. A study with cells that are not committed yet has those that are there.
    fn trends(&self, from: &Path) -> Result<Vec<Trend>, Problem> {
        let wanted = |id: &str| self.parts.is_empty() || self.parts.iter().any(|part| id.contains(part));
        let mut trends = Vec::new();
        for study in Published::studies(from) {
            let published = Published::load(from, study.name)?;
            let mut cells = study.cells(Scale::Full);
            cells.retain(|cell| published.values(cell).is_some());
            trends.extend(trend::of_study(study.name, &Results::from_published(cells, &published)?));
        }
        trends.retain(|trend| wanted(&trend.id));
        if trends.is_empty() {
            let parts = self.parts.iter().map(|part| format!("`{part}`")).join(" or ");
            return Err(Problem::with_a_way_out(format!(
                "no trend has {parts} in its id; `ebmbook trends` lists them"
            )));
        }
        Ok(trends)
    }
}

fn lines(trend: &Trend) -> impl Iterator<Item = Line> {
    trend.points.iter().filter_map(|p| {
        Some(Line { trend: trend.id.clone(), d: p.d?, n: p.n?, mean: p.mean, sd: p.sd, runs: p.runs })
    })
}

/// The numbers of a file, each checked, with the number of its line.
fn read(file: &Path) -> Result<Vec<(u64, Line)>, Problem> {
    let bad = |why: String| Problem::new(format!("file `{}`{why}", file.display()));
    let bytes = std::fs::read(file).map_err(|why| bad(format!(": {why}")))?;
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(bytes.as_slice());
    let header = reader.headers().map_err(|why| bad(format!(": {why}")))?.clone();
    for column in ["trend", "d", "n", "mean"] {
        if !header.iter().any(|name| name == column) {
            let there = header.iter().join(", ");
            return Err(bad(format!(": column `{column}` is missing, there are: {there}")));
        }
    }
    let mut lines = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|why| bad(format!(": {why}")))?;
        let at = record.position().map_or(0, csv::Position::line);
        let line: Line = record.deserialize(Some(&header)).map_err(|why| {
            let said = match why.kind() {
                csv::ErrorKind::Deserialize { err, .. } => {
                    let column = err.field().and_then(|at| header.get(at as usize)).unwrap_or("a column");
                    format!("{column} must be a number: {}", err.kind())
                }
                _ => why.to_string(),
            };
            bad(format!(", line {at}: {said}"))
        })?;
        let rule = |field: &str, rule: &str, got: &dyn std::fmt::Display| {
            Err(bad(format!(", line {at}: {field} must be {rule}, got {got}")))
        };
        match &line {
            Line { mean, .. } if !mean.is_finite() => return rule("mean", "finite", mean),
            Line { sd: Some(sd), .. } if !(sd.is_finite() && *sd >= 0.0) => {
                return rule("sd", "finite and at least 0", sd);
            }
            Line { runs: Some(runs), .. } if *runs == 0 => return rule("runs", "at least 1", runs),
            Line { sd: Some(_), runs: None, .. } => return rule("runs", "given beside an sd", &"nothing"),
            _ => lines.push((at, line)),
        }
    }
    if lines.is_empty() {
        return Err(bad(": there must be at least one row below the header, got none".into()));
    }
    Ok(lines)
}

/// Two numbers side by side.
struct Pair<'a> {
    ours: &'a Point,
    theirs: &'a Line,
    /// Their difference in standard errors.
    z: f64,
    /// Degrees of freedom of the standard error.
    freedom: f64,
}

impl<'a> Pair<'a> {
    /// z = (theirs − ours) / √(se² + se²), with Welch's degrees of freedom.
    fn new(ours: &'a Point, theirs: &'a Line) -> Self {
        let part = |sd: Option<f64>, runs: Option<usize>| match (sd, runs) {
            (Some(sd), Some(runs)) if runs > 1 => (sd * sd / runs as f64, (runs - 1) as f64),
            _ => (0.0, f64::INFINITY),
        };
        let [(a, df_a), (b, df_b)] = [part(ours.sd, ours.runs), part(theirs.sd, theirs.runs)];
        let difference = theirs.mean - ours.mean;
        // Numbers that are equal, or differ by rounding, agree whatever their spread.
        let equal = difference.abs() <= 1e-4 * ours.mean.abs();
        let z = if equal { 0.0 } else { difference / (a + b).sqrt() };
        let freedom = (a + b).powi(2) / (a * a / df_a + b * b / df_b);
        Self { ours, theirs, z, freedom: if freedom.is_finite() { freedom } else { 1e6 } }
    }
}

fn compare(trends: &[Trend], file: &Path, output: &Output) -> Result<Outcome, Problem> {
    let bad = |at: u64, why: String| {
        Problem::with_a_way_out(format!(
            "file `{}`, line {at}: {why}; `ebmbook trends --out FILE` writes the form",
            file.display()
        ))
    };
    let theirs = read(file)?;
    let mut pairs: BTreeMap<&str, Vec<Pair>> = BTreeMap::new();
    for (at, line) in &theirs {
        let known = trends.iter().find(|t| t.id == line.trend);
        let trend = known.ok_or_else(|| bad(*at, format!("no trend is called `{}`", line.trend)))?;
        let point = trend.points.iter().find(|p| (p.d, p.n) == (Some(line.d), Some(line.n)));
        let there = trend.points.iter().map(|p| p.setting.as_str()).join("; ");
        let point = point.ok_or_else(|| {
            bad(*at, format!("setting must be one of {there}, got d = {}, n = {}", line.d, line.n))
        })?;
        let of_trend = pairs.entry(&trend.id).or_default();
        if of_trend.iter().any(|p| p.ours.setting == point.setting) {
            return Err(bad(*at, format!("each setting must stand once, got {} twice", point.setting)));
        }
        of_trend.push(Pair::new(point, line));
    }
    let all = theirs.len() as f64;
    let differs = |pair: &Pair| pair.z.abs() > t_quantile(ALPHA / (2.0 * all), pair.freedom);
    let mut rows: Vec<Vec<Value>> = Vec::new();
    let mut wrong = 0;
    for (id, pairs) in &pairs {
        let worst = pairs.iter().max_by(|a, b| a.z.abs().total_cmp(&b.z.abs())).expect("a trend has rows");
        let off = pairs.iter().filter(|p| differs(p)).count();
        wrong += usize::from(off > 0);
        let said = if off > 0 { format!("differs in {off} of {}", pairs.len()) } else { "agrees".into() };
        rows.push(vec![
            json!(id),
            json!(said),
            rounded(worst.z, 1),
            json!(worst.ours.setting),
            json!(format_number(worst.theirs.mean)),
            json!(format_number(worst.ours.mean)),
        ]);
    }
    output.table(&["trend", "verdict", "z", "where", "yours", "committed"], &rows);
    output.say(format!(
        "{} of {} trends agree. z is the difference in standard errors where it is largest; chance alone calls a \
         file different with probability {ALPHA}.",
        pairs.len() - wrong,
        pairs.len()
    ));
    Ok(if wrong > 0 { Outcome::CheckFailed } else { Outcome::Fine })
}

//! The report: one self-contained page a reviewer reads.
//!
//! In: judged claims, and where the values of studies are. Out: HTML with styles, script, figures
//! (SVG) and formulas (MathML) inside; it asks for nothing from outside.

mod environment;
mod figure;
mod printed;
mod rows;
pub(crate) mod theory;

pub use figure::claim_figure;
pub use printed::printed_number;

use crate::checks::{Context, Report, Scale, studies_of};
use crate::claim::{self, Claim};
use crate::deviation::{Deviation, ledger};
use crate::notebooks::math::mathml;
use crate::printed::{Printed, consistency};
use crate::study::{Study, StudyError, pictures};
use crate::verdict::{Value, Verdict};
use ebmbook::data::manifest::Manifest;
use ebmbook::show::{Figure, format_number};
use minijinja::{Environment, context};
use rayon::prelude::*;
use serde::Serialize;

/// Figures of a study that stand with a claim; the others are in the study's folder.
const FIGURES_A_CLAIM: usize = 2;

/// The claims that change how the paper reads: what the gain comes from, what the limit keeps, what
/// an intercept does, when the objective trains, and what becomes of effect estimates.
pub const READ_FIRST: [&str; 5] = [
    "table1-ebm-helps",
    "limit-rank-one",
    "table2-ebm-beats-reductions",
    "signal-in-high-d",
    "cate-consistency",
];

/// What a claim's section shows.
#[derive(Serialize)]
struct Section {
    id: String,
    part: &'static str,
    verdict: String,
    recorded: String,
    /// The verdict on record at full scale, on a page of quick scale where it is another one.
    full: Option<String>,
    statement: String,
    place: String,
    math: String,
    measured: String,
    meaning: String,
    setting: String,
    /// What an inconclusive verdict lacks.
    open: Vec<String>,
    half: String,
    double: String,
    false_alarm: String,
    values: Vec<[String; 3]>,
    criteria: Vec<[String; 3]>,
    baselines: Vec<[String; 2]>,
    controls: Vec<[String; 3]>,
    deviations: Vec<Deviation>,
    figures: Vec<String>,
    notebook: String,
    printed: String,
    ours: String,
    what: String,
    beside: String,
}

/// The page for these judged claims.
///
/// ```
/// use paper_checks::{checks::{self, Context}, claim, report};
/// let context = Context::default();
/// let judged = checks::run(claim::find("cross-entropy-lemma").unwrap(), &context)?;
/// let page = report::page(&[judged], &context)?;
/// assert!(page.contains("id=\"cross-entropy-lemma\"") && page.contains("<math"));
/// # Ok::<(), paper_checks::study::StudyError>(())
/// ```
pub fn page(reports: &[Report], context: &Context) -> Result<String, StudyError> {
    let sections: Vec<Section> = reports.par_iter().map(|r| section(r, context)).collect();
    let count = |v: Verdict| reports.iter().filter(|r| r.verdict == v).count();
    let (rows, studies) = rows::printed_beside_ours(context);
    let (first, others): (Vec<&Section>, Vec<&Section>) = sections
        .iter()
        .filter(|s| s.verdict != "holds" || READ_FIRST.contains(&s.id.as_str()))
        .partition(|s| READ_FIRST.contains(&s.id.as_str()));
    let disagreements = consistency::disagreements(&Printed::load());
    let mut environment = Environment::new();
    environment.set_trim_blocks(true);
    environment.set_lstrip_blocks(true);
    environment
        .add_template("page.html", include_str!("page.html"))
        .expect("the template is part of the program");
    let template = environment.get_template("page.html").expect("it was added above");
    let text = template
        .render(context! {
            style => include_str!("style.css"),
            script => include_str!("script.js"),
            scale => match context.scale { Scale::Quick => "quick", Scale::Full => "full" },
            counts => [
                ("holds", count(Verdict::Holds)),
                ("holds-with-caveat", count(Verdict::HoldsWithCaveat)),
                ("fails", count(Verdict::Fails)),
                ("inconclusive", count(Verdict::Inconclusive)),
            ],
            claims => sections,
            first => first,
            others => others,
            rows => rows,
            studies => studies,
            ledger => ledger(),
            data => Manifest::find().map(|m| m.entries().to_vec()).unwrap_or_default(),
            disagreements => disagreements,
            environment => environment::facts(context),
            limitations => LIMITATIONS,
        })
        .unwrap_or_else(|error| panic!("the template fits its data: {error:#}"));
    Ok(text)
}

/// What the workbook cannot show.
const LIMITATIONS: [&str; 6] = [
    "The full Twins file of 71 345 pairs could not be had. Printed Twins digits cannot be matched; trends are checked on the pairs under 2 kg.",
    "IHDP outcomes are our own draws of response surface B, so printed IHDP digits cannot be matched.",
    "Weight laws of the paper's synthetic data are not given; the `paper` protocol rests on choices listed in the ledger.",
    "Quick scale has few settings and runs. A claim it leaves open may be decided at full scale.",
    "CUDA code is built and type-checked, but has not run on a device.",
    "A verdict is about the numbers at hand. What a claim would give on other data is not known.",
];

fn section(report: &Report, context: &Context) -> Section {
    let claim = claim::find(&report.claim).expect("a report is about a claim of the registry");
    let findings = &report.findings;
    let verdict_of =
        |control: &str| report.controls.get(control).map_or("not run".to_owned(), Verdict::to_string);
    Section {
        id: claim.id.clone(),
        part: if studies_of(&claim.id).is_empty() && claim.part == claim::Part::Theory {
            "theory"
        } else {
            "experiments"
        },
        verdict: report.verdict.to_string(),
        recorded: report.recorded.to_string(),
        full: claim.recorded_full.filter(|_| context.scale == Scale::Quick).map(|v| v.to_string()),
        statement: claim.statement.clone(),
        place: claim.place.clone(),
        math: mathml(&claim.equation, true).unwrap_or_else(|_| ebmbook::show::escape(&claim.equation)),
        measured: claim.measured.clone(),
        meaning: claim.meaning.clone(),
        setting: findings.setting.clone(),
        open: report.open.iter().map(ToString::to_string).collect(),
        half: report.at_half_and_double[0].to_string(),
        double: report.at_half_and_double[1].to_string(),
        false_alarm: false_alarm(report),
        values: findings
            .values
            .iter()
            .map(|v| [v.name.clone(), format_number(v.estimate), interval(v)])
            .collect(),
        criteria: criteria(claim),
        baselines: findings.baselines.iter().map(|v| [v.name.clone(), with_interval(v)]).collect(),
        controls: claim
            .controls
            .iter()
            .map(|c| [c.id.clone(), c.breaks.clone(), verdict_of(&c.id)])
            .collect(),
        deviations: ledger().into_iter().filter(|d| claim.deviations.contains(&d.id)).collect(),
        figures: figures(claim, report, context),
        notebook: claim.notebook.clone(),
        printed: printed_number(&claim.id).unwrap_or_else(|| "–".into()),
        ours: findings.values.first().map_or("–".into(), with_interval),
        what: findings.values.first().map_or(String::new(), |v| v.name.clone()),
        beside: findings
            .baselines
            .first()
            .map_or("–".into(), |v| format!("{}: {}", v.name, with_interval(v))),
    }
}

/// What the error rate of the gates is.
fn false_alarm(report: &Report) -> String {
    match report.false_alarm_rate {
        rate if rate > 0.0 => format!("{rate:.0e}"),
        _ => "0 (no random draws in the gate)".into(),
    }
}

fn criteria(claim: &Claim) -> Vec<[String; 3]> {
    claim.criteria.iter().map(|c| [c.value.clone(), c.demand(), c.reason.clone()]).collect()
}

/// 95 % of the value's own law: Student's t where it rests on few runs. For a share, what is certain.
fn interval(value: &Value) -> String {
    match value.interval() {
        Some([low, high]) => format!("[{}, {}]", format_number(low), format_number(high)),
        None => String::new(),
    }
}

/// A value with its interval.
pub fn with_interval(value: &Value) -> String {
    format!("{} {}", format_number(value.estimate), interval(value)).trim_end().to_owned()
}

/// The claim's own figure, the pictures of its theory, and those of its studies that fit.
fn figures(claim: &Claim, report: &Report, context: &Context) -> Vec<String> {
    let mut figures: Vec<String> = claim_figure(claim, report).map(|f| f.svg()).into_iter().collect();
    if !report.findings.values.is_empty() {
        figures.extend(theory::pictures(report, context).iter().map(Figure::svg));
    }
    for name in studies_of(&claim.id).iter().take(1) {
        let (Ok(results), Ok(study)) = (context.results(name), Study::find(name)) else { continue };
        let all = pictures::figures(study.name, &results);
        figures.extend(all.into_iter().take(FIGURES_A_CLAIM).map(|(_, figure)| figure.svg()));
    }
    figures
}

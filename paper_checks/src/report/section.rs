//! What the page says of one claim.

use super::claim_figure;
use super::compact::compact;
use super::math::mathml;
use super::shown::{Shown, interval, printed, with_interval};
use crate::claims::{self, Context, Pictures, Report, Scale, check_of};
use crate::registry::{Change, Claim, Control, Deviation, FirstScreen, Key, Part, Value, Verdict, ledger};
use crate::study::{Studies, pictures};
use ebmbook::show::{Figure, format_number};
use serde::Serialize;
use std::collections::BTreeMap;

/// A claim's section, as the template reads it.
#[derive(Serialize)]
pub(super) struct Section {
    pub id: String,
    /// Its place among the claims to read first.
    pub read_first: Option<usize>,
    kind: String,
    title: String,
    /// What came out, with its number; none where a number was not measured.
    finding: Option<String>,
    /// What the first screen says of it, where it says something.
    pub first: Option<First>,
    quotation: Option<String>,
    proof: Option<String>,
    reading: Option<String>,
    rebuttal: Option<String>,
    reply: Option<String>,
    authors_reply: String,
    history: Vec<Change>,
    pub verdict: Verdict,
    recorded: String,
    /// The verdict on record at full scale, on a page of quick scale, where it differs.
    full: Option<String>,
    statement: String,
    place: String,
    math: String,
    measured: String,
    meaning: String,
    /// Whether the meaning is that of the verdict on record and not of what was found here.
    meaning_of_record: bool,
    setting: String,
    /// The scale it was measured at; the main job measures the theory at quick scale beside full-scale experiments.
    scale: String,
    /// What an inconclusive verdict lacks.
    open: Vec<String>,
    half: String,
    double: String,
    false_alarm: String,
    /// Name, estimate, interval, the same of the printed means.
    values: Vec<[String; 4]>,
    /// Whether any of them has a printed counterpart.
    any_printed: bool,
    /// Value, demand, target, tolerance, reason.
    criteria: Vec<[String; 5]>,
    baselines: Vec<[String; 2]>,
    controls: Vec<ControlRow>,
    deviations: Vec<Deviation>,
    pub figures: Vec<Picture>,
    notebook: String,
    again: String,
    /// Name and number.
    ours: Option<[String; 2]>,
    printed: Option<String>,
    baseline: Option<[String; 2]>,
    caveat: Option<String>,
}

/// A finding of the first screen: headline, three sentences, one picture.
#[derive(Serialize)]
pub(super) struct First {
    headline: String,
    text: String,
    svg: String,
}

#[derive(Serialize)]
struct ControlRow {
    id: String,
    breaks: String,
    expected: String,
    verdict: String,
    power: String,
}

#[derive(Serialize)]
pub(super) struct Picture {
    svg: String,
    caption: String,
    /// File and name, of a figure of a study.
    pub of_study: Option<String>,
    /// The entry that shows it already.
    pub elsewhere: Option<String>,
}

impl Section {
    pub fn new(report: &Report, context: &Context) -> Self {
        let claim = claims::find(&report.claim).expect("a report is about a claim of the registry");
        let findings = &report.findings;
        let shown = Shown::new(report);
        let named = |v: &Value| [v.label.clone(), with_interval(v)];
        let in_the_paper = printed(claim, report.scale);
        let printed = |v: &Value| {
            let found = in_the_paper.iter().find(|p| p.key == v.key);
            found.map_or(String::new(), |p| format_number(p.estimate))
        };
        let figures = figures(claim, report, context);
        Self {
            title: claim.title.clone(),
            finding: report.finding().ok(),
            first: first_screen(claim, report, &figures),
            id: claim.id.clone(),
            read_first: claim.read_first,
            kind: claim.kind.to_string(),
            quotation: claim.quotation.clone(),
            proof: claim.proof.clone(),
            reading: claim.reading.clone(),
            rebuttal: claim.rebuttal.clone(),
            // At quick scale a number may be missing; the sentence then waits for full scale.
            reply: claim.reply.as_ref().and_then(|reply| report.fill(reply).ok()),
            authors_reply: claim.authors_reply.clone(),
            history: claim.history.clone(),
            verdict: report.verdict,
            recorded: report.recorded.to_string(),
            full: claim.recorded_full.filter(|_| report.scale == Scale::Quick).map(|v| v.to_string()),
            statement: claim.statement.clone(),
            place: claim.place.clone(),
            math: mathml(&claim.equation, true).unwrap_or_else(|_| ebmbook::show::escape(&claim.equation)),
            measured: claim.measured.clone(),
            meaning: claim.meaning.clone(),
            meaning_of_record: report.verdict != report.recorded || findings.values.is_empty(),
            setting: findings.setting.clone(),
            scale: report.scale.to_string(),
            open: report.open.iter().map(ToString::to_string).collect(),
            half: report.at_half_and_double[0].to_string(),
            double: report.at_half_and_double[1].to_string(),
            false_alarm: false_alarm(report),
            values: findings
                .values
                .iter()
                .map(|v| [v.label.clone(), format_number(v.estimate), interval(v), printed(v)])
                .collect(),
            any_printed: findings.values.iter().any(|v| !printed(v).is_empty()),
            criteria: claim
                .criteria
                .iter()
                .map(|c| {
                    let [target, tolerance] = [c.target, c.tolerance].map(format_number);
                    [claim.label(&c.value), c.demand(), target, tolerance, c.reason.clone()]
                })
                .collect(),
            baselines: findings.baselines.iter().map(named).collect(),
            controls: controls(claim, report),
            deviations: ledger().into_iter().filter(|d| claim.deviations.contains(&d.id)).collect(),
            figures,
            notebook: claim.notebook.clone(),
            again: again(claim, report, context),
            ours: shown.measured.as_ref().map(named),
            printed: shown.printed.map(format_number),
            baseline: shown.baseline.as_ref().map(named),
            caveat: shown.caveat,
        }
    }
}

/// What the first screen says: none where a number in it was not measured. The picture is that of the numbers, or the
/// entry's own after that of its controls.
fn first_screen(claim: &Claim, report: &Report, figures: &[Picture]) -> Option<First> {
    let first = claim.first_screen.as_ref()?;
    let text = report.fill(&first.text).ok()?;
    let svg = match first.rows.is_empty() {
        true => figures.get(usize::from(figures.len() > 1))?.svg.clone(),
        false => compact(&row_figure(first, report)?.svg()),
    };
    Some(First { headline: first.headline.clone(), text, svg })
}

/// Measured numbers below one another, with their intervals.
fn row_figure(first: &FirstScreen, report: &Report) -> Option<Figure> {
    let all: Vec<Value> = report.findings.values.iter().chain(&report.findings.baselines).cloned().collect();
    let names: Vec<&String> = first.rows.iter().map(|(name, _)| name).collect();
    let point = |(at, (_, key)): (usize, &(String, Key))| {
        let value = Value::find(&all, key)?;
        let [low, high] = value.interval().unwrap_or([value.estimate; 2]);
        Some((at as f64, value.estimate, low, high))
    };
    let points: Option<Vec<_>> = first.rows.iter().enumerate().map(point).collect();
    let height = 90 + 40 * names.len() as u32;
    let figure = Figure::new("").x(&first.axis).y_categories(&names).size(560, height);
    Some(figure.dots("measured, with what chance leaves open", &points?))
}

/// The arguments that judge this one claim again, on the values this page shows.
fn again(claim: &Claim, report: &Report, context: &Context) -> String {
    match (&context.studies, claim.part) {
        (Studies::Published(_), Part::Experiments) => format!("{} --from paper_checks/results", claim.id),
        _ => format!("{} --scale {}", claim.id, report.scale),
    }
}

fn controls(claim: &Claim, report: &Report) -> Vec<ControlRow> {
    let row = |c: &Control| ControlRow {
        id: c.id.clone(),
        breaks: c.breaks.clone(),
        expected: c.expect.to_string(),
        verdict: report.controls.get(&c.id).map_or("not run".to_owned(), Verdict::to_string),
        power: report.power.get(&c.id).map_or(String::new(), |p| format!("{p:.3}")),
    };
    claim.controls.iter().map(row).collect()
}

/// What is known of the error rate of the gates.
fn false_alarm(report: &Report) -> String {
    match report.false_alarm_rate {
        _ if report.findings.values.is_empty() => "nothing was measured".into(),
        rate if rate > 0.0 => format!("{rate:.0e}"),
        _ => "none; the values are exact or rest on fixed draws, so that a repetition gives the same".into(),
    }
}

/// The claim's own figure, the pictures of its theory, and those of its studies that show what it says.
fn figures(claim: &Claim, report: &Report, context: &Context) -> Vec<Picture> {
    let picture = |figure: &Figure, caption: &str| Picture {
        svg: compact(&figure.svg()),
        caption: caption.to_owned(),
        of_study: None,
        elsewhere: None,
    };
    let mut pictures: Vec<Picture> = claim_figure(claim, report)
        .map(|f| picture(&f, "The measured value, the same in each control, and the bound of the criterion."))
        .into_iter()
        .collect();
    if !report.findings.values.is_empty() {
        let check = check_of(claim);
        let caption = match (&check.pictures, report.scale) {
            (Pictures::Measured(_), _) => "From what the check measured.",
            (_, Scale::Quick) => "An illustration; the notebook makes it again.",
            (_, Scale::Full) => {
                "An illustration at quick scale, the notebook's, and not the full-scale values of this claim; the notebook makes it again."
            }
        };
        pictures.extend(check.pictures(report, context).iter().map(|f| picture(f, caption)));
    }
    let mut studies: BTreeMap<&str, Vec<(String, Figure)>> = BTreeMap::new();
    for (study, name) in claim.figures() {
        let drawn = studies.entry(study).or_insert_with(|| {
            context.results(study).map_or_else(|_| Vec::new(), |results| pictures::figures(study, &results))
        });
        // A figure that quick scale has no settings for is left out.
        let found = drawn.iter().find(|(known, _)| known == name);
        let caption = format!(
            "From the study `{study}`: means over runs, 95 % intervals by Student's t; file `{study}/{name}.svg` of the committed results."
        );
        let of_study = Some(format!("{study}/{name}"));
        pictures.extend(found.map(|(_, figure)| Picture { of_study, ..picture(figure, &caption) }));
    }
    pictures
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claims;

    #[test]
    fn the_first_screen_has_three_sentences_with_a_number_and_a_picture_of_measured_values() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("results/theory");
        for claim in claims::all().filter(|c| c.first_screen.is_some()) {
            let first = claim.first_screen.as_ref().unwrap();
            assert!(claim.read_first.is_some(), "{}", claim.id);
            let ends = first.text.text().matches(". ").count() + 1;
            assert!(ends == 3 && first.text.text().ends_with('.'), "{}: {ends} sentences", claim.id);
            assert!(first.text.fill(|_, _| None).is_err(), "{}: no number", claim.id);
            if claim.part == Part::Theory {
                let report = claims::Record::read(&folder, claim).unwrap().unwrap().report(claim);
                assert!(report.fill(&first.text).is_ok(), "{}", claim.id);
            }
        }
    }

    #[test]
    fn a_claim_that_was_not_measured_has_no_false_alarm_rate_and_an_exact_one_says_why() {
        let context = Context::default();
        let mut report = claims::run(claims::find("approximation-linear-proof").unwrap(), &context).unwrap();
        assert!(false_alarm(&report).starts_with("none; the values are exact"));
        report.findings.values.clear();
        assert_eq!(false_alarm(&report), "nothing was measured");
    }
}

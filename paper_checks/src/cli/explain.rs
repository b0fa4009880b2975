//! `ebmbook explain CLAIM`.

use super::check::named;
use super::lines::{coloured, finding, words};
use super::output::Output;
use super::report::committed_report;
use super::text::{pad, width, wrap};
use super::{Outcome, Problem};
use crate::claims::calibration::{Calibration, on_record};
use crate::claims::{self, Findings, Report, SHARE_ALPHA, Scale, check_of};
use crate::registry::{Change, Claim, Criterion, Kind, Template, Value, Verdict, ledger};
use crate::report::{Shown, with_interval};
use console::measure_text_width;
use serde_json::Value as Json;

/// Finds a claim, or says which ids come close.
pub(super) fn find(id: &str) -> Result<&'static Claim, Problem> {
    claims::find(id).ok_or_else(|| {
        let asked = id.to_lowercase();
        let first = asked.split('-').next().unwrap_or(&asked);
        let alike = |known: &str| known.chars().zip(asked.chars()).take_while(|(a, b)| a == b).count();
        let close: Vec<&str> = claims::all()
            .map(|c| c.id.as_str())
            .filter(|known| {
                known.contains(&asked)
                    || asked.contains(known)
                    || known.starts_with(first)
                    || alike(known) > 4
            })
            .collect();
        let hint =
            if close.is_empty() { String::new() } else { format!("; did you mean {}?", close.join(" or ")) };
        Problem::with_a_way_out(format!("no claim is called `{id}`{hint} (`ebmbook claims` lists them)"))
    })
}

/// Explains one claim: verdict and finding, what is claimed, how it is measured, a few numbers, how to run it again.
/// Everything else stands behind `all`; JSON has it in any case.
pub(super) fn explain(id: &str, all: bool, output: &Output) -> Result<Outcome, Problem> {
    let claim = find(id)?;
    let report = committed_report(claim)?;
    if output.is_json() {
        output.properties(&everything(claim, report.as_ref()));
        return Ok(Outcome::Fine);
    }
    let width = width().min(WIDEST);
    // What does not fit on a screen with two sentences of its meaning has fewer.
    let with = |sentences| lines(claim, report.as_ref(), width, sentences);
    let shown = (1..=SENTENCES).rev().map(with).find(|lines| lines.len() < SCREEN).unwrap_or_else(|| with(0));
    shown.iter().for_each(|line| output.line(line));
    if all {
        output.line("");
        output.properties(&everything(claim, report.as_ref()));
    } else {
        output.line(format!("{}ebmbook explain {} --all", pad("Everything", NAME), claim.id));
    }
    Ok(Outcome::Fine)
}

/// Prose that is wider is hard to read.
pub(super) const WIDEST: usize = 100;
/// Columns of the names at the left.
const NAME: usize = 12;
/// Blanks before a number's name.
const INDENT: usize = 2;
/// Numbers that are shown.
const NUMBERS: usize = 6;
/// Sentences of the meaning that are shown, at most.
const SENTENCES: usize = 2;
/// Lines that fit on a screen, but for the last.
const SCREEN: usize = 39;

/// Mark, verdict and title.
pub(super) fn headline(claim: &Claim, verdict: Verdict) -> String {
    let verdict_in_words = format!("{} {}", verdict.mark(), words(verdict));
    format!("{}: {}", coloured(&verdict_in_words, verdict), claim.title)
}

fn lines(claim: &Claim, report: Option<&Report>, width: usize, sentences: usize) -> Vec<String> {
    let verdict = report.map_or(claim.recorded_at(Scale::Full), |report| report.verdict);
    let mut lines = vec![headline(claim, verdict)];
    lines.extend(report.into_iter().flat_map(|report| wrap(&finding(report), width)));
    lines.push(String::new());
    let said = match claim.kind {
        Kind::Claim => "The claim",
        Kind::Question => "Question",
        Kind::Theorem => "Theorem",
    };
    lines.extend(paragraph(said, &format!("{} ({})", claim.statement, claim.place), width));
    lines.extend(paragraph("Measured", &claim.measured, width));
    if let Some(report) = report {
        lines.extend(numbers(claim, report, width));
    }
    let mut part = |name: &str, text: &str| lines.extend(paragraph(name, text, width));
    part("Meaning", &first_sentences(&claim.meaning, sentences));
    if let Some(caveat) = claim.caveat.as_ref().filter(|_| verdict == Verdict::HoldsWithCaveat) {
        let deviation = ledger().into_iter().find(|d| d.id == *caveat);
        part("Caveat", &deviation.map_or(caveat.clone(), |d| first_sentences(&d.choice, 1)));
    }
    if let Some(report) = report {
        let broken = || claim.broken_controls();
        let caught = broken().filter(|c| report.controls.get(&c.id) == Some(&c.expect)).count();
        let all = broken().count();
        let said = match (caught, all) {
            (1, 1) => "the one broken variant is caught".to_owned(),
            _ => format!("{caught} of {all} broken variants are caught"),
        };
        part("Controls", &said);
    }
    part("Run it", &again(claim));
    part("Notebook", &format!("notebooks/{}.ipynb", claim.notebook));
    lines
}

/// The command that gives the verdict shown.
fn again(claim: &Claim) -> String {
    let from = if claim.studies.is_empty() { "" } else { " --from paper_checks/results" };
    format!("ebmbook check {}{from}", claim.id)
}

/// A text beside its name.
fn paragraph(name: &str, text: &str, width: usize) -> Vec<String> {
    let names = std::iter::once(name).chain(std::iter::repeat(""));
    names.zip(wrap(text, width - NAME)).map(|(name, line)| format!("{}{line}", pad(name, NAME))).collect()
}

/// The numbers that tell most, one line each: name, estimate with its interval, what is demanded.
pub(super) fn numbers(claim: &Claim, report: &Report, width: usize) -> Vec<String> {
    let shown = Shown::new(report);
    let values = &report.findings.values;
    let rest = values.iter().filter(|v| shown.measured.as_ref().is_none_or(|m| m.key != v.key));
    let mut few: Vec<&Value> = shown.measured.iter().chain(rest).collect();
    few.truncate(NUMBERS - usize::from(shown.baseline.is_some()));
    // What stands among them already needs no row of its own.
    let beside = shown.baseline.iter().filter(|b| few.iter().all(|v| v.label != b.label));
    let row = |before: &str, value: &Value| {
        let demands = claim.criteria.iter().filter(|c| c.value == value.key && before.is_empty());
        let demand = demands.map(Criterion::demand).next().unwrap_or_default();
        [
            format!("{before}{}", value.label),
            with_interval(value),
            demand.replace(" (weaker form)", ", weaker"),
        ]
    };
    let rows = few.iter().map(|v| row("", v)).chain(beside.map(|v| row(role(claim, &v.label), v)));
    let rows: Vec<[String; 3]> = rows.collect();
    let widest = |column: usize| rows.iter().map(|row| measure_text_width(&row[column])).max().unwrap_or(0);
    let [number, demand] = [widest(1).max("measured".len()), widest(2).max("demanded".len())];
    let label = width.saturating_sub(INDENT + number + demand + 4);
    let head = pad("Numbers", INDENT + label + 2);
    let mut lines = vec![format!("{head}{}  demanded", pad("measured", number))];
    for [name, value, demand] in &rows {
        let names = wrap(name, label);
        let line = format!("{:INDENT$}{}  {}  {demand}", "", pad(&names[0], label), pad(value, number));
        lines.push(line.trim_end().to_owned());
        lines.extend(names[1..].iter().map(|more| format!("{:INDENT$}{more}", "")));
    }
    lines
}

/// What a value beside the others is: that of a control, or of something to compare with.
fn role(claim: &Claim, label: &str) -> &'static str {
    match claim.controls.iter().find(|control| label == control.breaks) {
        Some(control) if control.expect.is_broken() => "broken on purpose: ",
        Some(_) => "mended: ",
        None => "beside it: ",
    }
}

/// The first sentences of a text. A sentence ends with a full stop and a blank before a capital.
fn first_sentences(text: &str, number: usize) -> String {
    if number == 0 {
        return String::new();
    }
    let ends = text.match_indices(". ").map(|(at, _)| at + 1);
    let ends = ends.filter(|at| text[at + 1..].starts_with(|c: char| c.is_uppercase()));
    ends.clone().nth(number - 1).map_or(text, |at| &text[..at]).to_owned()
}

/// All that is known of a claim, by name.
fn everything(c: &Claim, report: Option<&Report>) -> Vec<(&'static str, Json)> {
    let demand = |k: &Criterion| format!("{}: {}. {}", c.label(&k.value), k.demand(), k.reason);
    let criteria: Vec<String> = c.criteria.iter().map(demand).collect();
    let controls: Vec<String> =
        c.controls.iter().map(|k| format!("{} ({}): {}", k.id, k.expect, k.breaks)).collect();
    let caveats: Vec<String> = ledger()
        .iter()
        .filter(|d| c.deviations.contains(&d.id))
        .map(|d| format!("{}: the paper: {}; here: {}; because: {}", d.id, d.paper, d.choice, d.reason))
        .collect();
    let values = report.map_or(String::new(), |report| {
        let Findings { values, baselines, .. } = &report.findings;
        values.iter().chain(baselines).map(named).collect::<Vec<_>>().join("\n")
    });
    let filled = |said: &Template| {
        report.and_then(|report| report.fill(said).ok()).unwrap_or_else(|| said.text().to_owned())
    };
    let kind: &'static str = match c.kind {
        Kind::Claim => "claim",
        Kind::Question => "question",
        Kind::Theorem => "theorem",
    };
    let mut lines = vec![
        (kind, c.id.clone().into()),
        ("title", c.title.clone().into()),
        ("verdict", report.map(|r| r.verdict.to_string()).into()),
        ("finding", report.map(finding).into()),
        ("place", c.place.clone().into()),
        ("statement", c.statement.clone().into()),
        ("quotation", c.quotation.as_ref().map(|q| format!("“{q}”")).into()),
        ("proof", c.proof.clone().into()),
        ("rests on", (!c.requires.is_empty()).then(|| c.requires.join(", ")).into()),
        ("used nowhere", c.used_nowhere.clone().into()),
        ("equation", c.equation.clone().into()),
        ("measured", c.measured.clone().into()),
        ("values", values.into()),
        ("criteria", criteria.join("\n").into()),
        ("controls", controls.join("\n").into()),
        ("false alarms", false_alarms(c).into()),
        ("caveat", c.caveat.clone().unwrap_or_else(|| "none".into()).into()),
        ("deviations", if caveats.is_empty() { "none".into() } else { caveats.join("\n").into() }),
        ("recorded, quick scale", c.recorded.to_string().into()),
        ("recorded, full scale", c.recorded_at(Scale::Full).to_string().into()),
        ("meaning", c.meaning.clone().into()),
        ("reading", c.reading.clone().into()),
        ("rebuttal", c.rebuttal.clone().into()),
        ("reply", c.reply.as_ref().map(filled).into()),
        ("authors' reply", (!c.authors_reply.is_empty()).then(|| c.authors_reply.clone()).into()),
        ("history", (!c.history.is_empty()).then(|| history(c)).into()),
        ("notebook", c.notebook.clone().into()),
        ("run it", again(c).into()),
    ];
    lines.retain(|(_, said): &(&str, Json)| !said.is_null());
    lines
}

/// How its criteria were changed after values had been seen.
fn history(claim: &Claim) -> String {
    let said = |h: &Change| format!("{}: from {} to {}. {}.", h.date, h.from, h.to, h.why);
    claim.history.iter().map(said).collect::<Vec<_>>().join("\n")
}

/// What is known about the error rates of the gates: uniformity of p-values, and power.
fn false_alarms(claim: &Claim) -> String {
    let Some(record) = on_record(&claim.id) else {
        return if claim.studies.is_empty() {
            WITHOUT_A_LAW.into()
        } else {
            let largest = claim.criteria.iter().map(|c| c.alpha).fold(0.0, f64::max);
            format!(
                "{largest:e} per gate and {SHARE_ALPHA:e} per share of cells, from the spread between the runs of a study, as if it were normal"
            )
        };
    };
    let medians = check_of(claim).replicates.is_some().then(|| of_medians(&record));
    let with_law = if medians.is_some() { &[][..] } else { &record.gates };
    let gates = with_law.iter().map(|g| {
        let alpha =
            claim.criteria.iter().find(|c| c.value.to_string() == g.value).map_or(f64::NAN, |c| c.alpha);
        format!(
            "{}: α = {alpha:e}; p-values over {} seeds by tenths {:?}, uniformity p = {:.3}",
            g.label(claim),
            record.seeds,
            g.counts,
            g.p_value
        )
    });
    let counted = record.counted.iter().map(|c| {
        let times = format!("{} of {} seeds", c.fails, record.seeds);
        format!("counted power against {}: `fails` for {times} at reduced size", c.control)
    });
    let power = record
        .power
        .iter()
        .map(|p| format!("power against {}: {:.3} ({})", p.control, p.power, claim.label(&p.value)));
    medians.into_iter().chain(gates).chain(power).chain(counted).collect::<Vec<_>>().join("\n")
}

/// Where each number is computed, not drawn.
const WITHOUT_A_LAW: &str = "none: every number is computed, up to rounding, and each broken variant breaks at least one gate; what is \
     drawn (points, directions, networks) changes which instances are computed, not what is claimed of them";

/// What chance can do to medians, and the test of that.
fn of_medians(record: &Calibration) -> String {
    let least = record.gates.iter().min_by(|a, b| a.p_value.total_cmp(&b.p_value));
    let least = least.map_or(String::new(), |g| {
        format!("{}, by tenths {:?}, uniformity p = {:.3}", g.value, g.counts, g.p_value)
    });
    format!(
        "1e-5 per median or share: medians over draws, whose limits count what lies above and below; the law of that is \
         binomial whatever is measured, if the draws are independent. Counts behind {} medians over {} seeds, the \
         least uniform: {least}",
        record.gates.len(),
        record.seeds,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_ends_before_a_capital() {
        assert_eq!(
            first_sentences("One, e.g. this. Two at n = 1.5. Three.", 2),
            "One, e.g. this. Two at n = 1.5."
        );
        assert_eq!(first_sentences("Only one.", 2), "Only one.");
    }
}

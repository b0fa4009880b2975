//! `ebmbook explain CLAIM`.

use super::output::Output;
use super::{Outcome, Problem};
use crate::claims::calibration::{Calibration, on_record};
use crate::claims::{self, SHARE_ALPHA, Scale, check_of};
use crate::registry::Criterion;
use crate::registry::ledger;
use crate::registry::{Change, Claim};
use serde_json::Value;

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

/// Prints statement, place, method, criteria, controls and caveats of one claim.
pub(super) fn explain(id: &str, output: &Output) -> Result<Outcome, Problem> {
    let c = find(id)?;
    let demand = |k: &Criterion| format!("{}: {}. {}", c.label(&k.value), k.demand(), k.reason);
    let criteria: Vec<String> = c.criteria.iter().map(demand).collect();
    let controls: Vec<String> =
        c.controls.iter().map(|k| format!("{} ({}): {}", k.id, k.expect, k.breaks)).collect();
    let caveats: Vec<String> = ledger()
        .iter()
        .filter(|d| c.deviations.contains(&d.id))
        .map(|d| format!("{}: the paper: {}; here: {}; because: {}", d.id, d.paper, d.choice, d.reason))
        .collect();
    let kind = c.kind.to_string();
    let mut lines = vec![
        (kind.as_str(), c.id.clone().into()),
        ("place", c.place.clone().into()),
        ("statement", c.statement.clone().into()),
        ("quotation", c.quotation.as_ref().map(|q| format!("“{q}”")).into()),
        ("proof", c.proof.clone().into()),
        ("rests on", (!c.requires.is_empty()).then(|| c.requires.join(", ")).into()),
        ("used nowhere", c.used_nowhere.clone().into()),
        ("equation", c.equation.clone().into()),
        ("measured", c.measured.clone().into()),
        ("criteria", criteria.join("\n").into()),
        ("controls", controls.join("\n").into()),
        ("false alarms", false_alarms(c).into()),
        ("caveat", c.caveat.clone().unwrap_or_else(|| "none".into()).into()),
        ("deviations", if caveats.is_empty() { "none".into() } else { caveats.join("\n").into() }),
        ("on record", c.recorded.to_string().into()),
        ("at full scale", c.recorded_at(Scale::Full).to_string().into()),
        ("meaning", c.meaning.clone().into()),
        ("reading", c.reading.clone().into()),
        ("rebuttal", c.rebuttal.clone().into()),
        ("reply", c.reply.as_ref().map(|reply| reply.text().to_owned()).into()),
        ("authors' reply", (!c.authors_reply.is_empty()).then(|| c.authors_reply.clone()).into()),
        ("history", (!c.history.is_empty()).then(|| history(c)).into()),
        ("notebook", c.notebook.clone().into()),
        ("run it", format!("ebmbook check {}", c.id).into()),
    ];
    lines.retain(|(_, said): &(&str, Value)| !said.is_null());
    output.properties(&lines);
    Ok(Outcome::Fine)
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

//! What the appendix of the notebooks calls: one card per entry. The course itself calls the library.
//!
//! Theory is measured where the card is asked for. Experiments are judged on the full-scale results
//! that are committed, so that a card shows the same numbers as the report.

use crate::claims::{self, Report};
use crate::context::Context;
use crate::registry::{Claim, Part, Scale, Value, Verdict, ledger};
use crate::report::with_interval;
use crate::study::Studies;
pub use ebmbook::show::Card;
use ebmbook::show::Tone;

/// Values on a card; the report has all of them.
const MOST_VALUES: usize = 6;
/// Baselines on a card.
const MOST_BASELINES: usize = 3;

/// The card of an entry: what was demanded, what came out, and what stands beside it.
///
/// ```
/// use paper_checks::lessons::card;
/// assert_eq!(card("shift-indifference").verdict(), "holds with a caveat");
/// ```
///
/// # Panics
/// If there is no such entry, or it cannot be measured.
pub fn card(id: &str) -> Card {
    let claim = claims::find(id).unwrap_or_else(|| panic!("no entry is called `{id}`"));
    let context = match claim.part {
        Part::Theory => Context::default(),
        Part::Experiments => committed(),
    };
    let report = claims::run(claim, &context).unwrap_or_else(|e| panic!("{id} cannot be measured: {e}"));
    filled(claim, &report)
}

/// Full scale, read from the committed results.
fn committed() -> Context {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/results");
    Context { scale: Scale::Full, studies: Studies::Published(folder.into()), ..Context::default() }
}

fn filled(claim: &Claim, report: &Report) -> Card {
    let mut card = Card::new(&claim.id, report.verdict.words(), tone(report.verdict))
        .line(claim.kind.to_string(), format!("{} ({})", claim.statement, claim.place))
        .line("what is measured", &claim.measured)
        .line("source", source(claim, report));
    for value in report.findings.values.iter().take(MOST_VALUES) {
        card = card.line("value", format!("{}{}", said(value), demands(claim, value)));
    }
    let more = report.findings.values.len().saturating_sub(MOST_VALUES);
    if more > 0 {
        card = card.line("and", format!("{more} more values"));
    }
    for value in report.findings.baselines.iter().take(MOST_BASELINES) {
        card = card.line("beside it", said(value));
    }
    for open in &report.open {
        card = card.line("is lacking", open.to_string());
    }
    for (id, verdict) in &report.controls {
        card = card.line("control", format!("{id}: {}", verdict.words()));
    }
    for deviation in ledger().iter().filter(|d| claim.deviations.contains(&d.id)) {
        card = card.line("rests on", format!("{}: {}", deviation.id, deviation.choice));
    }
    card.line("meaning", &claim.meaning).line("run it", format!("ebmbook check {}", claim.id))
}

fn source(claim: &Claim, report: &Report) -> String {
    if claim.part == Part::Theory {
        return "measured here".into();
    }
    let quick = claim.recorded;
    let other = match quick == report.verdict {
        true => String::new(),
        false => format!(" (quick scale: {})", quick.words()),
    };
    format!("committed results at full scale{other}")
}

fn demands(claim: &Claim, value: &Value) -> String {
    let of_value = claim.criteria.iter().filter(|c| c.value == value.key);
    of_value.map(|c| format!("; demanded {}", c.demand())).collect()
}

fn tone(verdict: Verdict) -> Tone {
    match verdict {
        _ if verdict.is_met() => Tone::Good,
        _ if verdict.is_weaker() => Tone::Caveat,
        _ if verdict.is_broken() => Tone::Bad,
        _ => Tone::Open,
    }
}

fn said(value: &Value) -> String {
    format!("{} = {}", value.label, with_interval(value))
}

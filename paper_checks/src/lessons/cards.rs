//! Verdict cards from the registry of claims.

use crate::checks::{self, Context, Scale};
use crate::claim::{self, Claim};
use crate::deviation::ledger;
use crate::verdict::{Value, Verdict};
use ebmbook::seed::Seed;
use ebmbook::show::{Card, Table, Tone, format_number, table};

/// The scale and seed of a notebook as the checks take them.
///
/// ```
/// use paper_checks::lessons::{Scale, context};
/// assert_eq!(context(Scale::Quick, 2022).pick("small", "large"), "small");
/// ```
pub fn context(scale: Scale, seed: u64) -> Context {
    Context { scale, seed: Seed::new(seed), ..Context::default() }
}

fn tone(verdict: Verdict) -> Tone {
    match verdict {
        Verdict::Holds => Tone::Good,
        Verdict::HoldsWithCaveat => Tone::Caveat,
        Verdict::Fails => Tone::Bad,
        Verdict::Inconclusive => Tone::Open,
    }
}

fn found(id: &str) -> &'static Claim {
    claim::find(id).unwrap_or_else(|| panic!("no claim is called `{id}`"))
}

fn with_caveats(mut card: Card, claim: &Claim) -> Card {
    for deviation in ledger().iter().filter(|d| claim.deviations.contains(&d.id)) {
        card = card.line("rests on", format!("{}: {}", deviation.id, deviation.choice));
    }
    card.line("meaning", &claim.meaning).line("run it", format!("ebmbook check {}", claim.id))
}

/// The card of a claim with the verdict on record.
///
/// ```
/// use paper_checks::lessons::card;
/// assert_eq!(card("sufficiency").verdict(), "holds");
/// ```
///
/// # Panics
/// If there is no such claim.
pub fn card(id: &str) -> Card {
    let claim = found(id);
    let card = Card::new(&claim.id, claim.recorded.to_string(), tone(claim.recorded))
        .line("claim", format!("{} ({})", claim.statement, claim.place))
        .line("measured", &claim.measured);
    let card = match claim.recorded_full {
        Some(full) => card.line("at full scale", full.to_string()),
        None => card,
    };
    with_caveats(card, claim)
}

/// The card of a claim that is measured and judged here and now.
///
/// # Panics
/// If there is no such claim, or it cannot be measured.
pub fn measured(id: &str, context: &Context) -> Card {
    let claim = found(id);
    let report = checks::run(claim, context).unwrap_or_else(|e| panic!("{id} cannot be measured: {e}"));
    let show = |v: &Value| match v.se {
        Some(se) => format!("{} = {} ± {}", v.name, format_number(v.estimate), format_number(se)),
        None => format!("{} = {}", v.name, format_number(v.estimate)),
    };
    let mut card = Card::new(&claim.id, report.verdict.to_string(), tone(report.verdict))
        .line("claim", format!("{} ({})", claim.statement, claim.place));
    for value in &report.findings.values {
        card = card.line("measured", show(value));
    }
    for value in report.findings.baselines.iter().take(2) {
        card = card.line("beside it", show(value));
    }
    for (id, verdict) in &report.controls {
        card = card.line("control", format!("{id}: {verdict}"));
    }
    with_caveats(card, claim)
}

/// The verdict on record at quick scale and, where it is another one, at full scale.
pub(super) fn both(claim: &claim::Claim) -> String {
    match claim.recorded_full {
        Some(full) => format!("{} (full scale: {full})", claim.recorded),
        None => claim.recorded.to_string(),
    }
}

/// The claims that a notebook is about, with the verdicts on record.
///
/// ```
/// use paper_checks::lessons::claims_of;
/// assert!(claims_of("02_sufficiency").rows().iter().any(|row| row[0] == "minimality"));
/// ```
pub fn claims_of(notebook: &str) -> Table {
    let of = claim::registry().iter().filter(|c| c.notebook == notebook);
    of.fold(table("Claims of this notebook", &["claim", "place", "verdict on record"]), |t, c| {
        t.row(&[c.id.as_str(), c.place.as_str(), &both(c)])
    })
}

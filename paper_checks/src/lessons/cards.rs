//! Verdict cards: what was demanded, what came out, and what stands beside it.
//!
//! Theory is measured where the card is asked for. Experiments are judged on the full-scale results
//! that are committed, so that a card shows the same numbers as the report.

use crate::claims::{self, Context, Report, Scale};
use crate::pictures::committed;
use crate::registry::ledger;
use crate::registry::{Claim, Part};
use crate::registry::{Value, Verdict};
use crate::report::with_interval;
use ebmbook::seed::Seed;
use ebmbook::show::{Card, Table, Tone, format_number, table};

/// Values on a card; the report has all of them.
const MOST_VALUES: usize = 6;
/// Baselines on a card.
const MOST_BASELINES: usize = 3;

/// The scale and seed of a notebook as the checks take them.
///
/// ```
/// use paper_checks::lessons::{Scale, context};
/// assert_eq!(context(Scale::Quick, 2022).pick("small", "large"), "small");
/// ```
pub fn context(scale: Scale, seed: u64) -> Context {
    Context { scale, seed: Seed::new(seed), ..Context::default() }
}

/// A claim with what was measured and the verdict on it.
///
/// ```
/// use paper_checks::lessons::{Scale, context, judged};
/// let judged = judged("shift-indifference", &context(Scale::Quick, 2022));
/// assert_eq!(judged.card().verdict(), "holds-with-caveat");
/// ```
#[derive(Clone, Debug)]
pub struct Judged {
    claim: &'static Claim,
    report: Report,
}

/// Judges a claim: one about the theory is measured now, one about the experiments is judged on the
/// committed full-scale results.
///
/// # Panics
/// If there is no such claim, or it cannot be measured.
pub fn judged(id: &str, context: &Context) -> Judged {
    let claim = claims::find(id).unwrap_or_else(|| panic!("no claim is called `{id}`"));
    let committed = committed::context();
    let context = if claim.part == Part::Theory { context } else { &committed };
    let report = claims::run(claim, context).unwrap_or_else(|e| panic!("{id} cannot be measured: {e}"));
    Judged { claim, report }
}

/// The card of a claim.
///
/// # Panics
/// If there is no such claim, or it cannot be measured.
pub fn card(id: &str, context: &Context) -> Card {
    judged(id, context).card()
}

impl Judged {
    /// What the check found.
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// The claim.
    pub(super) fn id(&self) -> &str {
        &self.claim.id
    }

    /// The claim on one card.
    pub fn card(&self) -> Card {
        let (claim, report) = (self.claim, &self.report);
        let mut card = Card::new(&claim.id, report.verdict.to_string(), tone(report.verdict))
            .line(claim.kind.to_string(), format!("{} ({})", claim.statement, claim.place))
            .line("what is measured", &claim.measured)
            .line("source", self.source());
        for value in report.findings.values.iter().take(MOST_VALUES) {
            card = card.line("value", format!("{}{}", said(value), self.demands(value)));
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
            card = card.line("control", format!("{id}: {verdict}"));
        }
        for deviation in ledger().iter().filter(|d| claim.deviations.contains(&d.id)) {
            card = card.line("rests on", format!("{}: {}", deviation.id, deviation.choice));
        }
        card.line("meaning", &claim.meaning).line("run it", format!("ebmbook check {}", claim.id))
    }

    /// The measured numbers whose name contains a text, with 95 % intervals.
    ///
    /// # Panics
    /// If there are none.
    pub fn numbers(&self, about: &str) -> Table {
        let findings = &self.report.findings;
        let found: Vec<&Value> =
            findings.values.iter().chain(&findings.baselines).filter(|v| v.label.contains(about)).collect();
        assert!(!found.is_empty(), "{} has no value about `{about}`", self.claim.id);
        let start = table(format!("{}: {about}", self.claim.id), &["value", "estimate", "low", "high"]);
        found.into_iter().fold(start, |t, v| {
            let ends = v.interval().map_or([String::new(), String::new()], |ends| ends.map(format_number));
            t.row(&[&[v.label.clone(), format_number(v.estimate)], &ends[..]].concat())
        })
    }

    /// The verdict with every tolerance halved, as stated, and doubled.
    pub(super) fn at_tolerances(&self) -> [Verdict; 3] {
        let [half, double] = self.report.at_half_and_double;
        [half, self.report.verdict, double]
    }

    fn source(&self) -> String {
        if self.claim.part == Part::Theory {
            return "measured here".into();
        }
        let quick = self.claim.recorded;
        let other =
            if quick == self.report.verdict { String::new() } else { format!(" (quick scale: {quick})") };
        format!("committed results at full scale{other}")
    }

    fn demands(&self, value: &Value) -> String {
        let of_value = self.claim.criteria.iter().filter(|c| c.value == value.key);
        of_value.map(|c| format!("; demanded {}", c.demand())).collect()
    }
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

/// The claims that a notebook is about, with the verdicts on record.
///
/// ```
/// use paper_checks::lessons::claims_of;
/// assert!(claims_of("02_sufficiency").rows().iter().any(|row| row[0] == "minimality"));
/// ```
pub fn claims_of(notebook: &str) -> Table {
    let of = claims::all().filter(|c| c.notebook == notebook);
    of.fold(table("Claims of this notebook", &["claim", "place", "verdict on record"]), |t, c| {
        t.row(&[c.id.as_str(), c.place.as_str(), &c.recorded_words()])
    })
}

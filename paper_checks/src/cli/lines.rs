//! The table of the main job: one line per entry, fitted to the terminal.
//!
//! ```text
//! Prop. 3.3  identifiable up to a constant  ✔ holds  2e-13 off: f recovered from its densities
//! ```

use super::check::named;
use super::text::{colours, pad, shorten, width};
use crate::claims::{self, Report};
use crate::registry::{Claim, Kind, Part, Verdict};
use crate::report::Shown;
use std::collections::BTreeMap;
use std::sync::Mutex;

/// Columns for the place in the paper and for the title: enough for all, as a test says.
const PLACE: usize = 10;
const TITLE: usize = 26;
/// Columns for mark and verdict.
const VERDICT: usize = 15;
/// Columns from which the verdict is spelt out; below, there is the mark alone.
const ROOMY: usize = 96;
/// Columns from which the place in the paper is shown.
const WIDE: usize = 112;

/// A verdict in as few words as a line has room for.
pub(super) fn words(verdict: Verdict) -> &'static str {
    if verdict == Verdict::HoldsWithCaveat { "with a caveat" } else { verdict.words() }
}

/// Text in the colour of a verdict, where colours are wanted.
pub(super) fn coloured(text: &str, verdict: Verdict) -> String {
    let style = console::Style::new().force_styling(colours());
    let style = match verdict {
        Verdict::Yes | Verdict::Partly | Verdict::No => style.bold(),
        _ if verdict.is_met() => style.green(),
        _ if verdict.is_weaker() => style.yellow(),
        _ if verdict.is_broken() => style.red(),
        _ => style.cyan(),
    };
    style.apply_to(text).to_string()
}

/// The finding of a report. Where a value of it was not measured, as at quick scale, the value that decides; where none was,
/// why not.
pub(super) fn finding(report: &Report) -> String {
    let decides = || Shown::new(report).measured.as_ref().map(named);
    report.finding().ok().or_else(decides).unwrap_or_else(|| report.findings.setting.clone())
}

/// The finding in a few words, where all its values were measured.
fn in_short(report: &Report) -> String {
    report.short_finding().unwrap_or_else(|_| finding(report))
}

/// Where in the paper, in a few letters: the abstract if it comes first, else a table or figure if one is named, else the
/// first place that has a number.
fn short_place(place: &str) -> String {
    const WORDS: [(&str, &str); 3] =
        [("not printed", "ours"), ("Abstract", "Abstract"), ("released notebook", "their code")];
    const NUMBERED: [(&str, &str); 7] = [
        ("Table", "Table "),
        ("Figure", "Figure "),
        ("Proposition", "Prop. "),
        ("Lemma", "Lemma "),
        ("Equation", "Eq. "),
        ("Section", "§"),
        ("Appendix", "App. "),
    ];
    let word = WORDS.into_iter().find(|(name, _)| place.contains(name)).map(|(_, short)| short.to_owned());
    let number = |(name, short): (&str, &str)| {
        let rest = place.split_once(name)?.1.trim_start_matches('s').trim_start();
        rest.split([' ', ',', ';']).next().map(|number| format!("{short}{number}"))
    };
    word.or_else(|| NUMBERED.into_iter().find_map(number)).unwrap_or_else(|| place.to_owned())
}

/// The line of a report, at most so wide.
fn line(claim: &Claim, report: &Report, width: usize) -> String {
    let verdict = match width < ROOMY {
        true => report.verdict.mark().to_string(),
        false => pad(&format!("{} {}", report.verdict.mark(), words(report.verdict)), VERDICT),
    };
    let changed = match report.verdict == report.recorded {
        true => String::new(),
        false => format!("CHANGED, on record {}: ", words(report.recorded)),
    };
    let place = match width < WIDE {
        true => String::new(),
        false => format!("{}  ", pad(&short_place(&claim.place), PLACE)),
    };
    let before = format!("{place}{}  ", pad(&claim.title, TITLE));
    let room = width.saturating_sub(console::measure_text_width(&format!("{before}{verdict}  ")));
    let finding = shorten(&format!("{changed}{}", in_short(report)), room);
    format!("{before}{}  {finding}", coloured(&verdict, report.verdict))
}

/// Lines in the paper's order, each handed on as soon as those before it are there.
pub(super) struct Lines {
    order: Vec<&'static Claim>,
    width: usize,
    waiting: Mutex<Waiting>,
}

#[derive(Default)]
struct Waiting {
    next: usize,
    decided: BTreeMap<usize, String>,
    group: Option<&'static str>,
}

/// The group that an entry stands in, by its place among the groups and its heading.
fn group(claim: &Claim) -> (usize, &'static str) {
    match (claim.kind, claim.part) {
        (Kind::Claim, _) if claims::is_root(claim) => (0, "The paper makes two claims"),
        (Kind::Claim, Part::Theory) => (1, "What it says about the theory"),
        (Kind::Claim, Part::Experiments) => (2, "What it says about the experiments"),
        (Kind::Question, _) => (3, "Questions that it does not answer"),
        (Kind::Theorem, _) => (4, "Theorems of ours"),
    }
}

impl Lines {
    /// Lines as wide as the terminal.
    pub fn new() -> Self {
        let mut order: Vec<&Claim> = claims::all().collect();
        order.sort_by_key(|claim| group(claim).0);
        Self { order, width: width(), waiting: Mutex::default() }
    }

    /// Prints the lines that can be printed now that this report is there; each group has a heading.
    pub fn decided(&self, report: &Report, print: impl Fn(&str)) {
        let at = self.order.iter().position(|c| c.id == report.claim).expect("a claim of the registry");
        let mut waiting = self.waiting.lock().expect("nothing panics while it is held");
        waiting.decided.insert(at, line(self.order[at], report, self.width - 2));
        loop {
            let next = waiting.next;
            let Some(line) = waiting.decided.remove(&next) else { return };
            let (first, heading) = (waiting.group.is_none(), group(self.order[next]).1);
            if waiting.group != Some(heading) {
                print(&if first { heading.to_owned() } else { format!("\n{heading}") });
            }
            print(&format!("  {line}"));
            waiting.group = Some(heading);
            waiting.next += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::kept::unfinished;
    use super::*;
    use crate::claims::Context;

    #[test]
    fn titles_and_places_have_room_at_any_width() {
        for claim in claims::all() {
            assert!(!claim.title.is_empty() && shorten(&claim.title, TITLE) == claim.title, "{}", claim.id);
            let place = short_place(&claim.place);
            assert!(shorten(&place, PLACE) == place, "{}: {place}", claim.id);
        }
    }

    #[test]
    fn a_place_in_a_few_letters_says_where() {
        for (place, short) in [
            ("Abstract; Sections 3 and 7", "Abstract"),
            ("Section 6.1, Table 2; Appendix A.1, Table A.1", "Table 2"),
            ("Section 4, Equation (6)", "Eq. (6)"),
            ("Section 4 and Appendix A.3", "§4"),
            ("Asks of the mended model what Section 6 claims of the printed one", "§6"),
            ("Mends Sections 3 and 4; not printed", "ours"),
            ("All tables", "All tables"),
        ] {
            assert_eq!(short_place(place), short);
        }
    }

    #[test]
    fn a_line_is_as_wide_as_asked_and_says_what_changed() {
        let claim = claims::all().next().unwrap();
        let mut report =
            unfinished(claim, &Context::default(), "a sentence that is long enough to be cut", true);
        (report.verdict, report.recorded) = (Verdict::Holds, Verdict::Holds);
        for width in [80, 100, 140] {
            let line = line(claim, &report, width);
            assert!(console::measure_text_width(&line) <= width, "{line}");
            assert!(line.contains('✔') && line.contains("holds") == (width > 80), "{line}");
        }
        report.verdict = Verdict::Fails;
        assert!(line(claim, &report, 100).contains("✘ fails          CHANGED, on record holds"));
    }

    #[test]
    fn lines_come_group_by_group_whatever_is_decided_first() {
        let lines = Lines::new();
        let report = |claim: &&'static Claim| unfinished(claim, &Context::default(), "no time", true);
        let reports: Vec<Report> = lines.order.iter().map(report).collect();
        let printed = std::cell::RefCell::new(Vec::new());
        let told = |report: &Report| {
            lines.decided(report, |line| printed.borrow_mut().push(line.to_owned()));
            printed.borrow().len()
        };
        assert_eq!(told(&reports[1]), 0);
        assert_eq!(told(&reports[0]), 3, "a heading and two lines");
        reports[2..].iter().rev().for_each(|report| {
            told(report);
        });
        assert_eq!(printed.borrow().len(), reports.len() + 5, "and a heading for each group");
    }
}

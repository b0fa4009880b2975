//! Kinds, quotations and the argument map: what the registry says of the paper is what the paper says.

use crate::support::{ebmbook, read, results, root};
use ::ebmbook::data::manifest::sha256_hex;
use paper_checks::claims::{self, Context, Record, Report};
use paper_checks::registry::{Claim, Kind, Map, Part, Scale};
use paper_checks::study::Studies;
use std::collections::BTreeSet;

/// A quotation may have this many words.
const MOST_WORDS: usize = 30;

/// Lower-case words of letters and digits.
fn words(text: &str) -> Vec<String> {
    let lower = text.to_lowercase();
    let plain = |c: char| !(c.is_ascii_lowercase() || c.is_ascii_digit());
    lower.split(plain).filter(|w| !w.is_empty()).map(str::to_owned).collect()
}

/// The paper, as hashes of every four words in a row that no mathematics interrupts.
struct Paper(BTreeSet<String>);

impl Paper {
    fn load() -> Self {
        let hashes = read(root().join("paper_checks/printed/four-word-hashes.txt"));
        Self(hashes.split_whitespace().map(str::to_owned).collect())
    }

    /// Windows of four words that the paper does not have. `…` breaks a quotation; each part has four words or more.
    fn lacks(&self, quotation: &str) -> Vec<String> {
        let parts = quotation.split('…').map(words).filter(|part| !part.is_empty());
        let windows = parts.flat_map(|part| match part.len() {
            0..4 => vec![part.join(" ")],
            _ => part.windows(4).map(|four| four.join(" ")).collect(),
        });
        windows.filter(|four| !self.0.contains(&sha256_hex(four.as_bytes())[..12])).collect()
    }
}

#[test]
fn every_quotation_stands_in_the_paper_word_for_word() {
    let paper = Paper::load();
    for claim in claims::all() {
        let Some(quotation) = &claim.quotation else { continue };
        assert_eq!(paper.lacks(quotation), Vec::<String>::new(), "{}", claim.id);
        assert!(words(quotation).len() <= MOST_WORDS, "{}: {quotation}", claim.id);
    }
}

#[test]
fn a_quotation_that_was_invented_or_stitched_together_is_found_out() {
    let paper = Paper::load();
    for invented in [
        "our EBM certainly outperforms every benchmark on all data sets",
        // The hedge is cut: the paper says "will potentially have".
        "the learners will have smaller expected errors",
        // Two places of the paper without the mark between them.
        "the learnt parameter is partially identifiable",
        "consistent",
    ] {
        assert!(!paper.lacks(invented).is_empty(), "{invented}");
    }
}

/// A sentence of the paper that asserts something checkable.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Sentence {
    section: String,
    words: String,
    entry: Option<String>,
    without: Option<String>,
}

#[test]
fn every_sentence_of_the_inventory_is_the_papers_and_every_claim_is_in_it() {
    #[derive(serde::Deserialize)]
    struct File {
        sentence: Vec<Sentence>,
    }
    let File { sentence: all } = toml::from_str(&read(root().join("paper_checks/inventory.toml"))).unwrap();
    let paper = Paper::load();
    for sentence in &all {
        let said = &sentence.words;
        assert_eq!(paper.lacks(said), Vec::<String>::new(), "{said}");
        assert!(words(said).len() <= 12 && !sentence.section.is_empty(), "{said}");
        assert!(
            sentence.entry.is_some() != sentence.without.is_some(),
            "{said}: an entry, or why there is none"
        );
        assert!(sentence.entry.as_ref().is_none_or(|id| claims::find(id).is_some()), "{said}");
    }
    for claim in claims::all().filter(|c| c.kind == Kind::Claim) {
        assert!(all.iter().any(|s| s.entry.as_ref() == Some(&claim.id)), "{}", claim.id);
    }
}

#[test]
fn an_entry_has_the_fields_and_the_words_of_its_kind() {
    for claim in claims::all() {
        let id = &claim.id;
        assert_eq!(claim.quotation.is_some(), claim.kind == Kind::Claim, "{id}: a claim quotes the paper");
        assert_eq!(claim.proof.is_some(), claim.kind == Kind::Theorem, "{id}: a theorem is proved");
        assert_eq!(claim.statement.ends_with('?'), claim.kind == Kind::Question, "{id}: {}", claim.statement);
        for word in [Some(claim.recorded), claim.recorded_full].into_iter().flatten() {
            assert!(word.kind().is_none_or(|kind| kind == claim.kind), "{id}: {word}");
        }
    }
}

/// Every entry, judged on the committed full-scale results.
fn judged() -> impl Iterator<Item = (&'static Claim, Report)> {
    let context =
        Context { scale: Scale::Full, studies: Studies::Published(results()), ..Context::default() };
    claims::all().map(move |claim| {
        let report = match claim.part {
            Part::Theory => {
                Record::read(&results().join(Record::FOLDER), claim).unwrap().unwrap().report(claim)
            }
            Part::Experiments => claims::run(claim, &context).unwrap(),
        };
        (claim, report)
    })
}

#[test]
fn a_claim_that_does_not_plainly_hold_has_a_rebuttal_and_a_reply_with_a_measured_number() {
    for (claim, report) in judged() {
        let needed = claim.kind == Kind::Claim && !claim.recorded_at(Scale::Full).is_met();
        let id = &claim.id;
        // A theorem of ours may have both, too: an author could doubt what it says of the method.
        let has = claim.rebuttal.is_some();
        assert!(has == needed || (has && claim.kind == Kind::Theorem), "{id}");
        assert_eq!(has, claim.reply.is_some(), "{id}");
        let Some(reply) = &claim.reply else { continue };
        let said = report.fill(reply).unwrap_or_else(|key| panic!("{id}: `{key}` is not measured"));
        assert_ne!(said, reply.text(), "{id}: a reply has a number");
        let moved = [0.1, -0.4].map(|by| reply.fill(|_, _| Some(by)).unwrap());
        assert_ne!(moved[0], moved[1], "{id}");
    }
}

#[test]
fn a_change_of_a_criterion_says_when_from_what_to_what_and_why() {
    for claim in claims::all() {
        let dates: Vec<&String> = claim.history.iter().map(|h| &h.date).collect();
        assert!(dates.is_sorted(), "{}: {dates:?}", claim.id);
        for change in &claim.history {
            assert!(change.date.starts_with("20") && change.date.len() == 10, "{}", claim.id);
            assert!(change.from != change.to && change.why.len() > 5, "{}", claim.id);
        }
    }
}

#[test]
fn the_argument_has_two_roots_no_circle_and_no_claim_without_a_place() {
    let map = Map::new(claims::all(), |c| c.recorded_at(Scale::Full));
    let roots: Vec<&str> = map.roots().iter().map(|n| n.claim.id.as_str()).collect();
    assert_eq!(roots, ["claim-1", "claim-2"]);
    assert_eq!(map.faults(), Vec::<String>::new());
}

#[test]
fn a_circle_a_loose_end_and_a_stranger_on_the_map_are_found() {
    let faults = |change: &dyn Fn(&mut [Claim])| {
        let mut all: Vec<Claim> = claims::all().cloned().collect();
        change(&mut all);
        Map::new(all.iter(), |c| c.recorded).faults().join("; ")
    };
    let at = |all: &[Claim], id: &str| all.iter().position(|c| c.id == id).unwrap();
    let root = |all: &[Claim]| at(all, "claim-2");
    let circle = faults(&|all| {
        let above = all.iter().position(|c| !c.requires.is_empty() && !c.id.starts_with("claim-")).unwrap();
        let below = at(all, &all[above].requires[0]);
        let id = all[above].id.clone();
        all[below].requires.push(id);
    });
    assert!(circle.contains("is a circle"), "{circle}");
    let stranger = faults(&|all| all[root(all)].requires.push("nobody".into()));
    assert!(stranger.contains("`nobody`, which does not exist"), "{stranger}");
    let loose = faults(&|all| drop(all[root(all)].requires.pop()));
    assert!(loose.starts_with("nothing rests on") && loose.ends_with("it does not say why"), "{loose}");
}

#[test]
fn a_conclusion_may_hold_while_its_argument_is_broken() {
    let map = ebmbook(&["map", "--json"]).json();
    let node = |id: &str| map.as_array().unwrap().iter().find(|n| n["id"] == id).unwrap().clone();
    assert_eq!(node("approximation")["verdict"], "holds");
    assert_eq!(node("approximation")["argument"]["at"][0], "approximation-linear-proof");
}

#[test]
fn the_map_fits_a_terminal_and_can_be_drawn() {
    let text = ebmbook(&["map"]).ok();
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    for claim in claims::all() {
        assert!(text.contains(&claim.id), "{}", claim.id);
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("map.svg");
    ebmbook(&["map", "--out", file.to_str().unwrap()]).ok();
    let svg = read(&file);
    assert!(svg.starts_with("<svg") && svg.contains(">f, effects are consistent</text>"));
}

//! The report: one self-contained page a reviewer reads.
//!
//! In: judged claims, and where the values of studies are. Out: HTML with styles, script, figures
//! (SVG) and formulas (MathML) inside; it asks for nothing from outside.

mod compact;
mod environment;
mod figure;
pub mod map;
pub mod math;
mod prose;
mod review;
mod rows;
mod section;
mod shown;
pub mod trend;

pub use figure::claim_figure;
pub use review::{Review, review, write_review};
pub use shown::{Shown, with_interval};

use crate::claims::{self, Context, Report};
use crate::printed::{Printed, consistency};
use crate::registry::{Map, Scale, Verdict, ledger};
use crate::study::StudyError;
use ebmbook::data::manifest::Manifest;
use minijinja::{Environment, Value, context};
use rayon::prelude::*;
use section::Section;
use std::collections::BTreeMap;

/// The page for these judged claims.
///
/// ```
/// use paper_checks::{claims::{self, Context}, report};
/// let context = Context::default();
/// let judged = claims::run(claims::find("cross-entropy-lemma").unwrap(), &context)?;
/// let page = report::page(&[judged], &context)?;
/// assert!(page.contains("id=\"cross-entropy-lemma\"") && page.contains("<math"));
/// # Ok::<(), paper_checks::study::StudyError>(())
/// ```
pub fn page(reports: &[Report], context: &Context) -> Result<String, StudyError> {
    let mut sections: Vec<Section> = reports.par_iter().map(|r| Section::new(r, context)).collect();
    // The order of the paper, kind by kind.
    sections.sort_by_key(|s| claims::find(&s.id).map(|claim| (claim.kind, claim.section())));
    once_each(&mut sections);
    let count = |v: Verdict| reports.iter().filter(|r| r.verdict == v).count();
    let (rows, studies) = rows::printed_beside_ours(context);
    let mut first: Vec<&Section> = sections.iter().filter(|s| s.read_first.is_some()).collect();
    first.sort_by_key(|s| s.read_first);
    let others = sections.iter().filter(|s| !s.verdict.is_met() && s.read_first.is_none());
    let others: Vec<&Section> = others.collect();
    let map = Map::new(claims::all(), |c| c.recorded_at(Scale::Full));
    let mut environment = Environment::new();
    environment.set_trim_blocks(true);
    environment.set_lstrip_blocks(true);
    environment.add_filter("prose", |text: String| Value::from_safe_string(prose::prose(&text)));
    environment.add_filter("words", |verdict: String| {
        verdict.replace("with-caveat", "with a caveat").replace('-', " ")
    });
    environment
        .add_template("page.html", include_str!("page.html"))
        .expect("the template is part of the program");
    let template = environment.get_template("page.html").expect("it was added above");
    let text = template
        .render(context! {
            style => include_str!("style.css"),
            script => include_str!("script.js"),
            counts => [
                ("holds", count(Verdict::Holds), "hold"),
                ("holds-with-caveat", count(Verdict::HoldsWithCaveat), "hold with a caveat"),
                ("fails", count(Verdict::Fails), "fail"),
                ("inconclusive", count(Verdict::Inconclusive), "inconclusive"),
            ],
            answered => answered(reports),
            map => map::svg(&map),
            narrow_map => map::svg_narrow(&map),
            claims => sections,
            first => first,
            others => others,
            left_out => left_out(reports),
            rows => rows,
            studies => studies,
            ledger => ledger(),
            data => Manifest::find().map(|m| m.entries().to_vec()).unwrap_or_default(),
            disagreements => consistency::disagreements(&Printed::load()),
            environment => environment::facts(context),
            origins => environment::origins(context),
            limitations => LIMITATIONS,
        })
        .unwrap_or_else(|error| panic!("the template fits its data: {error:#}"));
    Ok(text)
}

/// Leaves each figure of a study at the first entry that shows it; later ones say where.
fn once_each(sections: &mut [Section]) {
    let mut shown: BTreeMap<String, String> = BTreeMap::new();
    for section in sections {
        for figure in &mut section.figures {
            let Some(name) = figure.of_study.clone() else { continue };
            figure.elsewhere = shown.get(&name).cloned();
            shown.entry(name).or_insert_with(|| section.id.clone());
        }
    }
}

/// How many questions and theorems there are, by what is said of them.
fn answered(reports: &[Report]) -> String {
    let count = |word: &Verdict| reports.iter().filter(|r| r.verdict == *word).count();
    let said = |words: &[Verdict]| {
        let some = words.iter().filter(|word| count(word) > 0);
        some.map(|word| format!("{} {word}", count(word))).collect::<Vec<_>>().join(", ")
    };
    let questions = said(&[Verdict::Yes, Verdict::Partly, Verdict::No, Verdict::Open]);
    let theorems = said(&[Verdict::Certified, Verdict::Refuted]);
    [("Questions: ", questions), ("Theorems of ours: ", theorems)]
        .iter()
        .filter(|(_, said)| !said.is_empty())
        .map(|(of, said)| format!("{of}{said}."))
        .collect::<Vec<_>>()
        .join(" ")
}

/// Claims that are not on the page, with the studies that would decide them.
fn left_out(reports: &[Report]) -> Vec<[String; 2]> {
    let absent = claims::all().filter(|c| reports.iter().all(|r| r.claim != c.id));
    absent.map(|c| [c.id.clone(), c.studies.join(", ")]).collect()
}

/// What the workbook cannot show.
const LIMITATIONS: [&str; 7] = [
    "The full Twins file of 71 345 pairs is not available. Printed Twins digits cannot be matched; trends are checked on the pairs under 2 kg.",
    "IHDP outcomes are our own draws of response surface B, so printed IHDP digits cannot be matched.",
    "Weight laws of the paper's synthetic data are not given; the `paper` protocol rests on choices listed in the ledger.",
    "The runs of a table differ in initialisation, folds and draws of the learners and share their rows: one draw of the synthetic data and one cut of Twins a setting. Intervals say what other runs would give, not other samples. The studies `seeds`, `fair-ladder` and `ihdp` draw anew; their cuts of Twins still share pairs of one file.",
    "Quick scale has few settings and runs. A claim it leaves open may be decided at full scale.",
    "CUDA code is built and type-checked, but has not run on a device.",
    "A verdict is about the numbers at hand. What a claim would give on other data is not known.",
];

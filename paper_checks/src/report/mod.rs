//! The report: one self-contained page a reviewer reads.
//!
//! In: judged claims, and where the values of studies are. Out: HTML with styles, script, figures
//! (SVG) and formulas (MathML) inside; it asks for nothing from outside.

mod environment;
mod figure;
pub mod map;
pub mod math;
mod prose;
mod review;
mod rows;
mod section;
mod shown;

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

/// The page for these judged claims.
///
/// ```
/// use paper_checks::{claims::{self, Context}, report};
/// let context = Context::default();
/// let judged = claims::run(claims::find("claim-2").unwrap(), &context)?;
/// let page = report::page(&[judged], &context)?;
/// assert!(page.contains("id=\"claim-2\"") && page.contains("<math"));
/// # Ok::<(), paper_checks::study::StudyError>(())
/// ```
pub fn page(reports: &[Report], context: &Context) -> Result<String, StudyError> {
    let sections: Vec<Section> = reports.par_iter().map(|r| Section::new(r, context)).collect();
    let count = |v: Verdict| reports.iter().filter(|r| r.verdict == v).count();
    let (rows, studies) = rows::printed_beside_ours(context);
    let (first, others): (Vec<&Section>, Vec<&Section>) = sections
        .iter()
        .filter(|s| !s.verdict.is_met() || s.read_first.is_some())
        .partition(|s| s.read_first.is_some());
    let mut environment = Environment::new();
    environment.set_trim_blocks(true);
    environment.set_lstrip_blocks(true);
    environment.add_filter("prose", |text: String| Value::from_safe_string(prose::prose(&text)));
    environment.add_filter("words", |verdict: String| verdict.replace('-', " "));
    environment
        .add_template("page.html", include_str!("page.html"))
        .expect("the template is part of the program");
    let template = environment.get_template("page.html").expect("it was added above");
    let text = template
        .render(context! {
            style => include_str!("style.css"),
            script => include_str!("script.js"),
            scale => context.scale.to_string(),
            counts => [
                ("holds", count(Verdict::Holds), "hold"),
                ("holds-with-caveat", count(Verdict::HoldsWithCaveat), "hold with a caveat"),
                ("fails", count(Verdict::Fails), "fail"),
                ("inconclusive", count(Verdict::Inconclusive), "inconclusive"),
            ],
            answered => answered(reports),
            map => map::svg(&Map::new(claims::all(), |c| c.recorded_at(Scale::Full))),
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

/// How many questions and theorems there are, by what is said of them.
fn answered(reports: &[Report]) -> String {
    let count = |word: Verdict| reports.iter().filter(|r| r.verdict == word).count();
    let said = |(word, of): (Verdict, &str)| (count(word) > 0).then(|| format!("{} {of}", count(word)));
    let words = [
        (Verdict::Yes, "questions answered with yes"),
        (Verdict::Partly, "with partly"),
        (Verdict::No, "with no"),
        (Verdict::Open, "left open"),
        (Verdict::Certified, "theorems of ours certified"),
        (Verdict::Refuted, "refuted"),
    ];
    words.into_iter().filter_map(said).collect::<Vec<_>>().join(", ")
}

/// Claims that are not on the page, with the studies that would decide them.
fn left_out(reports: &[Report]) -> Vec<[String; 2]> {
    let absent = claims::all().filter(|c| reports.iter().all(|r| r.claim != c.id));
    absent.map(|c| [c.id.clone(), c.studies.join(", ")]).collect()
}

/// What the workbook cannot show.
const LIMITATIONS: [&str; 7] = [
    "The full Twins file of 71 345 pairs could not be had. Printed Twins digits cannot be matched; trends are checked on the pairs under 2 kg.",
    "IHDP outcomes are our own draws of response surface B, so printed IHDP digits cannot be matched.",
    "Weight laws of the paper's synthetic data are not given; the `paper` protocol rests on choices listed in the ledger.",
    "The runs of a table differ in initialisation, folds and draws of the learners and share their rows: one draw of the synthetic data and one cut of Twins a setting. Intervals say what other runs would give, not other samples. The studies `seeds`, `fair-ladder` and `ihdp` draw anew; their cuts of Twins still share pairs of one file.",
    "Quick scale has few settings and runs. A claim it leaves open may be decided at full scale.",
    "CUDA code is built and type-checked, but has not run on a device.",
    "A verdict is about the numbers at hand. What a claim would give on other data is not known.",
];

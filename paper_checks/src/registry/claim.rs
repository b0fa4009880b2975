//! An entry: what is said and by whom, what it rests on, and what would decide it.

use super::verdict::default_alpha;
use super::{Criterion, Key, Kind, Rule, Scale, Scope, Template, Value, Verdict, verdict};
use ebmbook::data::Protocol;
use serde::{Deserialize, Deserializer, Serialize};
use std::collections::BTreeMap;

/// Whether a claim is about the theory or about the experiments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Part {
    /// A proposition, a lemma or a statement derived from one.
    Theory,
    /// A table, a figure or a sentence about them.
    Experiments,
}

/// A variant whose verdict is known beforehand: a broken one for which the check must say `fails`,
/// or, beside a claim that fails, a mended one for which it must say `holds`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Control {
    /// Identifier, unique within the claim.
    pub id: String,
    /// What is broken, or mended.
    pub breaks: String,
    /// The verdict it must have, in the words of the entry's kind.
    #[serde(default = "fails")]
    pub expect: Verdict,
}

fn a_moment() -> f64 {
    0.1
}

fn fails() -> Verdict {
    Verdict::Fails
}

/// A change of a criterion after values had been seen.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Change {
    /// When.
    pub date: String,
    /// What was demanded before.
    pub from: String,
    /// What was demanded after.
    pub to: String,
    /// Why.
    pub why: String,
}

/// What the first screen of the report says of an entry, in words a colleague would use.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FirstScreen {
    /// The finding as a headline.
    pub headline: String,
    /// Three sentences, with measured numbers in them.
    pub text: Template,
    /// The axis of the picture of `rows`.
    #[serde(default)]
    pub axis: String,
    /// Names and keys of the numbers in the picture; without them the entry's own picture stands there.
    #[serde(default)]
    pub rows: Vec<(String, Key)>,
}

/// One entry of the registry: a claim of the paper, a question about it, or a theorem of ours.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// Identifier: the key everywhere (check, snapshot, notebook heading, report anchor).
    pub id: String,
    /// What it is about, in a few words.
    #[serde(default)]
    pub title: String,
    /// What came out, in one sentence with its number.
    #[serde(default)]
    pub finding: Template,
    /// The finding in a few words, its number first: what the line of the main job has room for.
    #[serde(default)]
    pub short: Template,
    /// Whose words it has.
    pub kind: Kind,
    /// Theory or experiments.
    pub part: Part,
    /// Of a claim: the paper's own words, at most 30 of them; `…` stands where mathematics or words are left out.
    #[serde(default)]
    pub quotation: Option<String>,
    /// What the paper claims, in our words; of a question, the question.
    pub statement: String,
    /// How the sentence is read, and why it is judged that way.
    #[serde(default)]
    pub reading: Option<String>,
    /// Of a theorem: why it is true, in a few sentences.
    #[serde(default)]
    pub proof: Option<String>,
    /// The entries that the paper's argument for it rests on.
    #[serde(default)]
    pub requires: Vec<String>,
    /// The entries that make it worth asking for, without which it could still be true.
    #[serde(default)]
    pub motivation: Vec<String>,
    /// Why nothing later rests on it, for a claim that no other one requires.
    #[serde(default)]
    pub used_nowhere: Option<String>,
    /// Where in the paper.
    pub place: String,
    /// The equation behind it, in LaTeX.
    pub equation: String,
    /// What is measured.
    pub measured: String,
    /// What the claim demands of the values.
    #[serde(rename = "criterion", deserialize_with = "one_per_value")]
    pub criteria: Vec<Criterion>,
    /// Broken and mended variants.
    #[serde(rename = "control")]
    pub controls: Vec<Control>,
    /// Deviations the result rests on; for a caveat, the ones that describe it.
    pub deviations: Vec<String>,
    /// The notebook that walks through it.
    pub notebook: String,
    /// What stands beside the value that is shown: another quantity of the same parts and protocol, one quantity, or a
    /// control. Without it, the first control whose value differs.
    #[serde(default)]
    pub baseline: Option<Baseline>,
    /// The deviation that describes the weaker form, where there is one.
    #[serde(default)]
    pub caveat: Option<String>,
    /// The protocol that all its values follow, where their keys do not say it.
    #[serde(default)]
    pub protocol: Option<Protocol>,
    /// The verdict on record. A check that finds another one turns red.
    pub recorded: Verdict,
    /// The verdict on record at full scale, where it differs.
    #[serde(default)]
    pub recorded_full: Option<Verdict>,
    /// What the verdict means, in a sentence or two.
    pub meaning: String,
    /// What would mend it, for a claim that does not plainly hold.
    #[serde(default)]
    pub mend: Option<String>,
    /// The strongest reply that an author could give, for a claim that does not plainly hold.
    #[serde(default)]
    pub rebuttal: Option<String>,
    /// Our answer to it, with measured numbers in it.
    #[serde(default)]
    pub reply: Option<Template>,
    /// Room for the authors' own reply; empty until there is one.
    #[serde(default)]
    pub authors_reply: String,
    /// How its criteria were changed after values had been seen.
    #[serde(default)]
    pub history: Vec<Change>,
    /// The studies whose values it needs; none for a claim about the theory.
    #[serde(default)]
    pub studies: Vec<String>,
    /// The figures of studies that show what it says, as `STUDY/FIGURE`.
    #[serde(default)]
    pub figures: Vec<String>,
    /// Whether it trains networks in single precision, so that digits drift from one instruction set to another.
    #[serde(default)]
    pub single_precision: bool,
    /// About how many seconds its check takes at quick scale on one core. Only the time left is reckoned by it.
    #[serde(default = "a_moment")]
    pub seconds: f64,
    /// Its place among the claims to read first, for those that change how the paper reads.
    #[serde(default)]
    pub read_first: Option<usize>,
    /// What the first screen of the report says of it, for the two or three that matter most.
    #[serde(default)]
    pub first_screen: Option<FirstScreen>,
    /// The label of each quantity that its check measures, by the name of its key; see [`Key::label`].
    pub labels: BTreeMap<String, String>,
}

/// What to hold a claim's value against.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Baseline {
    /// The quantity of this name with the parts and the protocol of the value that is shown.
    Like(String),
    /// This quantity.
    Value(Key),
    /// This control.
    Control(String),
}

/// A criterion as it is written: one demand on one value, or on several.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    value: OneOrMore,
    rule: Rule,
    target: f64,
    tolerance: f64,
    reason: String,
    #[serde(default = "default_alpha")]
    alpha: f64,
    #[serde(default)]
    scope: Scope,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum OneOrMore {
    One(Key),
    More(Vec<Key>),
}

fn one_per_value<'de, D: Deserializer<'de>>(written: D) -> Result<Vec<Criterion>, D::Error> {
    let written = Vec::<Written>::deserialize(written)?;
    let criteria = written.into_iter().flat_map(|w| {
        let Written { value, rule, target, tolerance, reason, alpha, scope } = w;
        let values = match value {
            OneOrMore::One(value) => vec![value],
            OneOrMore::More(values) => values,
        };
        let of =
            move |value| Criterion { value, rule, target, tolerance, reason: reason.clone(), alpha, scope };
        values.into_iter().map(of)
    });
    Ok(criteria.collect())
}

impl Claim {
    /// The name of its folder in `paper_checks/src/claims/`.
    pub fn folder(&self) -> String {
        self.id.replace('-', "_")
    }

    /// The verdict on values, in the words of its kind, with every tolerance multiplied by `scale`.
    pub fn judge(&self, values: &[Value], scale: f64) -> Verdict {
        verdict(values, &self.criteria, scale).of(self.kind)
    }

    /// Broken variants: those that the check must call broken.
    pub fn broken_controls(&self) -> impl Iterator<Item = &Control> {
        self.controls.iter().filter(|control| control.expect.is_broken())
    }

    /// Where in the paper it stands, as something that sorts: the abstract, the sections, the appendix, anything else.
    pub fn section(&self) -> (usize, &str) {
        let section = self.place.split([',', ';']).next().unwrap_or_default();
        let rank = ["Abstract", "Section", "Appendix"].iter().position(|start| section.starts_with(start));
        (rank.unwrap_or(3), section)
    }

    /// What people call a quantity: by the template of its name, else by the key itself.
    pub fn label(&self, key: &Key) -> String {
        self.labels.get(key.name()).map_or_else(|| key.to_string(), |template| key.label(template))
    }

    /// The figures of studies that show what it says: study and name.
    pub fn figures(&self) -> impl Iterator<Item = (&str, &str)> {
        self.figures.iter().filter_map(|figure| figure.split_once('/'))
    }

    /// The verdict on record at a scale.
    pub fn recorded_at(&self, scale: Scale) -> Verdict {
        match scale {
            Scale::Quick => self.recorded,
            Scale::Full => self.recorded_full.unwrap_or(self.recorded),
        }
    }
}

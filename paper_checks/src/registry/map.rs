//! The argument map: what each entry rests on, and whether what it rests on stands.
//!
//! Every entry is measured on its own, so its verdict does not depend on those below it. An entry's argument is intact if
//! every entry it requires stands. A conclusion may hold while its argument is broken, and the other way round.

use super::{Claim, Kind, Verdict};
use serde::Serialize;
use std::collections::BTreeSet;

/// The entries with their verdicts and what those verdicts make of each argument.
pub struct Map<'a> {
    /// In the order of the registry.
    pub nodes: Vec<Node<'a>>,
}

/// One entry of the map.
pub struct Node<'a> {
    /// The entry.
    pub claim: &'a Claim,
    /// Its own verdict.
    pub verdict: Verdict,
    /// The argument that leads to it.
    pub argument: Argument<'a>,
}

/// Whether what an entry requires stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "state", content = "at")]
pub enum Argument<'a> {
    /// It requires nothing.
    None,
    /// Everything it requires holds.
    Intact,
    /// It stands, but some of what it requires holds only with a caveat.
    Weakened(Vec<&'a str>),
    /// Some of what it requires is not decided.
    Open(Vec<&'a str>),
    /// Some of what it requires does not stand.
    Broken(Vec<&'a str>),
}

impl Argument<'_> {
    /// In words; nothing for an entry that requires nothing.
    pub fn words(&self) -> String {
        match self {
            Self::None => String::new(),
            Self::Intact => "argument intact".into(),
            Self::Weakened(at) => format!("argument weakened at {}", at.join(", ")),
            Self::Open(at) => format!("argument open at {}", at.join(", ")),
            Self::Broken(at) => format!("argument breaks at {}", at.join(", ")),
        }
    }
}

impl<'a> Map<'a> {
    /// The map of these entries with these verdicts.
    pub fn new(claims: impl Iterator<Item = &'a Claim>, verdict: impl Fn(&Claim) -> Verdict) -> Self {
        let all: Vec<(&Claim, Verdict)> = claims.map(|claim| (claim, verdict(claim))).collect();
        let node = |&(claim, verdict): &(&'a Claim, Verdict)| {
            let required = |is: fn(Verdict) -> bool| -> Vec<&'a str> {
                let ids = claim.requires.iter();
                ids.filter(|id| all.iter().any(|(c, v)| c.id == **id && is(*v))).map(String::as_str).collect()
            };
            let [broken, open, weaker] =
                [Verdict::is_broken, Verdict::is_open, Verdict::is_weaker].map(required);
            let argument = match () {
                () if claim.requires.is_empty() => Argument::None,
                () if !broken.is_empty() => Argument::Broken(broken),
                () if !open.is_empty() => Argument::Open(open),
                () if !weaker.is_empty() => Argument::Weakened(weaker),
                () => Argument::Intact,
            };
            Node { claim, verdict, argument }
        };
        Self { nodes: all.iter().map(node).collect() }
    }

    /// The entry of this id.
    pub fn node(&self, id: &str) -> Option<&Node<'a>> {
        self.nodes.iter().find(|node| node.claim.id == id)
    }

    /// Claims that require others and that no other entry requires: where the paper's argument ends.
    pub fn roots(&self) -> Vec<&Node<'a>> {
        let below: BTreeSet<&String> = self.nodes.iter().flat_map(|n| n.claim.below()).collect();
        let ends = |n: &&Node| n.claim.below().next().is_some() && !below.contains(&n.claim.id);
        self.nodes.iter().filter(|n| n.claim.kind == Kind::Claim).filter(ends).collect()
    }

    /// What is wrong with the map: entries that do not exist, circles, and claims that nothing rests on without a reason.
    pub fn faults(&self) -> Vec<String> {
        let mut faults = Vec::new();
        let mut reached = BTreeSet::new();
        for root in self.roots() {
            self.walk(&root.claim.id, &mut Vec::new(), &mut reached, &mut faults);
        }
        // A theorem of ours may rest on what it likes, and gives nothing in the paper a place.
        for node in self.nodes.iter().filter(|n| n.claim.kind == Kind::Theorem) {
            self.walk(&node.claim.id, &mut Vec::new(), &mut BTreeSet::new(), &mut faults);
        }
        for Node { claim, .. } in &self.nodes {
            match (claim.kind, reached.contains(claim.id.as_str()), &claim.used_nowhere) {
                (Kind::Claim, false, None) => {
                    faults.push(format!("nothing rests on {}, and it does not say why", claim.id))
                }
                (_, true, Some(_)) => faults.push(format!("{} is used, and says that it is not", claim.id)),
                (Kind::Question, true, _) => {
                    faults.push(format!("{} is a question, and carries an argument", claim.id))
                }
                _ => {}
            }
        }
        faults
    }

    fn walk(
        &self,
        id: &str,
        path: &mut Vec<String>,
        reached: &mut BTreeSet<String>,
        faults: &mut Vec<String>,
    ) {
        let Some(node) = self.node(id) else {
            return faults.push(format!("{} rests on `{id}`, which does not exist", path.join(" ← ")));
        };
        if path.iter().any(|above| above == id) {
            return faults.push(format!("{} ← {id} is a circle", path.join(" ← ")));
        }
        reached.insert(id.to_owned());
        path.push(id.to_owned());
        for below in node.claim.below() {
            self.walk(below, path, reached, faults);
        }
        path.pop();
    }
}

impl Claim {
    /// What it requires, then what motivates it.
    pub fn below(&self) -> impl Iterator<Item = &String> {
        self.requires.iter().chain(&self.motivation)
    }
}

//! Arrows of use point downwards: a module uses those of its own layer and of the layers below.

use crate::support::{files_ending, read, root};
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use std::collections::{BTreeMap, BTreeSet};

/// Arrows from a module to another one, with the files that hold them.
type Arrows = BTreeMap<(String, String), BTreeSet<String>>;

/// A crate whose modules stand in layers.
struct Layered {
    source: &'static str,
    /// From bottom to top. The modules of one layer may use each other.
    layers: &'static [&'static [&'static str]],
    /// Items of the crate's root, with the module that holds them.
    items: &'static [(&'static str, &'static str)],
    /// Arrows that still point upwards. Delete the entry when you mend one.
    exceptions: &'static [(&'static str, &'static str)],
}

const LIBRARY: Layered = Layered {
    source: "src",
    layers: &[
        &["files"],
        &["show"],
        &["seed"],
        &["linalg"],
        &["metrics"],
        &["data"],
        &["noise"],
        &["kmeans"],
        &["network"],
        &["ebm"],
        &["representation"],
        &["regress"],
        &["cate"],
        &["error"],
        &["theory"],
        &["prelude"],
    ],
    items: &[("Error", "error"), ("Result", "error")],
    exceptions: &[],
};

const PAPER_CHECKS: Layered = Layered {
    source: "paper_checks/src",
    layers: &[
        &["tolerance", "printed", "registry"],
        &["study"],
        &["context"],
        &["pictures"],
        &["claims"],
        &["report"],
        &["lessons", "notebooks"],
        &["cli"],
    ],
    items: &[],
    exceptions: &[],
};

impl Layered {
    fn height(&self, module: &str) -> Option<usize> {
        self.layers.iter().position(|layer| layer.contains(&module))
    }

    /// What each module uses of the others.
    fn arrows(&self) -> Arrows {
        let mut arrows = Arrows::new();
        let source = root().join(self.source);
        for file in files_ending(&source, "rs") {
            let path = file.strip_prefix(&source).unwrap().to_str().unwrap();
            let modules: Vec<&str> =
                path.trim_end_matches(".rs").split('/').filter(|part| *part != "mod").collect();
            if ["lib", "main"].contains(&modules[0]) {
                continue;
            }
            let tokens = read(&file).parse().unwrap();
            let mut used = BTreeSet::new();
            find_used(tokens, modules.len(), &mut used);
            for name in used {
                let item = self.items.iter().find(|(item, _)| *item == name);
                let to = item.map_or(name, |(_, module)| (*module).to_owned());
                if to != modules[0] {
                    arrows.entry((modules[0].to_owned(), to)).or_default().insert(path.to_owned());
                }
            }
        }
        arrows
    }
}

/// Collects the first names of paths that start at the crate's root: those behind `crate::`, and behind as
/// many `super::` as the code is deep.
fn find_used(tokens: TokenStream, depth: usize, found: &mut BTreeSet<String>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let word = |i: usize| match tokens.get(i) {
        Some(TokenTree::Ident(ident)) => ident.to_string(),
        _ => String::new(),
    };
    let colons =
        |i: usize| tokens[i.min(tokens.len())..].iter().take(2).filter(|t| t.to_string() == ":").count() == 2;
    let mut i = 0;
    while i < tokens.len() {
        let mut climbed = 0;
        while word(i) == "super" && colons(i + 1) {
            (climbed, i) = (climbed + 1, i + 3);
        }
        if word(i) == "crate" && colons(i + 1) {
            (climbed, i) = (depth, i + 3);
        }
        if climbed >= depth {
            found.extend(first_names(&tokens[i]));
        }
        if let Some(TokenTree::Group(group)) = tokens.get(i) {
            let inline = group.delimiter() == Delimiter::Brace && i >= 2 && word(i - 2) == "mod";
            find_used(group.stream(), depth + usize::from(inline), found);
        }
        i += 1;
    }
}

/// The name, or the first name of each path in `{…}`.
fn first_names(token: &TokenTree) -> Vec<String> {
    let TokenTree::Group(group) = token else { return vec![token.to_string()] };
    let tokens: Vec<TokenTree> = group.stream().into_iter().collect();
    let paths = tokens.split(|t| t.to_string() == ",");
    paths.filter_map(|path| path.first()).map(|first| first.to_string()).collect()
}

fn check(layered: &Layered) {
    let arrows = layered.arrows();
    let modules: BTreeSet<&String> = arrows.keys().flat_map(|(from, to)| [from, to]).collect();
    for module in modules {
        assert!(layered.height(module).is_some(), "{}: put `{module}` into a layer", layered.source);
    }
    let upwards = |(from, to): &(String, String)| layered.height(from) < layered.height(to);
    let found: Arrows = arrows.into_iter().filter(|(arrow, _)| upwards(arrow)).collect();
    let known = layered.exceptions.iter().map(|(from, to)| ((*from).to_owned(), (*to).to_owned()));
    let known: BTreeSet<(String, String)> = known.collect();
    let new: Vec<_> = found.iter().filter(|(arrow, _)| !known.contains(arrow)).collect();
    assert!(new.is_empty(), "{}: these arrows point back: {new:#?}", layered.source);
    let mended: Vec<_> = known.iter().filter(|arrow| !found.contains_key(arrow)).collect();
    assert!(mended.is_empty(), "{}: these exceptions are no longer needed: {mended:?}", layered.source);
}

#[test]
fn the_librarys_modules_use_what_lies_below_them() {
    check(&LIBRARY);
}

#[test]
fn the_modules_of_paper_checks_use_what_lies_below_them() {
    check(&PAPER_CHECKS);
}

#[test]
fn every_way_to_name_a_module_is_seen() {
    let used = |code: &str| {
        let mut found = BTreeSet::new();
        find_used(code.parse().unwrap(), 1, &mut found);
        found.into_iter().collect::<Vec<_>>().join(" ")
    };
    assert_eq!(
        used("use crate::a::{b, c}; use crate::{d::e, f}; fn x() { crate::g::y(vec![crate::h]) }"),
        "a d f g h"
    );
    assert_eq!(used("use super::a::B; mod tests { use super::c; use super::super::d; }"), "a d");
    assert_eq!(used("/// [`crate::a`]\nfn x() {} // crate::b\npub(crate) fn y() { \"crate::c\" }"), "");
}

//! A light lint of what people read: phrases that are no plain English, sentences that are too long, doc comments that do not say
//! what a thing is. Notebooks have rules of their own.

use crate::support::{files_ending, read, root};
use paper_checks::claims;
use regex::Regex;
use std::path::Path;
use std::sync::LazyLock;

/// Words of a sentence, at most.
const WORDS: usize = 40;

/// What nobody would say, with what to say instead.
const PHRASES: [(&str, &str); 10] = [
    (r"\bone an? (claim|topic|test row|setting|cell|run)\b", "one per …"),
    (r"\ban? (file|folder) an? (topic|stage|claim)\b", "one file per …"),
    (r"\b(could not|cannot|to) be had\b", "cannot be obtained, reproduced, …"),
    (r"\bbe had (again|too)\b", "can be reproduced"),
    (r"\bis another one\b", "differs"),
    (r"\bagree with its like\b", "two … do not agree"),
    (r"\bat a wrong place\b", "at the wrong place"),
    (r"(^|[.:;] )Who has\b", "If you have …"),
    (r"\bwho has (them|the files)\b", "if you have …"),
    (r"\ba (slope|value|cut) a (doubling|setting|table)\b", "per …"),
];

/// A text with where it stands.
struct Said {
    place: String,
    text: String,
}

fn said(place: impl ToString, text: impl Into<String>) -> Said {
    Said { place: place.to_string(), text: text.into() }
}

fn regex(pattern: &str) -> Regex {
    Regex::new(pattern).unwrap()
}

/// The paragraphs of a Markdown text, without code, tables and what is generated.
fn paragraphs(path: &Path) -> Vec<Said> {
    let text = read(path);
    let text = regex(r"(?s)```.*?```|<!-- (\w+):begin -->.*?:end -->").replace_all(&text, "");
    let parts = regex(r"\n\s*\n|\n\s*[-*#|>]|\n\d+\.").split(&text).map(str::to_owned).collect::<Vec<_>>();
    let name = path.file_name().unwrap().to_string_lossy().into_owned();
    parts.into_iter().filter(|p| !p.contains(" | ")).map(|p| said(&name, p)).collect()
}

/// Doc comments, paragraph by paragraph, without code, tables and equations.
fn doc_comments(folder: &Path) -> Vec<Said> {
    let mut all = Vec::new();
    for file in files_ending(folder, "rs") {
        let place = file.strip_prefix(root()).unwrap().display().to_string();
        let (mut text, mut code) = (String::new(), false);
        for line in read(&file).lines().chain([""]) {
            let comment = line.trim_start().strip_prefix("//!").or(line.trim_start().strip_prefix("///"));
            code ^= comment.is_some_and(|c| c.trim_start().starts_with("```"));
            match comment.map(str::trim) {
                Some(words) if !words.is_empty() && !code && !words.starts_with(['|', '`', '-', '*']) => {
                    text += " ";
                    text += words;
                }
                _ if !text.is_empty() => all.push(said(&place, std::mem::take(&mut text))),
                _ => {}
            }
            code &= comment.is_some();
        }
    }
    all
}

/// Every text of a TOML file but quotations, formulas and code.
fn texts(place: &str, value: &toml::Value, all: &mut Vec<Said>) {
    match value {
        toml::Value::String(text) => all.push(said(place, text.as_str())),
        toml::Value::Array(items) => items.iter().for_each(|item| texts(place, item, all)),
        toml::Value::Table(table) => {
            let prose = |key: &&String| !["quotation", "equation", "recipe"].contains(&key.as_str());
            table.keys().filter(prose).for_each(|key| texts(&format!("{place}, {key}"), &table[key], all));
        }
        _ => {}
    }
}

fn toml_texts(path: &Path) -> Vec<Said> {
    let mut all = Vec::new();
    let name = path.strip_prefix(root()).unwrap().display().to_string();
    texts(&name, &toml::from_str(&read(path)).unwrap(), &mut all);
    all
}

/// Messages of the program: lines of string literals that read like a sentence.
fn messages(folder: &Path) -> Vec<Said> {
    let literal = regex(r#""((?:[^"\\]|\\.|\\\n)*)""#);
    let (joined, line) = (regex(r"\\\n\s*"), regex(r"\\n|\n|\|"));
    let mut all = Vec::new();
    for file in files_ending(folder, "rs") {
        let place = file.strip_prefix(root()).unwrap().display().to_string();
        let text = read(&file).replace("'\"'", "''");
        let code =
            text.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n");
        for found in literal.captures_iter(&code) {
            let whole = joined.replace_all(&found[1], "");
            let lines = line.split(&whole).filter(|text| text.split(' ').count() > 4);
            all.extend(lines.map(|text| said(&place, text)));
        }
    }
    all
}

fn markdown() -> Vec<Said> {
    let mut files = files_ending(&root().join("docs"), "md");
    files.extend(["README.md", "CONTRIBUTING.md", "notebooks/README.md"].map(|name| root().join(name)));
    files.iter().flat_map(|file| paragraphs(file)).collect()
}

fn comments() -> Vec<Said> {
    ["src", "paper_checks/src", "examples"].iter().flat_map(|f| doc_comments(&root().join(f))).collect()
}

fn ledgers() -> Vec<Said> {
    let files = ["paper_checks/deviations.toml", "data/MANIFEST.toml"];
    files.iter().flat_map(|file| toml_texts(&root().join(file))).collect()
}

fn entries() -> Vec<(String, Vec<Said>)> {
    let folder = root().join("paper_checks/src/claims");
    claims::all().map(|c| (c.id.clone(), toml_texts(&folder.join(c.folder()).join("claim.toml")))).collect()
}

/// The sentences of a text that are too long. Code between backticks is one word.
fn long_sentences(text: &str) -> Vec<String> {
    static CODE: LazyLock<Regex> = LazyLock::new(|| regex(r"`[^`]*`"));
    static END: LazyLock<Regex> = LazyLock::new(|| regex(r"[.?!:;]\)?\**\s+"));
    let text = CODE.replace_all(text, "code");
    let long = |s: &&str| s.split_whitespace().filter(|w| w.contains(char::is_alphabetic)).count() > WORDS;
    END.split(&text).filter(long).map(|s| s.trim().chars().take(70).collect()).collect()
}

fn bad_phrases(all: &[Said]) -> Vec<String> {
    let rules = PHRASES.map(|(pattern, instead)| (regex(pattern), instead));
    let found = all.iter().flat_map(|said| {
        rules.iter().filter_map(move |(rule, instead)| {
            let at = rule.find(&said.text)?;
            Some(format!("{}: `{}`; rather: {instead}", said.place, at.as_str()))
        })
    });
    found.collect()
}

#[test]
fn nothing_that_people_read_has_a_phrase_that_is_no_plain_english() {
    let mut all: Vec<Said> = [markdown(), comments(), ledgers()].into_iter().flatten().collect();
    all.extend(messages(&root().join("src")).into_iter().chain(messages(&root().join("paper_checks/src"))));
    all.push(said("page.html", read(root().join("paper_checks/src/report/page.html"))));
    all.extend(entries().into_iter().flat_map(|(_, texts)| texts));
    assert_eq!(bad_phrases(&all), Vec::<String>::new());
}

#[test]
fn sentences_have_at_most_forty_words_and_doc_comments_say_what_a_thing_is() {
    let mut all: Vec<Said> = [markdown(), comments(), ledgers()].into_iter().flatten().collect();
    all.extend(messages(&root().join("paper_checks/src/cli")));
    let long =
        all.iter().flat_map(|s| long_sentences(&s.text).into_iter().map(|t| format!("{}: {t}", s.place)));
    assert_eq!(long.collect::<Vec<_>>(), Vec::<String>::new(), "sentences over {WORDS} words");
    let same = comments().into_iter().filter(|s| s.text.trim_start().starts_with("The same"));
    assert_eq!(same.map(|s| s.place).collect::<Vec<_>>(), Vec::<String>::new(), "`The same …` says nothing");
}

#[test]
fn texts_of_entries_have_no_long_sentence_and_a_meaning_has_two() {
    let long = |(id, texts): &(String, Vec<Said>)| {
        texts.iter().any(|s| !long_sentences(&s.text).is_empty()).then(|| id.clone())
    };
    let long: Vec<String> = entries().iter().filter_map(long).collect();
    assert_eq!(long, Vec::<String>::new(), "a sentence over {WORDS} words");
    let ends = regex(r"[.?!](\s|$)");
    let many = claims::all().filter(|c| ends.find_iter(&c.meaning).count() > 2);
    let many: Vec<&str> = many.map(|c| c.id.as_str()).collect();
    assert_eq!(many, Vec::<&str>::new(), "a meaning of more than two sentences");
}

#[test]
fn the_lint_finds_what_it_is_for() {
    let bad = [
        "one a claim",
        "The digits cannot be had.",
        "The order is another one.",
        "Who has the files names them",
    ];
    for text in bad {
        assert_eq!(bad_phrases(&[said("here", text)]).len(), 1, "{text}");
    }
    assert!(bad_phrases(&[said("here", "one per claim; a claim and a check")]).is_empty());
    let long = "word ".repeat(41);
    assert_eq!(long_sentences(&format!("Short. {long}")).len(), 1);
    assert!(long_sentences(&format!("{}. {}.", "word ".repeat(30), "word ".repeat(30))).is_empty());
}

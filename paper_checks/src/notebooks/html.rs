//! A notebook as one offline page: rendered math, pictures inside, light and dark, printable.

use super::{Cell, Kind, Notebook, NotebookError, Output};
use crate::registry::Map;
use crate::report::map::{svg, svg_narrow};
use crate::report::math::mathml;
use ebmbook::show::escape;
use pulldown_cmark::{Event, Options, Parser, html::push_html};
use regex::Regex;
use std::path::Path;
use std::sync::LazyLock;

const STYLE: &str = include_str!("page.css");
const SEARCH: &str = include_str!("search.js");

/// The page of a notebook; `others` are the names and titles of all notebooks, for navigation. Pictures that it links
/// to, relative to `folder`, become part of the page.
pub fn page(
    notebook: &Notebook,
    others: &[(String, String)],
    folder: &Path,
) -> Result<String, NotebookError> {
    let mut body = String::new();
    for cell in notebook.cells() {
        body += &match cell.kind() {
            Kind::Markdown => format!("<section class=\"prose\">{}</section>\n", markdown(&cell.source())?),
            Kind::Code => code(cell),
        };
    }
    Ok(frame(&notebook.title(), &navigation(notebook.name(), others), &with_pictures(&body, folder)?))
}

fn with_pictures(html: &str, folder: &Path) -> Result<String, NotebookError> {
    static IMAGE: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r#"<img src="([^":]+\.svg)"[^>]*>"#).expect("it is valid"));
    let mut found = html.to_owned();
    for image in IMAGE.captures_iter(html) {
        let file = folder.join(&image[1]);
        let svg = std::fs::read_to_string(&file).map_err(|e| NotebookError::unreadable(&file, e))?;
        found = found.replace(&image[0], &format!("<span class=\"picture\">{}</span>", to_cards(&svg)));
    }
    Ok(found)
}

/// The first page of the site: the argument map, for a desk and for a phone, the notebooks with their opening words, a
/// search over all texts.
pub fn index(notebooks: &[Notebook], map: &Map) -> Result<String, NotebookError> {
    let mut items = String::new();
    for notebook in notebooks {
        let name = notebook.name();
        items += &format!(
            "<li><a href=\"{name}.html\">{}</a>{}</li>\n",
            escape(&notebook.title()),
            markdown(&opening(notebook))?
        );
    }
    let sections: Vec<Section> = notebooks.iter().flat_map(sections).collect();
    // A text that ends the script early must not.
    let data = serde_json::to_string(&sections).expect("plain data").replace("</", "<\\/");
    let body = format!(
        "<section class=\"prose\"><h1>The notebooks</h1>\
         <input id=\"search\" type=\"search\" placeholder=\"Search all notebooks\" aria-label=\"Search all notebooks\">\
         <ol id=\"hits\"></ol>\
         <p>What each claim of the paper rests on, and where the argument breaks:</p>\
         <div class=\"picture\"><div class=\"desk\">{}</div><div class=\"phone\">{}</div></div>\
         <ul class=\"contents\">{items}</ul></section>\
         <script>const SECTIONS = {data};\n{SEARCH}</script>",
        to_cards(&svg(map)),
        to_cards(&svg_narrow(map)),
    );
    Ok(frame("The notebooks", "", &body))
}

/// A picture of the map, whose boxes lead to the cards of the appendix.
fn to_cards(map: &str) -> String {
    map.replace("<a href=\"#", "<a href=\"15_cards.html#")
}

/// What a search finds: a heading of a notebook with the text below it.
#[derive(serde::Serialize)]
struct Section {
    notebook: String,
    heading: String,
    link: String,
    text: String,
}

fn sections(notebook: &Notebook) -> Vec<Section> {
    let mut all: Vec<Section> = Vec::new();
    for cell in notebook.cells().iter().filter(|c| c.kind() == Kind::Markdown) {
        for line in cell.source().lines() {
            match line.strip_prefix('#').map(|rest| rest.trim_start_matches('#').trim()) {
                Some(heading) => all.push(Section {
                    notebook: notebook.title(),
                    heading: heading.to_owned(),
                    link: format!("{}.html#{}", notebook.name(), anchor(heading)),
                    text: String::new(),
                }),
                None => {
                    if let Some(section) = all.last_mut() {
                        section.text += &format!("{line} ");
                    }
                }
            }
        }
    }
    all
}

/// The paragraph below a notebook's title.
fn opening(notebook: &Notebook) -> String {
    let text: Vec<String> =
        notebook.cells().iter().filter(|c| c.kind() == Kind::Markdown).map(|c| c.source()).take(2).collect();
    let text = text.join("\n\n");
    text.split("\n\n")
        .map(str::trim)
        .find(|p| !p.is_empty() && !p.starts_with('#'))
        .unwrap_or_default()
        .to_owned()
}

/// A heading as the end of a link, as Jupyter and code hosts make it.
///
/// ```
/// use paper_checks::notebooks::html::anchor;
/// assert_eq!(anchor("One row, one copy"), "one-row-one-copy");
/// assert_eq!(anchor("minimality"), "minimality");
/// ```
pub fn anchor(heading: &str) -> String {
    let kept = heading.to_lowercase().replace(' ', "-");
    kept.chars().filter(|c| c.is_alphanumeric() || matches!(c, '-' | '_')).collect()
}

fn navigation(name: &str, others: &[(String, String)]) -> String {
    let at = others.iter().position(|(n, _)| n == name);
    let link = |i: Option<usize>, arrow: &str| match i.and_then(|i| others.get(i)) {
        Some((name, title)) => format!("<a href=\"{name}.html\">{arrow} {}</a>", escape(title)),
        None => "<span></span>".into(),
    };
    let previous = link(at.and_then(|i| i.checked_sub(1)), "←");
    let next = link(at.map(|i| i + 1), "→");
    format!("<nav>{previous}<a href=\"index.html\">all notebooks</a>{next}</nav>")
}

fn frame(title: &str, navigation: &str, body: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <title>{}</title><style>{STYLE}</style></head>\n<body>{navigation}<main>\n{body}</main>{navigation}</body></html>\n",
        escape(title)
    )
}

/// Markdown with its formulas as MathML.
///
/// ```
/// use paper_checks::notebooks::html::markdown;
/// let html = markdown("The *density* is $p(x)$.")?;
/// assert!(html.contains("<em>density</em>") && html.contains("<math"));
/// # Ok::<(), paper_checks::notebooks::NotebookError>(())
/// ```
pub fn markdown(text: &str) -> Result<String, NotebookError> {
    let options = Options::ENABLE_MATH | Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH;
    let events: Result<Vec<Event>, NotebookError> = Parser::new_ext(text, options)
        .map(|event| {
            Ok(match event {
                Event::InlineMath(tex) => Event::InlineHtml(mathml(&tex, false)?.into()),
                Event::DisplayMath(tex) => {
                    Event::InlineHtml(format!("<div class=\"equation\">{}</div>", mathml(&tex, true)?).into())
                }
                other => other,
            })
        })
        .collect();
    let mut html = String::new();
    push_html(&mut html, events?.into_iter());
    // Pages link to pages, and headings can be linked to.
    static LINK: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r##"href="([^":/]+)\.ipynb(#[^"]*)?""##).expect("it is valid"));
    static HEADING: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"<h([1-6])>(.*?)</h[1-6]>").expect("it is valid"));
    static TAG: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"<[^>]*>").expect("it is valid"));
    let html = HEADING.replace_all(&html, |c: &regex::Captures| {
        let (level, inside) = (&c[1], &c[2]);
        format!("<h{level} id=\"{}\">{inside}</h{level}>", anchor(&TAG.replace_all(inside, "")))
    });
    Ok(LINK.replace_all(&html, "href=\"$1.html$2\"").into_owned())
}

fn code(cell: &Cell) -> String {
    let count = cell.execution_count().map_or(String::new(), |c| c.to_string());
    let mut html = format!(
        "<section class=\"code\"><div class=\"count\">[{count}]</div><pre><code>{}</code></pre>\n",
        highlight(&cell.source())
    );
    for output in cell.outputs() {
        html += &match &output {
            Output::Value(_) => value(&output),
            Output::Stream(name, text) => format!("<pre class=\"stream {name}\">{}</pre>", escape(text)),
            Output::Error(text) => format!("<pre class=\"stream stderr\">{}</pre>", escape(text)),
        };
    }
    html + "</section>\n"
}

/// The richest form: a picture, a table, words.
fn value(output: &Output) -> String {
    static DATA: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"(?s)<metadata.*?</metadata>\s*").expect("it is valid"));
    if let Some(svg) = output.form("image/svg+xml") {
        return format!("<div class=\"picture\">{}</div>", DATA.replace(svg, ""));
    }
    if let Some(html) = output.form("text/html") {
        return format!("<div class=\"table\">{html}</div>");
    }
    format!("<pre class=\"value\">{}</pre>", escape(output.text()))
}

/// Comments, texts, numbers and the words of the language.
fn highlight(source: &str) -> String {
    static TOKEN: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(
            r#"(?x)(?P<comment>//[^\n]*)|(?P<string>"(?:[^"\\]|\\.)*")|(?P<command>(?m:^):[a-z_]+)
            |(?P<number>\b\d[\d_]*(?:\.\d+)?(?:e-?\d+)?\b)
            |(?P<word>\b(?:let|mut|use|fn|for|in|if|else|match|as|true|false|pub|struct|impl|return|move)\b)"#,
        )
        .expect("it is valid")
    });
    let mut html = String::new();
    let mut from = 0;
    for token in TOKEN.captures_iter(source) {
        let all = token.get(0).expect("a match");
        let kind =
            ["comment", "string", "command", "number", "word"].into_iter().find(|k| token.name(k).is_some());
        html += &escape(&source[from..all.start()]);
        html += &format!("<span class=\"{}\">{}</span>", kind.unwrap_or("word"), escape(all.as_str()));
        from = all.end();
    }
    html + &escape(&source[from..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_needs_nothing_from_outside() {
        let text = r##"{"cells": [
            {"cell_type": "markdown", "metadata": {}, "source": "# Title\n\n$$\\frac{a}{b}$$ and [next](04_x.ipynb)"},
            {"cell_type": "code", "execution_count": 1, "metadata": {}, "source": "let a = \"<b>\"; // why",
             "outputs": [{"output_type": "execute_result", "data": {"text/plain": "1 < 2"}, "metadata": {}}]}
        ], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}"##;
        let notebook = Notebook::parse("03_y", text).unwrap();
        let html =
            page(&notebook, &[("03_y".into(), "Y".into()), ("04_x".into(), "X".into())], Path::new("."))
                .unwrap();
        assert!(html.contains("<mfrac>") && html.contains("href=\"04_x.html\""));
        assert!(html.contains("&lt;b&gt;") && html.contains("1 &lt; 2"));
        for outside in ["<script", "src=", "http://", "https://", "@import"] {
            assert!(!html.contains(outside), "{outside}");
        }
    }
}

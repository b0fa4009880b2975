//! Tables: aligned text, and plain HTML that every notebook viewer keeps.

use super::{Show, escape, format_number};

/// A header and rows of text; columns that hold numbers only are right-aligned.
///
/// ```
/// use ebmbook::show::{Show, table};
/// let t = table("Baselines", &["predictor", "PEHE"]).row(&["zero", "1.919"]).row(&["oracle", "1.404"]);
/// assert_eq!(t.text(), "Baselines\npredictor   PEHE\nzero       1.919\noracle     1.404");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    title: String,
    header: Vec<String>,
    rows: Vec<Vec<String>>,
}

/// An empty table with a title and a header.
pub fn table(title: impl Into<String>, header: &[&str]) -> Table {
    Table { title: title.into(), header: header.iter().map(|h| (*h).to_owned()).collect(), rows: Vec::new() }
}

impl Table {
    /// One more row of text.
    pub fn row<T: AsRef<str>>(mut self, cells: &[T]) -> Self {
        self.rows.push(cells.iter().map(|c| c.as_ref().to_owned()).collect());
        self
    }

    /// One more row: a name, then numbers.
    pub fn numbers(mut self, name: impl Into<String>, values: &[f64]) -> Self {
        let mut row = vec![name.into()];
        row.extend(values.iter().map(|v| format_number(*v)));
        self.rows.push(row);
        self
    }

    /// The title.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// The rows.
    pub fn rows(&self) -> &[Vec<String>] {
        &self.rows
    }

    /// The header.
    pub fn header(&self) -> &[String] {
        &self.header
    }

    fn cell(&self, row: usize, column: usize) -> &str {
        self.rows[row].get(column).map_or("", String::as_str)
    }

    fn is_numeric(&self, column: usize) -> bool {
        let number = |text: &str| text.is_empty() || text == "–" || text.parse::<f64>().is_ok();
        !self.rows.is_empty() && (0..self.rows.len()).all(|r| number(self.cell(r, column)))
    }

    /// The table as HTML without styles.
    pub fn html(&self) -> String {
        let align = |c: usize| {
            if self.is_numeric(c) { " style=\"text-align:right\"" } else { " style=\"text-align:left\"" }
        };
        let mut html = String::from("<table>");
        if !self.title.is_empty() {
            html += &format!("<caption>{}</caption>", escape(&self.title));
        }
        html += "<thead><tr>";
        for (c, h) in self.header.iter().enumerate() {
            html += &format!("<th{}>{}</th>", align(c), escape(h));
        }
        html += "</tr></thead><tbody>";
        for r in 0..self.rows.len() {
            html += "<tr>";
            for c in 0..self.header.len() {
                html += &format!("<td{}>{}</td>", align(c), escape(self.cell(r, c)));
            }
            html += "</tr>";
        }
        html + "</tbody></table>"
    }
}

impl Show for Table {
    fn text(&self) -> String {
        let width = |c: usize| {
            let cells = (0..self.rows.len()).map(|r| self.cell(r, c).chars().count());
            cells.chain([self.header[c].chars().count()]).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..self.header.len()).map(width).collect();
        let line = |cells: Vec<&str>| {
            let padded = cells.iter().enumerate().map(|(c, text)| {
                let space = " ".repeat(widths[c] - text.chars().count());
                if self.is_numeric(c) { format!("{space}{text}") } else { format!("{text}{space}") }
            });
            padded.collect::<Vec<_>>().join("  ").trim_end().to_owned()
        };
        let mut lines = Vec::new();
        if !self.title.is_empty() {
            lines.push(self.title.clone());
        }
        lines.push(line(self.header.iter().map(String::as_str).collect()));
        for r in 0..self.rows.len() {
            lines.push(line((0..self.header.len()).map(|c| self.cell(r, c)).collect()));
        }
        lines.join("\n")
    }

    fn rich(&self) -> Vec<(&'static str, String)> {
        vec![("text/html", self.html())]
    }
}

//! Pictures for a page that is sent around: what a browser does not draw is left out, and neighbours of one look share an element.

use itertools::Itertools;
use regex::{Captures, Regex};
use std::sync::LazyLock;

/// A picture in fewer bytes: no data inside, no attributes that say what is so anyway. Consecutive lines, outlines and
/// rectangles of one look become one path.
pub(super) fn compact(svg: &str) -> String {
    static DATA: LazyLock<Regex> = LazyLock::new(|| regex(r"(?s)<metadata.*?</metadata>\n?"));
    static SIZE: LazyLock<Regex> = LazyLock::new(|| regex(r#"font-size="(\d+\.\d)\d+""#));
    static TEXT: LazyLock<Regex> = LazyLock::new(|| regex(r"(<text [^>]*>)\n(.*)\n</text>"));
    // Labels are in the ink of the whole picture.
    static LABEL: LazyLock<Regex> = LazyLock::new(|| regex(r##"<text([^>]*?) fill="#1E1E1E""##));
    let svg = DATA.replace(svg, "");
    let svg = svg.replace(" opacity=\"1\"", "").replace(" stroke=\"none\"", "");
    let svg = svg.replace(" font-family=\"sans-serif\"", "");
    let svg = svg.replacen("<svg ", "<svg font-family=\"sans-serif\" ", 1);
    let svg = SIZE.replace_all(&svg, "font-size=\"$1\"");
    let svg = TEXT.replace_all(&svg, "$1$2</text>");
    let svg = LABEL.replace_all(&svg, "<text$1").replacen("<svg ", ROOT, 1);
    let svg = svg.replace(" font-size=\"12.0\"", "");
    let svg = by_colour(&svg);
    // Words come last: what shares an element is drawn where the last of it stood, and would lie over them.
    let (words, ink): (Vec<&str>, Vec<&str>) = svg.lines().partition(|line| line.starts_with("<text "));
    let (mut lines, mut open): (Vec<String>, Vec<(String, String)>) = (Vec::new(), Vec::new());
    let close = |open: &mut Vec<(String, String)>, lines: &mut Vec<String>| {
        lines.extend(open.drain(..).map(|(look, path)| format!("<path{look} d=\"{path}\"/>")));
    };
    for line in ink {
        let found = outline(line);
        if let Some((own, more)) = &found
            && let Some((_, path)) = open.iter_mut().find(|(look, _)| look == own)
        {
            *path += more;
            continue;
        }
        // A dot and its interval alternate: two looks stay open.
        if found.is_none() || open.len() == 2 {
            close(&mut open, &mut lines);
        }
        match found {
            Some(own) => open.push(own),
            None => lines.push(line.to_owned()),
        }
    }
    close(&mut open, &mut lines);
    let end = lines.iter().rposition(|line| line == "</svg>").unwrap_or(lines.len());
    lines.splice(end..end, words.into_iter().map(str::to_owned));
    lines.join("\n")
}

/// What labels have unless they say otherwise.
const ROOT: &str = "<svg fill=\"#1E1E1E\" font-size=\"12\" ";

/// More rectangles than this in a row are a heat map.
const HEAT: usize = 100;

/// The cells of a heat map, which do not overlap, one colour after the other, in colours that differ by what an eye can see.
fn by_colour(svg: &str) -> String {
    let fill = |line: &str| -> Option<String> {
        let at = line.strip_prefix("<rect ")?.split_once("fill=\"#")?.1;
        let channel = |i: usize| u8::from_str_radix(at.get(2 * i..2 * i + 2)?, 16).ok();
        let step = |v: u8| ((u16::from(v) + 6) / 12 * 12).min(255);
        let [r, g, b] = [0, 1, 2].map(channel);
        Some(format!("#{:02X}{:02X}{:02X}", step(r?), step(g?), step(b?)))
    };
    let mut text = Vec::new();
    for (heat, lines) in &svg.lines().chunk_by(|line| fill(line).is_some()) {
        let lines: Vec<&str> = lines.collect();
        if !heat || lines.len() < HEAT {
            text.extend(lines.into_iter().map(str::to_owned));
            continue;
        }
        let coloured = lines.iter().filter_map(|line| Some((fill(line)?, *line)));
        for (colour, line) in coloured.sorted_by(|a, b| a.0.cmp(&b.0)) {
            let at = line.find("fill=\"").map_or(0, |at| at + 6);
            // Without smoothing there is no seam between neighbours.
            let crisp = "\" shape-rendering=\"crispEdges";
            text.push(format!("{}{colour}{crisp}{}", &line[..at], &line[at + 7..]));
        }
    }
    text.join("\n")
}

fn regex(pattern: &str) -> Regex {
    Regex::new(pattern).expect("a valid pattern")
}

/// The look of a rectangle, a line, a polyline or a dot, and its outline as a path.
fn outline(line: &str) -> Option<(String, String)> {
    static ATTRIBUTE: LazyLock<Regex> = LazyLock::new(|| regex(r#" ([a-z0-9-]+)="([^"]*)""#));
    let inner = line.strip_suffix("/>")?;
    let of = |name: &str| ATTRIBUTE.captures_iter(inner).find(|c| &c[1] == name).map(|c| c[2].to_owned());
    let (places, path): (&[&str], String) = if inner.starts_with("<rect ") {
        let (w, h) = (of("width")?, of("height")?);
        (&["x", "y", "width", "height"], format!("M{} {}h{w}v{h}h-{w}z", of("x")?, of("y")?))
    } else if inner.starts_with("<line ") {
        let path = format!("M{} {}L{} {}", of("x1")?, of("y1")?, of("x2")?, of("y2")?);
        (&["x1", "y1", "x2", "y2"], path)
    } else if inner.starts_with("<polyline ") {
        (&["points"], format!("M{}", of("points")?.trim()))
    } else if inner.starts_with("<circle ") && of("stroke").is_none() {
        // A dot is the round end of a line without length.
        let width = 2.0 * of("r")?.parse::<f64>().ok()?;
        let opacity = of("opacity").map_or(String::new(), |o| format!(" opacity=\"{o}\""));
        let look =
            format!(" stroke=\"{}\" stroke-width=\"{width}\" stroke-linecap=\"round\"{opacity}", of("fill")?);
        return Some((look, format!("M{} {}h0", of("cx")?, of("cy")?)));
    } else {
        return None;
    };
    let keep = |c: Captures| if places.contains(&&c[1]) { None } else { Some(c[0].to_owned()) };
    Some((ATTRIBUTE.captures_iter(inner).filter_map(keep).collect(), path))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ebmbook::show::{Figure, Grid};

    #[test]
    fn neighbours_of_one_look_become_one_path_and_others_stay() {
        let rect = |x: u8, fill: &str| {
            format!(
                "<rect x=\"{x}\" y=\"0\" width=\"2\" height=\"3\" opacity=\"1\" fill=\"{fill}\" stroke=\"none\"/>"
            )
        };
        let svg =
            format!("<svg >\n{}\n{}\n{}\n<circle/>\n</svg>", rect(1, "#1"), rect(3, "#1"), rect(5, "#2"));
        let small = compact(&svg);
        assert_eq!(
            small,
            "<svg fill=\"#1E1E1E\" font-size=\"12\" font-family=\"sans-serif\" >\n<path fill=\"#1\" d=\"M1 0h2v3h-2zM3 0h2v3h-2z\"/>\n\
             <path fill=\"#2\" d=\"M5 0h2v3h-2z\"/>\n<circle/>\n</svg>"
        );
    }

    #[test]
    fn a_heat_map_with_contours_takes_less_than_a_third_of_its_bytes_and_keeps_its_words() {
        let grid = Grid::square(-3.0, 3.0, 41, |x, y| (x * x + y).sin());
        let svg = Figure::new("a title").x("x").heat("f", grid.clone()).contour("level", grid, &[0.0]).svg();
        let small = compact(&svg);
        assert!(3 * small.len() < svg.len(), "{} of {}", small.len(), svg.len());
        assert!(small.contains("a title") && small.contains("level") && !small.contains("metadata"));
    }

    #[test]
    fn nothing_is_drawn_over_the_words() {
        let grid = Grid::square(0.0, 1.0, 2, |x, y| x + y);
        let figure = Figure::new("a title").x("x").y_categories(&["one", "two"]).heat_with_numbers("f", grid);
        let small = compact(&figure.line("l", &[(0.0, 0.0), (1.0, 1.0)]).upright("u", 0.5).svg());
        let (ink, words) = small.split_at(small.find("<text ").unwrap());
        assert!(ink.contains("fill=\"#FFFFFF\"") && ink.matches("<path").count() > 5, "{ink}");
        assert!(words.lines().all(|line| line.starts_with("<text ") || line == "</svg>"), "{words}");
        assert!(words.contains("a title") && words.matches("<text ").count() > 10, "{words}");
    }
}

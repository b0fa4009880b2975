//! The argument map as people see it: a tree of text, and a picture.

use crate::registry::{Argument, Kind, Map, Node, Verdict};
use ebmbook::show::escape;
use std::collections::BTreeSet;

/// Columns of a terminal.
const WIDTH: usize = 80;

/// The map as a tree: each entry with its own verdict, each conclusion with the state of its argument. What stands beside
/// the argument comes last.
///
/// ```
/// use paper_checks::{claims, registry::{Map, Scale}, report::map};
/// let map = Map::new(claims::all(), |claim| claim.recorded_at(Scale::Full));
/// let tree = map::tree(&map);
/// assert!(tree.lines().all(|line| line.chars().count() <= 80));
/// assert!(tree.contains("✘ claim-2"));
/// ```
pub fn tree(map: &Map) -> String {
    let mut lines = Vec::new();
    let mut shown = BTreeSet::new();
    for root in map.roots() {
        branch(map, root, "", "", &mut shown, &mut lines);
        lines.push(String::new());
    }
    let beside = |kind: Kind| map.nodes.iter().filter(move |n| n.claim.kind == kind);
    let unused = beside(Kind::Claim).filter(|n| n.claim.used_nowhere.is_some());
    for (title, nodes) in [
        ("Claims that nothing later rests on", unused.collect::<Vec<_>>()),
        ("Questions, beside the argument", beside(Kind::Question).collect()),
        ("Theorems of ours", beside(Kind::Theorem).collect()),
    ] {
        if !nodes.is_empty() {
            lines.push(title.to_owned());
            lines.extend(nodes.iter().map(|n| format!("  {}", head(n))));
            lines.push(String::new());
        }
    }
    lines.push("✔ holds   ~ with a caveat   ✘ fails   ? not decided".into());
    lines.push("An argument is intact if every entry right below it holds on its own.".into());
    lines.join("\n")
}

fn head(node: &Node) -> String {
    format!("{} {}  {}", node.verdict.mark(), node.claim.id, node.verdict.words())
}

fn branch(
    map: &Map,
    node: &Node,
    first: &str,
    rest: &str,
    shown: &mut BTreeSet<String>,
    lines: &mut Vec<String>,
) {
    let again = !shown.insert(node.claim.id.clone());
    let below: Vec<(&Node, bool)> = children(map, node).into_iter().filter(|_| !again).collect();
    let said = if again { "see above".to_owned() } else { node.argument.words() };
    let line = format!("{first}{}", head(node));
    let inner = if below.is_empty() { format!("{rest}   ") } else { format!("{rest}│  ") };
    // What does not fit beside the verdict goes below it.
    if said.is_empty() {
        lines.push(line);
    } else if line.chars().count() + said.chars().count() + 3 <= WIDTH {
        lines.push(format!("{line} · {said}"));
    } else {
        lines.push(line);
        lines.extend(
            wrapped(&said, WIDTH - inner.chars().count()).iter().map(|part| format!("{inner}{part}")),
        );
    }
    for (i, (child, motivates)) in below.iter().enumerate() {
        let last = i + 1 == below.len();
        let why = if *motivates { "motivation: " } else { "" };
        let (corner, bar) = if last { ("└─ ", "   ") } else { ("├─ ", "│  ") };
        branch(map, child, &format!("{rest}{corner}{why}"), &format!("{rest}{bar}"), shown, lines);
    }
}

/// What an entry requires, then what motivates it.
fn children<'a>(map: &'a Map, node: &Node) -> Vec<(&'a Node<'a>, bool)> {
    let found = |ids: &[String], motivates| -> Vec<_> {
        ids.iter().filter_map(|id| map.node(id)).map(|n| (n, motivates)).collect()
    };
    [found(&node.claim.requires, false), found(&node.claim.motivation, true)].concat()
}

/// A text in lines of at most so many characters.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let line = lines.last_mut().expect("there is a line");
        if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > width {
            lines.push(word.to_owned());
        } else {
            *line = if line.is_empty() { word.to_owned() } else { format!("{line} {word}") };
        }
    }
    lines
}

const BOX: (f64, f64) = (228.0, 36.0);
const STEP: (f64, f64) = (272.0, 46.0);
const MARGIN: f64 = 16.0;

/// Where an entry stands: its column is how far it is from a root at most.
struct Placed<'a> {
    node: &'a Node<'a>,
    column: usize,
    row: f64,
}

/// The map as a picture, roots on the left, on a ground of its own so that light and dark pages can show it.
pub fn svg(map: &Map) -> String {
    let mut placed: Vec<Placed> = Vec::new();
    let mut row = 0.0;
    for root in map.roots() {
        place(map, root, 0, &mut row, &mut placed);
        row += 0.5;
    }
    let columns = placed.iter().map(|p| p.column).max().unwrap_or(0) + 1;
    let width = 2.0 * MARGIN + STEP.0 * (columns as f64 - 1.0) + BOX.0;
    let height = 2.0 * MARGIN + STEP.1 * row + 20.0;
    let corner = |p: &Placed| (MARGIN + STEP.0 * p.column as f64, MARGIN + STEP.1 * p.row);
    let mut edges = String::new();
    let mut boxes = String::new();
    for from in &placed {
        let (x, y) = corner(from);
        for (child, motivates) in children(map, from.node) {
            let Some(to) = placed.iter().find(|p| p.node.claim.id == child.claim.id) else { continue };
            let (x1, y1, (x2, y2)) = (x + BOX.0, y + BOX.1 / 2.0, corner(to));
            let (y2, middle) = (y2 + BOX.1 / 2.0, f64::midpoint(x1, x2));
            let colour =
                if child.verdict.is_broken() && !motivates { colour(child.verdict) } else { "#8a8f98" };
            let dashed = if motivates { " stroke-dasharray=\"4 4\"" } else { "" };
            edges += &format!(
                "<path d=\"M{x1} {y1} C{middle} {y1} {middle} {y2} {x2} {y2}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.5\"{dashed}/>\n"
            );
        }
        boxes += &boxed(from.node, x, y);
    }
    let legend = "An arrow leads from a conclusion to what it rests on; dashed: motivation. Below a name: its own verdict, then its argument.";
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         font-family=\"Helvetica, Arial, sans-serif\" role=\"img\">\n<title>The argument of the paper</title>\n\
         <rect width=\"{width}\" height=\"{height}\" rx=\"8\" fill=\"#ffffff\"/>\n{edges}{boxes}\
         <text x=\"{MARGIN}\" y=\"{}\" font-size=\"11\" fill=\"#333333\">{legend}</text>\n</svg>\n",
        height - 12.0
    )
}

/// Places an entry and what is below it; an entry that two others require stands in the column farther from the roots.
fn place<'a>(map: &'a Map, node: &'a Node<'a>, column: usize, row: &mut f64, placed: &mut Vec<Placed<'a>>) {
    if placed.iter().any(|p| p.node.claim.id == node.claim.id) {
        return;
    }
    let own: Vec<&Node> = children(map, node)
        .into_iter()
        .map(|(child, _)| child)
        .filter(|child| depth(map, &child.claim.id) == column + 1)
        .collect();
    let first = *row;
    for child in &own {
        place(map, child, column + 1, row, placed);
    }
    if *row == first {
        *row += 1.0;
    }
    placed.push(Placed { node, column, row: (first + *row - 1.0) / 2.0 });
}

/// The longest way from a root.
fn depth(map: &Map, id: &str) -> usize {
    let above = map.nodes.iter().filter(|n| n.claim.below().any(|below| below == id));
    above.map(|n| depth(map, &n.claim.id) + 1).max().unwrap_or(0)
}

fn boxed(node: &Node, x: f64, y: f64) -> String {
    let (colour, id, title) = (colour(node.verdict), escape(&node.claim.id), escape(&node.claim.title));
    let state = match &node.argument {
        Argument::None => "",
        Argument::Intact => " · argument intact",
        Argument::Weakened(_) => " · argument weakened",
        Argument::Open(_) => " · argument open",
        Argument::Broken(_) => " · argument breaks",
    };
    let short = if node.verdict == Verdict::HoldsWithCaveat { "caveat" } else { node.verdict.words() };
    let said = format!("{} {short}{state}", node.verdict.mark());
    format!(
        "<a href=\"#{id}\"><title>{id}: {}</title><rect x=\"{x}\" y=\"{y}\" width=\"{}\" height=\"{}\" rx=\"5\" fill=\"#ffffff\" stroke=\"{colour}\" stroke-width=\"2\"/>\
         <text x=\"{}\" y=\"{}\" font-size=\"12.5\" font-weight=\"bold\" fill=\"#111111\">{title}</text>\
         <text x=\"{}\" y=\"{}\" font-size=\"11\" fill=\"{colour}\">{said}</text></a>\n",
        escape(&node.claim.statement),
        BOX.0,
        BOX.1,
        x + 8.0,
        y + 15.0,
        x + 8.0,
        y + 29.0,
    )
}

fn colour(verdict: Verdict) -> &'static str {
    match verdict {
        _ if verdict.is_met() => "#1a7f37",
        _ if verdict.is_weaker() => "#9a6700",
        _ if verdict.is_broken() => "#cf222e",
        _ => "#57606a",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claims;
    use crate::registry::Scale;

    #[test]
    fn no_two_boxes_of_the_picture_overlap_and_each_entry_of_the_tree_has_one() {
        let map = Map::new(claims::all(), |c| c.recorded_at(Scale::Full));
        let (mut placed, mut row) = (Vec::new(), 0.0);
        for root in map.roots() {
            place(&map, root, 0, &mut row, &mut placed);
        }
        for (i, a) in placed.iter().enumerate() {
            for b in &placed[..i] {
                assert!(a.column != b.column || (a.row - b.row).abs() >= 1.0, "{}", a.node.claim.id);
            }
        }
        let beside = |n: &&Node| n.claim.kind == Kind::Claim && n.claim.used_nowhere.is_none();
        assert_eq!(placed.len(), map.nodes.iter().filter(beside).count());
    }
}

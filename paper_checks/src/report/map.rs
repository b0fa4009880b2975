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
    lines.push("It breaks if one fails, is open if one is not decided, and is weakened if one".into());
    lines.push("holds with a caveat only.".into());
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

const BOX: (f64, f64) = (204.0, 36.0);
const STEP: (f64, f64) = (238.0, 46.0);
const MARGIN: f64 = 16.0;
/// What a conclusion rests on stands in a frame if it is more than so much, and nothing further is below it.
const FEW: usize = 6;
/// Columns and padding of a frame, and the height of its caption.
const FRAME: (usize, f64, f64) = (4, 8.0, 16.0);

/// Where an entry stands: its column is how far it is from a root at most.
struct Placed<'a> {
    node: &'a Node<'a>,
    column: usize,
    row: f64,
}

/// A frame around what one conclusion rests on.
struct Framed {
    caption: &'static str,
    dashed: bool,
    /// The row of the conclusion, of the first row inside and how many rows there are.
    rows: (f64, f64, usize),
    columns: usize,
}

/// Where everything on the picture stands.
#[derive(Default)]
struct Layout<'a> {
    placed: Vec<Placed<'a>>,
    frames: Vec<Framed>,
    /// Conclusions whose edges are those of their frames.
    without_edges: BTreeSet<&'a str>,
    rows: f64,
}

impl<'a> Layout<'a> {
    fn new(map: &'a Map) -> Self {
        let mut layout = Self::default();
        for root in map.roots() {
            let below = children(map, root);
            let leaves = below.iter().all(|(child, _)| children(map, child).is_empty());
            if leaves && below.len() > FEW {
                layout.framed(root, &below);
            } else {
                place(map, root, 0, &mut layout.rows, &mut layout.placed);
            }
            layout.rows += 0.4;
        }
        layout
    }

    /// A root on the left, frames with what it rests on at its right.
    fn framed(&mut self, root: &'a Node<'a>, below: &[(&'a Node<'a>, bool)]) {
        let first = self.rows;
        let from = self.frames.len();
        for (motivates, caption) in [(false, "It rests on"), (true, "What motivates it")] {
            let here: Vec<_> = below.iter().filter(|(_, m)| *m == motivates).collect();
            if here.is_empty() {
                continue;
            }
            // Room for the caption.
            let top = self.rows + FRAME.2 / STEP.1;
            for (i, (node, _)) in here.iter().enumerate() {
                let (row, column) = (top + (i / FRAME.0) as f64, 1 + i % FRAME.0);
                self.placed.push(Placed { node, column, row });
            }
            let rows = here.len().div_ceil(FRAME.0);
            let columns = here.len().min(FRAME.0);
            self.frames.push(Framed { caption, dashed: motivates, rows: (0.0, top, rows), columns });
            self.rows = top + rows as f64 + 0.3;
        }
        let middle = (first + self.rows - 1.0) / 2.0;
        self.frames[from..].iter_mut().for_each(|frame| frame.rows.0 = middle);
        self.placed.push(Placed { node: root, column: 0, row: middle });
        self.without_edges.insert(&root.claim.id);
    }
}

/// The upper left corner of a place.
fn corner(column: usize, row: f64) -> (f64, f64) {
    (MARGIN + STEP.0 * column as f64, MARGIN + STEP.1 * row)
}

fn curve([x1, y1, x2, y2]: [f64; 4], colour: &str, dashed: bool) -> String {
    let (middle, dashed) = (f64::midpoint(x1, x2), if dashed { " stroke-dasharray=\"4 4\"" } else { "" });
    format!(
        "<path d=\"M{x1:.1} {y1:.1} C{middle:.1} {y1:.1} {middle:.1} {y2:.1} {x2:.1} {y2:.1}\" fill=\"none\" stroke=\"{colour}\" \
         stroke-width=\"1.5\"{dashed}/>\n"
    )
}

const GREY: &str = "#8a8f98";

/// The map as a picture, roots on the left, on a ground of its own so that light and dark pages can show it.
pub fn svg(map: &Map) -> String {
    let layout = Layout::new(map);
    let columns = layout.placed.iter().map(|p| p.column).max().unwrap_or(0) + 1;
    let width = 2.0 * MARGIN + STEP.0 * (columns as f64 - 1.0) + BOX.0;
    let height = 2.0 * MARGIN + STEP.1 * layout.rows + 12.0;
    let (mut edges, mut boxes) = (String::new(), String::new());
    for Framed { caption, dashed, rows: (from, top, rows), columns } in &layout.frames {
        let (x, y) = corner(1, *top);
        let (pad, above) = (FRAME.1, FRAME.2);
        let wide = STEP.0 * (*columns as f64 - 1.0) + BOX.0 + 2.0 * pad;
        let high = STEP.1 * (*rows as f64 - 1.0) + BOX.1 + pad + above;
        let (left, y1) = (corner(0, 0.0).0 + BOX.0, corner(0, *from).1 + BOX.1 / 2.0);
        let (up, dash) = (y - above, if *dashed { " stroke-dasharray=\"4 4\"" } else { "" });
        edges += &curve([left, y1, x - pad, up + high / 2.0], GREY, *dashed);
        edges += &format!(
            "<rect x=\"{}\" y=\"{up:.1}\" width=\"{wide}\" height=\"{high:.1}\" rx=\"6\" fill=\"#f6f7f9\" stroke=\"{GREY}\"{dash}/>\
             <text x=\"{x}\" y=\"{:.1}\" font-size=\"11\" fill=\"#333333\">{caption}</text>\n",
            x - pad,
            up + 12.0
        );
    }
    for from in &layout.placed {
        let (x, y) = corner(from.column, from.row);
        boxes += &boxed(from.node, x, y, BOX.0);
        if layout.without_edges.contains(from.node.claim.id.as_str()) {
            continue;
        }
        for (child, motivates) in children(map, from.node) {
            let Some(to) = layout.placed.iter().find(|p| p.node.claim.id == child.claim.id) else { continue };
            let (x2, y2) = corner(to.column, to.row);
            let broken = child.verdict.is_broken() && !motivates;
            let colour = if broken { colour(child.verdict) } else { GREY };
            edges += &curve([x + BOX.0, y + BOX.1 / 2.0, x2, y2 + BOX.1 / 2.0], colour, motivates);
        }
    }
    let legend = "A line leads from a conclusion to what it rests on. Below a name: its own verdict, then its argument.";
    picture(width, height, &format!("{edges}{boxes}"), legend)
}

/// The width of the map for a phone, and its step to the right and down.
const NARROW: (f64, f64, f64) = (360.0, 14.0, 42.0);

/// The map for a narrow screen: one entry per row, what it rests on below it and to its right.
pub fn svg_narrow(map: &Map) -> String {
    let (width, right, down) = NARROW;
    let (mut rows, mut shown) = (Vec::new(), BTreeSet::new());
    for root in map.roots() {
        narrow(map, root, 0, &mut shown, &mut rows);
    }
    let place = |row: usize, depth: usize| (6.0 + right * depth as f64, 6.0 + down * row as f64);
    let (mut edges, mut boxes) = (String::new(), String::new());
    for (row, (node, depth)) in rows.iter().enumerate() {
        let (x, y) = place(row, *depth);
        boxes += &boxed(node, x, y, width - x - 6.0);
        let parent = rows[..row].iter().rposition(|(_, above)| above + 1 == *depth);
        if let Some(parent) = parent {
            let (px, py) = place(parent, depth - 1);
            edges += &format!(
                "<path d=\"M{} {} V{} H{x}\" fill=\"none\" stroke=\"{GREY}\" stroke-width=\"1.5\"/>\n",
                px + 7.0,
                py + BOX.1,
                y + BOX.1 / 2.0
            );
        }
    }
    let height = 30.0 + down * rows.len() as f64;
    picture(
        width,
        height,
        &format!("{edges}{boxes}"),
        "What a conclusion rests on stands below it, to its right.",
    )
}

/// The entries of a branch, each once, with how deep they stand.
fn narrow<'a>(
    map: &'a Map,
    node: &'a Node<'a>,
    depth: usize,
    shown: &mut BTreeSet<&'a str>,
    rows: &mut Vec<(&'a Node<'a>, usize)>,
) {
    if shown.insert(&node.claim.id) {
        rows.push((node, depth));
        children(map, node).into_iter().for_each(|(child, _)| narrow(map, child, depth + 1, shown, rows));
    }
}

fn picture(width: f64, height: f64, inside: &str, legend: &str) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height:.0}\" width=\"{width}\" height=\"{height:.0}\" \
         font-family=\"Helvetica, Arial, sans-serif\" role=\"img\">\n<title>The argument of the paper</title>\n\
         <rect width=\"{width}\" height=\"{height:.0}\" rx=\"8\" fill=\"#ffffff\"/>\n{inside}\
         <text x=\"10\" y=\"{:.0}\" font-size=\"11\" fill=\"#333333\">{legend}</text>\n</svg>\n",
        height - 9.0
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

/// The longest way from a root. What theorems of ours rest on moves nothing.
fn depth(map: &Map, id: &str) -> usize {
    let claims = map.nodes.iter().filter(|n| n.claim.kind == Kind::Claim);
    let above = claims.filter(|n| n.claim.below().any(|below| below == id));
    above.map(|n| depth(map, &n.claim.id) + 1).max().unwrap_or(0)
}

fn boxed(node: &Node, x: f64, y: f64, width: f64) -> String {
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
        "<a href=\"#{id}\"><title>{id}: {}</title><rect x=\"{x}\" y=\"{y:.1}\" width=\"{width}\" height=\"{}\" rx=\"5\" fill=\"#ffffff\" stroke=\"{colour}\" stroke-width=\"2\"/>\
         <text x=\"{}\" y=\"{:.1}\" font-size=\"13\" font-weight=\"bold\" fill=\"#111111\">{title}</text>\
         <text x=\"{}\" y=\"{:.1}\" font-size=\"11.5\" fill=\"{colour}\">{said}</text></a>\n",
        escape(&node.claim.statement),
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
        let placed = Layout::new(&map).placed;
        for (i, a) in placed.iter().enumerate() {
            for b in &placed[..i] {
                // Rows are sums of fractions: two of them one step apart differ from one by rounding.
                let apart = (a.row - b.row).abs() >= 1.0 - 1e-9;
                assert!(a.column != b.column || apart, "{} and {}", a.node.claim.id, b.node.claim.id);
            }
        }
        let beside = |n: &&Node| n.claim.kind == Kind::Claim && n.claim.used_nowhere.is_none();
        let all = map.nodes.iter().filter(beside).count();
        assert_eq!(placed.len(), all);
        let links = |svg: &str| svg.matches("<a href=").count();
        assert_eq!((links(&svg(&map)), links(&svg_narrow(&map))), (all, all));
    }
}

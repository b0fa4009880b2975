//! Ink. In: a figure's data. Out: SVG with labelled axes, a legend above the plot and the data
//! inside a `metadata` element.

use super::axis::Scale;
use super::contour::pieces;
use super::marks::{Drawn, Sheet, bars, heat, line, offset, rimmed, sign, whiskers};
use super::palette::mark;
use super::{Figure, Layer, Sign, colour, escape, format_number, heat_colour};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

pub(super) const FONT: &str = "sans-serif";
pub(super) const INK: RGBColor = RGBColor(30, 30, 30);
const GRID: RGBColor = RGBColor(228, 228, 228);

impl Figure {
    /// The figure as SVG. Its data are inside, see [`Figure::from_svg`].
    pub fn svg(&self) -> String {
        let mut svg = String::new();
        self.draw(&mut svg).expect("drawing into a string fails only if plotters is broken");
        let data = serde_json::to_string(self).expect("a figure is numbers and text");
        let title = escape(&self.title);
        let head =
            format!("<title>{title}</title>\n<metadata class=\"figure-data\">{}</metadata>\n", escape(&data));
        match svg.find('>') {
            Some(end) => {
                svg.insert_str(end + 1, &format!("\n{head}"));
                // The picture scales with the page.
                svg.replacen("<svg ", "<svg role=\"img\" style=\"max-width:100%;height:auto\" ", 1)
            }
            None => svg,
        }
    }

    fn draw(&self, svg: &mut String) -> Drawn {
        let (width, height) = (self.size[0], self.size[1]);
        let root = SVGBackend::with_string(svg, (width, height)).into_drawing_area();
        root.fill(&WHITE)?;
        let title = (FONT, 20).into_font().style(FontStyle::Bold).color(&INK);
        root.draw(&Text::new(self.title.clone(), (12, 10), title))?;
        let legend_height = self.legend(&root, width)?;
        let area = root.margin(34 + legend_height, 8, 6, 16);
        let (x_range, y_range) = self.ranges();
        let (x, y) = (Scale::new(&self.x, x_range, false), Scale::new(&self.y, y_range, true));
        let label_width =
            (y.label_width() + 12).clamp(40, 220) + if self.y.label.is_empty() { 0 } else { 20 };
        let mut chart = ChartBuilder::on(&area)
            .x_label_area_size(44)
            .y_label_area_size(label_width)
            .build_cartesian_2d(x.clone(), y.clone())?;
        let labels = (FONT, 15).into_font().color(&INK);
        chart
            .configure_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(GRID)
            .axis_style(INK)
            .x_desc(self.x.label.clone())
            .y_desc(self.y.label.clone())
            .axis_desc_style((FONT, 16).into_font().color(&INK))
            .label_style(labels)
            .draw()?;
        let mut bars_before = 0;
        for (i, layer) in self.layers.iter().enumerate() {
            let (family, member) = self.family(i);
            let (r, g, b) = colour(family);
            // On a map of colours white is seen nearly everywhere.
            let white = self.has_heat() && matches!(layer, Layer::Contour { .. });
            let ink = if white { WHITE } else { RGBColor(r, g, b) };
            let mark = mark(family, member);
            match layer {
                Layer::Line { dots, .. } => line(&root, &mut chart, dots, ink, mark)?,
                Layer::Scatter { points, .. } if self.has_heat() => rimmed(&root, &chart, points, ink)?,
                Layer::Scatter { points, .. } => {
                    let radius = match points.len() {
                        0..=150 => 3,
                        151..=1000 => 2,
                        _ => 1,
                    };
                    let style = ink.mix(if points.len() > 150 { 0.6 } else { 0.85 }).filled();
                    chart.draw_series(points.iter().map(|p| Circle::new((p[0], p[1]), radius, style)))?;
                }
                Layer::Dots { dots, .. } => {
                    let series = self.count(|l| matches!(l, Layer::Dots { .. }));
                    let offset = offset(self.position(i, |l| matches!(l, Layer::Dots { .. })), series);
                    whiskers(&root, &mut chart, dots, offset, ink, mark)?;
                }
                Layer::Bars { dots, .. } => {
                    let series = self.count(|l| matches!(l, Layer::Bars { .. }));
                    bars(&mut chart, dots, bars_before, series, y.floor(), ink)?;
                    bars_before += 1;
                }
                Layer::Area { points, .. } => {
                    let outline = points.iter().map(|p| (p[0], p[1]));
                    chart.draw_series(
                        AreaSeries::new(outline, y.floor(), ink.mix(0.25)).border_style(ink.stroke_width(2)),
                    )?;
                }
                Layer::Heat { grid, numbers, .. } => heat(&mut chart, grid, *numbers)?,
                Layer::Contour { grid, levels, .. } => {
                    for level in levels {
                        let pieces = pieces(grid, *level);
                        chart.draw_series(
                            pieces.iter().map(|p| PathElement::new(p.to_vec(), ink.stroke_width(2))),
                        )?;
                    }
                }
                Layer::Level { value, vertical, .. } => {
                    let ends = if *vertical {
                        [(*value, edge(&y, false)), (*value, edge(&y, true))]
                    } else {
                        [(edge(&x, false), *value), (edge(&x, true), *value)]
                    };
                    chart.draw_series(DashedLineSeries::new(ends, 6, 4, ink.stroke_width(2)))?;
                }
            }
        }
        root.present()?;
        Ok(())
    }

    /// Names with their colours, in as many rows as they need; returns the height they take.
    fn legend(&self, root: &Sheet<'_>, width: u32) -> Result<u32, Box<dyn std::error::Error>> {
        let (mut x, mut y) = (14, 38);
        let named: Vec<usize> =
            (0..self.layers.len()).filter(|i| !self.layers[*i].name().is_empty()).collect();
        for &i in &named {
            let layer = &self.layers[i];
            let name = match layer {
                Layer::Heat { grid, name, .. } => {
                    let (low, high) = grid.range();
                    format!("{name}: dark {} to light {}", format_number(low), format_number(high))
                }
                other => other.name().to_owned(),
            };
            let wide = 30 + 7 * name.chars().count() as i32;
            if x + wide > width as i32 && x > 14 {
                (x, y) = (14, y + 18);
            }
            let (family, member) = self.family(i);
            let (r, g, b) =
                if matches!(layer, Layer::Heat { .. }) { heat_colour(0.5) } else { colour(family) };
            let ink = RGBColor(r, g, b);
            if matches!(layer, Layer::Level { .. }) {
                for part in 0..2 {
                    let from = x + part * 8;
                    root.draw(&PathElement::new(vec![(from, y), (from + 5, y)], ink.stroke_width(2)))?;
                }
            } else if matches!(layer, Layer::Contour { .. }) && self.has_heat() {
                let (r, g, b) = heat_colour(0.2);
                root.draw(&Rectangle::new([(x, y - 4), (x + 13, y + 4)], RGBColor(r, g, b).filled()))?;
                root.draw(&PathElement::new(vec![(x, y), (x + 13, y)], WHITE.stroke_width(2)))?;
            } else if matches!(layer, Layer::Dots { .. } | Layer::Line { .. }) {
                root.draw(&PathElement::new(vec![(x, y), (x + 13, y)], ink.stroke_width(1)))?;
                sign(root, (x + 6, y), mark(family, member), 4, ink)?;
            } else {
                root.draw(&Rectangle::new([(x, y - 4), (x + 13, y + 4)], ink.filled()))?;
            }
            let style = (FONT, 15).into_font().color(&INK).pos(Pos::new(HPos::Left, VPos::Center));
            root.draw(&Text::new(name, (x + 19, y), style))?;
            x += wide;
        }
        Ok(if named.is_empty() { 0 } else { (y - 38 + 18) as u32 })
    }

    /// Which colour a layer has, and which of its marks. A layer that is like an earlier one has its colour;
    /// heat maps have colours of their own and do not use up one of the palette.
    fn family(&self, layer: usize) -> (usize, usize) {
        let own = |l: &&Layer| !matches!(l, Layer::Heat { .. } | Layer::Dots { like: Some(_), .. });
        let families = |l: &[Layer]| l.iter().filter(own).count();
        let Layer::Dots { like: Some(like), .. } = &self.layers[layer] else {
            return (families(&self.layers[..layer]), 0);
        };
        let sign = match like.sign {
            Sign::Hollow => 1,
            Sign::Strokes => 2,
        };
        let first = self.layers[..layer].iter().position(|l| own(&l) && l.name() == like.of);
        (families(&self.layers[..first.unwrap_or(layer)]), sign)
    }

    /// Contours over a heat map are white, and dots have a white rim.
    fn has_heat(&self) -> bool {
        self.layers.iter().any(|l| matches!(l, Layer::Heat { .. }))
    }

    fn count(&self, of: impl Fn(&Layer) -> bool) -> usize {
        self.layers.iter().filter(|l| of(l)).count()
    }

    fn position(&self, layer: usize, of: impl Fn(&Layer) -> bool) -> usize {
        self.layers[..layer].iter().filter(|l| of(l)).count()
    }

    /// The smallest and largest x and y of all layers.
    fn ranges(&self) -> ((f64, f64), (f64, f64)) {
        let empty = (f64::INFINITY, f64::NEG_INFINITY);
        let (mut x, mut y) = (empty, empty);
        let add = |range: &mut (f64, f64), v: f64| {
            if v.is_finite() {
                *range = (range.0.min(v), range.1.max(v));
            }
        };
        for layer in &self.layers {
            match layer {
                Layer::Line { dots, .. } => dots.iter().for_each(|d| {
                    add(&mut x, d.at);
                    [d.value, d.low, d.high].into_iter().for_each(|v| add(&mut y, v));
                }),
                Layer::Dots { dots, .. } => dots.iter().for_each(|d| {
                    add(&mut y, d.at);
                    [d.value, d.low, d.high].into_iter().for_each(|v| add(&mut x, v));
                }),
                Layer::Bars { dots, .. } => dots.iter().for_each(|d| {
                    add(&mut x, d.at);
                    [d.value, d.low, d.high].into_iter().for_each(|v| add(&mut y, v));
                    if !self.y.log {
                        add(&mut y, 0.0);
                    }
                }),
                Layer::Scatter { points, .. } => points.iter().for_each(|p| {
                    add(&mut x, p[0]);
                    add(&mut y, p[1]);
                }),
                Layer::Area { points, .. } => points.iter().for_each(|p| {
                    add(&mut x, p[0]);
                    add(&mut y, p[1]);
                    add(&mut y, 0.0);
                }),
                Layer::Heat { grid, .. } | Layer::Contour { grid, .. } => {
                    grid.x.iter().for_each(|v| add(&mut x, *v));
                    grid.y.iter().for_each(|v| add(&mut y, *v));
                }
                Layer::Level { value, vertical, .. } => {
                    add(if *vertical { &mut x } else { &mut y }, *value);
                }
            }
        }
        (x, y)
    }
}

fn edge(scale: &Scale, far: bool) -> f64 {
    let range = plotters::coord::ranged1d::Ranged::range(scale);
    if far { range.end } else { range.start }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::show::Grid;

    #[test]
    fn dots_on_a_map_of_colours_have_the_colour_of_the_legend_and_a_white_rim() {
        let map = Figure::new("f").heat("f(x)", Grid::square(-1.0, 1.0, 5, |x, _| x));
        let svg = map.contour("level", Grid::square(-1.0, 1.0, 5, |x, _| x), &[0.0]);
        let svg = svg.scatter("walk", &[(0.0, 0.0), (0.5, 0.5), (0.5, 0.5)]).svg();
        let (r, g, b) = colour(1);
        let own = format!("fill=\"#{r:02X}{g:02X}{b:02X}\"");
        let of = |shape: &str, fill: &str| {
            svg.lines().filter(|line| line.starts_with(shape) && line.contains(fill)).count()
        };
        assert_eq!(of("<rect", &own), 1, "in the legend");
        assert_eq!([of("<circle", &own), of("<circle", "fill=\"#FFFFFF\"")], [2, 2], "one per place");
    }
}

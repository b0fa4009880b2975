//! A figure and what is put on it.

use super::layer::rounded;
use super::{Axis, Dot, Grid, Layer, Like, Show, format_number};
use serde::{Deserialize, Serialize};

/// A figure: title, axes and layers, drawn in their order.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Figure {
    /// What the figure shows, in a few words.
    pub title: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// What is drawn.
    pub layers: Vec<Layer>,
    /// Width and height in pixels.
    pub size: [u32; 2],
}

impl Figure {
    /// An empty figure.
    pub fn new(title: impl Into<String>) -> Self {
        Self { title: title.into(), size: [680, 400], ..Self::default() }
    }

    /// The label of the x axis, with its unit.
    pub fn x(mut self, label: &str) -> Self {
        self.x.label = label.into();
        self
    }

    /// The label of the y axis, with its unit.
    pub fn y(mut self, label: &str) -> Self {
        self.y.label = label.into();
        self
    }

    /// A logarithmic x axis.
    pub fn log_x(mut self) -> Self {
        self.x.log = true;
        self
    }

    /// A logarithmic y axis.
    pub fn log_y(mut self) -> Self {
        self.y.log = true;
        self
    }

    /// The range of the x axis, instead of that of the data.
    pub fn x_range(mut self, low: impl Into<f64>, high: impl Into<f64>) -> Self {
        self.x.range = Some([low.into(), high.into()]);
        self
    }

    /// The range of the y axis, instead of that of the data.
    pub fn y_range(mut self, low: impl Into<f64>, high: impl Into<f64>) -> Self {
        self.y.range = Some([low.into(), high.into()]);
        self
    }

    /// Names for the positions 0, 1, … of the x axis.
    pub fn x_categories<T: AsRef<str>>(mut self, names: &[T]) -> Self {
        self.x.categories = names.iter().map(|n| n.as_ref().to_owned()).collect();
        self
    }

    /// Names for the positions 0, 1, … of the y axis; the first is at the top.
    pub fn y_categories<T: AsRef<str>>(mut self, names: &[T]) -> Self {
        self.y.categories = names.iter().map(|n| n.as_ref().to_owned()).collect();
        self
    }

    /// Width and height in pixels. Default: 680 × 400.
    pub fn size(mut self, width: u32, height: u32) -> Self {
        self.size = [width, height];
        self
    }

    /// Any layer.
    pub fn layer(mut self, layer: Layer) -> Self {
        self.layers.push(rounded(layer));
        self
    }

    /// A line through (x, y).
    pub fn line(self, name: &str, points: &[(f64, f64)]) -> Self {
        let dots = points.iter().map(|(x, y)| Dot { at: *x, value: *y, low: *y, high: *y }).collect();
        self.layer(Layer::Line { name: name.into(), dots })
    }

    /// A line through (x, y) with a band from low to high: (x, y, low, high).
    pub fn line_with_band(self, name: &str, points: &[(f64, f64, f64, f64)]) -> Self {
        self.layer(Layer::Line { name: name.into(), dots: points.iter().map(dot).collect() })
    }

    /// Separate points (x, y).
    pub fn scatter(self, name: &str, points: &[(f64, f64)]) -> Self {
        let points = points.iter().map(|(x, y)| [*x, *y]).collect();
        self.layer(Layer::Scatter { name: name.into(), points })
    }

    /// Values with intervals against categories of the y axis: (category, value, low, high).
    pub fn dots(self, name: &str, values: &[(f64, f64, f64, f64)]) -> Self {
        self.layer(Layer::Dots { name: name.into(), dots: values.iter().map(dot).collect(), like: None })
    }

    /// One value per category of the y axis: [`dots`](Self::dots) without intervals.
    pub fn values(self, name: &str, values: &[f64]) -> Self {
        let dots: Vec<_> = values.iter().enumerate().map(|(i, v)| (i as f64, *v, *v, *v)).collect();
        self.dots(name, &dots)
    }

    /// Dots in the colour of a series that is there already, with another mark.
    ///
    /// ```
    /// use ebmbook::show::{Figure, Like, Sign};
    /// let at = |v: f64| [(0.0, v, v - 0.1, v + 0.1)];
    /// let like = Like { of: "ours".into(), sign: Sign::Strokes };
    /// let figure = Figure::new("f").dots("ours", &at(1.0)).dots_like(like, "printed", &at(1.1));
    /// assert!(figure.svg().contains("printed"));
    /// ```
    pub fn dots_like(self, like: Like, name: &str, values: &[(f64, f64, f64, f64)]) -> Self {
        let (dots, like) = (values.iter().map(dot).collect(), Some(like));
        self.layer(Layer::Dots { name: name.into(), dots, like })
    }

    /// Bars over the categories of the x axis: (category, value, low, high).
    pub fn bars(self, name: &str, values: &[(f64, f64, f64, f64)]) -> Self {
        self.layer(Layer::Bars { name: name.into(), dots: values.iter().map(dot).collect() })
    }

    /// A filled curve.
    pub fn area(self, name: &str, points: &[(f64, f64)]) -> Self {
        let points = points.iter().map(|(x, y)| [*x, *y]).collect();
        self.layer(Layer::Area { name: name.into(), points })
    }

    /// Colours over a grid.
    pub fn heat(self, name: &str, grid: Grid) -> Self {
        self.layer(Layer::Heat { name: name.into(), grid, numbers: false })
    }

    /// Colours over a grid with the number in each cell.
    pub fn heat_with_numbers(self, name: &str, grid: Grid) -> Self {
        self.layer(Layer::Heat { name: name.into(), grid, numbers: true })
    }

    /// Lines of equal value.
    pub fn contour(self, name: &str, grid: Grid, levels: &[f64]) -> Self {
        self.layer(Layer::Contour { name: name.into(), grid, levels: levels.to_vec() })
    }

    /// A dashed horizontal line.
    pub fn level(self, name: &str, value: impl Into<f64>) -> Self {
        self.layer(Layer::Level { name: name.into(), value: value.into(), vertical: false })
    }

    /// A dashed upright line.
    pub fn upright(self, name: &str, value: impl Into<f64>) -> Self {
        self.layer(Layer::Level { name: name.into(), value: value.into(), vertical: true })
    }
}

fn dot(&(at, value, low, high): &(f64, f64, f64, f64)) -> Dot {
    Dot { at, value, low, high }
}

impl Show for Figure {
    /// Title, axes, and a line for each layer with its size and its range.
    fn text(&self) -> String {
        let axes = if self.y.label.is_empty() {
            self.x.label.clone()
        } else {
            format!("{} against {}", self.y.label, self.x.label)
        };
        let mut lines = vec![format!("figure: {} ({axes})", self.title)];
        let span = |values: Vec<f64>| {
            let (low, high) =
                values.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(*v), h.max(*v)));
            format!("{} to {}", format_number(low), format_number(high))
        };
        let values = |dots: &[Dot]| span(dots.iter().map(|d| d.value).collect());
        for layer in &self.layers {
            let name = layer.name();
            lines.push(match layer {
                Layer::Line { dots, .. } => format!("  {name}: {} points, {}", dots.len(), values(dots)),
                Layer::Scatter { points, .. } => {
                    format!(
                        "  {name}: {} points, {}",
                        points.len(),
                        span(points.iter().map(|p| p[1]).collect())
                    )
                }
                Layer::Dots { dots, .. } => {
                    let each = dots.iter().map(|d| format_number(d.value)).collect::<Vec<_>>();
                    format!("  {name}: {}", each.join(", "))
                }
                Layer::Bars { dots, .. } => {
                    let each = dots.iter().map(|d| format_number(d.value)).collect::<Vec<_>>();
                    format!("  {name}: {}", each.join(", "))
                }
                Layer::Area { points, .. } => {
                    format!(
                        "  {name}: {} points, {}",
                        points.len(),
                        span(points.iter().map(|p| p[1]).collect())
                    )
                }
                Layer::Heat { grid, .. } | Layer::Contour { grid, .. } => {
                    let (low, high) = grid.range();
                    let shape = format!("{} × {}", grid.x.len(), grid.y.len());
                    format!("  {name}: {shape}, {} to {}", format_number(low), format_number(high))
                }
                Layer::Level { value, .. } => format!("  {name}: {}", format_number(*value)),
            });
        }
        lines.join("\n")
    }

    fn rich(&self) -> Vec<(&'static str, String)> {
        vec![("image/svg+xml", self.svg())]
    }
}

//! The data of a figure.

use super::{Show, format_number};
use serde::{Deserialize, Serialize};

/// One axis.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Axis {
    /// What it shows, with its unit.
    pub label: String,
    /// Whether it is logarithmic.
    #[serde(default, skip_serializing_if = "is_false")]
    pub log: bool,
    /// Names of the positions 0, 1, … where it is not a number line.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub categories: Vec<String>,
    /// The range, where the data should not decide it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub range: Option<[f64; 2]>,
}

fn is_false(value: &bool) -> bool {
    !value
}

/// A value with an interval around it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Dot {
    /// Position on the other axis.
    pub at: f64,
    /// The value.
    pub value: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
}

/// Values over a rectangular grid: `z[j][i]` belongs to `x[i]`, `y[j]`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Grid {
    /// Positions along x, rising.
    pub x: Vec<f64>,
    /// Positions along y, rising.
    pub y: Vec<f64>,
    /// One row of values for each y.
    pub z: Vec<Vec<f64>>,
}

impl Grid {
    /// The values of a function over the square [low, high]² with `side` points a side.
    ///
    /// ```
    /// let grid = ebmbook::show::Grid::square(-1.0, 1.0, 3, |x, y| x + 10.0 * y);
    /// assert_eq!(grid.z[2][0], 9.0);
    /// ```
    pub fn square(low: f64, high: f64, side: usize, f: impl Fn(f64, f64) -> f64) -> Self {
        let step = (high - low) / (side.max(2) - 1) as f64;
        let line: Vec<f64> = (0..side.max(2)).map(|i| low + step * i as f64).collect();
        let z = line.iter().map(|y| line.iter().map(|x| f(*x, *y)).collect()).collect();
        Self { x: line.clone(), y: line, z }
    }

    pub(super) fn range(&self) -> (f64, f64) {
        let finite = self.z.iter().flatten().copied().filter(|v| v.is_finite());
        finite.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)))
    }
}

/// How a series differs from the one whose colour it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sign {
    /// The same mark, hollow.
    Hollow,
    /// A mark of strokes: a cross or a plus.
    Strokes,
}

/// The series whose colour another one has.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Like {
    /// Its name.
    pub of: String,
    /// The other mark.
    pub sign: Sign,
}

/// One thing drawn in a figure.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Layer {
    /// A line, with a band where low and high differ from the value.
    Line {
        /// Name in the legend.
        name: String,
        /// Points from left to right; `at` is x.
        dots: Vec<Dot>,
    },
    /// Separate points; x and y.
    Scatter {
        /// Name in the legend.
        name: String,
        /// The points.
        points: Vec<[f64; 2]>,
    },
    /// Values with intervals, along x, one for each category of the y axis.
    Dots {
        /// Name in the legend.
        name: String,
        /// `at` is the number of the category.
        dots: Vec<Dot>,
        /// The series whose colour it has, where it belongs to one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        like: Option<Like>,
    },
    /// Bars, one for each category of the x axis.
    Bars {
        /// Name in the legend.
        name: String,
        /// `at` is the number of the category.
        dots: Vec<Dot>,
    },
    /// A filled curve over the x axis, such as a density.
    Area {
        /// Name in the legend.
        name: String,
        /// Points from left to right.
        points: Vec<[f64; 2]>,
    },
    /// Colours over a grid.
    Heat {
        /// What the colour means.
        name: String,
        /// The values.
        grid: Grid,
        /// Whether each cell has its number written in it.
        numbers: bool,
    },
    /// Lines of equal value over a grid.
    Contour {
        /// Name in the legend.
        name: String,
        /// The values.
        grid: Grid,
        /// The values whose lines are drawn.
        levels: Vec<f64>,
    },
    /// A dashed line at one value of y, or of x if `vertical`.
    Level {
        /// Name in the legend.
        name: String,
        /// The value.
        value: f64,
        /// Whether the line stands upright.
        #[serde(default, skip_serializing_if = "is_false")]
        vertical: bool,
    },
}

impl Layer {
    /// Name in the legend.
    pub fn name(&self) -> &str {
        match self {
            Self::Line { name, .. }
            | Self::Scatter { name, .. }
            | Self::Dots { name, .. }
            | Self::Bars { name, .. }
            | Self::Area { name, .. }
            | Self::Heat { name, .. }
            | Self::Contour { name, .. }
            | Self::Level { name, .. } => name,
        }
    }
}

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
    pub fn x_range(mut self, low: f64, high: f64) -> Self {
        self.x.range = Some([low, high]);
        self
    }

    /// The range of the y axis, instead of that of the data.
    pub fn y_range(mut self, low: f64, high: f64) -> Self {
        self.y.range = Some([low, high]);
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

    /// The same in the colour of a series that is there already, with another mark.
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
    pub fn level(self, name: &str, value: f64) -> Self {
        self.layer(Layer::Level { name: name.into(), value, vertical: false })
    }

    /// A dashed upright line.
    pub fn upright(self, name: &str, value: f64) -> Self {
        self.layer(Layer::Level { name: name.into(), value, vertical: true })
    }
}

fn dot(&(at, value, low, high): &(f64, f64, f64, f64)) -> Dot {
    Dot { at, value, low, high }
}

/// Five significant digits: more cannot be seen, and they would bloat the picture.
fn round(v: f64) -> f64 {
    if v == 0.0 || !v.is_finite() { v } else { format!("{v:.4e}").parse().expect("a number's own text") }
}

fn rounded(layer: Layer) -> Layer {
    let dots = |dots: Vec<Dot>| {
        let each =
            |d: Dot| Dot { at: round(d.at), value: round(d.value), low: round(d.low), high: round(d.high) };
        dots.into_iter().map(each).collect()
    };
    let points = |points: Vec<[f64; 2]>| points.into_iter().map(|p| p.map(round)).collect();
    let grid = |g: Grid| Grid {
        x: g.x.into_iter().map(round).collect(),
        y: g.y.into_iter().map(round).collect(),
        z: g.z.into_iter().map(|row| row.into_iter().map(round).collect()).collect(),
    };
    match layer {
        Layer::Line { name, dots: d } => Layer::Line { name, dots: dots(d) },
        Layer::Dots { name, dots: d, like } => Layer::Dots { name, dots: dots(d), like },
        Layer::Bars { name, dots: d } => Layer::Bars { name, dots: dots(d) },
        Layer::Scatter { name, points: p } => Layer::Scatter { name, points: points(p) },
        Layer::Area { name, points: p } => Layer::Area { name, points: points(p) },
        Layer::Heat { name, grid: g, numbers } => Layer::Heat { name, grid: grid(g), numbers },
        Layer::Contour { name, grid: g, levels } => {
            Layer::Contour { name, grid: grid(g), levels: levels.into_iter().map(round).collect() }
        }
        Layer::Level { name, value, vertical } => Layer::Level { name, value: round(value), vertical },
    }
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

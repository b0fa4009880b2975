//! The data of a figure: axes, dots, grids and the layers made of them.

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
    /// Its mark, hollow.
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

/// Five significant digits: more cannot be seen, and they would bloat the picture.
fn round(v: f64) -> f64 {
    if v == 0.0 || !v.is_finite() { v } else { format!("{v:.4e}").parse().expect("a number's own text") }
}

/// The layer with numbers of five significant digits.
pub(super) fn rounded(layer: Layer) -> Layer {
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

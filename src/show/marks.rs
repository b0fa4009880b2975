//! The ink of one layer: lines, marks, whiskers, bars and heat.

use super::axis::Scale;
use super::draw::{FONT, INK};
use super::palette::Mark;
use super::{Dot, Grid, format_number, heat_colour};
use plotters::chart::ChartContext;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use std::collections::BTreeSet;

pub(super) type Chart<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<Scale, Scale>>;
pub(super) type Sheet<'b> = DrawingArea<SVGBackend<'b>, plotters::coord::Shift>;
pub(super) type Drawn = Result<(), Box<dyn std::error::Error>>;

pub(super) fn line(root: &Sheet, chart: &mut Chart, dots: &[Dot], ink: RGBColor, mark: Mark) -> Drawn {
    if dots.iter().any(|d| d.low < d.high) {
        let upper = dots.iter().map(|d| (d.at, d.high));
        let lower = dots.iter().rev().map(|d| (d.at, d.low));
        let outline: Vec<(f64, f64)> = upper.chain(lower).collect();
        chart.draw_series([Polygon::new(outline, ink.mix(0.18))])?;
    }
    let points: Vec<(f64, f64)> = dots.iter().map(|d| (d.at, d.value)).collect();
    chart.draw_series(LineSeries::new(points.clone(), ink.stroke_width(2)))?;
    if points.len() <= 30 {
        marks(root, chart, &points, 3, ink, mark)?;
    }
    Ok(())
}

/// Series beside each other within a category: over half of it, more if they are many.
pub(super) fn offset(series: usize, of: usize) -> f64 {
    let share = if of > 6 { 0.75 } else { 0.5 };
    if of < 2 { 0.0 } else { (series as f64 / (of - 1) as f64 - 0.5) * share }
}

/// The mark of a series at each of these points.
pub(super) fn marks(
    root: &Sheet,
    chart: &Chart,
    points: &[(f64, f64)],
    radius: i32,
    ink: RGBColor,
    mark: Mark,
) -> Drawn {
    points.iter().try_for_each(|p| sign(root, chart.plotting_area().map_coordinate(p), mark, radius, ink))
}

/// One mark at a pixel.
pub(super) fn sign(root: &Sheet, (x, y): (i32, i32), mark: Mark, r: i32, ink: RGBColor) -> Drawn {
    let stroke = |from: (i32, i32), to: (i32, i32)| {
        root.draw(&PathElement::new(
            vec![(x + from.0, y + from.1), (x + to.0, y + to.1)],
            ink.stroke_width(2),
        ))
    };
    let square =
        |r: i32, ink: RGBColor| root.draw(&Rectangle::new([(x - r, y - r), (x + r, y + r)], ink.filled()));
    let triangle = |r: i32, ink: RGBColor| {
        root.draw(&Polygon::new(vec![(x, y - r - 1), (x - r - 1, y + r), (x + r + 1, y + r)], ink.filled()))
    };
    match mark {
        Mark::Disc => root.draw(&Circle::new((x, y), r, ink.filled()))?,
        Mark::Ring => {
            root.draw(&Circle::new((x, y), r, ink.filled()))?;
            root.draw(&Circle::new((x, y), r - 2, WHITE.filled()))?;
        }
        Mark::Cross => {
            stroke((-r, -r), (r, r))?;
            stroke((-r, r), (r, -r))?;
        }
        Mark::Square => square(r, ink)?,
        Mark::HollowSquare => {
            square(r, ink)?;
            square(r - 2, WHITE)?;
        }
        Mark::Plus => {
            stroke((-r - 1, 0), (r + 1, 0))?;
            stroke((0, -r - 1), (0, r + 1))?;
        }
        Mark::Triangle => triangle(r, ink)?,
        Mark::HollowTriangle => {
            triangle(r, ink)?;
            triangle(r - 2, WHITE)?;
        }
        Mark::Bar => stroke((0, -r - 1), (0, r + 1))?,
    }
    Ok(())
}

/// Dots on a map of colours: a white rim is seen where it is dark, their own colour where it is light.
pub(super) fn rimmed(root: &Sheet, chart: &Chart, points: &[[f64; 2]], ink: RGBColor) -> Drawn {
    let pixel = |p: &[f64; 2]| chart.plotting_area().map_coordinate(&(p[0], p[1]));
    let pixels: BTreeSet<(i32, i32)> = points.iter().map(pixel).collect();
    for (radius, ink) in [(4, WHITE), (3, ink)] {
        pixels.iter().try_for_each(|at| root.draw(&Circle::new(*at, radius, ink.filled())))?;
    }
    Ok(())
}

pub(super) fn whiskers(
    root: &Sheet,
    chart: &mut Chart,
    dots: &[Dot],
    offset: f64,
    ink: RGBColor,
    mark: Mark,
) -> Drawn {
    let bars = dots.iter().filter(|d| d.low < d.high).map(|d| {
        PathElement::new(vec![(d.low, d.at + offset), (d.high, d.at + offset)], ink.stroke_width(2))
    });
    chart.draw_series(bars)?;
    let points: Vec<(f64, f64)> = dots.iter().map(|d| (d.value, d.at + offset)).collect();
    marks(root, chart, &points, 4, ink, mark)
}

pub(super) fn bars(
    chart: &mut Chart,
    dots: &[Dot],
    series: usize,
    of: usize,
    floor: f64,
    ink: RGBColor,
) -> Drawn {
    let width = 0.8 / of as f64;
    let left = |d: &Dot| d.at - 0.4 + width * series as f64;
    chart.draw_series(dots.iter().map(|d| {
        Rectangle::new([(left(d), floor), (left(d) + 0.92 * width, d.value)], ink.mix(0.85).filled())
    }))?;
    let whisker = dots.iter().filter(|d| d.low < d.high).map(|d| {
        let middle = left(d) + 0.46 * width;
        PathElement::new(vec![(middle, d.low), (middle, d.high)], INK.stroke_width(2))
    });
    chart.draw_series(whisker)?;
    Ok(())
}

pub(super) fn heat(chart: &mut Chart, grid: &Grid, numbers: bool) -> Drawn {
    let (low, high) = grid.range();
    let share = |v: f64| if high > low { (v - low) / (high - low) } else { 0.5 };
    // Cell i reaches half way to its neighbours.
    let edges = |v: &[f64], i: usize| {
        let half = |a: usize, b: usize| if v.len() < 2 { 0.5 } else { (v[b] - v[a]).abs() / 2.0 };
        let below = if i == 0 { half(0, 1.min(v.len() - 1)) } else { half(i - 1, i) };
        let above = if i + 1 == v.len() { below } else { half(i, i + 1) };
        (v[i] - below, v[i] + above)
    };
    for (j, row) in grid.z.iter().enumerate() {
        for (i, z) in row.iter().enumerate() {
            let ((x0, x1), (y0, y1)) = (edges(&grid.x, i), edges(&grid.y, j));
            let (r, g, b) = heat_colour(share(*z));
            chart.draw_series([Rectangle::new([(x0, y0), (x1, y1)], RGBColor(r, g, b).filled())])?;
            if numbers {
                let ink = if share(*z) > 0.55 { INK } else { WHITE };
                let style = (FONT, 16).into_font().color(&ink).pos(Pos::new(HPos::Center, VPos::Center));
                chart.draw_series([Text::new(format_number(*z), (grid.x[i], grid.y[j]), style)])?;
            }
        }
    }
    Ok(())
}

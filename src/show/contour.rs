//! Lines of equal value over a grid, by marching squares.

use super::Grid;

/// Straight pieces of the line where the grid's bilinear surface crosses `level`.
pub(super) fn pieces(grid: &Grid, level: f64) -> Vec<[(f64, f64); 2]> {
    let mut pieces = Vec::new();
    for j in 1..grid.y.len() {
        for i in 1..grid.x.len() {
            // Corners in order around the cell.
            let corners = [(i - 1, j - 1), (i, j - 1), (i, j), (i - 1, j)]
                .map(|(i, j)| (grid.x[i], grid.y[j], grid.z[j][i] - level));
            let mut crossings = Vec::new();
            for c in 0..4 {
                let (a, b) = (corners[c], corners[(c + 1) % 4]);
                if (a.2 < 0.0) != (b.2 < 0.0) {
                    let t = a.2 / (a.2 - b.2);
                    crossings.push((a.0 + t * (b.0 - a.0), a.1 + t * (b.1 - a.1)));
                }
            }
            // Two crossings are one piece; four (a saddle) are two, joined in order.
            for pair in crossings.chunks_exact(2) {
                pieces.push([pair[0], pair[1]]);
            }
        }
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_of_a_bowl_is_a_circle() {
        let grid = Grid::square(-2.0, 2.0, 81, |x, y| x * x + y * y);
        let pieces = pieces(&grid, 1.0);
        assert!(pieces.len() > 50);
        // Linear interpolation over cells of 0.05: the radius is right to h²/8 = 3e-4.
        let off = pieces.iter().flatten().map(|(x, y)| (x.hypot(*y) - 1.0).abs()).fold(0.0, f64::max);
        assert!(off < 1e-3, "{off}");
        let length: f64 = pieces.iter().map(|[a, b]| (a.0 - b.0).hypot(a.1 - b.1)).sum();
        assert!((length - std::f64::consts::TAU).abs() < 0.01, "{length}");
    }
}

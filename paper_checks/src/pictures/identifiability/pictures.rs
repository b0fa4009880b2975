//! The trained model as pictures: its energy, its density, and the density of the data.

use super::{SIDE, Trained};
use ebmbook::show::{Figure, Grid};
use ebmbook::theory::mixture;
use ndarray::array;

impl Trained {
    /// The first energy as colours and lines of equal energy.
    pub fn energy_picture(&self) -> Figure {
        let grid = self.square(|e, _| e);
        let levels: Vec<f64> = (1..=8).map(f64::from).collect();
        plane("The energy of the first direction, lowest where the data are")
            .heat("energy above its lowest value", grid.clone())
            .contour("lines of equal energy", grid, &levels)
    }

    /// The first density of the model.
    pub fn density_picture(&self) -> Figure {
        // log p_1 = −β_1ᵀf − log Z_1, and any point of the grid knows log Z_1.
        let log_z = -self.log_p[[0, 0]] - self.f.row(0).dot(&self.b.column(0));
        density_figure("p1 of the trained model", self.square(|_, raw| (-raw - log_z).exp()))
    }

    /// The density that the rows were drawn from.
    pub fn truth_picture(&self) -> Figure {
        let at = |x: f64, y: f64| mixture::log_density(array![[x, y]].view())[0].exp();
        density_figure("p_X, the mixture of three Gaussians", Grid::square(-SIDE, SIDE, 41, at))
    }

    /// A function of the first energy (above its lowest value, and as it is) over the square.
    fn square(&self, of: impl Fn(f64, f64) -> f64) -> Grid {
        let beta = self.b.column(0);
        let energy =
            |x: f64, y: f64| self.ebm.raw(array![[x, y]].view()).expect("two covariates").row(0).dot(&beta);
        let raw = Grid::square(-SIDE, SIDE, 41, energy);
        let lowest = raw.z.iter().flatten().copied().fold(f64::INFINITY, f64::min);
        let z = raw.z.iter().map(|row| row.iter().map(|e| of(e - lowest, *e)).collect()).collect();
        Grid { z, ..raw }
    }
}

fn plane(title: &str) -> Figure {
    Figure::new(title).size(560, 480).x("x1").y("x2")
}

/// A density with lines at the same heights in every picture, so that two can be compared.
fn density_figure(title: &str, grid: Grid) -> Figure {
    let levels = [0.01, 0.03, 0.06, 0.1];
    plane(title).heat("density", grid.clone()).contour("density 0.01, 0.03, 0.06, 0.1", grid, &levels)
}

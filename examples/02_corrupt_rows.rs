//! The noise that the model learns from: each feature is left alone or changed, and the kernel can
//! say how likely every copy is.

use ebmbook::data::ColumnKind;
use ebmbook::prelude::*;
use ndarray::{array, s};

pub(crate) fn main() -> Result<()> {
    // One number and one category (0, 1 or 2) in each row.
    let x = array![[0.3, 0.0], [-1.2, 1.0], [0.8, 2.0], [0.1, 1.0]];
    let columns = vec![
        Column { name: "weight".into(), kind: ColumnKind::Continuous },
        Column { name: "clinic".into(), kind: ColumnKind::categorical(x.column(1)) },
    ];
    let rows = Covariates::new(x, columns)?;

    for q in [0.2, 0.5, 1.0] {
        let kernel = NoiseKernel::new(&rows, q)?;
        let copies = kernel.corrupt(rows.x(), 1_000, Seed::new(1))?;
        let unchanged = |s: usize| {
            let original = rows.x()[[0, s]];
            copies.slice(s![0, .., s]).iter().filter(|v| **v == original).count()
        };
        println!("q = {q}: of 1000 copies, {} keep the weight, {} the clinic", unchanged(0), unchanged(1));
    }

    let kernel = NoiseKernel::new(&rows, 0.5)?;
    let copies = kernel.corrupt(rows.x(), 3, Seed::new(2))?;
    println!("\nrow 1 is {}; three copies and log p(copy | row):", rows.x().row(0));
    for copy in copies.slice(s![0, .., ..]).rows() {
        println!("{copy:>8.3}   {:>8.3}", kernel.log_density(copy, rows.x().row(0)));
    }
    Ok(())
}

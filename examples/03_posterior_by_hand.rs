//! Which of three candidates is the original? Equation (6) by hand, and by the library.

use ebmbook::prelude::*;
use ebmbook::theory::posterior::posterior;
use ndarray::{Array1, array};

pub(crate) fn main() -> Result<()> {
    let rows = Covariates::continuous(array![[-1.0], [1.0]])?;
    let kernel = NoiseKernel::new(&rows, 1.0)?;
    let v = array![[0.2], [1.5], [-0.4]];
    // A model with the energy x²/2, known up to its constant.
    let log_p = v.column(0).mapv(|x: f64| -0.5 * x * x);

    // q(a | V) ∝ p(v_a) · Π_{a'≠a} p̃(v_{a'} | v_a)
    let joint = Array1::from_shape_fn(3, |a| {
        let others = (0..3).filter(|other| *other != a);
        log_p[a].exp() * others.map(|other| kernel.log_density(v.row(other), v.row(a)).exp()).product::<f64>()
    });
    let by_hand = &joint / joint.sum();

    let group = v.clone().insert_axis(ndarray::Axis(0));
    let weights = kernel.log_weights(group.view())?;
    let by_library = posterior(log_p.view(), weights.row(0));
    println!("candidates {}", v.column(0));
    println!("by hand    {by_hand:.4}");
    println!("library    {by_library:.4}\n");

    // Training makes the original likely: the loss is −log q(0 | V), and no constant of p matters.
    let energies: Vec<f64> = log_p.iter().map(|l| -l).collect();
    let moved: Vec<f64> = energies.iter().map(|e| e + 100.0).collect();
    let weights = weights.row(0).to_vec();
    println!("−log q(0 | V)             {:.4}", -by_hand[0].ln());
    println!("Objective::Ranking        {:.4}", Objective::Ranking.loss(&energies, &weights));
    println!("with energies + 100       {:.4}", Objective::Ranking.loss(&moved, &weights));
    println!("Objective::Pairwise       {:.4}", Objective::Pairwise.loss(&energies, &[]));
    Ok(())
}

// exercise 1
fn my_loss(e0: f64, ea: f64) -> f64 { softplus(e0 - ea) }
let posterior = theory::posterior::posterior(array![-0.3, -1.1].view(), array![0.0, 0.0].view());
Answer::close(my_loss(0.3, 1.1), -posterior[0].ln(), 1e-9, "Minus the logarithm of the probability of the original, with p = exp(-energy).")
    .mistake(softplus(1.1 - 0.3), "The sign: a row with *low* energy should cost little.")
    .mistake(posterior[0], "That is the probability; the loss is minus its logarithm.")
    .mistake(0.3 - 1.1, "That is the difference of the energies; the loss is a function of it.")
// -log of exp(-e0) / (exp(-e0) + exp(-ea)) is log(1 + exp(e0 - ea)).

// exercise 2
let my_theta = -0.5;
let trained = learn(&x, -0.25, steps, Seed::new(2))[0];
Answer::close(my_theta, trained, 0.08, "The loss without kernel terms finds e(x) + 2·drift·x.")
    .mistake(0.5, "The sign: which way do the originals lie from their copies now?")
    .mistake(-0.25, "Both directions of the kernel count: forwards and backwards.")
    .mistake(0.0, "That is the value without a drift.")
// The first coefficient of the true energy is 0, and the drift adds 2 · (-0.25).

// exercise 3
fn my_energies(f: &Array2<f64>, b: &Array2<f64>) -> Array2<f64> { f.dot(b) }
let raw = ebm_turned.raw(test.view()).unwrap();
let off = |e: Array2<f64>| (&e - &theirs).iter().map(|v| v.abs()).sum::<f64>() / theirs.len() as f64;
Answer::close(off(my_energies(&raw, &b)), 0.0, 1e-9, "Row i, column j is the product of row i of f with column j of B. The number shown is your mean error.")
    .mistake(off(raw.dot(&b.t())), "You used the rows of B as directions; they are its columns.")
    .mistake(off(raw.clone()), "That is f itself, the energies when B = I.")
    .mistake(off(-raw.dot(&b)), "The density is exp(-energy); the energy itself has no minus sign.")
// Entry (i, j) of F B is the inner product of row i of F with column j of B.

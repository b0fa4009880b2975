//! Platt's A and B from five folds, in scikit-learn's order of everything.

use super::gram::Gram;
use super::machine::Machine;
use crate::seed::Mt19937;
use crate::seed::legacy::NumpyStream;

const FOLDS: usize = 5;

/// A and B of P(+1 | f) = 1/(1 + exp(A·f + B)), fitted on decision values of rows left out.
pub(super) fn cross_validated(gram: &Gram, signs: &[f64], seed: u32, tolerance: f64) -> (f64, f64) {
    let l = signs.len();
    let order = permutation(l, seed);
    let mut decisions = vec![0.0; l];
    for fold in 0..FOLDS {
        // Folds are runs of consecutive shuffled rows, not stratified.
        let (begin, end) = (fold * l / FOLDS, (fold + 1) * l / FOLDS);
        let rest = || order[..begin].iter().chain(&order[end..]).copied();
        let positive = rest().filter(|i| signs[*i] > 0.0).count();
        let negative = rest().count() - positive;
        if positive == 0 || negative == 0 {
            let decision = f64::from(u8::from(positive > 0)) - f64::from(u8::from(negative > 0));
            order[begin..end].iter().for_each(|i| decisions[*i] = decision);
            continue;
        }
        // Labels are sorted: the class −1 comes first and is the positive one in here.
        let of = |sign: f64| rest().filter(move |i| signs[*i] == sign);
        let flipped: Vec<f64> = signs.iter().map(|s| -s).collect();
        let machine = Machine::train(gram, of(-1.0).chain(of(1.0)).collect(), &flipped, tolerance);
        order[begin..end].iter().for_each(|i| decisions[*i] = -machine.decide(gram, *i));
    }
    // Newton's method of Lin, Lin and Weng (2007)
    libsvm_rs::probability::sigmoid_train(&decisions, signs)
}

/// 1/(1 + exp(A·f + B)), without overflow.
pub(super) fn sigmoid(decision: f64, a: f64, b: f64) -> f64 {
    let exponent = decision * a + b;
    if exponent >= 0.0 { (-exponent).exp() / (1.0 + (-exponent).exp()) } else { 1.0 / (1.0 + exponent.exp()) }
}

/// The shuffled order of l rows: NumPy's stream gives the seed of another stream, which swaps
/// each position with one at or after it.
fn permutation(l: usize, seed: u32) -> Vec<usize> {
    let inner = NumpyStream::new(seed).bounded(i32::MAX as u32 - 1);
    let mut mt = Mt19937::new(inner);
    let mut order: Vec<usize> = (0..l).collect();
    for i in 0..l {
        let j = i + below(&mut mt, (l - i) as u32) as usize;
        order.swap(i, j);
    }
    order
}

/// A draw from 0..range: Lemire's multiplication, with the rare draws that would bias it redone.
fn below(mt: &mut Mt19937, range: u32) -> u32 {
    let mut draw = || u64::from(mt.next_u32()) * u64::from(range);
    let mut product = draw();
    if (product as u32) < range {
        // 2³² mod range
        let threshold = range.wrapping_neg() % range;
        while (product as u32) < threshold {
            product = draw();
        }
    }
    (product >> 32) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seed_42_gives_the_inner_seed_that_numpy_gives() {
        assert_eq!(NumpyStream::new(42).bounded(i32::MAX as u32 - 1), 1_608_637_542);
    }

    #[test]
    fn every_row_is_shuffled_into_exactly_one_place() {
        let mut order = permutation(1000, 7);
        assert_ne!(order, permutation(1000, 8));
        order.sort_unstable();
        assert_eq!(order, (0..1000).collect::<Vec<_>>());
    }
}
